//! The property of quick looks: wherever a row finds something, its look has said that it may.

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::string::bytes_regex;
use proptest::test_runner::TestRunner;
use regex::bytes::{Regex, RegexBuilder};

use super::table::rows;
use crate::class::Joins;
use crate::decode::through;
use crate::detector::Detector;
use crate::policy::Policy;
use crate::prefilter::Prefilter;
use crate::row::{Row, Trigger};
use crate::view::Decoder;

/// The least that the look of a row must let through, for rows without a word.
#[rustfmt::skip]
const SHAPES: &[(&str, &str)] = &[
    ("unique-local-address", r"\b(?i:f[cd][0-9a-f]{2}):"),
    ("hardware-address", "[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}"),
    ("url-parameter", r"[?&;][A-Za-z_.-]+="),
    ("password-line", r":(?:[0-9]{2,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:"),
    ("storage-root", r#"(?m)(?:^|[\s"'`(=:,\[>|\x80-\xff])/[A-Za-z0-9_.-]"#),
    ("source-file", r#"(?m)(?:^|[\s"'`(=:,\[>|\x80-\xff])/[A-Za-z0-9_.-]"#),
    ("drive-letter", r"[A-Za-z]:(?:\\|/[^/])"),
    ("drive-folder", r"/[A-Za-z]/[A-Za-z]"),
    ("log-lines", r#"(?m)^[ \t>|#*"'`\[-]*(?:[0-9]{2,4}[-/:][0-9]{2}[-/:][0-9]{2}|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:|(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|CRITICAL|NOTICE)|[IWEF][0-9]{4} [0-9]{2}:|\[? {0,8}[0-9]{1,10}\.[0-9]{2,9}\]? )"#),
    ("timed-turns", r#"(?m)^[ \t>|#*"'`+/-]*\[?[0-9]{1,4}[/.:-][0-9]{1,2}(?:[/.:-][0-9]{1,4})?(?:[, .\]AP]|:)"#),
    ("named-turns", r#"(?m)^[ \t>|#*"'`+/-]*(?:[@<][A-Za-z\x80-\xff]|[A-Z\x80-\xff])[A-Za-z0-9_.\x80-\xff-]{0,40}(?: [A-Z\x80-\xff][a-z\x80-\xff]{0,30})?(?:>|\*{0,2}:)"#),
    ("discord-token", r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{8}"),
    ("twilio-key", "SK[a-f0-9]{4}"),
    ("airtable-token", r"pat[A-Za-z0-9]{14}\."),
    ("prefixed-token", "[a-z][_-][A-Za-z0-9]{32}"),
    ("session-uuid", r"/[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-"),
    ("session-parameter", r"[?&;#][A-Za-z_-]+="),
    ("american-phone", r"[0-9]{3}[).-] ?[0-9]{3}[.-][0-9]{4}"),
    ("bank-account", r"[A-Z]{2}[0-9]{2} ?[A-Z0-9]{4} ?[A-Z0-9]{4}"),
    ("payment-card", r"[0-9]{4}[ -][0-9]{4,6}[ -][0-9]{4}"),
    ("bare-card", r"\b[3-6][0-9]{14}"),
];

/// Drawings of each pattern.
const DRAWN: usize = 48;

/// Texts that a pattern matches, so far as they can be drawn, in the surroundings in which text is found.
fn drawn<'a>(pattern: &str, examples: impl Iterator<Item = String> + 'a) -> Vec<String> {
    let mut plain = format!("(?-u){pattern}");
    // What says nothing of letters cannot be drawn.
    for (look, letters) in [(r"\b", ""), ("(?:^|", r"(?:\n|"), ("|$)", r"|\n)"), ("(?m)^", "(?m)"), ("|^", "|")] {
        plain = plain.replace(look, letters);
    }
    let mut runner = TestRunner::deterministic();
    let drawing = bytes_regex(&plain).ok();
    let drawn = drawing.iter().flat_map(|drawing| {
        let draw = || drawing.new_tree(&mut runner).expect("it draws").current();
        std::iter::repeat_with(draw).take(DRAWN).filter_map(|bytes| String::from_utf8(bytes).ok()).collect::<Vec<_>>()
    });
    let texts: Vec<String> = drawn.chain(examples).collect();
    let around = |text: &String| {
        [("", ""), ("see ", " there"), ("a: \"", "\"\n"), ("\n  - ", "\n"), ("é", "é"), ("(", ")."), ("x=", ";")]
            .map(|(before, behind)| format!("{before}{text}{behind}"))
    };
    texts.iter().flat_map(around).collect()
}

fn compiled(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).build().expect("a test compiles every pattern")
}

/// The rows that are found by a pattern or a look behind a gate.
fn ready() -> (Vec<Detector>, Prefilter) {
    let policy = Policy::default();
    let detectors: Vec<Detector> = rows().map(|row| Detector::new(row, &policy)).collect();
    let prefilter = Prefilter::new(detectors.iter().map(|detector| &detector.row.find), &policy);
    (detectors, prefilter)
}

fn texts_of(row: &Row) -> Vec<String> {
    let shape = SHAPES.iter().find(|(id, _)| *id == row.id).map(|(_, shape)| drawn(shape, std::iter::empty()));
    let pattern = row.find.pattern().unwrap_or_default();
    drawn(&pattern, row.refused_examples()).into_iter().chain(shape.into_iter().flatten()).collect()
}

#[test]
fn a_look_at_a_shape_lets_through_what_its_pattern_does() {
    let (detectors, prefilter) = ready();
    let texts: Vec<String> = detectors.iter().flat_map(|detector| texts_of(detector.row)).collect();
    for (id, shape) in SHAPES {
        let row = detectors.iter().position(|detector| detector.row.id == *id).expect("a row of the table");
        let shape = compiled(shape);
        let matched: Vec<&String> = texts.iter().filter(|text| shape.is_match(text.as_bytes())).collect();
        assert!(matched.len() >= DRAWN, "{id}");
        for text in matched {
            for joined in [false, true] {
                assert!(prefilter.opened(text.as_bytes(), joined).holds(row), "{id} {text:?}");
            }
        }
    }
}

#[test]
fn a_look_at_a_shape_lets_through_what_its_row_finds() {
    let (detectors, prefilter) = ready();
    // Of the others more is said above.
    let is_above = |row: &Row| SHAPES.iter().any(|(id, _)| *id == row.id);
    let has_shape = |row: &Row| matches!(row.find.trigger(), Some(Trigger::Shape(_) | Trigger::Line(_)));
    for (number, detector) in detectors.iter().enumerate() {
        if has_shape(detector.row) && !is_above(detector.row) {
            let texts = texts_of(detector.row);
            let found: Vec<&String> = texts.iter().filter(|text| !detector.found(text, None).is_empty()).collect();
            assert!(!found.is_empty(), "{}", detector.row.id);
            for text in found {
                assert!(prefilter.opened(text.as_bytes(), false).holds(number), "{} {text:?}", detector.row.id);
            }
        }
    }
}

/// The rows of which a look says more than that a word is there.
fn of_likely(detectors: &[Detector]) -> impl Iterator<Item = (usize, &Detector)> {
    detectors
        .iter()
        .enumerate()
        .filter(|(_, detector)| matches!(detector.row.find.trigger(), Some(Trigger::Likely(..))))
}

#[test]
fn a_row_is_likely_wherever_it_finds_something() {
    let (detectors, prefilter) = ready();
    for (number, detector) in of_likely(&detectors) {
        let texts = texts_of(detector.row);
        let opens = |text: &&String| prefilter.opened(text.as_bytes(), false).holds(number);
        let found = texts.iter().filter(opens).filter(|text| !detector.found(text, None).is_empty());
        let missed: Vec<&String> = found.filter(|text| !detector.row.find.is_likely(text.as_bytes())).collect();
        assert!(missed.is_empty(), "{} {missed:?}", detector.row.id);
    }
}

#[test]
fn a_row_is_likely_wherever_it_finds_something_across_a_seam() {
    const SEAMS: [&str; 12] =
        ["\n", " \n    ", "\r\n", "\\\n", "\n# ", "\n> ", "\n- ", "\n+", ", ", "\", \"", "\nkey: ", "<br>"];
    let (detectors, prefilter) = ready();
    for (number, detector) in of_likely(&detectors) {
        for text in texts_of(detector.row).iter().step_by(9) {
            let cuts = (1..text.len()).filter(|&at| text.is_char_boundary(at)).take(120);
            for split in cuts.flat_map(|at| SEAMS.map(|seam| [&text[..at], seam, &text[at..]].concat())) {
                let opens = prefilter.opened(split.as_bytes(), false).holds(number);
                if !opens || detector.row.find.is_likely(split.as_bytes()) {
                    continue;
                }
                for (decoder, joins) in [(Decoder::Fold, Joins::Folds), (Decoder::Neighbour, Joins::Neighbours)] {
                    let Some(view) = through(decoder, &split).filter(|_| detector.row.joins() >= joins) else {
                        continue;
                    };
                    let found = detector.found(&view.text, Some(&view));
                    let found = found.iter().find(|place| detector.is_split(&view, place, joins));
                    assert_eq!(found, None, "{} {split:?}", detector.row.id);
                }
            }
        }
    }
}
