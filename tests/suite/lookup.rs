//! Ids as people type them: readers take a unique prefix, writers the whole id, and nobody what history knows as another.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::store::sandbox::{Sandbox, put};

const NOW: &str = "2026-03-07T12:00:00Z";

struct Team {
    sandbox: Sandbox,
    repo: PathBuf,
}

fn gate(id: &str) -> String {
    format!(
        "schema_version: operator_gate_v0\ngoal_id: ledger-main\ngate_id: {id}\nquestion: May it {id}?\n\
         required_actor: owner\nblocks: none\nrequested: {{ by: codex-main, at: 2026-03-05T09:10:00Z }}\n"
    )
}

fn todo(id: &str) -> String {
    format!(
        "schema_version: loopx_todo_v0\ngoal_id: ledger-main\ntodo_id: {id}\ntitle: Do {id}\n\
         task_class: advancement_task\nassignee: codex-main\n"
    )
}

impl Team {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.init("repo", &[]);
        let team = Self { sandbox, repo };
        team.put("loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: main }\n");
        team.put(
            "policies/team.yaml",
            "schema_version: loopx_policy_v0\nactors:\n  maya: { class: owner, git: [user@users.noreply.example] }\n",
        );
        team.put(
            "goals/ledger-main/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger-main\nobjective: Serve reads\nowner: maya\n\
             agents: { codex-main: code, codex: review }\n\
             boundary: { write_scope: [services/**], stop_condition: stop at a failed check }\n",
        );
        team.put("goals/ledger-main/gates/switch-2f8q.yaml", &gate("switch-2f8q"));
        team.put("goals/ledger-main/gates/store-7k2m.yaml", &gate("store-7k2m"));
        team.put("goals/ledger-main/todos/cut-9d4m.yaml", &todo("cut-9d4m"));
        team.commit();
        team
    }

    fn put(&self, path: &str, text: &str) {
        put(&self.repo, path, text);
    }

    fn remove(&self, path: &str) {
        std::fs::remove_file(self.repo.join(path)).expect("a file");
    }

    fn commit(&self) {
        self.sandbox.git(&self.repo, &["add", "--all"]);
        self.sandbox.git(&self.repo, &["commit", "--quiet", "--message=work"]);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        command.current_dir(&self.repo).args(["--now", NOW]).args(arguments).output().expect("the program runs")
    }

    /// What a run says that does its job.
    fn does(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// What a run says that does not, with the code of its error.
    fn fails(&self, arguments: &[&str], code: &str) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && text.contains(&format!("error[{code}]")), "{arguments:?}: {text}");
        text
    }
}

const DECIDE: [&str; 5] = ["gate", "decide", "ID", "approve", "--reason"];

/// The line that approves a gate as it was typed.
fn approve<'a>(typed: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut line: Vec<&str> = DECIDE.to_vec();
    line[2] = typed;
    line.push("two days agree");
    line.extend(more);
    line
}

#[test]
fn readers_take_any_unique_prefix_of_a_goal_and_an_agent() {
    let team = Team::new();
    for arguments in [
        vec!["status", "--goal", "led"],
        vec!["status", "--goal", "led", "--agent", "codex-"],
        vec!["status", "--agent", "codex-m"],
        vec!["receipts", "list", "--goal", "ledger"],
        approve("switch", &["--goal", "led"]),
        approve("swi", &[]),
    ] {
        team.does(&arguments);
    }
    let shown = team.does(&["status", "--agent", "codex-m"]);
    assert_eq!(shown, team.does(&["status", "--agent", "codex-main"]), "a prefix is the agent it means");
    // An exact id is meant whatever begins with it; what means two is said to.
    assert_eq!(team.does(&["status", "--agent", "codex"]), team.does(&["status", "--agent", "codex"]));
    assert!(team.fails(&["status", "--agent", "code"], "ambiguous_document").contains("codex, codex-main"));
    team.fails(&["status", "--goal", "nope"], "unknown_goal");
    assert!(team.fails(&approve("s", &[]), "ambiguous_document").contains("store-7k2m, switch-2f8q"));
}

