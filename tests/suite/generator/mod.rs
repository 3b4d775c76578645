//! Whole state directories of the real kinds, from a seed: the same seed gives the same bytes on every machine.
//!
//! The law tests draw many small ones that go wrong in every way; the benches draw few large ones that are valid.

mod documents;
mod dice;

pub(crate) use dice::Dice;

use std::collections::BTreeMap;

use loopx::document::to_yaml;
use loopx::vocabulary::{Instant, Receipt, receipt_path};
use serde_json::Value;

/// The instant that generated directories are made for.
pub(crate) const NOW: &str = "2026-03-07T17:00:00Z";

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// How many goals.
    pub(crate) goals: usize,
    /// Whether every document is valid and every decision recorded.
    pub(crate) is_valid: bool,
}

/// One state directory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Generated {
    /// The files by path; receipts that lie only in the work tree are among them.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// The receipts at the authority ref.
    pub(crate) recorded: Vec<Receipt>,
}

impl Generated {
    /// The instant it is made for.
    pub(crate) fn now() -> Instant {
        Instant::parse(NOW).expect("a moment")
    }

    fn put(&mut self, path: String, document: &Value) {
        self.files.insert(path, to_yaml(document).into_bytes());
    }

    /// Records an effect, once: a second receipt of it would be a conflict.
    fn record(&mut self, receipt: Receipt) {
        let path = receipt_path(receipt.goal_id.as_str(), receipt.run_id.as_str());
        if self.files.contains_key(&path) {
            return;
        }
        self.files.insert(path, to_yaml(&receipt).into_bytes());
        self.recorded.push(receipt);
    }
}

/// Draws one state directory.
pub(crate) fn generate(seed: u64, shape: Shape) -> Generated {
    let mut generated = Generated::default();
    let mut dice = Dice::new(seed);
    documents::workspace(&mut generated, &mut dice, shape);
    for goal in 0..shape.goals {
        documents::goal(&mut generated, &mut dice, shape, goal);
    }
    generated
}
