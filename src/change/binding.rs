//! Acts on bindings.

use super::editor::DocumentEditor;
use super::{Actor, Refusal};
use crate::vocabulary::{Binding, Line};

/// Closes the binding of a session.
pub(super) fn close(
    editor: &mut DocumentEditor<'_>,
    binding: &Binding,
    actor: &Actor,
    reason: Option<&Line>,
) -> Result<(), Refusal> {
    let field = match (&binding.closed, &binding.replaced) {
        (Some(_), _) => "closed",
        (None, Some(_)) => "replaced",
        (None, None) => return editor.put("closed", &actor.act(reason), &[]),
    };
    Err(Refusal::Standing { id: binding.session_id.clone(), field, instead: None })
}
