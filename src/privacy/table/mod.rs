//! The table: every class, pattern and example is declared here once.

mod field;
mod path;
mod secret;

use super::row::Row;

/// Every row, in the order of the reference.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    [secret::ROWS, path::ROWS, field::ROWS].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::rows;
    use crate::privacy::row::joined;
    use crate::privacy::wall::Wall;

    #[test]
    fn every_row_finds_its_own_examples_and_passes_the_clean_ones() {
        let wall = Wall::shipped();
        let mut ids = BTreeSet::new();
        for row in rows() {
            assert!(ids.insert(row.id), "{} stands twice", row.id);
            for example in row.find.examples().into_iter().chain(row.refused.iter().map(|pieces| joined(pieces))) {
                assert!(wall.scan_text(&example).iter().any(|hit| hit.rule == row), "{} misses {example:?}", row.id);
            }
            for example in row.clean.iter().map(|pieces| joined(pieces)) {
                assert!(wall.scan_text(&example).is_empty(), "{} refuses {example:?}", row.id);
            }
        }
    }
}
