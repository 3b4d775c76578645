//! Bugs that other tools of this shape had in the field, area yaml: the part of each that the reader answers for.
//!
//! Y04, Y05 and Y07 (alias bombs, block nesting) stand in `hostile.rs`. Y16, Y17 and Y20 are about shapes and
//! vocabularies, not about reading.

use loopx::document::{Ambiguity, Fault, Format, Resolved, apply, decode, parse, scalar};

use super::{fixtures, read};

/// Y01: `NO` is text, as key and as value, and a reader of YAML 1.1 would differ; a boolean field refuses `no` and `off`.
#[test]
fn y01_norway_stays_text() {
    let root = read("gate_id: NO\nlabels: { NO: norway, on: x }\n");
    let gate = root.get("gate_id").and_then(|node| node.scalar()).expect("a scalar");
    assert_eq!((gate.resolve(), gate.ambiguity()), (Resolved::Text, Some(Ambiguity::OldBoolean)));
    let labels = root.get("labels").expect("labels").entries();
    assert_eq!(labels.iter().map(|entry| &*entry.key.text).collect::<Vec<_>>(), ["NO", "on"]);
    assert!(labels.iter().all(|entry| entry.key.ambiguity() == Some(Ambiguity::OldBoolean)));
    for word in ["no", "off", "yes", "on", "y", "0", "'true'"] {
        assert!(decode::<bool>(&read(word)).is_err(), "{word}");
    }
}

/// Y02: a key given twice is refused, with both places.
#[test]
fn y02_the_last_key_does_not_win() {
    let text = format!("id: x\nstatus: active\n{}status: paused\n", "# filler\n".repeat(36));
    let parsed = parse(text.as_bytes(), Format::Yaml);
    let [problem] = &parsed.problems[..] else { panic!("one problem") };
    let also = problem.also.expect("the first place");
    assert_eq!(
        (problem.fault, &text[problem.span.range()], &text[also.range()]),
        (Fault::DuplicateKey, "status", "status")
    );
    assert!(also.start < problem.span.start && parsed.document.is_none());
}

/// Y08: a byte-order mark hides no key. Y10: a file with CRLF holds the same values, and an edit keeps its line ends.
#[test]
fn y08_y10_marks_and_line_ends_change_no_value() {
    for path in fixtures("yaml/ok", "yaml") {
        let text = std::fs::read_to_string(&path).expect("text");
        let plain = read(&text);
        let windows = text.replace('\n', "\r\n");
        for other in [format!("\u{feff}{text}"), windows.clone(), format!("\u{feff}{windows}")] {
            let document = parse(other.as_bytes(), Format::Yaml).document.expect("read all the same");
            assert_eq!(document.root.to_json(), plain.to_json(), "{}", path.display());
            let Some(last) = document.root.entries().last() else { continue };
            let route = loopx::document::Route::root().key(&last.key.text);
            let edit = document.insert_after(&other, &route, "new: 1\n").expect("a block mapping");
            let edited = apply(&other, &[edit]).expect("it fits");
            assert_eq!(edited.replace("\r\n", "").contains('\n'), !other.contains("\r\n"), "{}", path.display());
        }
    }
}

/// Y11: nothing behind the first document passes unread.
#[test]
fn y11_a_second_document_is_refused() {
    for text in ["a: 1\n---\nb: 2\n", "a: 1\n...\nb: 2\n", "--- a\n--- b\n", "a: 1\n---\n", "a: 1\n--- # c\n&x y: *z\n"]
    {
        let parsed = parse(text.as_bytes(), Format::Yaml);
        assert!(parsed.document.is_none(), "{text}");
        assert!(parsed.problems.iter().any(|problem| problem.fault == Fault::SecondDocument), "{text}");
    }
}

/// Y13 and Y14: ids and digests of digits keep every one of them.
#[test]
fn y13_y14_digits_are_kept() {
    for text in ["0510210600", "013", "4225332178759948004347560002921719079454", "00000000000000000012e5", "1.10"] {
        assert_eq!(decode::<String>(&read(&format!("id: {text}\n")).entries()[0].value).as_deref(), Ok(text));
        assert_eq!(read(&format!("id: {text}\n")).get("id").and_then(|node| node.text()), Some(text));
        assert_eq!(scalar(text), format!("'{text}'"), "written, it is quoted");
    }
}

/// Y19: a quoted text whose lines are not indented is refused; readers disagree about it.
#[test]
fn y19_under_indented_quotes_are_refused() {
    let text = "payload: \"-----BEGIN DATA\nQUJD\nREVG\n-----END DATA\"\nnext: 1\n";
    let parsed = parse(text.as_bytes(), Format::Yaml);
    assert_eq!(parsed.document, None);
    assert_eq!(parsed.problems.iter().map(|problem| problem.fault).collect::<Vec<_>>(), [Fault::Syntax]);
}
