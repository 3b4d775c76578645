//! A git identity tells a person from everybody else.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, policies, route};
use crate::finding::Label;
use crate::privacy::Text;
use crate::vocabulary::{GitIdentity, HashKeys, Id, Level, PolicyActor};

pub(super) const RULE: Rule = Rule {
    id: "policy/identity-shared",
    level: Level::Error,
    summary: "a person and another actor have the same git identity",
    why: "A commit shows an identity and nothing else, so nobody could tell whose it is; agents and hosts may share one, since each of them is none that decides.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (_, entry, policy) in policies(context) {
        let keys = HashKeys { salt: policy.identity_salt.as_deref(), secret: None };
        let actors: Vec<(&Id, &PolicyActor)> = policy.actors.iter().flatten().collect();
        for (number, (name, actor)) in actors.iter().enumerate() {
            let is_shared = |(_, other): &&(&Id, &PolicyActor)| {
                let is_same =
                    |one: &GitIdentity, other: &GitIdentity| one.is_of(&other.0, keys) || other.is_of(&one.0, keys);
                (actor.class.is_person() || other.class.is_person())
                    && actor.git.iter().any(|one| other.git.iter().any(|other| is_same(one, other)))
            };
            let Some((other, _)) = actors[..number].iter().find(is_shared) else { continue };
            let at = |name: &Id| Anchor::Key(route("actors", name.as_str()));
            let first = Label::new(&entry.path, at(other)).note(Text::fixed("it is of this one too"));
            findings.push(
                rule.at(
                    &entry.path,
                    at(name),
                    context.text(format!("`{name}` and `{other}` have the same git identity")),
                )
                .also(first)
                .help(Text::fixed(
                    "give each an address or a key of its own; one person is one actor with a list of classes",
                )),
            );
        }
    }
}
