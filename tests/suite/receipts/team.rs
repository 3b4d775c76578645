//! A team's repository with one goal, and `loopx` as its people run it. Needs the `git` command, which stands for them.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::store::sandbox::{Sandbox, put};

/// The time of every verdict; all documents are of the days before.
pub(crate) const NOW: &str = "2026-03-07T12:00:00Z";

/// Where the state directory stands in the repository.
pub(crate) const STATE: &str = "loopx";

/// The gate `switch-2f8q`, not decided.
pub(crate) const ASKED: &str = "\
schema_version: operator_gate_v0
goal_id: ledger
gate_id: switch-2f8q
question: May codex-main switch the staging read flag?
required_actor: owner
blocks: [switch-9d4m]
requested: { by: codex-main, at: 2026-03-05T09:10:00Z }
";

pub(crate) struct Team {
    pub(crate) sandbox: Sandbox,
    pub(crate) repo: PathBuf,
}

/// What a command wrote, and its exit code.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

impl Team {
    /// A repository whose `main` holds a goal, its todo, and the gate that holds the todo up.
    pub(crate) fn new() -> Self {
        Self::with_settings("authority: { ref: main }\n")
    }

    /// The same with further lines in `loopx.yaml`.
    pub(crate) fn with_settings(settings: &str) -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.init("repo", &[]);
        let team = Self { sandbox, repo };
        team.put("loopx.yaml", &format!("schema_version: loopx_workspace_v0\n{settings}"));
        team.put(
            "goals/ledger/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store\nowner: maya\n\
             agents: { codex-main: writes the switch }\n\
             boundary:\n  write_scope: [services/ledger/**]\n  stop_condition: Stop at the first failed check\n",
        );
        team.put(
            "goals/ledger/todos/switch-9d4m.yaml",
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: switch-9d4m\ntitle: Switch the read flag\n\
             task_class: advancement_task\nassignee: codex-main\n",
        );
        team.put("goals/ledger/gates/switch-2f8q.yaml", ASKED);
        put(
            &team.repo,
            ".gitignore",
            "/loopx/projections/\n/loopx/attention.*\n/loopx/previews/\n/loopx/blockers/\n/loopx/facts/\n",
        );
        team.commit("ask");
        team
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        put(&self.repo.join(STATE), path, text);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.repo.join(STATE).join(path)).expect("a file")
    }

    /// Writes what a person decides into the gate.
    pub(crate) fn decide(&self, label: &str) {
        self.put("goals/ledger/gates/switch-2f8q.yaml", &decided(label));
    }

    /// Commits everything that git does not ignore.
    pub(crate) fn commit(&self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", subject]);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.sandbox.git(&self.repo, arguments)
    }

    /// Runs `loopx` at the root of the repository.
    pub(crate) fn loopx(&self, arguments: &[&str]) -> Said {
        Said::of(self.command(arguments).output().expect("the program runs"))
    }

    /// The same, which must do its job; gives what it wrote.
    pub(crate) fn does(&self, arguments: &[&str]) -> String {
        let said = self.loopx(arguments);
        assert_eq!(said.code, Some(0), "loopx {arguments:?}: {said:?}");
        said.out
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        command.current_dir(&self.repo).args(["--now", NOW]).args(arguments);
        command
    }

    /// Whether the agent may go on, why not, and in which state its gate is, as `loopx status` says.
    pub(crate) fn screen(&self) -> (String, String, Vec<String>) {
        let status: serde_json::Value =
            serde_json::from_str(&self.does(&["status", "--format", "json"])).expect("JSON");
        let screen = &status["projections"][0]["first_screen"];
        let word = |name: &str| screen[name].as_str().expect("a word").to_owned();
        let reasons = screen["reasons"].as_array().expect("a list");
        let reasons = reasons.iter().map(|reason| reason.as_str().expect("a word").to_owned()).collect();
        (word("may_continue"), word("gate_state"), reasons)
    }

    /// The subjects of all commits, the newest first.
    pub(crate) fn log(&self) -> Vec<String> {
        self.sandbox.log(&self.repo)
    }

    /// The receipts that git holds at `HEAD`.
    pub(crate) fn receipts(&self) -> Vec<String> {
        let listed = self.git(&["ls-tree", "-r", "--name-only", "HEAD", "loopx/receipts"]);
        listed.lines().map(str::to_owned).collect()
    }
}

impl Said {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("Unicode");
        Self { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }
}

/// The screen of an agent that the gate holds up, and why.
pub(crate) fn closed(reason: &str) -> (String, String, Vec<String>) {
    ("no".to_owned(), "operator_gate".to_owned(), vec![reason.to_owned()])
}

/// The screen of an agent that may go on.
pub(crate) fn open() -> (String, String, Vec<String>) {
    ("yes".to_owned(), "approved".to_owned(), vec!["in_step".to_owned()])
}

/// The gate, decided by its owner.
pub(crate) fn decided(label: &str) -> String {
    let until = if label == "defer" { "  until: 2026-03-12T00:00:00Z\n" } else { "" };
    format!(
        "{ASKED}decision:\n  label: {label}\n  actor_class: owner\n  by: maya\n  at: 2026-03-06T16:12:00Z\n  \
         reason: two days of reads agree\n{until}"
    )
}
