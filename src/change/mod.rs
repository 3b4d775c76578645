//! What people and agents do, written into the documents: each act becomes the smallest edit of the file it belongs to,
//! and what is new becomes a file of its own.
//!
//! Comes in: one document with its text, the act, and who acts when. Goes out: the texts that hold the act, or a
//! [`Refusal`]. Must not know: disk, git, who is allowed to act (the rules judge the result), or what follows.

mod action;
mod actor;
mod binding;
mod gate;
mod goal;
mod handoff;
mod id;
mod editor;
mod refusal;
mod new_document;
mod todo;
mod writeback;

use std::collections::BTreeMap;

use crate::vocabulary::{Record, WorkspaceSettings};
pub use action::{Action, Actor, SourceDocument};
pub use actor::{NewActor, POLICY_FILE, add_actor, new_salt};
use editor::DocumentEditor;
pub use id::{name_of, new_id, slug_of};
pub use new_document::{NewDocument, start};
pub use refusal::Refusal;

/// Applies the action; returns the new text of each changed file, keyed by path.
///
/// # Errors
/// The document has such an act already, another document has to say it, or the file is written in a way that no edit
/// fits.
pub fn carry_out(
    act: &Action,
    source: SourceDocument<'_>,
    actor: &Actor,
    settings: &WorkspaceSettings,
) -> Result<BTreeMap<String, String>, Refusal> {
    let mut editor = DocumentEditor::new(source);
    let mut written = BTreeMap::new();
    match (source.record, act) {
        (Record::Gate(gate), Action::Decide { label, reason, until }) => {
            gate::decide(&mut editor, gate, actor, (*label, reason, *until))?;
        }
        (Record::Gate(gate), Action::AskAgain { evidence, expires_at }) => {
            gate::ask_again(&mut editor, gate, actor, evidence, *expires_at)?;
        }
        (Record::Gate(gate), Action::Withdraw { reason, .. }) => {
            gate::withdraw(&mut editor, gate, actor, reason.as_ref())?;
        }
        (Record::Handoff(handoff), Action::Approve { reason }) => {
            handoff::approve(&mut editor, handoff, actor, reason.as_ref())?;
        }
        (Record::Handoff(handoff), Action::Accept) => handoff::accept(&mut editor, handoff, actor)?,
        (Record::Handoff(handoff), Action::Withdraw { reason, .. }) => {
            handoff::withdraw(&mut editor, handoff, actor, reason.as_ref())?;
        }
        (Record::Handoff(handoff), Action::Renew { entropy, expires_at, evidence }) => {
            handoff::withdraw(&mut editor, handoff, actor, None)?;
            let expires_at = expires_at.unwrap_or(actor.at.after(settings.handoff_ttl));
            written.extend(handoff::anew(handoff, *entropy, expires_at, evidence));
        }
        (Record::Todo(todo), Action::Finish { evidence }) => todo::finish(&mut editor, todo, actor.at, evidence)?,
        (Record::Goal(goal), Action::Register { agent, scope }) => goal::register(&mut editor, goal, agent, scope)?,
        (Record::WritebackRequest(request), Action::ApprovePreview { digest }) => {
            writeback::approve(&mut editor, request, digest)?;
        }
        (Record::Binding(binding), Action::Close { reason }) => {
            binding::close(&mut editor, binding, actor, reason.as_ref())?;
        }
        (record, _) => return Err(Refusal::OtherKind { is: record.kind(), wanted: act.kind() }),
    }
    written.insert(source.path.to_owned(), editor.text());
    Ok(written)
}
