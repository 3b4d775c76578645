//! Looks at receipts: which there are, where each comes from, and whether anybody touched them since.

mod listing;
mod trail;
mod verify;

pub use listing::{Listed, ListedReceipt, list, show};
pub use verify::verify;

use super::actors_of;
use crate::git::CommitInfo;
use crate::privacy::Text;
use crate::render::VerificationEvent;
use crate::workspace::Workspace;

/// The folder of receipts below the state directory.
const FOLDER: &str = "receipts";

/// Something that a commit did to a receipt.
fn event(workspace: &Workspace, what: &'static str, commit: &CommitInfo, detail: impl AsRef<str>) -> VerificationEvent {
    let wall = &workspace.wall;
    VerificationEvent {
        what: Text::fixed(what),
        commit: wall.text(&commit.short),
        id: wall.text(commit.id.to_string()),
        author: author(workspace, commit),
        at: commit.time,
        detail: wall.text(detail),
    }
}

/// Who made a commit: the policy's name for a known identity, else the name that git has. Addresses stay where they are.
fn author(workspace: &Workspace, commit: &CommitInfo) -> Text {
    let known = actors_of(&workspace.policies, &commit.author_email);
    workspace.wall.text(known.first().map_or(commit.author_name.as_str(), |(name, _)| name.as_str()))
}
