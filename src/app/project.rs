//! The pure builder of contract 1, for one object or one for each line.

use crate::privacy::{Text, Wall};
use crate::project::{read, readonly_projection};

/// What came of the summaries.
#[derive(Debug, Default)]
pub struct Projected {
    /// One projection for each object that could be read, as JSON on one line, in the order of the input.
    pub projections: Vec<String>,
    /// What is wrong with the others.
    pub faults: Vec<Text>,
}

/// Projects every object of a text.
#[must_use]
pub fn project(text: &str) -> Projected {
    let wall = Wall::shipped();
    let mut projected = Projected::default();
    for (number, value) in (1..).zip(read(text)) {
        match value {
            Ok(summary) => match readonly_projection(&summary, wall) {
                Ok(projection) => {
                    let line = serde_json::to_string(&projection).expect("a projection is plain JSON");
                    projected.projections.push(line);
                }
                Err(fault) => projected.faults.push(wall.text(format!("error: object {number}: {fault}"))),
            },
            Err(fault) => {
                let place = format!("{}:{}", fault.line, fault.column);
                projected.faults.push(wall.text(format!("error: {place}: {}", fault.message)));
            }
        }
    }
    projected
}
