//! What a host that changes its own timer is told, from what it acknowledged before (contract 5).

use serde::{Deserialize, Serialize};

use super::schedule::{Timer, interval_of, normalized_rrule, rrule};
use crate::vocabulary::{CadenceClass, Duration, Instant};

/// How long a failed update of a host is not tried again.
const FAILURE_LIMIT: Duration = Duration::hours(24);

/// So many failures are remembered.
const REMEMBERED: usize = 4;

/// So many minutes a quiet monitor may be slower than it is told.
const TOLERANCE: u32 = 2;

/// What a host acknowledged; kept on its machine alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AckState {
    /// The token of what it acknowledged.
    pub reset_token: String,
    /// Which interval it had.
    #[serde(default)]
    pub progression_index: usize,
    /// The rule that it applied last; none where it acknowledged nothing yet.
    #[serde(default)]
    pub last_applied_rrule: Option<String>,
    /// When.
    pub updated_at: Instant,
    /// Updates that failed, the oldest first.
    #[serde(default)]
    pub host_update_failures: Vec<HostFailure>,
}

/// An update of a host that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFailure {
    /// The rule that it should have got.
    pub target_rrule: String,
    /// The rule that it had.
    #[serde(default)]
    pub observed_host_rrule: Option<String>,
    /// Why: host_tool_failure, timeout, rejected or unavailable.
    pub failure_kind: String,
    /// How often.
    pub failure_count: u32,
    /// When, the last time.
    pub failed_at: Instant,
}

/// What a host does with its timer now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackoffHint {
    /// Which interval it should have.
    pub index: usize,
    /// The interval in minutes; none: it stops.
    pub interval: Option<u32>,
    /// How what it acknowledged fits what it is told now.
    pub state_status: &'static str,
    /// What it does.
    pub host_action: &'static str,
    /// Whether it has to change its timer.
    pub apply_needed: bool,
    /// Whether it has to acknowledge.
    pub ack_needed: bool,
}

impl BackoffHint {
    /// What a host that changes its own timer is told.
    #[must_use]
    pub fn of(timer: &Timer, state: Option<&AckState>, observed: Option<&str>, now: Instant) -> Self {
        if timer.progression.is_empty() {
            return Self {
                index: 0,
                interval: None,
                state_status: "none",
                host_action: "pause_or_delete_current_heartbeat",
                apply_needed: false,
                ack_needed: false,
            };
        }
        let applied = state.and_then(|state| state.last_applied_rrule.as_deref()).and_then(interval_of);
        let known = state.map(|state| {
            let interval = Duration::seconds(60 * u64::from(applied.unwrap_or(0)));
            let token = state.reset_token.as_str();
            // What never was acknowledged has not begun.
            let is_waiting = !state.host_update_failures.is_empty() && applied.is_none();
            let since = if is_waiting { now.after(Duration::seconds(1)) } else { state.updated_at };
            (token, state.progression_index, since, interval)
        });
        let (index, reset) = timer.step(known, now);
        let status = match (state, reset) {
            (None, _) => "missing",
            (Some(_), true) => "reset_required",
            (Some(_), false) => "same_identity",
        };
        let target = timer.interval(index);
        let hint = |state_status, host_action, apply_needed, ack_needed| Self {
            index,
            interval: target,
            state_status,
            host_action,
            apply_needed,
            ack_needed,
        };
        let seen = observed.and_then(interval_of);
        let effective = seen.or(applied.filter(|_| observed.is_none()));
        let tolerated = timer.class == CadenceClass::MonitorWait
            && observed.is_none()
            && target.zip(effective).is_some_and(|(target, has)| has > target && has - target <= TOLERANCE);
        let failures = state.map_or(&[][..], |state| &state.host_update_failures);
        let failed = |failure: &&HostFailure| interval_of(&failure.target_rrule) == target;
        if effective == target || tolerated {
            let is_new = status != "same_identity" || applied != target || failures.iter().any(|it| failed(&it));
            return match (seen.is_some(), is_new, status) {
                (true, true, _) => hint(status, "ack_observed_rrule_without_update", false, true),
                (_, _, "same_identity") => hint(status, "none", false, false),
                _ => hint(status, "update_current_heartbeat_rrule", true, true),
            };
        }
        let is_same_try = |failure: &&HostFailure| {
            failed(failure)
                && failure.observed_host_rrule.as_deref().and_then(interval_of) == effective
                && now < failure.failed_at.after(FAILURE_LIMIT)
        };
        if failures.iter().any(|failure| is_same_try(&failure)) {
            return hint("host_update_failure_suppressed", "none_recorded_host_failure", false, false);
        }
        hint(status, "update_current_heartbeat_rrule", true, true)
    }

