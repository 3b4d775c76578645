//! Changes that must not change a verdict, masks that must hold, spans that must cover.

use std::ops::Range;

use loopx::document::{Format, parse};
use loopx::privacy::{FieldPath, Grammar, Part, Wall, scan_document};
use proptest::prelude::*;

use super::chance::Chance;
use super::corpora::{Corpus, refused, wall};
use super::shapes::SHAPES;

/// Verdict and rules of a YAML document.
fn rules(text: &str) -> Vec<&'static str> {
    let document = parse(text.as_bytes(), Format::Yaml).document.unwrap_or_else(|| panic!("no YAML: {text}"));
    let found = scan_document(&wall(), &document, text, &|_: &FieldPath| Grammar::Free);
    let mut rules: Vec<&str> = found.iter().map(|found| found.hit.rule.class.rule()).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text is JSON")
}

/// One line of material of each shape.
fn material() -> impl Iterator<Item = (&'static str, String)> {
    SHAPES.iter().map(|shape| {
        let mut chance = Chance::of(&["metamorphic", shape.class, shape.name]);
        (shape.class, (shape.build)(&mut chance))
    })
}

#[test]
fn where_and_how_a_value_is_written_does_not_matter() {
    for (class, text) in material().filter(|(_, text)| !text.contains('\n') && !text.contains(char::is_control)) {
        let value = quoted(&text);
        let first = rules(&format!("a: 1\nnote: {value}\n"));
        assert!(first.contains(&format!("privacy/{class}").as_str()), "{class} {text} {first:?}");
        let single = format!("'{}'", text.replace('\'', "''"));
        for other in [
            format!("note: {value}\na: 1\n"),
            format!("note: {value}\r\na: 1\r\n"),
            format!("deep:\n    deeper:\n        note: {value}\n"),
            format!("notes:\n  - {value}\n"),
            format!("note: {single}\n"),
            format!("note: |\n  {text}\n"),
            format!("note: >\n  {text}\n"),
            format!("{{\"note\": {value}}}\n"),
        ] {
            assert_eq!(rules(&other), first, "{class} {other}");
        }
    }
}

#[test]
fn keys_and_comments_are_read_like_values() {
    let short = material()
        .filter(|(class, text)| *class == "secret" && text.len() < 200 && !text.contains(['\n', ':', '"', '#']));
    for (_, text) in short {
        for written in [format!("{}: true\n", quoted(&text)), format!("a: 1 # {text}\n"), format!("# {text}\na: 1\n")] {
            assert!(rules(&written).contains(&"privacy/secret"), "{written}");
        }
    }
}

#[test]
fn a_secret_split_over_neighbours_is_found() {
    let token = format!("gh{}_{}", "p", "k7Qz2mXw9RbT4vNc8LpJ".repeat(2).split_at(36).0);
    let (first, rest) = token.split_at(15);
    for text in [format!("list:\n  - {first}\n  - {rest}\n"), format!("part_1: {first}\npart_2: {rest}\n")] {
        let document = parse(text.as_bytes(), Format::Yaml).document.expect("YAML");
        let found = scan_document(Wall::shipped(), &document, &text, &|_: &FieldPath| Grammar::Free);
        assert!(found.iter().any(|found| found.part == Part::Whole), "{text}");
    }
    let parts = ["/ho", "me"].concat();
    assert!(rules(&format!("a: {parts}\nb: /sample/x\n")).is_empty(), "a path is not looked for over two values");
}

#[test]
fn a_path_that_a_line_break_splits_behind_its_tilde_is_found() {
    for split in ["\n", "\r\n", " \n    ", "\n# ", "\n> "] {
        let text = format!("notes are in ~{split}sample/notes.md");
        let found = Wall::shipped().scan_text(&text);
        assert!(found.iter().any(|hit| hit.rule.class.rule() == "privacy/local-path"), "{text}");
    }
}

#[test]
fn a_flag_that_its_document_contradicts_is_a_finding_of_its_own() {
    let path = ["/ho", "me/alice/x"].concat();
    assert_eq!(rules("raw_transcripts_copied: false\nprivate_paths_copied: false\n"), [""; 0]);
    let rules = rules(&format!("private_paths_copied: false\nnote: see {path}\n"));
    assert_eq!(rules, ["privacy/flag-contradicted", "privacy/local-path"]);
}

