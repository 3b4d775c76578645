//! Acts on bindings.

use super::pen::Pen;
use super::{Hand, Refusal};
use crate::vocabulary::{Binding, Line};

/// Closes the binding of a session.
pub(super) fn close(pen: &mut Pen<'_>, binding: &Binding, hand: &Hand, reason: Option<&Line>) -> Result<(), Refusal> {
    let field = match (&binding.closed, &binding.replaced) {
        (Some(_), _) => "closed",
        (None, Some(_)) => "replaced",
        (None, None) => return pen.put("closed", &hand.act(reason), &[]),
    };
    Err(Refusal::Standing { id: binding.session_id.clone(), field, instead: None })
}
