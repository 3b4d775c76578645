//! Reviewed exceptions: one rule, one document, one field, for a time.

use super::class::Class;

/// One reviewed exception of a team's policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The rule id, such as `privacy/private-network`.
    pub rule: String,
    /// The document's path below the state directory.
    pub document: String,
    /// The field by its keys, such as `outcomes.summary`; never a line.
    pub field: String,
    /// Why it is right.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// From when on it no longer holds.
    pub expires_at: jiff::Timestamp,
}

impl Exception {
    /// Whether its rule exists and may be excepted at all: secrets and transcripts may not.
    #[must_use]
    pub fn is_lawful(&self) -> bool {
        Class::all().any(|class| class.rule() == self.rule && class.can_be_excepted())
    }
}
