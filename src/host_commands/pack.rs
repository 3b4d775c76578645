//! What `/loopx` prints: what the project is, and the commands that go on from there; and the guided start of a goal.

use serde_json::{Value as Json, json};

use super::catalog::CATALOG;
use super::shown::shown_lines;
use crate::privacy::{Text, Wall};
use crate::vocabulary::{ClosedWords, HostSurface};

/// What is known of the project that a message was typed in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// The last part of its folder's name, where that may be shown.
    pub label: Option<Text>,
    /// Whether it has a state directory.
    pub is_connected: bool,
    /// The goal: the one that was named, else the only one.
    pub goal_id: Option<Text>,
    /// Whether that goal is there.
    pub is_goal_found: bool,
    /// The agent: the one that was named, else the only one of the goal.
    pub agent_id: Option<Text>,
    /// The agents of the goal.
    pub agents: Vec<Text>,
    /// The host that the message was typed in.
    pub surface: Option<HostSurface>,
}

/// Something that hosts may ask for and that loopx does not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unavailable {
    /// What was asked for.
    pub what: &'static str,
    /// The command that does most of it.
    pub instead: &'static str,
}

impl Unavailable {
    /// The refusal as JSON for programs.
    #[must_use]
    pub fn to_json(self) -> Json {
        json!({ "ok": false, "error": "unavailable", "what": self.what, "instead": self.instead })
    }
}

impl Project {
    fn label(&self) -> &str {
        self.label.as_ref().map_or("current workspace", AsRef::as_ref)
    }

    fn goal(&self) -> &str {
        self.goal_id.as_ref().map_or("GOAL", AsRef::as_ref)
    }

    fn agent(&self) -> &str {
        self.agent_id.as_ref().map_or("AGENT", AsRef::as_ref)
    }

    /// Whether it is known which agent of which goal goes on.
    fn is_identified(&self) -> bool {
        self.is_goal_found && self.agent_id.is_some()
    }

    fn connection(&self) -> Json {
        let (state, reason) = match (self.is_connected, self.is_goal_found) {
            (false, _) => ("not_connected", "there is no state directory here: loopx init"),
            (true, false) => ("connected", "no goal is named, or several could be meant: --goal ID"),
            (true, true) => ("connected", "the state directory and the goal are there"),
        };
        json!({
            "connection_state": state,
            "registry_exists": self.is_connected,
            "goal_found": self.is_goal_found,
            "state_file_exists": self.is_goal_found,
            "mutation_confirmation_required": !self.is_connected,
            "reason": reason,
        })
    }

    fn next(&self) -> Vec<String> {
        words(&["loopx", "next", "--goal", self.goal(), "--agent", self.agent(), "--format", "json"])
    }

    fn heartbeat(&self) -> Vec<String> {
        words(&["loopx", "heartbeat-prompt", "--thin", "--goal", self.goal(), "--agent", self.agent()])
    }

