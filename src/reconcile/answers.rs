//! What becomes of a writeback request, in words that may leave: a preview, or a blocker.

use super::conditions::writebacks::{ApplyState, Assessed};
use super::redactor::Redactor;
use crate::privacy::Text;
use crate::vocabulary::writeback::Writeback;
use crate::vocabulary::{Blocker, Digest};

/// What becomes of a writeback request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Every entry criterion holds.
    Previewed(Box<Preview>),
    /// One does not.
    Blocked(Blocker),
}

/// A writeback that may be shown; it applies nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The request.
    pub request_id: Text,
    /// What the host would be told.
    pub document: Writeback<Text, Text>,
    /// What a person approves: the digest of the document without mode and result, and of its source.
    pub digest: Digest,
    /// Where its apply stands.
    pub state: ApplyState,
}

impl Redactor<'_> {
    /// Speaks what becomes of a request.
    pub(super) fn answer(self, goal_id: &str, assessed: &Assessed<'_>) -> Answer {
        let request_id = self.text(&assessed.request.request_id);
        match &assessed.answer {
            Ok((draft, state)) => Answer::Previewed(Box::new(Preview {
                request_id,
                document: draft.document(|text| self.text(text)),
                digest: draft.digest(),
                state: *state,
            })),
            Err((criterion, reason, next)) => Answer::Blocked(Blocker {
                schema_version: Default::default(),
                goal_id: self.text(goal_id),
                request_id,
                reason: *reason,
                criterion: criterion.number(),
                next: self.text(next),
            }),
        }
    }
}
