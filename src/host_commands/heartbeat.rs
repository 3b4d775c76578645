//! The text that a host gives an agent at each beat. It is a function of goal, agent and scope alone, so that equal bytes
//! mean that nothing is to be renewed.

use serde_json::{Value as Json, json};

use super::shown::shown_lines;
use crate::privacy::{Text, Wall};
use crate::vocabulary::{Goal, sha256};

/// The longest body, in characters.
const LIMIT: usize = 1900;

/// The body for one agent of one goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heartbeat {
    goal_id: Text,
    agent_id: Option<Text>,
    registered_agents: Vec<Text>,
    body: Result<String, HeartbeatFault>,
}

/// Why there is no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeartbeatFault {
    /// No agent was named.
    #[error("no agent is named; every beat is one agent's: --agent ID")]
    AgentMissing,
    /// The goal does not list the agent.
    #[error("the goal does not list this agent; list it: loopx goal register GOAL AGENT --scope \"...\"")]
    AgentNotRegistered,
    /// The body would be too long or hold refused material.
    #[error("the ids and the scope make no body that may be shown; shorten the scope in goal.yaml")]
    Unfit,
}

impl HeartbeatFault {
    /// A stable word for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AgentMissing => "agent_missing",
            Self::AgentNotRegistered => "agent_not_registered",
            Self::Unfit => "body_unfit",
        }
    }
}

/// Writes the body for an agent of a goal.
#[must_use]
pub fn heartbeat(goal: &Goal, agent: Option<&str>, wall: &Wall) -> Heartbeat {
    let body = match agent {
        None => Err(HeartbeatFault::AgentMissing),
        Some(agent) => match goal.agents.get(agent) {
            None => Err(HeartbeatFault::AgentNotRegistered),
            Some(scope) => body(goal.goal_id.as_str(), agent, scope.as_str(), wall),
        },
    };
    Heartbeat {
        goal_id: wall.text(&goal.goal_id),
        agent_id: agent.map(|agent| wall.text(agent)),
        registered_agents: goal.agents.keys().map(|agent| wall.text(agent)).collect(),
        body,
    }
}

fn body(goal: &str, agent: &str, scope: &str, wall: &Wall) -> Result<String, HeartbeatFault> {
    if [goal, agent, scope].iter().any(|text| !wall.scan_text(text).is_empty()) {
        return Err(HeartbeatFault::Unfit);
    }
    let lines = [
        format!(
            "You are agent {agent} of the loopx goal {goal}. Your scope: {scope}. You have no authority over other agents."
        ),
        "The state is in the loopx documents of this repository, not in this chat.".to_owned(),
        format!("1. Run exactly this first: loopx next --goal {goal} --agent {agent} --format json"),
        "2. Follow its decision. work: run commands.first, then do todo and only it; write only in \
         boundary.write_scope, stop at boundary.stop_condition. settle, report: run the named command, then 1. \
         replan: do not repeat the todo; block it, ask, or add a smaller one. ask, wait, repair, stop: give the \
         person next_action and end."
            .to_owned(),
        "3. notify says whether to write to the person, never whether to work: the decision alone says that. \
         DONT_NOTIFY with work to do means work."
            .to_owned(),
        "4. Timer: if schedule says stop, remove this beat. Else apply its rrule if it gives one, and pass the last \
         cursor back with --cursor. If the host refuses, say so and go on. A change of the timer spends nothing."
            .to_owned(),
        "5. After work: add the todo that comes next, if any, then run commands.settle; with --done if the todo is \
         finished. It validates, records and spends once. Commit what it wrote with your work."
            .to_owned(),
        "6. Stop and ask before: private material, credentials, destructive git, production that nobody approved. \
         A yes in chat decides nothing."
            .to_owned(),
    ];
    let text = lines.join("\n");
    match text.chars().count() <= LIMIT && wall.scan_text(&text).is_empty() {
        true => Ok(shown_lines(&text, wall)),
        false => Err(HeartbeatFault::Unfit),
    }
}

impl Heartbeat {
    /// The body, or why there is none.
    ///
    /// # Errors
    /// The agent is missing or not registered, or the body may not be shown.
    pub fn body(&self) -> Result<&str, HeartbeatFault> {
        self.body.as_deref().map_err(|fault| *fault)
    }

    /// The agents that the goal lists.
    pub fn registered_agents(&self) -> impl Iterator<Item = &str> {
        self.registered_agents.iter().map(AsRef::as_ref)
    }

    /// The body with its digest for programs.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let body = self.body.as_deref().ok();
        json!({
            "schema_version": "loopx_heartbeat_prompt_v0",
            "ok": body.is_some(),
            "goal_id": self.goal_id,
            "agent_id": self.agent_id,
            "registered_agents": self.registered_agents,
            "task_body": body,
            "body_sha256": body.map(|body| sha256(body.as_bytes())),
            "error": self.body.as_ref().err().map(|fault| fault.word()),
            "writes": 0,
            "spends_quota": false,
        })
    }
}