    fn activation(&self) -> Json {
        let state = if self.is_identified() { "ready" } else { "agent_identity_missing" };
        json!({
            "activation_method": "heartbeat_prompt",
            "activation_state": state,
            "activation_allowed": self.is_identified(),
            "identity_contract": "one agent id that the goal lists, the same at every beat",
            "activation_steps": [self.heartbeat()],
            "missing_host_tool_gate": "without a timer of the host, run the first command by hand at each turn",
        })
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The command pack of `/loopx`, for programs.
#[must_use]
pub fn bootstrap_pack(project: &Project) -> Json {
    let forms = CATALOG.iter().filter(|command| command.word == "/loopx");
    let forms = forms.map(|command| json!({ "form": command.form, "mode": command.mutation_policy }));
    json!({
        "schema_version": "loopx_bootstrap_command_pack_v0",
        "ok": true,
        "read_only": true,
        "slash_command": "/loopx",
        "slash_forms": forms.collect::<Vec<_>>(),
        "canonical_cli_command": words(&["loopx", "bootstrap-command-pack", "--project", "."]),
        "goal_text": null,
        "project_root_label": project.label(),
        "goal_id": project.goal_id,
        "agent_id": project.agent_id,
        "registered_agents": project.agents,
        "host_surface": project.surface.map(ClosedWords::word),
        "project_connection": project.connection(),
        "host_loop_activation": project.activation(),
        "available_slash_commands": CATALOG.iter().map(|command| command.form).collect::<Vec<_>>(),
        "commands": {
            "status": words(&["loopx", "status", "--goal", project.goal()]),
            "quota_guard": project.next(),
            "heartbeat_prompt": project.heartbeat(),
            "start_goal": words(&["loopx", "start-goal", "--guided", "--goal-text", "TEXT"]),
            "lint": words(&["loopx", "lint"]),
        },
        "safety_contract": {
            "runs_bootstrap": false,
            "writes_registry": false,
            "writes_state_file": false,
            "creates_heartbeat": false,
            "spends_quota": false,
        },
        "message": "Nothing was written. Show the person what waits, and run what they choose.",
    })
}

/// One step of a guided start: its name, its command, and what holds before it.
type GuidedStep = (&'static str, Vec<String>, &'static str);

/// The guided start of a goal, for programs: the goal text as it is, and the steps in their order. None of them has run.
#[must_use]
pub fn guided_start(project: &Project, goal_text: &str, wall: &Wall) -> Json {
    let steps = steps(project).into_iter().enumerate().map(|(number, (name, command, note))| {
        json!({ "order": number + 1, "step": name, "command": command, "note": note })
    });
    json!({
        "schema_version": "loopx_start_goal_v0",
        "ok": true,
        "read_only": true,
        "goal_text": shown_lines(goal_text, wall),
        "project_root_label": project.label(),
        "goal_id": project.goal_id,
        "agent_id": project.agent_id,
        "registered_agents": project.agents,
        "host_surface": project.surface.map(ClosedWords::word),
        "project_connection": project.connection(),
        "guided_transaction": {
            "ordered_steps": steps.collect::<Vec<_>>(),
            "plan_before_todo_write": true,
            "writes_now": false,
            "spends_quota_now": false,
        },
        "plan_rules": [
            "a clear problem: as many todos as it needs; a broad direction: two to five",
            "each todo has a priority, a title and a task_class; at least one is P0 unless a person acts first",
            "the order of the list decides within a priority",
            "show the plan to the person before the first todo is written",
        ],
    })
}

fn steps(project: &Project) -> Vec<GuidedStep> {
    let (goal, agent) = (project.goal(), project.agent());
    let scope = ["loopx", "goal", "register", goal, agent, "--scope", "SCOPE", "--execute"];
    let todo = ["loopx", "todo", "add", "TITLE", "--goal", goal, "--priority", "P0", "--execute"];
    let connect = match project.is_connected {
        true => words(&["loopx", "goal", "new", "OBJECTIVE", "--write-scope", "GLOB", "--stop", "TEXT"]),
        false => words(&["loopx", "init"]),
    };
    vec![
        ("inspect_connection", words(&["loopx", "status"]), "read only"),
        ("connect_if_needed", connect, "a person runs it, where no state directory or no goal is there yet"),
        ("select_agent_identity", words(&scope), "a person runs it, unless the goal lists the agent"),
        (
            "plan_ranked_todos",
            Vec::new(),
            "a checkpoint: plan in the chat and show the plan; nothing is written before",
        ),
        ("write_ordered_todos", words(&todo), "once for each todo of the plan, in its order"),
        (
            "refresh_state",
            words(&["loopx", "refresh-state", "--goal", goal, "--agent", agent]),
            "where a session of the agent is bound",
        ),
        ("activate_host_loop", project.heartbeat(), "show the body before the host keeps it"),
        ("quota_guard", project.next(), "the first turn begins here"),
    ]
}