    /// The rule that the host applies; there is one exactly where it has to.
    #[must_use]
    pub fn recommended_rrule(&self) -> Option<String> {
        self.interval.filter(|_| self.apply_needed).map(rrule)
    }
}

/// Why an acknowledgement is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AckRefusal {
    /// The host stops, so there is nothing to acknowledge.
    #[error("the decision has no timer to acknowledge")]
    NoTimer,
    /// The applied rule is missing.
    #[error("name the rule that was applied: --applied-rrule")]
    NoRule,
    /// The applied rule is another one.
    #[error("the applied rule is not the recommended one")]
    OtherRule,
    /// The token is another one.
    #[error("--reset-token is not that of the current hint")]
    OtherToken,
    /// The key is another one.
    #[error("--state-key is not that of the current hint")]
    OtherKey,
}

/// What a host says that it applied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ack<'a> {
    /// The rule.
    pub applied_rrule: Option<&'a str>,
    /// The token of the hint.
    pub reset_token: Option<&'a str>,
    /// The key of the hint.
    pub state_key: Option<&'a str>,
}

/// Takes an acknowledgement: the state that follows; `None` where none was needed.
///
/// # Errors
/// It is not of what the host was told.
pub fn acknowledge(
    timer: &Timer,
    hint: &BackoffHint,
    ack: Ack<'_>,
    state_key: &str,
    now: Instant,
) -> Result<Option<AckState>, AckRefusal> {
    let target = hint.interval.ok_or(AckRefusal::NoTimer)?;
    if ack.reset_token.is_some_and(|token| token != timer.token) {
        return Err(AckRefusal::OtherToken);
    }
    if ack.state_key.is_some_and(|key| key != state_key) {
        return Err(AckRefusal::OtherKey);
    }
    if !hint.ack_needed {
        return Ok(None);
    }
    let applied = ack.applied_rrule.ok_or(AckRefusal::NoRule)?;
    let minutes = interval_of(applied).ok_or(AckRefusal::OtherRule)?;
    let is_tolerated = timer.class == CadenceClass::MonitorWait
        && ack.reset_token.is_some()
        && (target..=target + TOLERANCE).contains(&minutes);
    if minutes != target && !is_tolerated {
        return Err(AckRefusal::OtherRule);
    }
    Ok(Some(AckState {
        reset_token: timer.token.clone(),
        progression_index: hint.index,
        last_applied_rrule: Some(normalized_rrule(applied)),
        updated_at: now,
        host_update_failures: Vec::new(),
    }))
}

/// Remembers that a host could not change its timer.
#[must_use]
pub fn failed(
    timer: &Timer,
    hint: &BackoffHint,
    state: Option<AckState>,
    (observed, kind): (Option<&str>, &str),
    now: Instant,
) -> AckState {
    let target = rrule(hint.interval.unwrap_or_default());
    let observed = observed.map(normalized_rrule).or(state.as_ref().and_then(|state| state.last_applied_rrule.clone()));
    let mut state = state.filter(|state| state.reset_token == timer.token).unwrap_or(AckState {
        reset_token: timer.token.clone(),
        progression_index: hint.index,
        last_applied_rrule: None,
        updated_at: now,
        host_update_failures: Vec::new(),
    });
    let same = |failure: &HostFailure| failure.target_rrule == target && failure.observed_host_rrule == observed;
    let count = state.host_update_failures.iter().find(|failure| same(failure)).map_or(0, |it| it.failure_count);
    state.host_update_failures.retain(|failure| !same(failure));
    state.host_update_failures.push(HostFailure {
        target_rrule: target,
        observed_host_rrule: observed,
        failure_kind: kind.to_owned(),
        failure_count: count.saturating_add(1),
        failed_at: now,
    });
    let more = state.host_update_failures.len().saturating_sub(REMEMBERED);
    state.host_update_failures.drain(..more);
    state
}
