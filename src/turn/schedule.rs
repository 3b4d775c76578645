//! When a host asks again: cadence classes, the reset token, and what a host acknowledged (contract 5).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::situation::StopCause;
use crate::privacy::Text;
use crate::vocabulary::{
    CadenceClass, ClosedWords, Duration, HostSurface, Instant, SchedulerAction, TurnDecision, TurnMode, sha256,
};

/// The longest interval of a host that shows people what runs.
const LONGEST: u32 = 60;

/// What a decision makes of a timer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    /// The class.
    pub class: CadenceClass,
    /// What the host does.
    pub action: SchedulerAction,
    /// Why, as contract 5 says it.
    pub reason_code: &'static str,
    /// The intervals in minutes, one after another; none where the host stops.
    pub progression: Vec<u32>,
    /// Whether an interval that is over leads to the next one.
    pub advances: bool,
    /// How many polls without a change a host makes; `None`: as many as it likes.
    pub limit: Option<u32>,
    /// The token that tells one situation from the next.
    pub token: String,
}

/// What one host's timer is decided from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostSchedule<'a> {
    /// The host; `None` where it is not named.
    pub host: Option<HostSurface>,
    /// The goal.
    pub goal_id: &'a str,
    /// The agent.
    pub agent_id: &'a str,
    /// The decision.
    pub decision: TurnDecision,
    /// How the turn runs.
    pub mode: TurnMode,
    /// Why nothing is left to do.
    pub stop: Option<StopCause>,
    /// One safe action, as the screen says it.
    pub next_action: &'a str,
    /// When the nearest monitor is due.
    pub next_due_at: Option<Instant>,
    /// The instant of the decision.
    pub as_of: Instant,
}

/// What a host's timer is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnSchedule<T = Text> {
    /// What the host does.
    pub action: SchedulerAction,
    /// How fast it asks again.
    pub cadence_class: CadenceClass,
    /// Why.
    pub reason_code: T,
    /// The interval now; null: the host stops.
    pub interval_minutes: Option<u32>,
    /// The same as a recurrence rule.
    pub rrule: Option<T>,
    /// Tells one situation from the next.
    pub reset_token: T,
    /// Whether the intervals start again.
    pub reset: bool,
    /// After so many polls without a change the host asks once more and then does `after_limit`.
    pub unchanged_limit: Option<u32>,
    /// What the host does then.
    pub after_limit: T,
    /// Whether the limit is reached, so that the host looks once more before it stops.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// What the host gives back the next time.
    pub cursor: T,
}

/// What a host gives back: the token, which interval it had since when, and how often it asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The token.
    pub token: String,
    /// Which interval, from 0.
    pub index: usize,
    /// Since when, in seconds of the epoch.
    pub since: i64,
    /// How often it asked without a change.
    pub polls: u32,
}

impl Cursor {
    /// Reads a cursor; `None` where it is none of this version.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let version = parts.next()?;
        let token = parts.next().filter(|token| token.len() == 16 && token.bytes().all(|it| it.is_ascii_hexdigit()))?;
        let cursor = Self {
            token: token.to_owned(),
            index: parts.next()?.parse().ok()?,
            since: parts.next()?.parse().ok()?,
            polls: parts.next()?.parse().ok()?,
        };
        (version == "c1" && parts.next().is_none()).then_some(cursor)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "c1.{}.{}.{}.{}", self.token, self.index, self.since, self.polls)
    }
}

/// One row of the cadence table: what hosts that people watch and local schedulers do, and the limit of polls.
struct CadenceRow {
    action: SchedulerAction,
    watched: &'static [u32],
    local: &'static [u32],
    limit: Option<u32>,
    advances: bool,
}

