//! The attention queue: one cause, one row; ranked; what a cause explains is listed under it.

use std::collections::{BTreeMap, BTreeSet};

use super::conditions::ConditionScope;
use super::redactor::Condition;
use crate::privacy::Text;
use crate::vocabulary::{AttentionConsequence, AttentionRow, Priority, Reason, Severity};

/// The row of a condition that belongs to no goal. What blocks every goal comes before any goal's own.
pub(super) fn row_of_no_goal(condition: &Condition) -> AttentionRow {
    let priority = if condition.reach == ConditionScope::Workspace { Priority::P0 } else { Priority::P1 };
    row(None, priority, &[condition])
}

/// Turns the conditions of one goal, the loudest first, into rows; what blocks every goal has its own.
pub(super) fn rows(goal_id: &Text, priority: Priority, conditions: &[Condition]) -> Vec<AttentionRow> {
    let goal_id = Some(goal_id);
    let own = conditions.iter().filter(|condition| condition.reach != ConditionScope::Workspace);
    let (causes, consequences): (Vec<_>, Vec<_>) = own.partition(|condition| condition.explained_by.is_none());
    // One command records every decision of a goal, so they are one cause.
    let (unrecorded, others): (Vec<_>, Vec<_>) =
        causes.into_iter().partition(|condition| condition.reason == Reason::DecisionNotRecorded);
    let mut rows: Vec<AttentionRow> = Vec::new();
    let mut places: BTreeMap<(Reason, &Text), usize> = BTreeMap::new();
    for cause in others.chunks(1).chain([&unrecorded[..]]).filter(|cause| !cause.is_empty()) {
        places.extend(cause.iter().map(|condition| ((condition.reason, &condition.about[0]), rows.len())));
        rows.push(row(goal_id, priority, cause));
    }
    for condition in consequences {
        let cause = condition.explained_by.as_ref().and_then(|(reason, thing)| places.get(&(*reason, thing)));
        match cause {
            Some(place) => rows[*place]
                .consequences
                .push(AttentionConsequence { reason: condition.reason, about: condition.about.clone() }),
            None if condition.severity != Severity::Consequence => rows.push(row(goal_id, priority, &[condition])),
            None => {}
        }
    }
    rows
}

/// Ranks rows: severity, priority, the longest waited for, id.
pub(super) fn rank(rows: &mut [AttentionRow]) {
    rows.sort_by(|one, other| order(one).cmp(&order(other)));
}

fn order(row: &AttentionRow) -> impl Ord + '_ {
    (row.severity, row.priority, row.since.is_none(), row.since, &row.goal_id, row.reason, &row.about)
}

/// The row of one cause: of its conditions the loudest and longest waited for comes first and speaks for all.
fn row(goal_id: Option<&Text>, priority: Priority, cause: &[&Condition]) -> AttentionRow {
    let first = cause[0];
    let all = |list: fn(&Condition) -> &[Text]| {
        let all: BTreeSet<&Text> = cause.iter().flat_map(|condition| list(condition)).collect();
        all.into_iter().cloned().collect::<Vec<_>>()
    };
    AttentionRow {
        goal_id: goal_id.cloned(),
        agents: all(|condition| &condition.agents),
        reason: first.reason,
        severity: first.severity,
        priority,
        owner: first.owner.clone(),
        waiting_on: first.waiting_on,
        since: first.since,
        about: cause.iter().flat_map(|condition| condition.about.clone()).collect(),
        blocks: all(|condition| &condition.blocks),
        command: first.command.clone(),
        consequences: Vec::new(),
    }
}
