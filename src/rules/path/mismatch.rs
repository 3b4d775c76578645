//! A document's path and its own words name the same kind and ids.

use super::{Finding, Rule, RuleCheck, RuleContext, misplaced};
use crate::document::Route;
use crate::finding::Anchor;
use crate::privacy::Text;
use crate::vocabulary::Level;
use crate::workspace::Misplaced;

pub(super) const RULE: Rule = Rule {
    id: "path/mismatch",
    level: Level::Error,
    summary: "a document's path and its content name different things",
    why: "Path and id determine each other, so that nothing stands twice and no decision hides in a rename.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, why) in misplaced(rule, context) {
        let (field, message, help) = match why {
            Misplaced::Kind { place, kind } => {
                let (place, kind) = (place.row(), kind.row());
                let message = format!("a {} stands in the place of a {}", kind.name, place.name);
                ("schema_version", message, format!("its place is {}", kind.place))
            }
            Misplaced::Field { field, expected } => {
                let message = format!("`{field}` is not what the path says");
                (*field, message, format!("write `{expected}`, or rename the file"))
            }
            _ => continue,
        };
        findings.push(
            rule.at(&entry.path, Anchor::Value(Route::of(field)), context.text(message))
                .help(context.text(help))
                .now(Text::fixed("the document is unreadable; what depends on it stays closed")),
        );
    }
}
