//! The guard: whether an agent may run a tool now, and what it is told when it may not.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

use super::event::Tool;
use super::patch::patched_paths;
use super::place::{Location, fold};
use super::shell::is_permitted_while_closed;
use super::table::Host;
use crate::vocabulary::{Glob, MayContinue, Reason, WaitingOn};
use crate::workspace::LAYOUT;

/// What the guard does where it excludes a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuardMode {
    /// Nothing; facts and briefings go on.
    Off,
    /// The person is asked; where the host cannot ask, the tool is denied.
    Ask,
    /// The tool is denied.
    #[default]
    Deny,
}

/// What one goal permits an agent, and what the agent is told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalAccess {
    /// The goal.
    pub goal_id: String,
    /// The agent.
    pub agent_id: String,
    /// Whether the agent may go on.
    pub may_continue: MayContinue,
    /// What may be written, as globs below the repository's root.
    pub write_scope: Vec<String>,
    /// Who may widen it.
    pub owner: String,
    /// What is needed first, in one line.
    pub next_action: String,
    /// The command that asks for it or clears it.
    pub command: Option<String>,
    /// The words of the validation command.
    pub validation_command: Vec<String>,
    /// When the agent has to stop.
    pub stop_condition: String,
    /// Who or what is waited for.
    pub waiting_on: WaitingOn,
    /// The first todo that the agent may run.
    pub todo_id: Option<String>,
    /// Its title.
    pub todo_title: Option<String>,
    /// Whether the agent has claimed it.
    pub is_claimed: bool,
    /// The first closed gate, and what it asks.
    pub gate: Option<(String, String)>,
    /// Every reason of the screen.
    pub reasons: Vec<Reason>,
}

/// Where one file that a tool writes stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mutation {
    /// Outside the repository's work trees.
    Outside,
    /// A file of a work tree: its path below the root, and below the state directory where it stands in one.
    File {
        /// Below the root of the work tree.
        path: String,
        /// Below the state directory.
        state_path: Option<String>,
    },
    /// Nobody can say.
    Unknown,
}

/// What the guard says of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuardVerdict {
    /// Nothing; the host's own permission rules go on.
    Silent,
    /// The tool may not run, for this reason.
    Excluded(String),
    /// What the tool writes cannot be told, for this reason.
    Unknown(String),
}

impl Mutation {
    /// Places a location; `state` is the state directory below the root of the work tree: empty, or ending in a slash.
    #[must_use]
    pub fn of(location: &Location, state: &str, folds: bool) -> Self {
        match location {
            Location::Outside => Self::Outside,
            Location::Unknown => Self::Unknown,
            Location::Inside(path) => {
                let head = path.get(..state.len());
                let is_below = head.is_some_and(|head| head == state || (folds && fold(head) == fold(state)));
                let state_path = is_below.then(|| path[state.len()..].to_owned());
                Self::File { path: path.clone(), state_path }
            }
        }
    }
}

/// Whether no scope in force holds a file.
#[must_use]
pub fn is_excluded(mutation: &Mutation, goals: &[GoalAccess], folds: bool) -> bool {
    match mutation {
        Mutation::Outside => false,
        Mutation::Unknown => true,
        Mutation::File { path, state_path } => {
            is_git(path, folds)
                || state_path.as_ref().is_some_and(|path| layout_command(path, folds).is_some())
                || !goals.iter().filter(|goal| goal.is_open()).any(|goal| goal.holds(path, folds))
        }
    }
}

/// Says whether a tool may run. `goals` are those that the session works for.
#[must_use]
pub fn guard(host: Host, tool: &Tool, writes: &[Mutation], goals: &[GoalAccess], folds: bool) -> GuardVerdict {
    let closed = goals.iter().all(|goal| !goal.is_open());
    match tool {
        Tool::Other => GuardVerdict::Silent,
        Tool::Write(None) => GuardVerdict::Unknown(unreadable()),
        Tool::Shell(None) if closed => GuardVerdict::Unknown(unreadable()),
        Tool::Shell(None) => GuardVerdict::Silent,
        Tool::Write(Some(_)) => guard_writes(writes, goals, folds),
        // Codex applies a patch that stands in a command line, and no event of an edit follows.
        Tool::Shell(Some(command)) if host == Host::CodexCli && patched_paths(command).is_some() => {
            guard_writes(writes, goals, folds)
        }
        Tool::Shell(Some(command)) => {
            let validations: Vec<&[String]> = goals.iter().map(|goal| goal.validation_command.as_slice()).collect();
            if closed && !is_permitted_while_closed(command, &validations) {
                GuardVerdict::Excluded(closed_reason(goals, "only reading commands, git and loopx run"))
            } else {
                GuardVerdict::Silent
            }
        }
    }
}

