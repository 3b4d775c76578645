//! A document stands in a place of the layout.

use super::{Finding, Rule, RuleCheck, RuleContext, misplaced};
use crate::document::Route;
use crate::finding::Anchor;
use crate::privacy::Text;
use crate::vocabulary::{Kind, Level, nearest};
use crate::workspace::{LAYOUT, LoadedFile, Misplaced, Workspace};

pub(super) const RULE: Rule = Rule {
    id: "path/unknown-place",
    level: Level::Error,
    summary: "a document at no place of the layout",
    why: "Nothing looks for it there, so a gate in it would close nothing.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, why) in misplaced(rule, context) {
        let Misplaced::Nowhere { belongs } = why else { continue };
        if is_in_nested(context.workspace, entry) {
            continue;
        }
        let found = rule.at(
            &entry.path,
            Anchor::Key(Route::of("schema_version")),
            Text::fixed("no place of the layout is called like this file"),
        );
        let found = match belongs.clone().or_else(|| respelled(&entry.path)) {
            Some(place) => found.help(context.text(format!("move it to {place}"))),
            None => found.help(Text::fixed("`loopx explain KIND` says the place of a kind")),
        };
        findings.push(found.now(Text::fixed("nothing reads it; a goal whose folder holds it projects blocked")));
    }
}

/// Whether a file belongs to a state directory inside this one, whose mark is reported by itself.
fn is_in_nested(workspace: &Workspace, entry: &LoadedFile) -> bool {
    let mut path = &*entry.path;
    while let Some((folder, _)) = path.rsplit_once('/') {
        if workspace.index.at(&format!("{folder}/loopx.yaml")).is_some() {
            return true;
        }
        path = folder;
    }
    false
}

/// The path with its folders spelled as the nearest place of the layout spells them.
fn respelled(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let places = Kind::ALL.iter().map(|kind| kind.row().place.split('/').collect::<Vec<_>>());
    let mut fitting = places.filter(|place| place.len() == parts.len() && LAYOUT.contains(&place[0]));
    fitting.find_map(|place| {
        let folders = place.len() - 1;
        let respelled = parts[..folders]
            .iter()
            .zip(&place)
            .map(|(part, want)| if want.starts_with('{') { Some(*part) } else { nearest(part, [*want]) });
        let mut respelled = respelled.collect::<Option<Vec<&str>>>()?;
        respelled.push(parts[folders]);
        let respelled = respelled.join("/");
        Kind::at(&respelled).is_some().then_some(respelled)
    })
}
