//! What the team says to changes: its own rows, and who vouches for acts.

use serde_json::Value as Json;

use super::checks::new_acts;
use super::touched::TouchedDocument;
use super::{ChangeCommit, Contributor};
use crate::finding::Finding;
use crate::rules::transition::BY_POLICY;
use crate::vocabulary::{ActorClass, Line, Transition, TransitionVerdict};
use crate::workspace::path_glob;

/// Finds the changes that the team's table refuses. Of each field the first row that fits decides; no row lifts what
/// ships with the program.
pub(super) fn rows(step: &TouchedDocument<'_>, found: &mut Vec<Finding>) {
    let mut decided: Vec<&str> = Vec::new();
    for row in &step.it.before.workspace.policies.transitions {
        let field = row.field.as_ref().map_or("", |field| field.as_str());
        if decided.contains(&field) || !fits(row, step, field) {
            continue;
        }
        decided.push(field);
        if row.verdict == TransitionVerdict::Refuse {
            let message = row.message.as_ref().map_or("the team makes no such change", |message| message.as_str());
            found.push(step.finding(&BY_POLICY, Some(field).filter(|field| !field.is_empty()), message));
        }
    }
}

/// Whether a row speaks of this change; a row without a field speaks of the document as a whole.
fn fits(row: &Transition, step: &TouchedDocument<'_>, field: &str) -> bool {
    let is_change = match field {
        "" => step.is_added() || step.is_removed() || !step.fields.is_empty(),
        field => step.differs(field),
    };
    let commit = if field.is_empty() { step.commits().last() } else { step.author_of(field) };
    let is_of_class = |wanted: ActorClass| {
        let has = |one: &Contributor| one.actors.iter().any(|(_, classes)| classes.has(wanted));
        commit.is_some_and(|commit| commit.contributors().any(has))
    };
    let kind = step.kind.row();
    let says =
        |wanted: &Option<Line>, value: &Json| wanted.as_ref().is_none_or(|wanted| word(value) == wanted.as_str());
    let is_at =
        |glob: &Line| path_glob(glob.as_str()).is_some_and(|glob| step.paths().any(|path| glob.is_match(&**path)));
    is_change
        && row.actor_class.is_none_or(is_of_class)
        && row.kind.as_ref().is_none_or(|wanted| [kind.name, kind.version].contains(&wanted.as_str()))
        && says(&row.from, step.was(field))
        && says(&row.to, step.is(field))
        && row.path.as_ref().is_none_or(is_at)
}

/// A value as a row writes it; `none` where nothing stands.
fn word(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether somebody vouches for an act: a valid signature of the person it names, or that person's review.
pub(super) fn is_verified(step: &TouchedDocument<'_>, act: &str) -> bool {
    let name = step.is(&format!("{act}.by")).as_str().unwrap_or_default();
    let is_own =
        |commit: &&ChangeCommit| commit.is_by(name) && commit.signed_by.iter().any(|signer| signer.is_same(name));
    step.author_of(act).filter(is_own).is_some() || step.it.is_reviewed_by(name)
}

/// Whether all acts of people are vouched for; `None`: there are none.
pub(super) fn verified(steps: &[TouchedDocument<'_>]) -> Option<bool> {
    let acts: Vec<bool> = steps.iter().flat_map(|step| new_acts(step).map(|act| is_verified(step, act))).collect();
    (!acts.is_empty()).then(|| acts.iter().all(|verified| *verified))
}
