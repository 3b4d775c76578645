//! Acts on writeback requests.

use super::Refusal;
use super::editor::DocumentEditor;
use crate::document::Route;
use crate::vocabulary::{Digest, WritebackRequest};

/// Approves one preview: what is applied is what was looked at.
pub(super) fn approve(
    editor: &mut DocumentEditor<'_>,
    request: &WritebackRequest,
    digest: &Digest,
) -> Result<(), Refusal> {
    if request.approved_preview_digest.as_ref() == Some(digest) {
        let field = "approved_preview_digest";
        return Err(Refusal::Standing { id: request.request_id.clone(), field, instead: None });
    }
    editor.set(&Route::root().key("mode"), "apply")?;
    editor.put("approved_preview_digest", digest, &["mode"])
}
