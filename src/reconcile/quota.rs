//! How many turns are left in the rolling window, since when none is, and when that changes.

use super::ledger::Ledger;
use crate::vocabulary::{Duration, Instant, Quota, QuotaState};

/// What is left of a goal's quota at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaReading {
    /// Slots that the window allows.
    pub allowed: u64,
    /// Slots spent in it.
    pub spent: u64,
    /// The length of the window.
    pub window: Duration,
    /// Since when no slot is left, where spending did it.
    pub(super) exhausted_since: Option<Instant>,
    /// When the last slot goes, or the first one comes back.
    pub turns_at: Option<Instant>,
    pub(super) is_paused: bool,
}

impl QuotaReading {
    /// Reads a quota. A spend counts from its instant to the end of the window after it, both included.
    pub(super) fn new(quota: &Quota, ledger: &Ledger<'_>, as_of: Instant) -> Self {
        let window = Duration::hours(u64::from(quota.window_hours));
        let mut reading = Self {
            allowed: quota.allowed_slots_in_window(),
            spent: 0,
            window,
            exhausted_since: None,
            turns_at: None,
            is_paused: quota.compute <= 0.0,
        };
        let mut changes: Vec<(Instant, bool)> =
            ledger.spends().into_iter().flat_map(|at| [(at, true), (at.after(window).next(), false)]).collect();
        changes.sort_unstable();
        let mut spent = 0;
        for together in changes.chunk_by(|(one, _), (other, _)| one == other) {
            let at = together[0].0;
            let was_exhausted = spent >= reading.allowed;
            for (_, is_spend) in together {
                spent = if *is_spend { spent + 1 } else { spent - 1 };
            }
            let is_exhausted = spent >= reading.allowed;
            if at <= as_of {
                reading.spent = spent;
                if is_exhausted != was_exhausted {
                    reading.exhausted_since = is_exhausted.then_some(at);
                }
            } else if is_exhausted != was_exhausted {
                reading.turns_at = Some(at);
                break;
            }
        }
        reading
    }

    /// The slots that are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.allowed.saturating_sub(self.spent)
    }

    /// Whether no slot is left.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.spent >= self.allowed
    }

    /// What an exhausted quota does to a screen: a share of nothing is the owner's pause.
    pub(super) fn state(&self) -> QuotaState {
        if self.is_paused { QuotaState::Blocked } else { QuotaState::Throttled }
    }
}
