//! The table: every class, pattern and example is declared here once.

mod address;
mod argument;
mod assigned;
mod blob;
mod chat;
mod field;
mod figure;
mod header;
mod invisible;
mod key_block;
#[cfg(test)]
mod law;
mod link;
mod log;
mod network;
mod output;
mod path;
mod person;
mod session;
mod shaped;
mod speaker;
mod trace;
mod transcript;
mod turn;
mod vendor;

use super::row::Row;

pub(super) use blob::{PACKED, is_opaque};
pub(super) use field::{CONTRADICTED, FORBIDDEN};

/// Every row, in the order of the reference.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    [
        vendor::ROWS,
        assigned::ROWS,
        argument::ROWS,
        header::ROWS,
        address::ROWS,
        shaped::ROWS,
        key_block::ROWS,
        path::ROWS,
        session::ROWS,
        transcript::ROWS,
        chat::ROWS,
        trace::ROWS,
        output::ROWS,
        log::ROWS,
        network::ROWS,
        person::ROWS,
        link::ROWS,
        blob::ROWS,
        invisible::ROWS,
        field::ROWS,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use regex::bytes::RegexBuilder;

    use super::rows;
    use crate::privacy::wall::Wall;

    #[test]
    fn every_pattern_compiles() {
        let compile =
            |pattern: String| RegexBuilder::new(&pattern).unicode(false).build().map_err(|error| error.to_string());
        for row in rows() {
            if let Some(pattern) = row.find.pattern() {
                assert_eq!(compile(pattern).err(), None, "{}", row.id);
            }
        }
    }

    #[test]
    fn every_row_finds_its_own_examples_and_passes_the_clean_ones() {
        let wall = Wall::shipped();
        let mut ids = BTreeSet::new();
        let mut wrong = Vec::new();
        for row in rows() {
            assert!(ids.insert(row.id), "{} stands twice", row.id);
            for example in row.refused_examples() {
                if !wall.scan_text(&example).iter().any(|hit| hit.rule.class == row.class) {
                    wrong.push(format!("{} misses {example:?}", row.id));
                }
            }
            for example in row.clean_examples() {
                if let Some(hit) = wall.scan_text(&example).first() {
                    wrong.push(format!("{} refuses {example:?} through {}", row.id, hit.rule.id));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_row_is_needed() {
        let mut wrong = Vec::new();
        for row in rows().filter(|row| row.refused_examples().next().is_some()) {
            let without = Wall::of(rows().filter(|other| *other != row));
            let is_missed = |example: String| without.scan_text(&example).iter().all(|hit| hit.rule.class != row.class);
            if !row.refused_examples().any(is_missed) {
                let example = row.refused_examples().next().unwrap_or_default();
                let others: Vec<&str> = without.scan_text(&example).iter().map(|hit| hit.rule.id).collect();
                wrong.push(format!("{} {others:?}", row.id));
            }
        }
        assert!(wrong.is_empty(), "nothing is missed without them: {wrong:?}");
    }
}