fn guard_writes(writes: &[Mutation], goals: &[GoalAccess], folds: bool) -> GuardVerdict {
    if writes.contains(&Mutation::Unknown) {
        return GuardVerdict::Unknown(unreadable());
    }
    let Some(excluded) = writes.iter().find(|write| is_excluded(write, goals, folds)) else {
        return GuardVerdict::Silent;
    };
    let Mutation::File { path, state_path } = excluded else { return GuardVerdict::Silent };
    if is_git(path, folds) {
        return GuardVerdict::Excluded("loopx: files of git are written by git commands only.".to_owned());
    }
    if let Some(command) = state_path.as_ref().and_then(|path| layout_command(path, folds)) {
        return GuardVerdict::Excluded(format!(
            "loopx: this file belongs to the state directory. Change it with: {command}"
        ));
    }
    if goals.iter().all(|goal| !goal.is_open()) {
        return GuardVerdict::Excluded(closed_reason(goals, "no file may be written"));
    }
    GuardVerdict::Excluded(outside_reason(goals))
}

/// What is said where the input of a tool, or the state, cannot be read.
#[must_use]
pub(crate) fn unreadable() -> String {
    "loopx: what this tool writes cannot be compared with the write scope. Find the cause with: loopx doctor".to_owned()
}

fn closed_reason(goals: &[GoalAccess], meanwhile: &str) -> String {
    let Some(goal) = goals.first() else {
        return format!("loopx: no goal of this agent is open. See: loopx status. Until then {meanwhile}.");
    };
    let command = goal.command.as_ref().map_or_else(
        || format!("See: loopx status --goal {}", goal.goal_id),
        |command| format!("The command: {command}"),
    );
    format!("loopx: goal {} waits: {}. {command}. Until then {meanwhile}.", goal.goal_id, goal.next_action)
}

fn outside_reason(goals: &[GoalAccess]) -> String {
    let open = || goals.iter().filter(|goal| goal.is_open());
    let scope: Vec<&str> = open().flat_map(|goal| &goal.write_scope).map(String::as_str).take(16).collect();
    let ids: Vec<&str> = open().map(|goal| goal.goal_id.as_str()).collect();
    let Some(first) = open().next() else { return closed_reason(goals, "no file may be written") };
    format!(
        "loopx: this path is outside the write scope of {}: {}. Write inside it, or ask {}, who can widen \
         boundary.write_scope of goals/{}/goal.yaml: loopx gate request \"May I write outside the scope?\" --goal {}",
        ids.join(", "),
        scope.join(", "),
        first.owner,
        first.goal_id,
        first.goal_id,
    )
}

impl GoalAccess {
    /// Whether the agent may go on; missing facts of its own session close no tool.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.may_continue != MayContinue::No
    }

    /// Whether the write scope holds a path.
    fn holds(&self, path: &str, folds: bool) -> bool {
        scope(&self.write_scope, folds).is_match(path)
    }
}

/// The globs of a scope; one that does not lead below the repository holds nothing.
fn scope(globs: &[String], folds: bool) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in globs.iter().filter(|glob| Glob::new(glob.as_str()).is_below_repository()) {
        let built = GlobBuilder::new(glob).literal_separator(true).case_insensitive(folds).build();
        built.into_iter().for_each(|glob| {
            set.add(glob);
        });
    }
    set.build().unwrap_or_default()
}

/// Whether a path below a work tree is one of git's own.
fn is_git(path: &str, folds: bool) -> bool {
    path.split('/').any(|part| part == ".git" || (folds && fold(part) == ".git"))
}

/// What reconcile writes at the top of a state directory.
const EMITTED: [&str; 3] = ["projections", "previews", "blockers"];

/// The command that changes a file of product.md 2's layout; `None` for a path that does not belong to it.
fn layout_command(path: &str, folds: bool) -> Option<&'static str> {
    let folded;
    let path = if folds {
        folded = fold(path);
        folded.as_str()
    } else {
        path
    };
    let parts: Vec<&str> = path.split('/').collect();
    Some(match parts[..] {
        ["loopx.yaml" | "loopx.json"] => "a pull request of a person; loopx init writes the first one",
        ["attention.json" | "attention.md"] => "loopx reconcile",
        ["goals", _, "todos", ..] => "loopx todo add, loopx todo done",
        ["goals", _, "gates", ..] => "loopx gate request",
        ["goals", _, "handoffs", ..] => "loopx handoff draft, loopx handoff accept",
        ["goals", _, "rewards", ..] => "loopx reward",
        ["goals", _, "bindings", ..] => "loopx session bind, loopx session close",
        ["goals", ..] => "a pull request of the goal's owner",
        ["policies", ..] => "loopx actor add, by a person",
        ["receipts", ..] => "loopx record",
        ["facts", ..] => "nothing: hosts report facts through loopx hook",
        ["hosts", _, "plugin.yaml" | "plugin.json" | "admission.yaml" | "admission.json"] => {
            "a pull request of a person"
        }
        ["hosts", ..] => return None,
        [top, _, ..] if EMITTED.contains(&top) => "loopx reconcile",
        [top, ..] if LAYOUT.contains(&top) => "loopx status names the command",
        _ => return None,
    })
}
