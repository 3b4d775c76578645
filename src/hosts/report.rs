//! What an event reports, and the facts of a session once it has been told.

use serde::{Deserialize, Serialize};

use super::event::{HostEvent, ReportedExit, Tool};
use super::shell::shell_words;
use super::table::EventMeaning;
use crate::vocabulary::{
    ApprovalFact, ApprovalStatus, Duration, EventFact, EventKind, EventStatus, Facts, HostKind, HostSurface, Id,
    Instant, OutcomeFact, OutcomeKind, OutcomeStatus, RuntimeId, SessionStatus,
};

/// How many items of each list a host keeps; older ones give way to newer ones.
pub const KEPT_ITEMS: usize = 16;

/// How long a host that only goes on is not written down again.
const QUIET: Duration = Duration::seconds(60);

/// What an event reports of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostReport {
    /// A host turn started.
    Started,
    /// The host goes on: an approval that was pending is over.
    Working,
    /// The host waits for an approval.
    Waiting,
    /// The person answered it.
    Answered {
        /// Whether the answer was yes.
        is_granted: bool,
    },
    /// A host turn ended.
    Idle,
    /// A person stopped it.
    Interrupted,
    /// It ended on an error.
    Failed,
    /// The validation command ended.
    Validated {
        /// Whether its exit status was 0.
        is_passed: bool,
    },
    /// The session ended.
    Stopped,
}

/// What an event reports; `None` where it is no fact. `validations` are the words of the goals' validation commands.
#[must_use]
pub fn report(event: &HostEvent, validations: &[&[String]]) -> Option<HostReport> {
    let validated = || {
        let Tool::Shell(Some(command)) = &event.tool else { return None };
        let words = shell_words(command)?;
        let is_one = validations.iter().any(|validation| !validation.is_empty() && **validation == words);
        is_one.then_some(())
    };
    let ended = |end| match end {
        ReportedExit::Passed => Some(HostReport::Validated { is_passed: true }),
        ReportedExit::Failed => Some(HostReport::Validated { is_passed: false }),
        ReportedExit::Unknown => None,
    };
    match event.meaning {
        EventMeaning::TurnStarted => Some(HostReport::Started),
        EventMeaning::BeforeTool => Some(HostReport::Working),
        EventMeaning::AfterTool | EventMeaning::AfterFailedTool => {
            Some(validated().and_then(|()| ended(event.exit)).unwrap_or(HostReport::Working))
        }
        EventMeaning::ApprovalAsked => Some(HostReport::Waiting),
        EventMeaning::ApprovalAnswered => Some(HostReport::Answered { is_granted: event.is_granted }),
        EventMeaning::TurnEnded => Some(HostReport::Idle),
        EventMeaning::TurnFailed => Some(HostReport::Failed),
        EventMeaning::Interrupted => Some(HostReport::Interrupted),
        EventMeaning::SessionEnded => Some(HostReport::Stopped),
        EventMeaning::SessionStarted
        | EventMeaning::StatusChanged
        | EventMeaning::ContextAsked
        | EventMeaning::None => None,
    }
}

/// Whose facts these are: a session of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionKey {
    /// The surface of the host.
    pub surface: HostSurface,
    /// The session of the binding.
    pub session_id: String,
    /// How often the binding has had a holder.
    pub epoch: u64,
    /// The todo that the agent works on.
    pub todo_id: Option<String>,
}

impl SessionKey {
    /// The runtime of the session.
    #[must_use]
    pub fn runtime(&self) -> RuntimeId {
        self.surface.row().0
    }

    fn empty(&self, at: Instant) -> Facts {
        let (runtime_id, host_kind): (RuntimeId, HostKind) = self.surface.row();
        Facts {
            schema_version: Default::default(),
            runtime_id,
            session_id: Id::new(self.session_id.as_str()),
            host_kind: Some(host_kind),
            status: SessionStatus::Unknown,
            updated_at: at,
            outcomes: Vec::new(),
            events: Vec::new(),
            approvals: Vec::new(),
            artifacts: Vec::new(),
            decision_results: Vec::new(),
        }
    }
}

/// The facts of a session once a report has been told; `None` where nothing is new, or what stands there is newer.
#[must_use]
pub fn reported(known: Option<&Facts>, key: &SessionKey, report: HostReport, at: Instant) -> Option<Facts> {
    if known.is_some_and(|known| known.updated_at > at) {
        return None;
    }
    let mut facts = known.cloned().unwrap_or_else(|| key.empty(at));
    let before = facts.clone();
    tell(&mut facts, key, report, at);
    let is_only_later = facts == before;
    let is_quiet = at.since(before.updated_at) < QUIET;
    if known.is_some() && is_only_later && is_quiet {
        return None;
    }
    facts.updated_at = at;
    trim(&mut facts);
    Some(facts)
}

