//! The comment of a review: bounded, whole at every bound, inert.

use std::collections::BTreeMap;

use loopx::app::{Range, ReviewOptions, Reviewed, review};
use loopx::render::{COMMENT_LIMIT, comment};
use loopx::vocabulary::Instant;

use super::stories::outside_code;
use super::team::{NOW, Step, Team};

/// Everything that a renderer could take for something, and that ids and texts of documents can hold.
const HOSTILE: &str =
    "`x` ``y`` \\\\` \\\\| | <b> </details> <!-- loopx:review:v1:acme-ledger --> [a](http://e.example) @org/team #1";

fn gate(number: usize) -> (String, String) {
    let text = format!(
        "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: many-{number:04}\nquestion: \"{HOSTILE}\"\n\
         required_actor: owner\nblocks: [bench-7k2m]\nrequested: {{ by: codex-main, at: 2026-03-05T09:10:00Z }}\n"
    );
    (format!("goals/ledger/gates/many-{number:04}.yaml"), text)
}

/// A change that asks many gates whose questions are hostile.
fn asked(gates: usize) -> (Team, Reviewed) {
    let team = Team::new();
    team.branch("topic", "main");
    let put: BTreeMap<String, String> = (0..gates).map(gate).collect();
    team.commit(&Step { author: "codex-main".into(), message: "Ask".into(), put, ..Step::default() });
    let as_of = Instant::parse(NOW).expect("a moment");
    let reviewed = review(&team.repo, ReviewOptions { range: Range::parse("main..topic"), reviewers: None }, as_of)
        .expect("a review");
    (team, reviewed)
}

fn written(reviewed: &Reviewed, limit: usize) -> String {
    comment(&reviewed.comment(None), limit)
}

fn is_whole(text: &str) -> bool {
    let live = outside_code(text);
    let of = |what: &str| live.matches(what).count();
    let spans = text.lines().all(|line| line.matches('`').count() % 2 == 0);
    let rows = live.lines().filter(|line| line.starts_with('|')).all(|line| line.ends_with('|'));
    spans
        && rows
        && of("<details>") == of("</details>")
        && of("<sub>") == of("</sub>")
        && of("<!--") == 1
        && text.matches("<!--").count() == 1
}

/// P01: three thousand gates fit into one comment, with an honest count of what is left out.
#[test]
fn three_thousand_gates_fit_into_one_comment() {
    let (_team, reviewed) = asked(3000);
    let text = written(&reviewed, COMMENT_LIMIT);
    assert!(text.chars().count() <= COMMENT_LIMIT, "{} characters", text.chars().count());
    assert!(is_whole(&text));
    let rows = text.lines().filter(|line| line.starts_with("| new | gate ")).count();
    assert!(rows > 50, "{rows} rows");
    assert!(text.contains(&format!("\nand {} documents more\n", 3000 - rows)), "{}", &text[text.len() - 600..]);
}

/// P02, P08: whatever the bound, every fence, row and fold is closed, and nothing of a document is alive.
#[test]
fn a_comment_is_whole_at_every_bound() {
    let (_team, reviewed) = asked(12);
    let whole = written(&reviewed, COMMENT_LIMIT);
    for limit in (0..=whole.chars().count() + 10).step_by(3) {
        let text = written(&reviewed, limit);
        assert!(is_whole(&text), "at {limit}:\n{text}");
        let least = text.lines().take(2).map(|line| line.chars().count() + 1).sum::<usize>();
        assert!(text.chars().count() <= limit.max(least), "at {limit}: {}", text.chars().count());
        let live = outside_code(&text);
        for sign in ["@", "](", "![", "http", "<b>"] {
            assert!(!live.contains(sign), "at {limit}: {sign:?} is alive in\n{text}");
        }
    }
    assert_eq!(written(&reviewed, whole.chars().count()), whole);
}
