//! Edits change what they say and no other byte.

use loopx::document::{Document, Edit, Format, Node, Route, Span, apply, parse, scalar};
use proptest::prelude::*;
use proptest::sample::Index;

use super::sketch::{draw, records, texts};

fn tree(text: &str) -> Document {
    let parsed = parse(text.as_bytes(), Format::Yaml);
    assert_eq!(parsed.problems, [], "{text}");
    parsed.document.expect("no problem, so a tree")
}

/// Every route below the root, in the order of the file.
fn routes(root: &Node) -> Vec<Route> {
    let mut open = vec![(Route::root(), root)];
    let mut found = Vec::new();
    while let Some((route, node)) = open.pop() {
        open.extend(super::children(&route, node).into_iter().rev());
        found.push(route);
    }
    found.remove(0);
    found
}

fn comments(document: &Document) -> Vec<&str> {
    document.comments.iter().map(|comment| &*comment.text).collect()
}

/// The JSON of the tree with one place changed.
fn json_at<'v>(json: &'v mut serde_json::Value, document: &Document, route: &Route) -> &'v mut serde_json::Value {
    let mut node = &document.root;
    let mut place = json;
    for step in &route.0 {
        place = match step {
            loopx::document::Step::Key(key) => &mut place[&**key],
            loopx::document::Step::Index(index) => &mut place[*index as usize],
        };
        node = node.step(step).expect("the route leads somewhere");
    }
    place
}

fn parent(route: &Route) -> Route {
    Route(route.0[..route.0.len() - 1].to_vec())
}

/// A file, and what is left of it around an edit.
fn around<'t>(text: &'t str, edit: &Edit) -> (&'t str, &'t str) {
    (&text[..edit.span.range().start], &text[edit.span.range().end..])
}

proptest! {
    #![proptest_config(super::cases())]

    #[test]
    fn setting_a_scalar_changes_that_scalar_alone(record in records(), seed: u64, pick: Index, value in texts()) {
        let text = draw(&record, seed);
        let before = tree(&text);
        let routes = routes(&before.root);
        let route = &routes[pick.index(routes.len())];
        let edit = before.set(route, &scalar(&value));
        prop_assert_eq!(edit.is_some(), before.root.at(route).and_then(Node::scalar).is_some());
        if let Some(edit) = edit {
            let (head, tail) = around(&text, &edit);
            let edited = apply(&text, std::slice::from_ref(&edit)).expect("one edit fits");
            prop_assert!(edited.starts_with(head) && edited.ends_with(tail));
            let after = tree(&edited);
            let mut expected = before.root.to_json();
            *json_at(&mut expected, &before, route) = tree(&format!("[{}]", scalar(&value))).root.to_json()[0].take();
            prop_assert_eq!(after.root.to_json(), expected, "{}\n{}", text, edited);
            prop_assert_eq!(comments(&after), comments(&before), "{}\n{}", text, edited);
        }
    }

    #[test]
    fn inserting_an_entry_adds_that_entry_alone(record in records(), seed: u64, pick: Index, block: bool) {
        let text = draw(&record, seed);
        let before = tree(&text);
        let routes = routes(&before.root);
        let route = &routes[pick.index(routes.len())];
        let entry = if block { "~new:\n  by: ~me\n  at: [1]\n" } else { "~new: { by: ~me, at: [1] }\n" };
        if let Some(edit) = before.insert_after(&text, route, entry) {
            let edited = apply(&text, std::slice::from_ref(&edit)).expect("one edit fits");
            let after = tree(&edited);
            let mut expected = before.root.to_json();
            json_at(&mut expected, &before, &parent(route))["~new"] = serde_json::json!({ "by": "~me", "at": [1] });
            prop_assert_eq!(after.root.to_json(), expected, "{}\n{}", text, edited);
            prop_assert_eq!(comments(&after), comments(&before), "{}\n{}", text, edited);
            let lines = if text.contains("\r\n") { edited.replace("\r\n", "").replace('\n', "\r") } else { edited };
            prop_assert!(!lines.contains('\r'), "a line end of another kind");
        } else {
            prop_assert!(before.root.entry_at(route).is_none() || text.contains(['{', '[']), "{}", text);
        }
    }

    #[test]
    fn removing_an_entry_removes_that_entry_alone(record in records(), seed: u64, pick: Index) {
        let text = draw(&record, seed);
        let before = tree(&text);
        let routes = routes(&before.root);
        let route = &routes[pick.index(routes.len())];
        let siblings = before.root.at(&parent(route)).map_or(0, |parent| parent.entries().len());
        let edit = before.remove(&text, route);
        prop_assert_eq!(edit.is_some(), siblings > 1);
        if let Some(edit) = edit {
            let edited = apply(&text, &[edit]).expect("one edit fits");
            let mut expected = before.root.to_json();
            let key = route.field().expect("an entry's route ends with its key");
            json_at(&mut expected, &before, &parent(route)).as_object_mut().expect("a mapping").remove(key);
            prop_assert_eq!(tree(&edited).root.to_json(), expected, "{}\n{}", text, edited);
        }
    }
}

