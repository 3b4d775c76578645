//! Receipts are written once: what only their history in git shows. `loopx receipts verify` looks at it.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

/// A receipt that was changed.
pub const EDITED: Rule = of_history(
    "receipt/edited",
    "a receipt is not what was first committed",
    "What was decided is never changed afterwards; a new decision has a receipt of its own.",
);
/// A receipt that was removed.
pub const DELETED: Rule = of_history(
    "receipt/deleted",
    "a receipt that was committed is gone",
    "Without its receipt a decision could be taken again, as if it had never been.",
);
/// A receipt that was moved.
pub const RENAMED: Rule = of_history(
    "receipt/renamed",
    "a receipt was moved away from the name of its effect",
    "The name is where a decision is looked up; elsewhere it is as good as deleted.",
);
/// The rule `receipt/invented`: a receipt of nothing that happened.
pub const INVENTED: Rule = of_history(
    "receipt/invented",
    "a receipt cites a decision that its commit does not hold",
    "Whoever can commit can write a receipt; that somebody decided has to stand in the document beside it.",
);
/// The rule `receipt/unreadable`: a file that is no receipt.
pub const UNREADABLE: Rule = of_history(
    "receipt/unreadable",
    "what was committed in the place of a receipt is none",
    "What it may have recorded stays closed until somebody takes it out.",
);
/// The rule for a receipt whose history was rewritten.
pub const UNPINNED: Rule = of_history(
    "receipt/unpinned",
    "the trusted commit is not part of this history",
    "A history that no longer contains it was rewritten, and nothing in it proves anything.",
);

const fn of_history(id: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule { id, level: Level::Error, summary, why, check: RuleCheck::History }
}
