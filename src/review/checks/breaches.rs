//! Applies the table of transitions to one document of a change.

use crate::finding::Finding;
use crate::review::team;
use crate::review::touched::TouchedDocument;
use crate::review::transitions::TABLE;
use crate::vocabulary::Level;

/// Lists what of the table a step breaks, by the levels of the base.
pub(in crate::review) fn breaches(step: &TouchedDocument<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for law in TABLE.iter().filter(|law| law.kinds.is_empty() || law.kinds.contains(&step.kind)) {
        if let Some(check) = law.check {
            check(law.rule, step, &mut found);
        }
    }
    team::rows(step, &mut found);
    found.retain(|finding| finding.level != Level::Off);
    found
}
