//! No two paths are one path on a system that folds case or Unicode forms.

use std::collections::HashMap;

use super::{Finding, Rule, RuleCheck, RuleContext};
use crate::finding::{Anchor, Label};
use crate::privacy::Text;
use crate::vocabulary::{Level, folded};

pub(super) const RULE: Rule = Rule {
    id: "path/case-collision",
    level: Level::Error,
    summary: "two paths that are one path on some systems",
    why: "On macOS and Windows one of the two vanishes at checkout, and a decision with it.",
    check: RuleCheck::Directory(check),
};

/// Walks the sorted paths as a tree; where two names of one folder fold to the same, the second is reported, and what
/// stands below it is not reported again.
fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    let entries = &context.workspace.entries;
    let mut names: HashMap<(usize, String), (usize, &str)> = HashMap::new();
    let mut way: Vec<(&str, usize)> = Vec::new();
    let mut folders = 0;
    for (number, entry) in entries.iter().enumerate() {
        let parts: Vec<&str> = entry.path.split('/').collect();
        let shared = way.iter().zip(&parts).take_while(|((name, _), part)| name == *part).count();
        way.truncate(shared.min(parts.len() - 1));
        for part in &parts[way.len()..] {
            let parent = way.last().map_or(0, |(_, folder)| *folder);
            let (first, name) = *names.entry((parent, folded(part).into_owned())).or_insert((number, part));
            if name != *part {
                let message = format!("`{part}` and `{name}` are one name after folding case and Unicode forms");
                let other = Label::new(&entries[first].path, Anchor::File).note(Text::fixed("the other one"));
                findings.push(
                    rule.at(&entry.path, Anchor::File, context.text(message))
                        .also(other)
                        .help(Text::fixed("rename one of the two")),
                );
            }
            folders += 1;
            way.push((part, folders));
        }
    }
}
