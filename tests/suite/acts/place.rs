//! A repository with a goal of two agents, its person, and everybody's git identity.

use crate::receipts::team::{Said, Team};

/// The address of the person, whose commits the clone makes unless a test says otherwise.
const PERSON: &str = "user@users.noreply.example";

pub(crate) struct Place(pub(crate) Team);

impl Place {
    pub(crate) fn new() -> Self {
        let team = Team::new();
        team.put(
            "policies/team.yaml",
            "schema_version: loopx_policy_v0\nactors:\n  maya: { class: owner, git: [user@users.noreply.example] }\n  \
             codex-main: { class: agent, git: [codex@users.noreply.example] }\n",
        );
        team.put(
            "goals/ledger/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store\nowner: maya\n\
             agents:\n  codex-main: writes the switch\n  claude-review: reviews\n\
             boundary:\n  write_scope: [services/ledger/**]\n  stop_condition: Stop at the first failed check\n",
        );
        let place = Self(team);
        place.todo("free-1abc", "advancement_task", "# by friday\n");
        place.todo("later-2abc", "advancement_task", "after: [free-1abc] # then\n");
        place.todo("ask-3abc", "user_action", "");
        place.0.commit("documents");
        place
    }

    pub(crate) fn todo(&self, id: &str, class: &str, more: &str) {
        let text = format!(
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: {id}\ntitle: Do {id}\ntask_class: {class}\n{more}"
        );
        self.0.put(&format!("goals/ledger/todos/{id}.yaml"), &text);
    }

    /// From now on the clone commits as this address.
    pub(crate) fn commits_as(&self, address: &str) {
        self.0.git(&["config", "user.email", address]);
    }

    pub(crate) fn as_agent(&self) {
        self.commits_as("codex@users.noreply.example");
    }

    pub(crate) fn as_person(&self) {
        self.commits_as(PERSON);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        self.0.read(path)
    }

    pub(crate) fn read_todo(&self, id: &str) -> String {
        self.read(&format!("goals/ledger/todos/{id}.yaml"))
    }

    /// Runs a command that must do its job: first shown, which writes nothing, then written, then repeated, which changes
    /// nothing. Gives the lines that it adds and removes.
    pub(crate) fn does(&self, arguments: &[&str]) -> String {
        let before = self.0.sandbox.status(&self.0.repo);
        let shown = self.0.loopx(arguments);
        assert_eq!(shown.code, Some(0), "{arguments:?}: {shown:?}");
        assert_eq!(self.0.sandbox.status(&self.0.repo), before, "a look writes nothing: {arguments:?}");
        let written = [arguments, &["--execute"]].concat();
        let said = self.0.loopx(&written);
        assert_eq!(said.code, Some(0), "{written:?}: {said:?}");
        let changed = self.0.git(&["add", "--all", "--intent-to-add"]) + &self.0.git(&["diff", "--unified=0"]);
        let again = self.0.loopx(&written);
        assert_eq!(again.code, Some(0), "a repeat is no failure: {written:?}: {again:?}");
        assert_eq!(again.out, "Nothing to do: the documents say so already.\n", "{written:?}");
        assert_eq!(self.0.git(&["diff", "--unified=0"]), changed, "a repeat changes nothing: {written:?}");
        let lint = self.0.loopx(&["lint"]);
        assert_eq!(lint.code, Some(0), "{written:?} leaves findings: {lint:?}");
        let is_line =
            |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
        let lines = changed.lines().filter(is_line).map(|line| format!("{line}\n")).collect();
        self.0.commit("done");
        lines
    }

    /// Runs a command that must be refused with these words, and write nothing.
    pub(crate) fn refuses(&self, arguments: &[&str], says: &str) -> Said {
        let before = self.0.sandbox.status(&self.0.repo);
        let said = self.0.loopx(&[arguments, &["--execute"]].concat());
        assert_eq!(said.code, Some(1), "{arguments:?}: {said:?}");
        assert!(said.err.contains(says) || said.out.contains(says), "{arguments:?}: {said:?}");
        assert_eq!(self.0.sandbox.status(&self.0.repo), before, "{arguments:?}: {said:?}");
        said
    }
}
