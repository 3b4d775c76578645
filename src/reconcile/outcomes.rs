//! What outcomes and artifacts say: the newest of each todo, else of each session; and which evidence is outdated.

use std::collections::BTreeMap;

use super::sessions::Session;
use crate::vocabulary::{Facts, Id, Instant, OutcomeFact, OutcomeKind, OutcomeStatus};

/// What outcomes are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OutcomeSubject<'a> {
    Todo(&'a str),
    Session(&'a str),
}

/// An outcome and who reported it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportedOutcome<'a> {
    pub(super) outcome: &'a OutcomeFact,
    pub(super) session: &'a str,
    pub(super) agent: &'a str,
    pub(super) facts: &'a Facts,
}

/// The outcomes of one subject.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutcomeHistory<'a> {
    /// The newest outcome.
    pub(super) newest: ReportedOutcome<'a>,
    passed_work: Option<ReportedOutcome<'a>>,
    validated_at: Option<Instant>,
}

impl<'a> OutcomeHistory<'a> {
    /// The newest outcome, when it failed.
    pub(super) fn failure(&self) -> Option<ReportedOutcome<'a>> {
        Some(self.newest).filter(|reported| reported.outcome.status == OutcomeStatus::Failed)
    }

    /// The newest passed work, when no validation came at or after it.
    pub(super) fn unvalidated(&self) -> Option<ReportedOutcome<'a>> {
        self.passed_work.filter(|work| self.validated_at.is_none_or(|at| at < work.outcome.at))
    }

    fn add(&mut self, reported: ReportedOutcome<'a>) {
        if order(reported) > order(self.newest) {
            self.newest = reported;
        }
        match reported.outcome.kind {
            OutcomeKind::Validation => self.validated_at = self.validated_at.max(Some(reported.outcome.at)),
            OutcomeKind::Work if reported.outcome.status == OutcomeStatus::Passed => {
                if self.passed_work.is_none_or(|newest| order(reported) > order(newest)) {
                    self.passed_work = Some(reported);
                }
            }
            OutcomeKind::Work => {}
        }
    }
}

/// Newest is the greatest instant, then the greatest id.
fn order(reported: ReportedOutcome<'_>) -> (Instant, &str, &str) {
    (reported.outcome.at, reported.outcome.outcome_id.as_str(), reported.session)
}

/// Groups the outcomes of a goal's sessions. Without a todo only a live session's outcomes matter.
pub(super) fn outcomes<'a>(sessions: &[Session<'a>]) -> BTreeMap<OutcomeSubject<'a>, OutcomeHistory<'a>> {
    let mut outcomes: BTreeMap<OutcomeSubject<'a>, OutcomeHistory<'a>> = BTreeMap::new();
    for session in sessions {
        for (facts, outcome) in
            session.reports.iter().flat_map(|facts| facts.outcomes.iter().map(move |it| (facts, it)))
        {
            let subject = match &outcome.todo_id {
                Some(todo) => OutcomeSubject::Todo(todo.as_str()),
                None if session.is_live() => OutcomeSubject::Session(session.id()),
                None => continue,
            };
            let reported = ReportedOutcome { outcome, session: session.id(), agent: session.agent(), facts };
            let history = outcomes.entry(subject).or_insert(OutcomeHistory {
                newest: reported,
                passed_work: None,
                validated_at: None,
            });
            history.add(reported);
        }
    }
    outcomes
}

/// Which ids of evidence are outdated, and when the outdated thing was made.
#[derive(Debug, Default)]
pub(super) struct Evidence<'a> {
    /// By the id that was superseded: when that happened.
    superseded: BTreeMap<&'a str, Instant>,
    /// Artifacts with the todo they link.
    artifacts: BTreeMap<&'a str, (Instant, Option<&'a str>)>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(sessions: &[Session<'a>]) -> Self {
        let mut evidence = Self::default();
        for facts in sessions.iter().flat_map(|session| session.reports) {
            for artifact in &facts.artifacts {
                let made = (artifact.at, artifact.todo_id.as_ref().map(Id::as_str));
                let known = evidence.artifacts.entry(artifact.artifact_id.as_str()).or_insert(made);
                *known = made.min(*known);
            }
            for (old, at) in superseding(facts) {
                let first = evidence.superseded.entry(old).or_insert(at);
                *first = at.min(*first);
            }
        }
        evidence
    }

    /// Since when a cited id is outdated: named in another item's `supersedes`, or an artifact older than the newest
    /// outcome of the todo it links.
    pub(super) fn outdated(
        &self,
        cited: &str,
        outcomes: &BTreeMap<OutcomeSubject<'_>, OutcomeHistory<'_>>,
    ) -> Option<Instant> {
        let artifact = self.artifacts.get(cited);
        if let Some(superseded_at) = self.superseded.get(cited) {
            return Some(artifact.map_or(*superseded_at, |(made_at, _)| *made_at));
        }
        let (made_at, todo) = artifact?;
        let newest = outcomes.get(&OutcomeSubject::Todo((*todo)?))?.newest.outcome.at;
        (*made_at < newest).then_some(*made_at)
    }
}

/// The ids that items of these facts supersede; an item never supersedes itself.
fn superseding(facts: &Facts) -> impl Iterator<Item = (&str, Instant)> {
    let outcomes = facts.outcomes.iter().map(|item| (&item.outcome_id, &item.supersedes, item.at));
    let events = facts.events.iter().map(|item| (&item.event_id, &item.supersedes, item.at));
    let approvals = facts.approvals.iter().map(|item| (&item.approval_id, &item.supersedes, item.at));
    let artifacts = facts.artifacts.iter().map(|item| (&item.artifact_id, &item.supersedes, item.at));
    let decisions = facts.decision_results.iter().map(|item| (&item.decision_id, &item.supersedes, item.at));
    let items = outcomes.chain(events).chain(approvals).chain(artifacts).chain(decisions);
    items.filter_map(|(id, old, at)| old.as_ref().filter(|old| *old != id).map(|old| (old.as_str(), at)))
}