#[test]
fn the_schema_says_what_passes() {
    let text = "digest: 9fceb02d0ae598e95dc970b74767f19372d61af89fceb02d0ae598e95dc970b7\nid: ACMEPAY-12\n";
    let document = parse(text.as_bytes(), Format::Yaml).document.expect("YAML");
    let fields = |path: &FieldPath| match path.field().as_str() {
        "digest" => Grammar::Digest,
        _ => Grammar::Id,
    };
    let found = scan_document(&wall(), &document, text, &fields);
    assert_eq!(found.iter().map(|found| found.hit.rule.id).collect::<Vec<_>>(), ["team-ticket"]);
    let token = format!("digest: gh{}_{}\n", "p", "a1B2c3D4".repeat(5).split_at(36).0);
    let document = parse(token.as_bytes(), Format::Yaml).document.expect("YAML");
    assert_eq!(scan_document(&wall(), &document, &token, &fields).len(), 1, "a digest field hides nothing");
}

#[test]
fn a_cleaned_copy_is_clean() {
    let wall = wall();
    for case in refused(Corpus::Development).into_iter().chain(refused(Corpus::HeldOut)).step_by(2) {
        let redacted = wall.redact(&case.text);
        let left = wall.scan_text(&redacted);
        assert!(
            left.is_empty(),
            "{} {} {}: {:?} leaves {:?} {redacted:?}",
            case.class,
            case.shape,
            case.wrapper,
            case.text,
            left
        );
    }
}

/// The part of material that chance has drawn: where two drawings of one shape differ.
fn drawn(text: &str, other: &str) -> Range<usize> {
    let same = |(one, other): (u8, u8)| one == other;
    let before = text.bytes().zip(other.bytes()).take_while(|pair| same(*pair)).count();
    let most = text.len().min(other.len()) - before;
    let behind = text.bytes().rev().zip(other.bytes().rev()).take(most).take_while(|pair| same(*pair)).count();
    before..text.len() - behind
}

#[test]
fn a_span_covers_what_was_planted_and_no_more() {
    let all = SHAPES.iter().filter(|shape| !matches!(shape.class, "invisible-character" | "ticket"));
    for shape in all {
        let build = |seed: &str| (shape.build)(&mut Chance::of(&[seed, shape.class, shape.name]));
        let text = build("metamorphic");
        let drawn = drawn(&text, &build("metamorphic again"));
        let spreads = matches!(shape.class, "transcript" | "tool-output");
        for (before, behind) in [("", ""), ("see ", " now")] {
            if !before.is_empty() && spreads {
                continue;
            }
            let whole = format!("{before}{text}{behind}");
            let hits = wall().scan_text(&whole);
            let start = hits.iter().map(|hit| hit.span.start).min().unwrap_or(whole.len());
            let end = hits.iter().map(|hit| hit.span.end).max().unwrap_or(0);
            let planted = before.len() + drawn.start..before.len() + drawn.end;
            let place = format!("{} {} {whole:?}: {start}..{end}", shape.class, shape.name);
            assert!(start <= planted.start && planted.end <= end, "{place} does not cover {planted:?}");
            // A block of several lines ends with its line, and the sign that ends an address may belong to its pattern.
            let within = before.len() <= start && end <= whole.len() - behind.len() + 1;
            assert!(within || text.contains('\n'), "{place} is wider than {text:?}");
        }
    }
}

/// The quick look may call for a closer one, and never calls clean what that one refuses.
#[test]
fn what_a_quick_look_calls_clean_is_clean_to_the_full_scan() {
    let wall = wall();
    let (mut clean, mut looked) = (0, 0);
    for corpus in [Corpus::Development, Corpus::HeldOut, Corpus::Unseen] {
        for case in refused(corpus).into_iter().chain(super::corpora::clean(corpus)) {
            looked += 1;
            if wall.is_clean(&case.text) {
                clean += 1;
                let hits = wall.scan_text(&case.text);
                assert!(hits.is_empty(), "{} {} {:?}: {hits:?}", case.shape, case.wrapper, case.text);
            }
        }
    }
    // A look that never says so would be right about nothing.
    assert!(clean * 4 > looked, "{clean} of {looked}");
}

proptest! {
    #[test]
    fn any_text_can_be_shown_and_redacted(text in "\\PC{0,80}[\\n\\t ]?[a-z/:=@%\\\\&;#.-]{0,60}\\PC{0,20}") {
        let wall = Wall::shipped();
        let redacted = wall.redact(&text);
        prop_assert!(wall.scan_text(&redacted).is_empty(), "{text:?} {redacted:?}");
        let shown = wall.text(&text);
        let steers = shown.as_ref().contains(['\n', '\u{1b}', '\u{202e}']);
        prop_assert!(!steers, "{shown}");
        if wall.is_clean(&text) {
            prop_assert!(wall.scan_text(&text).is_empty());
        }
    }
}
