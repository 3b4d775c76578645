//! Acts on bindings.

use super::editor::{DocumentEditor, page_of};
use super::{Actor, BindingForm, Refusal};
use crate::vocabulary::{Binding, Capability, Id, Line, Record, SessionMode};

/// Closes the binding of a session.
pub(super) fn close(
    editor: &mut DocumentEditor<'_>,
    binding: &Binding,
    actor: &Actor,
    reason: Option<&Line>,
) -> Result<(), Refusal> {
    end(editor, binding, actor, "closed", reason)
}

/// Ends a binding for a new one of the same agent; gives the new document.
pub(super) fn replace(
    editor: &mut DocumentEditor<'_>,
    binding: &Binding,
    actor: &Actor,
    reason: Option<&Line>,
    (new, form): (&Id, Option<BindingForm>),
) -> Result<Option<(String, String)>, Refusal> {
    end(editor, binding, actor, "replaced", reason)?;
    let mut next = Binding { session_id: new.clone(), closed: None, replaced: None, ..binding.clone() };
    match form {
        None => {}
        Some(BindingForm::Managed) => {
            next.session_mode = Some(SessionMode::ManagedRuntime);
            next.host_surface = None;
            next.attached_capabilities = Vec::new();
        }
        Some(BindingForm::Attached(surface)) => {
            let is_new = next.session_mode != Some(SessionMode::AttachedHost);
            next.session_mode = Some(SessionMode::AttachedHost);
            next.host_surface = Some(surface);
            next.command = Vec::new();
            if is_new {
                next.attached_capabilities = vec![Capability::SessionQueue, Capability::ReplyReadback];
            }
        }
    }
    Ok(page_of(&Record::Binding(next), &binding.goal_id, new))
}

/// Writes the act that ends a binding; one that has ended stays as it is.
fn end(
    editor: &mut DocumentEditor<'_>,
    binding: &Binding,
    actor: &Actor,
    act: &'static str,
    reason: Option<&Line>,
) -> Result<(), Refusal> {
    let field = match (&binding.closed, &binding.replaced) {
        (Some(_), _) => "closed",
        (None, Some(_)) => "replaced",
        (None, None) => return editor.put(act, &actor.act(reason), &[]),
    };
    Err(Refusal::Standing { id: binding.session_id.clone(), field, instead: None })
}