fn tell(facts: &mut Facts, key: &SessionKey, report: HostReport, at: Instant) {
    let pending = |facts: &Facts| facts.approvals.iter().any(|approval| approval.status == ApprovalStatus::Pending);
    match report {
        HostReport::Started => start_turn(facts, key, at),
        HostReport::Working => {
            if pending(facts) {
                over(facts);
                facts.status = SessionStatus::Running;
            }
        }
        HostReport::Waiting => {
            facts.status = SessionStatus::Waiting;
            if !pending(facts) {
                let id = next(facts.approvals.iter().map(|approval| &approval.approval_id), "ha", key.epoch);
                facts.approvals.push(approval(id, at));
            }
        }
        HostReport::Answered { is_granted } => {
            facts.status = SessionStatus::Running;
            let status = if is_granted { ApprovalStatus::Granted } else { ApprovalStatus::Denied };
            for approval in facts.approvals.iter_mut().filter(|it| it.status == ApprovalStatus::Pending) {
                (approval.status, approval.at) = (status, at);
            }
        }
        // An idle session whose turn failed stays failed until the next turn.
        HostReport::Idle if facts.status == SessionStatus::Failed => {}
        HostReport::Idle => {
            over(facts);
            facts.status = SessionStatus::Idle;
            let open = facts.events.iter_mut().rev().find(|event| is_own_turn(event, key));
            if let Some(event) = open.filter(|event| event.status == EventStatus::Started) {
                (event.status, event.at) = (EventStatus::Completed, at);
            }
        }
        HostReport::Interrupted => {
            over(facts);
            facts.status = SessionStatus::Idle;
        }
        HostReport::Failed => {
            over(facts);
            facts.status = SessionStatus::Failed;
        }
        HostReport::Validated { is_passed } => {
            if pending(facts) {
                over(facts);
                facts.status = SessionStatus::Running;
            }
            let id = next(facts.outcomes.iter().map(|outcome| &outcome.outcome_id), "hv", key.epoch);
            facts.outcomes.push(validation(key, id, is_passed, at));
        }
        HostReport::Stopped => {
            over(facts);
            facts.status = SessionStatus::Stopped;
        }
    }
}

/// A host turn starts.
fn start_turn(facts: &mut Facts, key: &SessionKey, at: Instant) {
    over(facts);
    let newest = facts.events.iter().rev().find(|event| is_own_turn(event, key));
    let is_open = newest.is_some_and(|event| event.status == EventStatus::Started);
    let is_running = matches!(facts.status, SessionStatus::Running | SessionStatus::Waiting);
    facts.status = SessionStatus::Running;
    // OpenCode says busy again for each step of one turn.
    if !(key.surface == HostSurface::Opencode && is_open && is_running) {
        let event = event(key, next(facts.events.iter().map(|event| &event.event_id), "ht", key.epoch), at);
        facts.events.push(event);
    }
}

/// Ends approvals whose answer the host does not tell.
fn over(facts: &mut Facts) {
    facts.approvals.retain(|approval| approval.status != ApprovalStatus::Pending);
}

fn is_own_turn(event: &EventFact, key: &SessionKey) -> bool {
    event.kind == EventKind::Turn && number(&event.event_id, "ht", key.epoch).is_some()
}

/// The next id of a list: a prefix of ours, the epoch, and a number that counts up.
fn next<'a>(ids: impl Iterator<Item = &'a Id>, prefix: &str, epoch: u64) -> Id {
    let last = ids.filter_map(|id| number(id, prefix, epoch)).max().unwrap_or_default();
    Id::new(format!("{prefix}-{epoch}-{}", last.saturating_add(1)))
}

fn number(id: &Id, prefix: &str, epoch: u64) -> Option<u64> {
    id.as_str().strip_prefix(&format!("{prefix}-{epoch}-"))?.parse().ok()
}

fn event(key: &SessionKey, event_id: Id, at: Instant) -> EventFact {
    EventFact {
        event_id,
        kind: EventKind::Turn,
        status: EventStatus::Started,
        at,
        summary: None,
        todo_id: key.todo_id.as_deref().map(Id::new),
        outcome_id: None,
        artifact_id: None,
        gate_id: None,
        turn_id: None,
        supersedes: None,
    }
}

fn approval(approval_id: Id, at: Instant) -> ApprovalFact {
    ApprovalFact {
        approval_id,
        kind: Id::new("tool"),
        status: ApprovalStatus::Pending,
        at,
        summary: None,
        todo_id: None,
        outcome_id: None,
        artifact_id: None,
        gate_id: None,
        turn_id: None,
        supersedes: None,
    }
}

fn validation(key: &SessionKey, outcome_id: Id, is_passed: bool, at: Instant) -> OutcomeFact {
    OutcomeFact {
        outcome_id,
        kind: OutcomeKind::Validation,
        status: if is_passed { OutcomeStatus::Passed } else { OutcomeStatus::Failed },
        at,
        summary: None,
        todo_id: key.todo_id.as_deref().map(Id::new),
        artifact_id: None,
        gate_id: None,
        turn_id: None,
        supersedes: None,
    }
}

/// Drops the oldest of our own items; what others wrote stays.
fn trim(facts: &mut Facts) {
    trim_list(&mut facts.outcomes, |it| it.outcome_id.as_str().starts_with("hv-"));
    trim_list(&mut facts.events, |it| it.event_id.as_str().starts_with("ht-"));
    trim_list(&mut facts.approvals, |it| it.approval_id.as_str().starts_with("ha-"));
}

fn trim_list<T>(items: &mut Vec<T>, is_own: impl Fn(&T) -> bool) {
    let mut over = items.iter().filter(|item| is_own(item)).count().saturating_sub(KEPT_ITEMS);
    items.retain(|item| {
        let goes = over > 0 && is_own(item);
        over -= usize::from(goes);
        !goes
    });
}