const fn cadence(class: CadenceClass) -> CadenceRow {
    use CadenceClass as C;
    use SchedulerAction as A;
    let (action, watched, local, limit, advances): (_, &[u32], &[u32], _, _) = match class {
        C::ActiveWork => (A::RunNow, &[3, 6, 10], &[3, 6, 10], None, false),
        C::ControlPlaneRepair => (A::RepairInteractionContractProjection, &[3, 6, 10], &[3, 6, 10], None, false),
        C::HumanGate => (A::BackoffWaitingForUser, &[30, 60], &[30, 60, 120], Some(3), true),
        C::AgentScopeWait => (A::BackoffUntilReassigned, &[10, 20, 30, 60], &[10, 20, 30, 60], Some(3), true),
        C::MonitorWait => (A::BackoffUntilMaterialTransition, &[15, 30, 60], &[15, 30, 60], Some(3), true),
        C::UnchangedNoop => (A::BackoffUntilFreshEvidence, &[60], &[60, 120, 240], Some(3), true),
        C::QuietWait => (A::BackoffUntilStateChange, &[30, 60], &[30, 60, 120], Some(3), true),
        C::QuotaPaused | C::GoalStopped | C::TerminalNoFollowup => (A::StopUntilExplicitResume, &[], &[], None, false),
    };
    CadenceRow { action, watched, local, limit, advances }
}

/// The class of a decision, and why.
fn class_of(it: &HostSchedule<'_>) -> (CadenceClass, &'static str) {
    use CadenceClass as C;
    use TurnDecision as D;
    if it.host.is_none() {
        return (C::ControlPlaneRepair, "invalid_scheduler_execution_context");
    }
    match (it.decision, it.mode, it.stop) {
        (D::Stop, _, Some(StopCause::QuotaZero)) => (C::QuotaPaused, "quota_paused"),
        (D::Stop, _, Some(StopCause::NotActive)) => (C::GoalStopped, "goal_stopped"),
        (D::Stop, ..) => (C::TerminalNoFollowup, "terminal_no_followup"),
        (D::Work, ..) => (C::ActiveWork, "interaction_agent_attempt_required"),
        (D::Replan, ..) => (C::ActiveWork, "interaction_successor_replan_required"),
        (D::Settle | D::Report, ..) => (C::ControlPlaneRepair, "interaction_contract_repair_required"),
        (D::Ask, ..) => (C::HumanGate, "interaction_blocking_user_gate"),
        (_, TurnMode::ExternalEvidenceObservation, _) => (C::UnchangedNoop, "interaction_unchanged_wait"),
        (_, TurnMode::MonitorQuietSkip, _) => (C::MonitorWait, "interaction_monitor_quiet_wait"),
        (_, TurnMode::ReassignmentRequired, _) => (C::AgentScopeWait, "interaction_agent_scope_wait"),
        (D::Repair | D::Wait, ..) => (C::QuietWait, "interaction_quiet_noop_allowed"),
    }
}

/// What a decision makes of the timer of a host.
#[must_use]
pub fn timer(it: &HostSchedule<'_>) -> Timer {
    let (class, reason_code) = class_of(it);
    let mut row = cadence(class);
    if it.host.is_none() {
        // Nobody knows whose timer it is, so it gets no interval.
        row = CadenceRow { action: SchedulerAction::RepairSchedulerExecutionContext, watched: &[], local: &[], ..row };
    }
    let steps = if it.host == Some(HostSurface::CodexApp) { row.watched } else { row.local };
    let due = it.next_due_at.filter(|_| class == CadenceClass::MonitorWait);
    let progression = match due.map(|due| minutes(due, it.as_of)) {
        Some(cap) => capped(steps, cap),
        None => steps.to_vec(),
    };
    // How a monitor is described may change while nothing happens; when it is due may not.
    let told = if class == CadenceClass::MonitorWait { "" } else { it.next_action };
    let identity = json!([it.goal_id, it.agent_id, it.decision, it.mode, told, due]);
    let host = it.host.map(ClosedWords::word);
    let token = sha256(json!([row.action, identity, class, host]).to_string().as_bytes())[..16].to_owned();
    let (action, advances, limit) = (row.action, row.advances, row.limit);
    Timer { class, action, reason_code, progression, advances, limit, token }
}

/// The intervals of a wait that ends at a known time, in minutes: none is longer than the time that is left.
#[must_use]
pub fn capped(steps: &[u32], cap: u32) -> Vec<u32> {
    let cap = cap.max(1);
    let mut capped: Vec<u32> = steps.iter().copied().filter(|step| *step <= cap.min(LONGEST)).collect();
    if capped.is_empty() {
        capped.push(cap.min(LONGEST));
    }
    capped
}

