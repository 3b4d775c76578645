//! Any bytes: no panic, a tree exactly when nothing is wrong, every place inside the text, every edit readable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loopx::document::{Document, Format, LineIndex, Node, Route, Span, apply, parse};

fuzz_target!(|bytes: &[u8]| {
    for format in [Format::Yaml, Format::Json] {
        let parsed = parse(bytes, format);
        let notes_only = parsed.problems.iter().all(|problem| problem.fault.is_note());
        assert_eq!(parsed.document.is_some(), notes_only);
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let lines = LineIndex::new(text);
        for problem in &parsed.problems {
            check_place(text, problem.span);
            problem.also.iter().for_each(|also| check_place(text, *also));
            let _ = lines.place(problem.span.start);
        }
        if let Some(document) = parsed.document {
            check_tree(text, &document.root);
            check_edits(text, &document);
        }
    }
});

fn check_place(text: &str, span: Span) {
    assert!(text.get(span.range()).is_some(), "{span:?}");
}

fn check_tree(text: &str, root: &Node) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        check_place(text, node.span);
        let children = node.items().iter().chain(node.entries().iter().map(|entry| &entry.value));
        for child in children {
            assert!(node.span.start <= child.span.start && child.span.end <= node.span.end);
            open.push(child);
        }
        node.entries().iter().for_each(|entry| check_place(text, entry.key.span));
    }
    let _ = root.to_json();
}

/// Each edit of a top-level entry leaves a file that reads, and only that entry differs.
fn check_edits(text: &str, document: &Document) {
    let read = |edited: &str| parse(edited.as_bytes(), document.format).document.map(|document| document.root.to_json());
    let json = document.root.to_json();
    for entry in document.root.entries().iter().take(3) {
        let route = Route::root().key(&entry.key.text);
        if let Some(edit) = document.set(&route, "\"x\"") {
            let mut expected = json.clone();
            expected[&*entry.key.text] = "x".into();
            assert_eq!(read(&apply(text, &[edit]).expect("one edit fits")), Some(expected));
        }
        if let Some(edit) = document.remove(text, &route) {
            let mut expected = json.clone();
            expected.as_object_mut().expect("a mapping").remove(&*entry.key.text);
            assert_eq!(read(&apply(text, &[edit]).expect("one edit fits")), Some(expected));
        }
        if document.root.entry("\u{1}").is_none() && let Some(edit) = document.insert_after(text, &route, "\"\\u0001\": 1") {
            let mut expected = json.clone();
            expected["\u{1}"] = 1.into();
            assert_eq!(read(&apply(text, &[edit]).expect("one edit fits")), Some(expected));
        }
    }
}