#[test]
fn what_writes_takes_the_whole_id_or_its_slug_if_no_other_has_it() {
    let team = Team::new();
    let text = team.fails(&approve("switch-2", &["--execute"]), "id_not_whole");
    assert!(text.contains("switch-2f8q"), "{text}");
    team.fails(&approve("switch", &["--execute", "--goal", "led"]), "id_not_whole");
    team.does(&approve("switch", &["--execute"]));
    team.does(&approve("store-7k2m", &["--execute", "--goal", "ledger-main"]));
    team.put("goals/ledger-main/gates/again-1abc.yaml", &gate("again-1abc"));
    team.put("goals/ledger-main/gates/again-2abc.yaml", &gate("again-2abc"));
    team.fails(&approve("again", &["--execute"]), "ambiguous_document");
}

#[test]
fn what_a_new_document_names_is_written_whole() {
    let team = Team::new();
    team.does(&["todo", "add", "Next", "--after", "cut", "--id", "next-1abc", "--execute"]);
    let written = std::fs::read_to_string(team.repo.join("goals/ledger-main/todos/next-1abc.yaml")).expect("the todo");
    assert!(written.contains("cut-9d4m"), "{written}");
    team.fails(&["todo", "add", "Next", "--after", "cut-9", "--id", "last-1abc", "--execute"], "id_not_whole");
    let shown = team.does(&["todo", "add", "Next", "--after", "cut-9", "--id", "last-1abc"]);
    assert!(shown.contains("cut-9d4m"), "{shown}");
}

/// A gate `switch` was there and is gone: whoever types its id does not mean `switch-2f8q`.
#[test]
fn an_id_that_history_knows_is_never_read_as_a_longer_one() {
    let team = Team::new();
    team.put("goals/ledger-main/gates/switch.yaml", &gate("switch"));
    team.put(
        "goals/ledger/goal.yaml",
        "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Old\nowner: maya\nagents: { worker: code }\n\
         boundary: { write_scope: [docs/**], stop_condition: stop }\n",
    );
    team.commit();
    team.does(&approve("switch", &[]));
    team.remove("goals/ledger-main/gates/switch.yaml");
    team.remove("goals/ledger/goal.yaml");
    team.commit();
    for more in [&[][..], &["--execute"], &["--goal", "ledger-main"]] {
        let text = team.fails(&approve("switch", more), "unknown_document");
        assert!(text.contains("switch is gone from here, and switch-2f8q is another one"), "{text}");
    }
    assert!(team.fails(&["status", "--goal", "ledger"], "unknown_goal").contains("ledger-main is another one"));
    // What history does not know is a prefix as ever.
    team.does(&approve("switc", &[]));
    team.does(&["status", "--goal", "ledge"]);
    // An agent that a goal listed once.
    let goal = team.repo.join("goals/ledger-main/goal.yaml");
    let text = std::fs::read_to_string(&goal).expect("the goal").replace(", codex: review", "");
    std::fs::write(goal, text).expect("writable");
    team.commit();
    assert!(team.fails(&["status", "--agent", "codex"], "unknown_agent").contains("codex-main is another one"));
    team.does(&["status", "--agent", "codex-"]);
}

#[test]
fn a_receipt_goes_by_the_exact_id_of_what_it_records() {
    let team = Team::new();
    team.put("goals/ledger-main/gates/switch.yaml", &gate("switch"));
    team.commit();
    for id in ["switch", "switch-2f8q"] {
        team.does(&approve(id, &["--execute"]));
    }
    team.commit();
    let receipt = |typed: &str| team.does(&["receipts", "show", typed]);
    assert!(receipt("switch").contains("switch") && receipt("switch") != receipt("switch-2f8q"));
    assert_eq!(receipt("switch-"), receipt("switch-2f8q"));
}
