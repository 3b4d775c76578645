//! An agent's turn: `loopx next` and `loopx settle` on the example, as `state-example/` holds it.

mod a_day;
mod bounded;
pub(crate) mod examples;
mod killed;
mod property;
mod quota;
mod settling;
mod table;
mod vectors;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use loopx::document::to_yaml;
use loopx::turn::TurnRow;
use loopx::vocabulary::{
    ActorClass, Digest, Effect, EventClass, Id, Instant, Outcome, Paragraph, Receipt, ReceiptSource, TurnResult,
};
use serde_json::Value;

use crate::store::sandbox::{Sandbox, put};

/// The time of the examples.
pub(crate) const NOW: &str = "2026-03-07T17:00:00Z";

/// The example in a repository whose reviewed branch is `main`.
pub(crate) struct Example {
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

impl Said {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("Unicode");
        Self { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target);
        } else {
            std::fs::create_dir_all(to).expect("writable");
            std::fs::copy(source, target).expect("writable");
        }
    }
}

impl Example {
    /// The example, committed.
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.init("repo", &[]);
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("state-example"), &repo);
        let settings = std::fs::read_to_string(repo.join("loopx.yaml")).expect("the settings");
        put(&repo, "loopx.yaml", &format!("{settings}authority: {{ ref: main }}\n"));
        // Nothing of the example's own programs is here.
        let goal = std::fs::read_to_string(repo.join("goals/ledger-cutover/goal.yaml")).expect("the goal");
        put(&repo, "goals/ledger-cutover/goal.yaml", &goal.replace("[make, ledger-check]", "[sh, check.sh]"));
        put(&repo, "check.sh", "exit 0\n");
        let example = Self { sandbox, repo };
        example.commit("example");
        example
    }

    /// The example whose gate is approved on `main`.
    pub(crate) fn approved() -> Self {
        let example = Self::new();
        example.approve();
        example.commit("approve");
        example
    }

    pub(crate) fn approve(&self) {
        let decide = ["gate", "decide", "cutover-2f8q", "approve", "--reason", "reads agree", "--by", "maya"];
        self.does(NOW, &[&decide[..], &["--execute"]].concat());
    }

    pub(crate) fn commit(&self, subject: &str) {
        self.sandbox.git(&self.repo, &["add", "--all"]);
        self.sandbox.git(&self.repo, &["commit", "--quiet", "--message", subject]);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.sandbox.git(&self.repo, arguments)
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        put(&self.repo, path, text);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.repo.join(path)).expect("a file")
    }

    /// Replaces text in a file.
    pub(crate) fn replace(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} holds {old}");
        self.put(path, &text.replace(old, new));
    }

    pub(crate) fn command(&self, now: &str, arguments: &[&str]) -> Command {
        self.command_in(&self.repo, now, arguments)
    }

    pub(crate) fn command_in(&self, folder: &Path, now: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        command.current_dir(folder).args(["--now", now]).args(arguments);
        command
    }

    pub(crate) fn loopx(&self, now: &str, arguments: &[&str]) -> Said {
        Said::of(self.command(now, arguments).output().expect("the program runs"))
    }

    /// The same, which must do its job.
    pub(crate) fn does(&self, now: &str, arguments: &[&str]) -> Said {
        let said = self.loopx(now, arguments);
        assert_eq!(said.code, Some(0), "loopx {arguments:?}: {said:?}");
        said
    }

    /// The packet of an agent.
    pub(crate) fn next_at(&self, now: &str, agent: &str, more: &[&str]) -> Value {
        let arguments = [&["next", "--agent", agent, "--format", "json"], more].concat();
        let said = self.does(now, &arguments);
        assert!(said.out.len() <= 8_000 && said.out.lines().count() == 1, "one short line: {}", said.out);
        said.json()
    }

    pub(crate) fn next(&self, agent: &str) -> Value {
        self.next_at(NOW, agent, &[])
    }

    /// Settles the turn that a packet names.
    pub(crate) fn settle_at(&self, now: &str, packet: &Value, more: &[&str]) -> Said {
        let (turn, todo) = (text(packet, "/turn_id"), text(packet, "/todo/todo_id"));
        let arguments = ["settle", "--turn", &turn, "--todo", &todo, "--format", "json"];
        self.loopx(now, &[&arguments[..], more].concat())
    }

    /// The files of the receipts of a class in the work tree.
    pub(crate) fn paths_of(&self, class: &str) -> Vec<PathBuf> {
        let mut files = crate::fixture::files_below(&self.repo.join("receipts"));
        let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a receipt");
        files.retain(|path| text(path).contains(&format!("event_class: {class}\n")));
        files
    }

    /// The receipts of a class in the work tree.
    pub(crate) fn receipts(&self, class: &str) -> Vec<String> {
        let files = crate::fixture::files_below(&self.repo.join("receipts"));
        let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("a receipt"));
        texts.filter(|text| text.contains(&format!("event_class: {class}\n"))).collect()
    }

    /// Writes the receipt of a spent slot.
    pub(crate) fn spend(&self, goal: &str, number: usize, at: &str) {
        let receipt = spend_receipt_of(goal, number, at);
        self.put(&receipt.path(), &to_yaml(&receipt));
    }
}

/// The receipt of a spent slot.
pub(crate) fn spend_receipt_of(goal: &str, number: usize, at: &str) -> Receipt {
    let turn = format!("turn-{number:016x}");
    let effect = Effect::QuotaSpend(goal, &turn);
    Receipt {
        schema_version: Default::default(),
        goal_id: Id::new(goal),
        run_id: effect.run_id(),
        effect_key: Paragraph::new(effect.key()),
        event_class: EventClass::QuotaSpend,
        source: ReceiptSource {
            kind: Id::new("loopx_todo_v0"),
            id: Id::new("cutover-9d4m"),
            digest: Digest::new("0".repeat(64)),
        },
        result: Outcome::Status(Id::new("spent")),
        actor_class: ActorClass::Agent,
        at: Instant::parse(at).expect("an instant"),
        agent_id: Some(Id::new("codex-main")),
        todo_id: Some(Id::new("cutover-9d4m")),
        session_id: None,
        outcome_id: None,
        artifact_id: None,
    }
}

/// A turn that failed.
pub(crate) fn failed_turn(todo: &str, number: usize) -> TurnRow {
    TurnRow {
        run_id: Id::new(format!("run-{number:016x}")),
        turn_id: Id::new(format!("turn-{number:016x}")),
        agent_id: Id::new("agent-a"),
        todo_id: Id::new(todo),
        session_id: None,
        outcome_id: None,
        result: TurnResult::Failed,
        at: Instant::parse(&format!("2026-01-01T0{number}:00:00Z")).expect("an instant"),
    }
}

/// What stands at a pointer, as text.
pub(crate) fn text(value: &Value, pointer: &str) -> String {
    match value.pointer(pointer) {
        Some(Value::String(text)) => text.clone(),
        other => panic!("{pointer} is {other:?} in {value}"),
    }
}

/// Compares what stands at pointers.
#[track_caller]
pub(crate) fn has(value: &Value, wanted: &[(&str, Value)]) {
    for (pointer, wanted) in wanted {
        assert_eq!(value.pointer(pointer), Some(wanted), "{pointer} in {value:#}");
    }
}
