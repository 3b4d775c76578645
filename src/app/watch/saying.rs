//! What a watch under way says, and how things stand when it does.

use std::time::Duration;

use super::run::Watch;
use super::words::{self, moved, short};
use super::{Foot, Ran};
use crate::app::error::Error;
use crate::app::recording::Recording;
use crate::render::{Happening, WatchEvent, Way};
use crate::vocabulary::WaitingOn;
use crate::watch::Means;

impl Watch<'_> {
    /// Says what the verdicts could not take into account.
    pub(super) fn say_notes(&mut self) -> Result<(), Error> {
        let notes = self.keeper.plan().notes.clone();
        notes.into_iter().try_for_each(|note| self.say(Happening::Notice(note)))
    }

    pub(super) fn say_ran(&mut self, ran: Ran, took: Duration) -> Result<(), Error> {
        let moved = ran.moved.as_ref().map(|(old, new)| self.keeper.workspace().wall.text(moved(old, new)));
        let next = self.next(&ran);
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let Ran { changes, written, removed, .. } = ran;
        if changes.is_empty() && moved.is_none() && written + removed == 0 {
            return Ok(());
        }
        self.say(Happening::Ran { changes, moved, written, removed, took, next })?;
        if written + removed > 0 {
            self.follow();
        }
        Ok(())
    }

    /// The next command, when a document was decided that is not recorded.
    fn next(&self, ran: &Ran) -> Option<&'static str> {
        let is_new = ran.changes.iter().any(|told| told.text.as_ref().contains("not recorded yet"));
        let repository = self.disk.repository().filter(|_| is_new && ran.moved.is_none())?;
        let way = Recording::way_of(repository, self.keeper.records()).ok()?;
        Some(match (way, self.wanted.commit) {
            (Way::Commit { .. }, true) => "git commit",
            (Way::Commit { .. }, false) => "git commit, then loopx reconcile --commit",
            (Way::Merge { .. }, _) => "loopx record, and commit both",
            (Way::Nowhere, _) => return None,
        })
    }

    pub(super) fn say_means(&mut self, means: Means) -> Result<(), Error> {
        words::of_means(means).map_or(Ok(()), |text| self.say(Happening::Notice(text)))
    }

    pub(super) fn say(&mut self, what: Happening) -> Result<(), Error> {
        let event = WatchEvent { at: (self.clock)(), what };
        let foot = self.foot();
        self.is_heard &= (self.listener)(&event, foot)?;
        Ok(())
    }

    pub(super) fn foot(&self) -> Foot {
        let plan = self.keeper.plan();
        let waits = |word: WaitingOn| matches!(word, WaitingOn::User | WaitingOn::Controller);
        let entries = &self.keeper.workspace().entries;
        Foot {
            goals: plan.goals.len(),
            waiting: plan.goals.values().filter(|goal| waits(goal.waiting_on)).count(),
            errors: entries.iter().filter(|entry| entry.unreadable.is_some() || entry.refused.is_some()).count(),
        }
    }

    pub(super) fn end(&mut self, is_idle: bool) -> Result<(), Error> {
        let commit = self.keeper.checkout().commit.clone();
        let commit = commit.map(|commit| self.keeper.workspace().wall.text(short(&commit)));
        let is_up_to_date = is_idle && self.failed.is_none();
        self.say(Happening::Ended { commit, is_up_to_date })
    }
}
