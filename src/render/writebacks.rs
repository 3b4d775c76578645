//! Previews and blockers of writebacks on the screens of `plan`.

use serde_json::{Value as Json, json};

use super::{OutputChange, blocker_path, preview_path};
use crate::reconcile::{Answer, Plan, Preview};
use crate::vocabulary::{Digest, Id};

/// Whether the file at a path is a blocker.
pub(super) fn is_blocker(path: &str) -> bool {
    path.starts_with("blockers/")
}

/// What stands beside the path of a new file of a writeback: the class and the session, or what is in the way.
pub(super) fn note(change: &OutputChange) -> Option<String> {
    let new: Json = serde_json::from_slice(change.new.as_ref()?).ok()?;
    let word = |pointer: &str| new.pointer(pointer).and_then(Json::as_str);
    match (word("/writeback/write_class"), new.get("criterion").and_then(Json::as_u64)) {
        (Some(class), _) => Some(format!("{class} to {}", word("/runtime/session_id")?)),
        (None, Some(criterion)) => Some(format!("blocked: {} ({criterion} of 5)", word("/reason")?)),
        (None, None) => None,
    }
}

/// The digest of the preview at a path.
pub(super) fn digest<'a>(plan: &'a Plan, path: &str) -> Option<&'a str> {
    let (goal, request) = path.strip_prefix("previews/")?.strip_suffix(".json")?.split_once('/')?;
    plan.digest_of(&Id::new(goal), &Id::new(request)).map(Digest::as_str)
}

/// What becomes of each writeback request, for programs.
#[must_use]
pub fn writebacks_json(plan: &Plan) -> Vec<Json> {
    let answers = plan.writebacks.iter().map(|((goal, request), answer)| match answer {
        Answer::Previewed(preview) => previewed(preview, &preview_path(goal.as_str(), request.as_str())),
        Answer::Blocked(blocker) => json!({
            "path": blocker_path(goal.as_str(), request.as_str()),
            "goal_id": blocker.goal_id,
            "request_id": blocker.request_id,
            "reason": blocker.reason,
            "criterion": blocker.criterion,
            "next": blocker.next,
        }),
    });
    answers.collect()
}

fn previewed(preview: &Preview, path: &str) -> Json {
    json!({
        "path": path,
        "goal_id": preview.document.goal_id,
        "request_id": preview.request_id,
        "write_class": preview.document.writeback.write_class,
        "session_id": preview.document.runtime.session_id,
        "preview_digest": preview.digest,
        "apply": preview.state,
    })
}
