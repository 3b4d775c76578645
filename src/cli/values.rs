//! The values of options, from what is typed.

use crate::vocabulary::{ClosedWords, Duration, Id, Instant, Label, Line, Paragraph, ResumeWhen, nearest};

/// Reads a word of a closed vocabulary.
pub(super) fn word<T: ClosedWords>(text: &str) -> Result<T, String> {
    let legal = || T::ALL.iter().map(|value| value.word());
    T::of(text).ok_or_else(|| match nearest(text, legal()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of: {}", legal().collect::<Vec<_>>().join(", ")),
    })
}

/// Takes an id as it is; the rules judge it where it is written.
pub(super) fn id(text: &str) -> Result<Id, &'static str> {
    if text.is_empty() { Err("an id is not empty") } else { Ok(Id::new(text)) }
}

/// Takes a label as it is; the rules judge it where it is written.
pub(super) fn label(text: &str) -> Result<Label, &'static str> {
    if text.trim().is_empty() { Err("say it in a few words") } else { Ok(Label::new(text)) }
}

/// Takes a line as it is; the rules judge it where it is written.
pub(super) fn line(text: &str) -> Result<Line, &'static str> {
    if text.trim().is_empty() { Err("say it in one line") } else { Ok(Line::new(text)) }
}

/// Takes a paragraph as it is; the rules judge it where it is written.
pub(super) fn paragraph(text: &str) -> Result<Paragraph, &'static str> {
    if text.trim().is_empty() { Err("say it in a few sentences") } else { Ok(Paragraph::new(text)) }
}

/// Takes what a todo waits for; the rules judge the rest where it is written.
pub(super) fn resume_when(text: &str) -> Result<ResumeWhen, &'static str> {
    let is_known = ["todo_done:", "pr_merged:", "capacity_available:"].iter().any(|kind| text.starts_with(kind));
    let how = "use todo_done:ID, pr_merged:[OWNER/REPO]#N or capacity_available:CAP";
    if is_known { Ok(ResumeWhen::new(text)) } else { Err(how) }
}

/// Reads an agent with its scope.
pub(super) fn named_scope(text: &str) -> Result<(Id, Line), &'static str> {
    let (agent, scope) = text.split_once('=').ok_or("use AGENT=SCOPE, such as codex-main=\"writes the switch\"")?;
    Ok((id(agent.trim())?, line(scope.trim())?))
}

/// Reads a moment.
pub(super) fn instant(text: &str) -> Result<Instant, &'static str> {
    let fault = "use RFC 3339 with an offset, such as 2026-03-07T09:41:00Z; the latest moment is 9999-12-30T22:00:00Z";
    Instant::parse(text).ok_or(fault)
}

/// Reads a length of time.
pub(super) fn duration(text: &str) -> Result<Duration, &'static str> {
    Duration::parse(text).ok_or("use a number with s, m, h or d, such as 72h")
}