/// The whole minutes until an instant, rounded up.
fn minutes(due: Instant, now: Instant) -> u32 {
    u32::try_from(due.since(now).as_seconds().div_ceil(60)).unwrap_or(u32::MAX)
}

impl Timer {
    /// Which interval a host has next, and whether it starts again: `known` is the token, the interval and since when
    /// it had it, as it gave them back.
    #[must_use]
    pub fn step(&self, known: Option<(&str, usize, Instant, Duration)>, now: Instant) -> (usize, bool) {
        let last = self.progression.len().saturating_sub(1);
        match known {
            Some((token, index, since, interval)) if token == self.token => {
                let is_over = now >= since.after(interval);
                (
                    if self.advances && is_over {
                        index + 1
                    } else if self.advances {
                        index
                    } else {
                        0
                    }
                    .min(last),
                    false,
                )
            }
            _ => (0, true),
        }
    }

    /// The interval of an index.
    #[must_use]
    pub fn interval(&self, index: usize) -> Option<u32> {
        self.progression.get(index.min(self.progression.len().saturating_sub(1))).copied()
    }
}

/// What the timer of a host is told; giving back the last cursor acknowledges it.
#[must_use]
pub fn schedule(it: &HostSchedule<'_>, cursor: Option<&Cursor>, text: impl Fn(&str) -> Text) -> TurnSchedule {
    let timer = timer(it);
    let now = it.as_of.timestamp().as_second();
    let known = cursor.and_then(|cursor| {
        let since = jiff::Timestamp::from_second(cursor.since).ok().map(Instant::new)?;
        let interval = Duration::seconds(60 * u64::from(timer.interval(cursor.index).unwrap_or(0)));
        Some((cursor.token.as_str(), cursor.index, since, interval))
    });
    let (index, reset) = timer.step(known, it.as_of);
    let kept = cursor.filter(|cursor| !reset && cursor.index == index);
    let polls = cursor.filter(|_| !reset).map_or(0, |cursor| cursor.polls).saturating_add(1);
    let next = Cursor { token: timer.token.clone(), index, since: kept.map_or(now, |cursor| cursor.since), polls };
    let interval = timer.interval(index);
    let limit = timer.limit.filter(|_| it.host != Some(HostSurface::CodexApp));
    TurnSchedule {
        action: timer.action,
        cadence_class: timer.class,
        reason_code: Text::fixed(timer.reason_code),
        interval_minutes: interval,
        rrule: interval.map(|minutes| text(&rrule(minutes))),
        reset_token: text(&timer.token),
        reset,
        unchanged_limit: limit,
        after_limit: Text::fixed(after_limit(it.host, limit.is_some(), interval.is_none())),
        is_final: limit.is_some_and(|limit| polls > limit),
        cursor: text(&next.to_string()),
    }
}

/// What a host does once it polled often enough without a change.
#[must_use]
pub fn after_limit(host: Option<HostSurface>, has_limit: bool, is_stop: bool) -> &'static str {
    match host {
        _ if is_stop && host.is_some() => "stop",
        None => "stop_until_context_repaired",
        _ if !has_limit => "continue",
        Some(HostSurface::LocalScheduler) => "stop_tick_loop",
        Some(HostSurface::CodexCli | HostSurface::CodexAppSsh) => "update_goal_blocked_keep_loopx_active",
        Some(_) => "stop_loop",
    }
}

/// The recurrence rule of an interval.
#[must_use]
pub fn rrule(minutes: u32) -> String {
    format!("FREQ=MINUTELY;INTERVAL={minutes}")
}

/// A recurrence rule without its prefix and with single blanks, as it is compared and shown.
#[must_use]
pub fn normalized_rrule(rule: &str) -> String {
    let rule = rule.trim();
    let rule = rule.strip_prefix("RRULE:").unwrap_or(rule);
    rule.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The interval of a recurrence rule in minutes, whatever the order and case of its parts.
#[must_use]
pub fn interval_of(rule: &str) -> Option<u32> {
    let rule = normalized_rrule(rule).to_ascii_uppercase();
    let part = |name: &str| rule.split(';').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='));
    let minutes: u32 = part("INTERVAL")?.trim().parse().ok()?;
    (part("FREQ").map(str::trim) == Some("MINUTELY") && minutes > 0).then_some(minutes)
}