const GATE: &str = "\
# The cutover gate.
gate_id: cutover   # stays
blocks: [ 'a',  b ] # as they are
requested: { by: codex, at: 2026-03-05T09:10:00Z }
evidence:
- one   # first

decision:
    label: approve
    # who and when
    by: maya
";

fn edited(text: &str, edit: Option<Edit>) -> String {
    apply(text, &[edit.expect("the place exists")]).expect("one edit fits")
}

#[test]
fn edits_keep_the_hand_of_the_author() {
    for newline in ["\n", "\r\n"] {
        let file = |text: &str| text.replace('\n', newline);
        let text = file(GATE);
        let gate = tree(&text);
        let insert = |after: &str, entry| edited(&text, gate.insert_after(&text, &Route::of(after), entry));
        let expect = |actual: String, from: &str, to: &str| assert_eq!(actual, file(&GATE.replace(from, to)));
        expect(insert("gate_id", "revision: 2\n"), "stays\n", "stays\nrevision: 2\n");
        expect(insert("requested.by", "actor: user"), "by: codex,", "by: codex, actor: user,");
        expect(insert("decision.label", "until: x"), "approve\n", "approve\n    until: x\n");
        expect(insert("decision.by", "a:\n  b: 1\n"), "by: maya\n", "by: maya\n    a:\n      b: 1\n");
        expect(insert("evidence", "expires_at: x"), "# first\n", "# first\nexpires_at: x\n");
        let set = |route: Route, value| edited(&text, gate.set(&route, value));
        expect(set(Route::of("blocks").index(0), "c"), "'a'", "c");
        expect(set(Route::of("decision.by"), "ravi"), "maya", "ravi");
        let remove = |route: &str| edited(&text, gate.remove(&text, &Route::of(route)));
        expect(remove("decision"), "decision:\n    label: approve\n    # who and when\n    by: maya\n", "");
        expect(remove("requested.at"), ", at: 2026-03-05T09:10:00Z", "");
        expect(remove("requested.by"), "by: codex, ", "");
        expect(remove("gate_id"), "gate_id: cutover   # stays\n", "");
    }
}

/// Blank lines behind a block scalar may be part of its text: an edit next to it neither gives nor takes any.
#[test]
fn edits_leave_block_scalars_alone() {
    for text in
        ["a: |+\n  x\n\nb: 1", "a: >-\n  x\n\nb: 1\n  \n\n", "a: |+\n  x\n\n\nb: 1\n\nc: 2\n", "a: |\n  x\nb: 1\n   "]
    {
        let before = tree(text);
        let value = before.root.get("a").and_then(Node::text).expect("a scalar");
        for edit in [before.remove(text, &Route::of("b")), before.insert_after(text, &Route::of("a"), "new: 1\n")] {
            let edited = edited(text, edit);
            assert_eq!(tree(&edited).root.get("a").and_then(Node::text), Some(value), "{text:?} {edited:?}");
        }
    }
}

#[test]
fn nothing_is_inserted_behind_an_unfinished_block_scalar() {
    let text = "a: |+\n  x\n ";
    assert_eq!(tree(text).insert_after(text, &Route::of("a"), "new: 1\n"), None);
}

#[test]
fn json_documents_are_edited_too() {
    let text = "{\n  \"a\": 1,\n  \"b\": { \"c\": \"x\" }\n}\n";
    let document = parse(text.as_bytes(), Format::Json).document.expect("JSON");
    assert_eq!(edited(text, document.set(&Route::of("b.c"), "\"y\"")), text.replace("\"x\"", "\"y\""));
    let inserted = edited(text, document.insert_after(text, &Route::of("b"), "\"d\": 2"));
    assert_eq!(inserted, text.replace(" }\n}", " },\n  \"d\": 2\n}"));
    assert_eq!(edited(text, document.remove(text, &Route::of("b"))), "{\n  \"a\": 1\n}\n");
    assert_eq!(document.insert_after(text, &Route::of("b"), "\"d\":\n  2"), None);
}

#[test]
fn edits_that_do_not_fit_are_refused_together() {
    let edit = |start, end, text: &str| Edit { span: Span::new(start, end), text: text.into() };
    assert_eq!(apply("aéb", &[edit(3, 4, "y"), edit(0, 1, "x"), edit(1, 1, "-")]).as_deref(), Some("x-éy"));
    assert_eq!(apply("aéb", &[edit(0, 3, "x"), edit(1, 4, "y")]), None);
    assert_eq!(apply("aéb", &[edit(2, 3, "x")]), None);
    assert_eq!(apply("aéb", &[edit(4, 5, "x")]), None);
}
