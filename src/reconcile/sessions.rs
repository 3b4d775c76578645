//! Sessions: a binding joined with what its host reports.

use super::index::WorldIndex;
use super::world::UnusableDocument;
use crate::vocabulary::{
    ApprovalFact, ApprovalStatus, Binding, Duration, EventFact, EventKind, Facts, HostKind, Instant, OutcomeFact,
    OutcomeKind, RuntimeId, SessionMode, StaleAfter,
};

/// How long a claimed turn may wait for its start.
pub(super) const START_LIMIT: Duration = Duration::seconds(900);

/// A binding with its facts.
#[derive(Debug, Clone)]
pub(super) struct Session<'a> {
    /// The binding.
    pub(super) binding: &'a Binding,
    /// Everything reported under its id, by runtime.
    pub(super) reports: &'a [&'a Facts],
    /// What is wrong with what was reported.
    pub(super) unusable: &'a [&'a UnusableDocument],
}

impl<'a> Session<'a> {
    pub(super) fn new(binding: &'a Binding, index: &'a WorldIndex<'a>) -> Self {
        let id = binding.session_id.as_str();
        Self { binding, reports: index.facts_of(id), unusable: index.fact_troubles_of(id) }
    }

    /// The id of the session.
    pub(super) fn id(&self) -> &'a str {
        self.binding.session_id.as_str()
    }

    /// The agent it works for.
    pub(super) fn agent(&self) -> &'a str {
        self.binding.agent_id.as_str()
    }

    /// Whether the route is still there.
    pub(super) fn is_live(&self) -> bool {
        self.binding.closed.is_none() && self.binding.replaced.is_none()
    }

    /// The runtime that its row of the host table names; `None` when an attached binding names no surface.
    pub(super) fn runtime(&self) -> Option<RuntimeId> {
        self.host().map(|(runtime, _)| runtime)
    }

    /// The binding's row of the host table: managed sessions are custom workers of any kind.
    fn host(&self) -> Option<(RuntimeId, Option<HostKind>)> {
        match self.binding.session_mode {
            Some(SessionMode::AttachedHost) => {
                self.binding.host_surface.map(|surface| surface.row()).map(|(runtime, kind)| (runtime, Some(kind)))
            }
            Some(SessionMode::ManagedRuntime) | None => Some((RuntimeId::CustomWorker, None)),
        }
    }

    /// The facts that count: those of the binding's own runtime, else the newest.
    pub(super) fn facts(&self) -> Option<&'a Facts> {
        let own = self.reports.iter().find(|facts| Some(facts.runtime_id) == self.runtime());
        own.or_else(|| self.reports.iter().max_by_key(|facts| facts.updated_at)).copied()
    }

    /// Facts that disagree with the binding's row of the host table.
    pub(super) fn mismatch(&self) -> Option<&'a Facts> {
        let agrees = |facts: &Facts| {
            self.host().is_some_and(|(runtime, kind)| {
                facts.runtime_id == runtime && (kind.is_none() || facts.host_kind.is_none() || facts.host_kind == kind)
            })
        };
        self.reports.iter().find(|facts| !agrees(facts)).copied()
    }

    /// The instant at which its facts become stale; `None` without facts or when the session has ended.
    pub(super) fn stale_at(&self, limits: &StaleAfter) -> Option<Instant> {
        let facts = self.facts().filter(|facts| !facts.status.is_terminal())?;
        Some(facts.updated_at.after(limits.of(facts.runtime_id)))
    }

    /// The newest event of a kind.
    pub(super) fn newest_event(&self, kind: EventKind) -> Option<&'a EventFact> {
        self.facts()?.events.iter().filter(|event| event.kind == kind).max_by_key(|event| (event.at, &event.event_id))
    }

    /// The newest event of any kind.
    pub(super) fn newest_event_of_all(&self) -> Option<&'a EventFact> {
        self.facts()?.events.iter().max_by_key(|event| (event.at, &event.event_id))
    }

    /// The newest outcome.
    pub(super) fn newest_outcome(&self) -> Option<&'a OutcomeFact> {
        self.facts()?.outcomes.iter().max_by_key(|outcome| (outcome.at, &outcome.outcome_id))
    }

    /// The newest validation.
    pub(super) fn newest_validation(&self) -> Option<&'a OutcomeFact> {
        let validations = self.facts()?.outcomes.iter().filter(|outcome| outcome.kind == OutcomeKind::Validation);
        validations.max_by_key(|outcome| (outcome.at, &outcome.outcome_id))
    }

    /// The approval that a session which has not ended waits for in its own host.
    pub(super) fn pending_approval(&self) -> Option<&'a ApprovalFact> {
        let facts = self.facts().filter(|facts| !facts.status.is_terminal())?;
        let newest = facts.approvals.iter().max_by_key(|approval| (approval.at, &approval.approval_id));
        newest.filter(|approval| approval.status == ApprovalStatus::Pending)
    }
}
