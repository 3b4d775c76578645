//! The one table of the messages that hosts know.

use serde_json::{Value as Json, json};

/// What a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCommandKind {
    /// A read-first look at the project.
    ProjectBootstrapPreview,
    /// The guided start of a goal.
    ProjectTaskStart,
    /// Everything that waits, over all goals.
    GlobalManagerSummary,
    /// The open gates.
    GlobalManagerGates,
    /// The todos that wait.
    GlobalManagerTodos,
    /// What is wrong and cannot wait.
    GlobalManagerRisks,
    /// What merging a change means.
    RepoPrReview,
    /// A loopx message that no command has.
    Unknown,
    /// Ordinary text of a chat.
    NotLoopx,
}

impl HostCommandKind {
    /// The word of contract 5.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ProjectBootstrapPreview => "project_bootstrap_preview",
            Self::ProjectTaskStart => "project_task_start",
            Self::GlobalManagerSummary => "global_manager_summary",
            Self::GlobalManagerGates => "global_manager_gates",
            Self::GlobalManagerTodos => "global_manager_todos",
            Self::GlobalManagerRisks => "global_manager_risks",
            Self::RepoPrReview => "repo_pr_review",
            Self::Unknown => "unknown",
            Self::NotLoopx => "not_loopx",
        }
    }
}

/// A message that hosts know.
#[derive(Debug, Clone, Copy)]
pub struct HostCommand {
    /// The word that the message begins with.
    pub word: &'static str,
    /// The message with its argument, as help shows it.
    pub form: &'static str,
    /// What it asks for.
    pub kind: HostCommandKind,
    /// `project`, `global` or `repo`.
    pub scope: &'static str,
    /// What it is for, in a few words.
    pub intent: &'static str,
    /// What it may change.
    pub mutation_policy: &'static str,
    /// The loopx command, without what the message adds.
    pub cli: &'static [&'static str],
    /// Older words for the same.
    pub aliases: &'static [&'static str],
}

impl HostCommand {
    /// Whether the command changes nothing.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.kind != HostCommandKind::ProjectTaskStart
    }
}

const fn global(
    word: &'static str,
    form: &'static str,
    kind: HostCommandKind,
    intent: &'static str,
    cli: &'static [&'static str],
    aliases: &'static [&'static str],
) -> HostCommand {
    HostCommand { word, form, kind, scope: "global", intent, mutation_policy: "read_only", cli, aliases }
}

/// Every message, in the order of the help.
pub const CATALOG: &[HostCommand] = &[
    HostCommand {
        word: "/loopx",
        form: "/loopx",
        kind: HostCommandKind::ProjectBootstrapPreview,
        scope: "project",
        intent: "look at the project and what can be done",
        mutation_policy: "read_first",
        cli: &["bootstrap-command-pack", "--project", "."],
        aliases: &[],
    },
    HostCommand {
        word: "/loopx",
        form: "/loopx <goal text>",
        kind: HostCommandKind::ProjectTaskStart,
        scope: "project",
        intent: "start a goal, step by step",
        mutation_policy: "explicit_goal_start",
        cli: &["start-goal", "--guided", "--project", ".", "--goal-text"],
        aliases: &[],
    },
    global(
        "/loopx-global-summary",
        "/loopx-global-summary [Nh|Nd]",
        HostCommandKind::GlobalManagerSummary,
        "show what waits for whom, over all goals",
        &["global-summary"],
        &["/loop-global-summary"],
    ),
    global(
        "/loopx-global-gates",
        "/loopx-global-gates",
        HostCommandKind::GlobalManagerGates,
        "show the gates that wait",
        &["global-gates"],
        &["/loop-global-gates"],
    ),
    global(
        "/loopx-global-todos",
        "/loopx-global-todos",
        HostCommandKind::GlobalManagerTodos,
        "show the todos that wait",
        &["global-todos"],
        &["/loop-global-todos"],
    ),
    global(
        "/loopx-global-risks",
        "/loopx-global-risks",
        HostCommandKind::GlobalManagerRisks,
        "show what is wrong and cannot wait",
        &["global-risks"],
        &["/loop-global-risks"],
    ),
    HostCommand {
        word: "/loopx-pr-review",
        form: "/loopx-pr-review [BASE..HEAD]",
        kind: HostCommandKind::RepoPrReview,
        scope: "repo",
        intent: "show what merging a change would allow",
        mutation_policy: "must_run_cli_first",
        cli: &["review"],
        aliases: &[],
    },
];

/// The command that lists the messages.
pub(super) const HELP: &str = "loopx slash-commands";

/// The table of messages as JSON for programs.
#[must_use]
pub fn catalog_json() -> Json {
    let command = |command: &HostCommand| {
        json!({
            "command": command.form,
            "scope": command.scope,
            "intent": command.intent,
            "mutation_policy": command.mutation_policy,
            "cli_reference": format!("loopx {}", command.cli.join(" ")),
            "legacy_aliases": command.aliases,
            "implementation_status": "implemented",
        })
    };
    json!({
        "schema_version": "loopx_slash_command_catalog_v0",
        "canonical_prefix": "/loopx",
        "commands": CATALOG.iter().map(command).collect::<Vec<_>>(),
        "help": HELP,
    })
}
