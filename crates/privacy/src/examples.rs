//! Every row proves itself by its own examples.

use std::collections::BTreeSet;

use regex::bytes::RegexBuilder;

use super::row::Find;
use super::table::rows;
use super::wall::Wall;

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
        assert!(row.clean_examples().next().is_some(), "{} has no example that must pass", row.id);
        let is_found_by_itself =
            !matches!(row.find, Find::TicketPrefixes | Find::PrivateHosts | Find::FieldName | Find::Elsewhere);
        assert_eq!(row.refused_examples().next().is_some(), is_found_by_itself, "{}: examples that must match", row.id);
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
        // What a row says is more exact than that something was generated.
        let without = Wall::of(rows().filter(|other| {
            let is_general = matches!(other.id, "generated-value" | "encoded-run");
            *other != row && (!is_general || row.id == "generated-value")
        }));
        let is_missed = |example: String| without.scan_text(&example).iter().all(|hit| hit.rule.class != row.class);
        if !row.refused_examples().any(is_missed) {
            let example = row.refused_examples().next().unwrap_or_default();
            let others: Vec<&str> = without.scan_text(&example).iter().map(|hit| hit.rule.id).collect();
            wrong.push(format!("{} {others:?}", row.id));
        }
    }
    assert!(wrong.is_empty(), "nothing is missed without them: {wrong:?}");
}
