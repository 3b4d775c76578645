//! What a host is answered, in its own form: one answer type per host and event.

use super::table::{EventRow, Form, Host};

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

fn inject(form: Form, event: &str, text: &str) -> String {
    let text = quoted(text);
    match form {
        Form::Plugin => format!(r#"{{"inject":{text}}}"#),
        _ => format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":{text}}}}}"#),
    }
}

fn refuse(form: Form, event: &str, reason: &str, decision: &str) -> String {
    let reason = quoted(reason);
    match form {
        Form::Block => format!(r#"{{"decision":"block","reason":{reason}}}"#),
        Form::Decision | Form::Context => format!(r#"{{"decision":"deny","reason":{reason}}}"#),
        Form::Permission => format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","permissionDecision":"{decision}","permissionDecisionReason":{reason}}}}}"#
        ),
        Form::PermissionRequest => format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","decision":{{"behavior":"deny","message":{reason}}}}}}}"#
        ),
        Form::Plugin => format!(r#"{{"deny":{reason}}}"#),
    }
}
