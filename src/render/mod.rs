//! A plan in, the bytes of its outputs and the screens for people out.
//!
//! Comes in: the [`Plan`], and for screens the instant of the verdict. Goes out: every emitted file by its path below
//! the state directory, and text in 100 columns. Must not know: disk, git, or the clock; outputs hold instants, never
//! ages.

mod output_change;
mod age;
mod change;
mod changes;
mod page;
mod plain;
mod receipts;
mod review;
mod screen_change;
mod status;
mod table;
mod turn;
mod verification;
mod watching;
mod writebacks;

use std::collections::BTreeMap;

use crate::document::to_json_pretty;
use crate::reconcile::{Answer, Plan};
use crate::vocabulary::Id;
pub use change::{ChangeView, change, change_json};
pub use changes::{OutputChange, PlanView, changes, differences};
pub use plain::plain;
pub use receipts::{
    CommitNote, ReceiptDetail, ReceiptRow, ReceiptStatus, RecordView, RecordingRoute, commit_note, deed, done, listing,
    listing_json, receipt_json, writing,
};
pub use review::{COMMENT_LIMIT, ReviewComment, comment, review, review_concise, review_json};
pub use status::{GateElsewhere, RowFilter, concise, status, status_json};
pub(crate) use table::{WIDTH, wrap};
pub use turn::{settlement, settlement_concise, turn, turn_concise};
pub use verification::{HistoryCut, Restored, Tampering, Verification, VerificationEvent};
pub use watching::{
    EventSign, MeaningChange, WatchEvent, WatchEventKind, parts, watch_concise, watch_foot, watch_json, watch_lines,
};
pub use writebacks::writebacks_json;

/// The attention queue for programs.
pub const ATTENTION_JSON: &str = "attention.json";
/// The attention queue for people.
pub const ATTENTION_PAGE: &str = "attention.md";

/// Renders every output of a plan: projections, previews, blockers, `attention.json` and `attention.md`.
///
/// A goal, agent or request whose very id is refused material gets no file, since the file's name would carry it.
#[must_use]
pub fn outputs(plan: &Plan) -> BTreeMap<String, Vec<u8>> {
    let mut outputs = outputs_of_goals(plan);
    outputs.extend(outputs_of_attention(plan));
    outputs
}

/// The outputs that are about one goal each.
#[must_use]
pub fn outputs_of_goals(plan: &Plan) -> BTreeMap<String, Vec<u8>> {
    let mut outputs = BTreeMap::new();
    for ((goal, agent), projection) in &plan.projections {
        if projection.goal_id.as_ref() == goal.as_str() && projection.agent_id.as_ref() == agent.as_str() {
            outputs.insert(projection_path(goal.as_str(), agent.as_str()), to_json_pretty(projection).into_bytes());
        }
    }
    outputs.extend(plan.writebacks.iter().filter_map(|((goal, request), answer)| answered(goal, request, answer)));
    outputs
}

/// The outputs that are about all goals.
#[must_use]
pub fn outputs_of_attention(plan: &Plan) -> [(String, Vec<u8>); 2] {
    [
        (ATTENTION_JSON.to_owned(), to_json_pretty(&plan.attention).into_bytes()),
        (ATTENTION_PAGE.to_owned(), page::attention(&plan.attention).into_bytes()),
    ]
}

/// The one file of a writeback request: its preview or its blocker.
fn answered(goal: &Id, request: &Id, answer: &Answer) -> Option<(String, Vec<u8>)> {
    let (goal_id, request_id, path, json) = match answer {
        Answer::Previewed(preview) => {
            let path = preview_path(goal.as_str(), request.as_str());
            (&preview.document.goal_id, &preview.request_id, path, to_json_pretty(&preview.document))
        }
        Answer::Blocked(blocker) => {
            let path = blocker_path(goal.as_str(), request.as_str());
            (&blocker.goal_id, &blocker.request_id, path, to_json_pretty(blocker))
        }
    };
    let is_named = goal_id.as_ref() == goal.as_str() && request_id.as_ref() == request.as_str();
    is_named.then(|| (path, json.into_bytes()))
}

/// The path of the preview of a writeback request below the state directory.
#[must_use]
pub fn preview_path(goal_id: &str, request_id: &str) -> String {
    format!("previews/{goal_id}/{request_id}.json")
}

/// The path of the blocker of a writeback request below the state directory.
#[must_use]
pub fn blocker_path(goal_id: &str, request_id: &str) -> String {
    format!("blockers/{goal_id}/{request_id}.json")
}

/// The path of a projection below the state directory.
#[must_use]
pub fn projection_path(goal_id: &str, agent_id: &str) -> String {
    format!("projections/{goal_id}/{agent_id}.json")
}
