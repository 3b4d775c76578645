//! Each section of the policies stands in one file.

use super::{Anchor, Finding, Route, Rule, RuleCheck, RuleContext, policies};
use crate::finding::Label;
use crate::privacy::Text;
use crate::vocabulary::{Level, Policy};

pub(super) const RULE: Rule = Rule {
    id: "policy/section-twice",
    level: Level::Error,
    summary: "two policy files hold the same section",
    why: "Which of the two holds would depend on the names of the files.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    let mut first = [None; SECTIONS.len()];
    for (number, entry, policy) in policies(context) {
        for (section, first) in SECTIONS.iter().zip(&mut first).filter(|(section, _)| (section.is_in)(policy)) {
            let Some(first) = *first else {
                *first = Some(number);
                continue;
            };
            let key = Anchor::Key(Route::of(section.name));
            let other =
                Label::new(&context.workspace.entries[first].path, key.clone()).note(Text::fixed("it stands here"));
            findings.push(
                rule.at(&entry.path, key, context.text(format!("another policy holds `{}` already", section.name)))
                    .also(other)
                    .help(Text::fixed("join the two sections in one file"))
                    .now(Text::fixed("this section is not read")),
            );
        }
    }
}

struct Section {
    name: &'static str,
    is_in: fn(&Policy) -> bool,
}

const SECTIONS: [Section; 6] = [
    Section { name: "actors", is_in: |policy| policy.actors.is_some() },
    Section { name: "identity_salt", is_in: |policy| policy.identity_salt.is_some() },
    Section { name: "services", is_in: |policy| policy.services.is_some() },
    Section { name: "rules", is_in: |policy| policy.rules.is_some() },
    Section { name: "privacy", is_in: |policy| policy.privacy.is_some() },
    Section { name: "transitions", is_in: |policy| policy.transitions.is_some() },
];
