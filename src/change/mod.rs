//! What people and agents do, written into the documents: each act becomes the smallest edit of the file it belongs to,
//! and what is new becomes a file of its own.
//!
//! Comes in: one document with its text, the act, and who acts when. Goes out: the texts that hold the act, or a
//! [`Refusal`]. Must not know: disk, git, who is allowed to act (the rules judge the result), or what follows.

mod action;
mod actor;
mod author;
mod binding;
mod fact;
mod gate;
mod goal;
mod handoff;
mod id;
mod editor;
mod proposal;
mod refusal;
mod new_document;
mod todo;
mod turn;
mod writeback;

use std::collections::BTreeMap;

use crate::vocabulary::{Record, WorkspaceSettings};
pub use action::{Action, BindingForm};
pub use actor::{NewActor, POLICY_FILE, add_actor, new_salt};
pub use author::Actor;
use editor::DocumentEditor;
pub use editor::SourceDocument;
pub use fact::{FactItem, ItemFault, Reporting, record_item, refresh};
pub use id::{name_of, new_id, new_todo_id, slug_of};
pub use new_document::{NewDocument, says_the_same, start};
pub use refusal::Refusal;
pub use turn::{TodoProgress, record_outcomes, record_progress};

/// Applies the action; returns the new text of each changed file, keyed by path. A file whose text stays as it is says the
/// same already.
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
    if source.record.kind() != act.kind() {
        return Err(Refusal::OtherKind { is: source.record.kind(), wanted: act.kind() });
    }
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
        (Record::Todo(todo), act) => written.extend(todo::carry_out(&mut editor, todo, act, actor)?),
        (Record::Goal(goal), Action::Register { agent, scope }) => goal::register(&mut editor, goal, agent, scope)?,
        (Record::Goal(goal), Action::SetGoalStatus { status }) => goal::set_status(&mut editor, goal, *status)?,
        (Record::Proposal(proposal), Action::Promote { reason, todo, id }) => {
            written.extend(proposal::promote(&mut editor, proposal, actor, reason, (todo, id), settings)?);
        }
        (Record::Proposal(proposal), Action::RejectProposal { reason }) => {
            proposal::reject(&mut editor, proposal, actor, reason)?;
        }
        (Record::WritebackRequest(request), Action::ApprovePreview { digest }) => {
            writeback::approve(&mut editor, request, digest)?;
        }
        (Record::Binding(binding), Action::Close { reason }) => {
            binding::close(&mut editor, binding, actor, reason.as_ref())?;
        }
        (Record::Binding(binding), Action::Replace { reason, new, form }) => {
            written.extend(binding::replace(&mut editor, binding, actor, reason.as_ref(), (new, *form))?);
        }
        (record, _) => return Err(Refusal::OtherKind { is: record.kind(), wanted: act.kind() }),
    }
    written.insert(source.path.to_owned(), editor.text());
    Ok(written)
}
