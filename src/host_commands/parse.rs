//! What a message means, before it counts as ordinary chat.

use serde_json::{Value as Json, json};

use super::catalog::{CATALOG, HELP, HostCommand, HostCommandKind};
use super::shown::shown_lines;
use crate::privacy::Wall;

/// What one message asks for, and how it is spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedMessage {
    /// What it asks for.
    pub kind: HostCommandKind,
    /// The message as the table has it; `None` for one that the table does not have.
    pub canonical: Option<&'static str>,
    /// Whether an older word was used.
    pub is_legacy_alias: bool,
    /// What stands behind the word, every space kept; empty where nothing does.
    pub argument: String,
    /// Why the argument is refused.
    pub fault: Option<ArgumentFault>,
    command: Option<usize>,
}

/// Why an argument is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentFault {
    /// No goal text.
    #[error("the goal text is empty; say in one line what is to be done")]
    Empty,
    /// A switch before the goal text.
    #[error("the goal text begins with a switch, and none is taken; begin with what is to be done")]
    LeadingSwitch,
    /// Refused material in it.
    #[error("the text holds material that loopx neither keeps nor shows; say it without: loopx scan -")]
    Unsafe,
    /// No time range.
    #[error("the time range is a number with h or d, such as 48h")]
    NoRange,
    /// The message takes no argument.
    #[error("the message takes no argument")]
    NoArgument,
}

impl ArgumentFault {
    /// A stable word for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Empty => "goal_text_empty",
            Self::LeadingSwitch => "leading_switch_refused",
            Self::Unsafe => "text_unsafe",
            Self::NoRange => "time_range_invalid",
            Self::NoArgument => "argument_refused",
        }
    }
}

/// Reads a message. Only its beginning counts, exactly as it is spelled.
#[must_use]
pub fn parse(message: &str, wall: &Wall) -> ParsedMessage {
    let (word, argument) = match message.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (message, ""),
    };
    let has_text = !argument.trim().is_empty();
    let is_meant = |command: &HostCommand| {
        let starts = command.kind == HostCommandKind::ProjectTaskStart;
        let previews = command.kind == HostCommandKind::ProjectBootstrapPreview;
        (command.word == word || command.aliases.contains(&word)) && (has_text || !starts) && !(has_text && previews)
    };
    let Some(number) = CATALOG.iter().position(is_meant) else {
        let is_own = word.starts_with("/loopx-");
        let kind = if is_own { HostCommandKind::Unknown } else { HostCommandKind::NotLoopx };
        return ParsedMessage {
            kind,
            canonical: None,
            is_legacy_alias: false,
            argument: String::new(),
            fault: None,
            command: None,
        };
    };
    let command = &CATALOG[number];
    ParsedMessage {
        kind: command.kind,
        canonical: Some(if command.word == "/loopx" { command.form } else { command.word }),
        is_legacy_alias: command.word != word,
        argument: if has_text { argument.to_owned() } else { String::new() },
        fault: fault(command.kind, argument, wall).err(),
        command: Some(number),
    }
}

/// The goal text of an argument, every character kept.
///
/// # Errors
/// It is empty, holds refused material, or begins with a switch: switches are typed on a command line, never in a chat.
pub fn goal_text<'t>(argument: &'t str, wall: &Wall) -> Result<&'t str, ArgumentFault> {
    match argument.trim_start() {
        "" => Err(ArgumentFault::Empty),
        text if text.starts_with("--") => Err(ArgumentFault::LeadingSwitch),
        _ if !wall.scan_text(argument).is_empty() => Err(ArgumentFault::Unsafe),
        _ => Ok(argument),
    }
}

fn fault(kind: HostCommandKind, argument: &str, wall: &Wall) -> Result<(), ArgumentFault> {
    let argument = argument.trim();
    match kind {
        HostCommandKind::ProjectTaskStart => goal_text(argument, wall).map(drop),
        HostCommandKind::GlobalManagerSummary if !argument.is_empty() && !is_range(argument) => {
            Err(ArgumentFault::NoRange)
        }
        HostCommandKind::GlobalManagerGates
        | HostCommandKind::GlobalManagerTodos
        | HostCommandKind::GlobalManagerRisks
            if !argument.is_empty() =>
        {
            Err(ArgumentFault::NoArgument)
        }
        _ => Ok(()),
    }
}

/// Whether a text is a number of hours or days.
fn is_range(text: &str) -> bool {
    let number = text.strip_suffix(['h', 'd']).unwrap_or_default();
    (1..=4).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0')
}

impl ParsedMessage {
    /// Whether nothing may be done for it but showing the help.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.kind == HostCommandKind::Unknown || self.fault.is_some()
    }

    /// The loopx command that does what the message asks for, as separate words; `None` where there is none.
    #[must_use]
    pub fn cli(&self) -> Option<Vec<String>> {
        let command = &CATALOG[self.command.filter(|_| !self.is_refused())?];
        let mut words: Vec<String> = command.cli.iter().map(|word| (*word).to_owned()).collect();
        let takes = matches!(self.kind, HostCommandKind::ProjectTaskStart | HostCommandKind::GlobalManagerSummary);
        if takes && !self.argument.is_empty() {
            words.push(match self.kind {
                HostCommandKind::GlobalManagerSummary => self.argument.trim().to_owned(),
                _ => self.argument.clone(),
            });
        }
        Some(words)
    }

    /// The handoff packet for programs: what the host passes on, without a path of the machine.
    #[must_use]
    pub fn to_json(&self, wall: &Wall) -> Json {
        let command = self.command.map(|number| &CATALOG[number]);
        let starts = self.kind == HostCommandKind::ProjectTaskStart;
        let text = || shown_lines(&self.argument, wall);
        let summary = self.kind == HostCommandKind::GlobalManagerSummary && !self.argument.is_empty();
        let words = self.cli().map(|words| words.iter().map(|word| shown_lines(word, wall)).collect::<Vec<_>>());
        json!({
            "schema_version": "loopx_host_command_v0",
            "ok": !self.is_refused(),
            "kind": self.kind.word(),
            "canonical": self.canonical,
            "legacy_alias": self.is_legacy_alias,
            "mutation_policy": command.map(|command| command.mutation_policy),
            "read_only": command.is_none_or(HostCommand::is_read_only),
            "goal_text": starts.then(text),
            "time_range": summary.then(|| wall.text(self.argument.trim())),
            "plan_before_todo_write": starts,
            "must_run_cli_first": self.kind == HostCommandKind::RepoPrReview,
            "fail_closed": self.is_refused(),
            "error": self.fault.map(ArgumentFault::word).or((self.kind == HostCommandKind::Unknown).then_some("unknown_command")),
            "authority": {
                "read_allowed": true,
                "project_local_write_allowed": starts && !self.is_refused(),
                "global_control_write_allowed": false,
                "production_action_allowed": false,
            },
            "writes": 0,
            "cli": words,
            "help": self.is_refused().then_some(HELP),
        })
    }
}
