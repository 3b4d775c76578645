//! Names of files and ids can stand on every system.

use super::{Finding, Rule, RuleCheck, RuleContext};
use crate::document::Route;
use crate::finding::Anchor;
use crate::privacy::Text;
use crate::vocabulary::{Id, Level, Record};
use crate::workspace::LoadedFile;

pub(super) const RULE: Rule = Rule {
    id: "path/reserved-name",
    level: Level::Error,
    summary: "a name that some system cannot hold as a file",
    why: "A clone on Windows would fail, or read another file: there a device answers to the name.",
    check: RuleCheck::Directory(check),
};

/// Names that Windows keeps for devices, with any ending and in any case; a digit follows the last two.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];
const NUMBERED_DEVICES: &[&str] = &["com", "lpt"];

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    let mut reported = String::from("/");
    for entry in &context.workspace.entries {
        if !entry.path.starts_with(&reported)
            && let Some((end, fault)) = fault_of_path(&entry.path)
        {
            reported = entry.path[..end].to_owned();
            let name = reported.rsplit('/').next().unwrap_or_default();
            let message = context.text(format!("`{name}` {fault}"));
            findings.push(rule.at(&entry.path, Anchor::File, message).help(Text::fixed("rename it")));
        }
        findings.extend(agents(rule, context, entry));
    }
}

/// An agent's id names the file of its projection.
fn agents(rule: &Rule, context: &RuleContext<'_>, entry: &LoadedFile) -> Vec<Finding> {
    let Some(Record::Goal(goal)) = &entry.record else { return Vec::new() };
    let faulty = goal.agents.keys().filter_map(|agent| Some((agent, fault(agent.as_str())?)));
    let finding = |(agent, fault): (&Id, &str)| {
        let anchor = Anchor::Key(Route::of("agents").key(agent.as_str()));
        rule.at(&entry.path, anchor, context.text(format!("`{agent}` {fault}"))).help(Text::fixed("choose another id"))
    };
    faulty.map(finding).collect()
}

/// The first part of a path that some system refuses: where it ends, and why.
fn fault_of_path(path: &str) -> Option<(usize, &'static str)> {
    let mut end = 0;
    path.split('/').find_map(|part| {
        end += part.len() + 1;
        fault(part).map(|fault| (end - 1, fault))
    })
}

fn fault(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    if (3..=7).contains(&stem.len()) && is_device(&stem.to_lowercase()) {
        return Some("is the name of a device on Windows");
    }
    if name.ends_with(['.', ' ']) {
        return Some("ends with a dot or a blank, which Windows drops");
    }
    let refused = |character: char| character.is_control() || "<>:\"\\|?*".contains(character);
    name.contains(refused).then_some("holds a character that Windows refuses in names")
}

fn is_device(stem: &str) -> bool {
    let is_number = |text: &str| {
        let mut characters = text.chars();
        characters.next().is_some_and(|digit| "0123456789¹²³".contains(digit)) && characters.next().is_none()
    };
    let is_numbered = |device: &&str| stem.strip_prefix(device).is_some_and(is_number);
    DEVICES.contains(&stem) || NUMBERED_DEVICES.iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn devices_are_known_in_any_case_and_with_any_ending() {
        for name in ["con", "NUL.yaml", "Aux.todo.yaml", "com1", "LPT9.json", "com¹", "a.", "a ", "a:b", "a?"] {
            assert!(fault(name).is_some(), "{name}");
        }
        for name in ["console", "com", "com10", "lpt", "nulls.yaml", "connect-1", "a.b", "prüfung.yaml"] {
            assert!(fault(name).is_none(), "{name}");
        }
    }
}
