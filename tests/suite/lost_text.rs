//! YAML that loses text, or says too much about it: what lint says, and what its sure fixes make of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::store::sandbox::{Sandbox, put};

const NOW: &str = "2026-03-07T12:00:00Z";
const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";
const TODO: &str = "goals/ledger/todos/switch-9d4m.yaml";

/// A repository with a goal, a todo and a gate.
struct Place {
    sandbox: Sandbox,
    repo: PathBuf,
}

impl Place {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.init("repo", &[]);
        let place = Self { sandbox, repo };
        place.put("loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: main }\n");
        place.put(
            "goals/ledger/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store\nowner: maya\n\
             agents: { codex-main: writes the switch }\nboundary:\n  write_scope: [services/ledger/**]\n  \
             stop_condition: Stop at the first failed check\n",
        );
        place.put(TODO, &todo("Switch the read flag"));
        place.put(GATE, &gate("May codex-main switch the staging read flag?", ""));
        place.commit();
        place
    }

    fn put(&self, path: &str, text: &str) {
        put(&self.repo, path, text);
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message=work"]);
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.sandbox.git(&self.repo, arguments)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        command.current_dir(&self.repo).args(["--now", NOW]).args(arguments).output().expect("the program runs")
    }

    /// What is found: path, rule, level and the words beside it.
    fn found(&self) -> Vec<Value> {
        let output = self.run(&["lint", "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("JSON: {output:?}"));
        report["findings"].as_array().expect("a list").clone()
    }

    /// The only finding.
    fn only(&self) -> Value {
        let mut found = self.found();
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    fn is_there(&self, path: &str) -> bool {
        Path::new(&self.repo).join(path).is_file()
    }
}

fn todo(title: &str) -> String {
    format!(
        "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: switch-9d4m\ntitle: {title}\n\
         task_class: advancement_task\nassignee: codex-main\n"
    )
}

fn gate(question: &str, more: &str) -> String {
    format!(
        "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: switch-2f8q\nquestion: {question}\n\
         required_actor: owner\nblocks: [switch-9d4m]\nrequested: {{ by: codex-main, at: 2026-03-05T09:10:00Z }}\n{more}"
    )
}

fn says(finding: &Value, field: &str) -> String {
    finding[field].as_str().unwrap_or_default().to_owned()
}

/// `09-hash-cuts-value.sh`: a question is not cut at ` #7` without a word.
#[test]
fn a_value_that_a_hash_cuts_is_a_warning() {
    let place = Place::new();
    place.put(GATE, &gate("May codex-main switch flag #7, and delete the old store afterwards?", ""));
    let finding = place.only();
    assert_eq!((says(&finding, "rule"), says(&finding, "level")), ("yaml/hash-cuts-value".into(), "warning".into()));
    assert_eq!(says(&finding, "now"), "the value reads `May codex-main switch flag`");
    assert!(says(&finding, "help").starts_with("quote the whole value"), "{finding}");
    for (question, is_found) in [
        ("May it switch?  # asked by hand", false),
        ("'May it switch #7?'", false),
        ("May it switch flag#7?", false),
        ("May it switch? #todo", true),
        ("May it switch? #é", true),
        ("\"May it switch?\" #7", false),
        ("May it switch? #", false),
        ("May it switch? #-7", false),
    ] {
        place.put(GATE, &gate(question, ""));
        assert_eq!(place.found().len(), usize::from(is_found), "{question}");
    }
    place.put(GATE, &gate("May it switch?", "evidence:\n  - out-1 #2\n"));
    assert_eq!(says(&place.only(), "rule"), "yaml/hash-cuts-value", "in a list too");
    place.put(GATE, &gate("May it switch?", "revision: 1 #2\n"));
    assert_eq!(place.found().len(), 0, "a number loses no text");
}

/// `09-hash-cuts-value.sh`: one error for each value, and it says what to do.
#[test]
fn a_value_that_needs_quotes_is_one_error_and_a_sure_fix() {
    for title in [
        "Publish the spec: no interview",
        "{{owner}} approves",
        "{{ owner }}",
        "{owner} approves",
        "[draft] begin",
        "see: {{ owner }}",
        "done:",
        "@maya decides",
        "a: b: c",
    ] {
        let place = Place::new();
        place.put(TODO, &todo(title));
        let finding = place.only();
        assert_eq!(says(&finding, "rule"), "yaml/needs-quotes", "{title}");
        assert_eq!(says(&finding, "help"), "quote the value", "{title}");
        place.run(&["lint", "--fix"]);
        assert_eq!(place.found().len(), 0, "{title}");
        let text = std::fs::read_to_string(place.repo.join(TODO)).expect("the todo");
        assert_eq!(text, todo(&format!("'{title}'")), "every other byte is kept");
    }
    // Of several values each is named, also behind the place where a parser stops.
    let place = Place::new();
    place.put(TODO, &format!("{}resume_when: when: ever\n", todo("Publish: now")));
    let rules: Vec<String> = place.found().iter().map(|finding| says(finding, "rule")).collect();
    assert_eq!(rules, ["yaml/needs-quotes", "yaml/needs-quotes"]);
    // A list of texts takes a colon for a key; that is one error too.
    place.put(TODO, &format!("{}evidence: [out: 1]\n", todo("Publish")));
    let finding = place.only();
    assert_eq!((says(&finding, "rule"), says(&finding, "help")), ("shape/wrong-type".into(), "quote the value".into()));
    // What no quote mends stays what it is.
    place.put(TODO, &todo("[draft"));
    assert_eq!(says(&place.only(), "rule"), "yaml/syntax");
}

/// Git merges two sides that add one key at two places, and says nothing.
#[test]
fn a_key_that_both_sides_of_a_merge_added_says_so() {
    let place = Place::new();
    // So far apart that git sees no conflict.
    let padded = |above: &str, below: &str| {
        let filler: String = (0..12).map(|line| format!("# line {line}\n")).collect();
        format!("{above}{filler}{}{filler}{below}", todo("Switch"))
    };
    place.put(TODO, &padded("", ""));
    place.commit();
    place.git(&["switch", "--quiet", "--create", "other"]);
    place.put(TODO, &padded("priority: P0\n", ""));
    place.commit();
    place.git(&["switch", "--quiet", "main"]);
    place.put(TODO, &padded("", "priority: P2\n"));
    place.commit();
    place.git(&["merge", "--quiet", "--no-edit", "other"]);
    let finding = place.only();
    assert_eq!(says(&finding, "rule"), "yaml/duplicate-key");
    assert!(says(&finding, "help").contains("after a merge git may have taken one from each side"), "{finding}");
    let said = place.run(&["review", "HEAD~1..HEAD"]);
    assert_eq!(said.status.code(), Some(1), "{said:?}");
}

#[test]
fn a_word_in_the_place_of_an_act_is_shown_the_shape_of_one() {
    let place = Place::new();
    place.put(GATE, &gate("May it?", "decision: aproved\n"));
    let shape =
        "write `decision: { label: approve|reject|defer, actor_class: ACTOR_CLASS, by: ID, at: TIME, reason: LINE }`";
    assert_eq!(says(&place.only(), "help"), shape);
    place.put(GATE, &gate("May it?", "").replace("{ by: codex-main, at: 2026-03-05T09:10:00Z }", "codex-main"));
    assert_eq!(says(&place.only(), "help"), "write `requested: { by: ID, at: TIME }`");
    place.put(GATE, &gate("May it?", "evidence: out-1\n"));
    assert_eq!(says(&place.only(), "help"), "write `evidence: [ID]`");
}

#[test]
fn a_wrong_ending_and_a_byte_order_mark_have_sure_fixes() {
    let place = Place::new();
    let yml = TODO.replace(".yaml", ".yml");
    std::fs::rename(place.repo.join(TODO), place.repo.join(&yml)).expect("a rename");
    place.put(GATE, &format!("\u{feff}{}", gate("May it switch?", "")));
    let rules = |place: &Place| place.found().iter().map(|finding| says(finding, "rule")).collect::<Vec<_>>();
    // The gate that names the todo does not find it.
    assert_eq!(rules(&place), ["yaml/byte-order-mark", "reference/dangling", "path/yml-ending"]);
    let shown = String::from_utf8(place.run(&["lint", "--fix", "--dry-run"]).stdout).expect("text");
    assert!(shown.contains(&format!("renamed to {TODO}")) && place.is_there(&yml), "{shown}");
    place.run(&["lint", "--fix"]);
    assert_eq!(rules(&place), [""; 0]);
    assert!(place.is_there(TODO) && !place.is_there(&yml));
    assert_eq!(std::fs::read_to_string(place.repo.join(GATE)).expect("the gate"), gate("May it switch?", ""));
    // Where the right name is taken nothing is sure, and nothing is lost.
    place.put(&yml, &todo("Another one"));
    place.run(&["lint", "--fix"]);
    assert_eq!(rules(&place), ["path/yml-ending"]);
    assert!(place.is_there(TODO) && place.is_there(&yml));
}
