//! What a host is answered, in its own form: one answer type per host and event.

use super::table::{AnswerForm, EventRow, Host};

/// What an event is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAnswer {
    /// Nothing.
    Silence,
    /// Text to add to the context.
    Inject(String),
    /// The tool or the stop is refused; the reason reaches the model.
    Refuse(String),
    /// The person decides; where the host cannot ask, it is refused.
    Ask(String),
}

/// The bytes that a hook writes to its standard output.
///
/// An answer that the event has no form for is silence: one key too many makes Codex drop a deny.
#[must_use]
pub fn render(row: &EventRow, answer: &HookAnswer) -> String {
    let text = match answer {
        HookAnswer::Silence => None,
        HookAnswer::Inject(text) => row.inject.map(|form| inject(form, row.name, text)),
        HookAnswer::Refuse(reason) => row.refuse.map(|form| refuse(form, row.name, reason, "deny")),
        HookAnswer::Ask(reason) => {
            let decision = if row.host.row().can_ask { "ask" } else { "deny" };
            row.refuse.map(|form| refuse(form, row.name, reason, decision))
        }
    };
    text.map_or_else(|| row.host.row().silence.to_owned(), |text| text + "\n")
}

/// What a hook writes for an event that has no row.
#[must_use]
pub(crate) fn silence(host: Host) -> &'static str {
    host.row().silence
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn inject(form: AnswerForm, event: &str, text: &str) -> String {
    let text = quoted(text);
    match form {
        AnswerForm::Plugin => format!(r#"{{"inject":{text}}}"#),
        _ => format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":{text}}}}}"#),
    }
}

fn refuse(form: AnswerForm, event: &str, reason: &str, decision: &str) -> String {
    let reason = quoted(reason);
    match form {
        AnswerForm::Block => format!(r#"{{"decision":"block","reason":{reason}}}"#),
        AnswerForm::Decision | AnswerForm::Context => format!(r#"{{"decision":"deny","reason":{reason}}}"#),
        AnswerForm::Permission => format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","permissionDecision":"{decision}","permissionDecisionReason":{reason}}}}}"#
        ),
        AnswerForm::PermissionRequest => format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","decision":{{"behavior":"deny","message":{reason}}}}}}}"#
        ),
        AnswerForm::Plugin => format!(r#"{{"deny":{reason}}}"#),
    }
}
