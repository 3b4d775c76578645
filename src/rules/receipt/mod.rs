//! Receipts: each is named by its effect, and says what its document says.

mod record;
mod conflict;
mod history;
mod misnamed;
mod unknown_effect;

use super::{DocumentContext, Rule, RuleCheck};
use crate::document::Route;
use crate::finding::{Anchor, Finding};
use crate::vocabulary::Kind;
pub use history::{DELETED, EDITED, INVENTED, RENAMED, UNPINNED, UNREADABLE};
pub use misnamed::RULE as MISNAMED;
use record::receipt;

pub(super) const RULES: &[Rule] =
    &[conflict::RULE, misnamed::RULE, unknown_effect::RULE, EDITED, DELETED, RENAMED, INVENTED, UNREADABLE, UNPINNED];
