//! What a watch under way says, and how things stand when it does.

use std::time::Duration;

use super::run::Watch;
use super::words::{self, moved, short};
use super::{ReconcileRun, StatusLine};
use crate::app::error::Error;
use crate::app::recording::Recording;
use crate::render::{RecordingRoute, WatchEvent, WatchEventKind};
use crate::vocabulary::WaitingOn;
use crate::watch::WatchBackend;

impl Watch<'_> {
    /// Says what the verdicts could not take into account.
    pub(super) fn say_notes(&mut self) -> Result<(), Error> {
        let notes = self.plan.plan().notes.clone();
        notes.into_iter().try_for_each(|note| self.say(WatchEventKind::Notice(note)))
    }

    pub(super) fn say_ran(&mut self, ran: ReconcileRun, took: Duration) -> Result<(), Error> {
        let moved = ran.moved.as_ref().map(|(old, new)| self.plan.workspace().wall.text(moved(old, new)));
        let next = self.next(&ran);
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let ReconcileRun { changes, written, removed, .. } = ran;
        if changes.is_empty() && moved.is_none() && written + removed == 0 {
            return Ok(());
        }
        self.say(WatchEventKind::Ran { changes, moved, written, removed, took, next })?;
        if written + removed > 0 {
            self.follow();
        }
        Ok(())
    }

    /// The next command, when a document was decided that is not recorded.
    fn next(&self, ran: &ReconcileRun) -> Option<&'static str> {
        let repository = self.disk.repository().filter(|_| ran.is_to_record && ran.moved.is_none())?;
        let way = Recording::way_of(repository, self.plan.records()).ok()?;
        Some(match (way, self.wanted.commit) {
            (RecordingRoute::Commit { .. }, true) => "git commit",
            (RecordingRoute::Commit { .. }, false) => "git commit, then loopx reconcile --commit",
            (RecordingRoute::Merge { .. }, _) => "loopx record, and commit both",
            (RecordingRoute::Nowhere, _) => return None,
        })
    }

    pub(super) fn say_means(&mut self, means: WatchBackend) -> Result<(), Error> {
        words::of_means(means).map_or(Ok(()), |text| self.say(WatchEventKind::Notice(text)))
    }

    pub(super) fn say(&mut self, what: WatchEventKind) -> Result<(), Error> {
        let event = WatchEvent { at: (self.clock)(), what };
        let status_line = self.status_line();
        self.is_heard &= (self.listener)(&event, status_line)?;
        Ok(())
    }

    pub(super) fn status_line(&self) -> StatusLine {
        let plan = self.plan.plan();
        let waits = |word: WaitingOn| matches!(word, WaitingOn::User | WaitingOn::Controller);
        let entries = &self.plan.workspace().entries;
        StatusLine {
            goals: plan.goals.len(),
            waiting: plan.goals.values().filter(|goal| waits(goal.waiting_on)).count(),
            errors: entries.iter().filter(|entry| entry.unreadable.is_some() || entry.refused.is_some()).count(),
        }
    }

    pub(super) fn end(&mut self, is_idle: bool) -> Result<(), Error> {
        let commit = self.plan.checkout().commit.clone();
        let commit = commit.map(|commit| self.plan.workspace().wall.text(short(&commit)));
        let is_up_to_date = is_idle && self.failed.is_none();
        self.say(WatchEventKind::Ended { commit, is_up_to_date })
    }
}
