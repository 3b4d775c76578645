//! The pure core: hints and moments in, steps out. It has no clock, no disk and no threads.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::git::UnfinishedOperation;

/// What the outside says may have happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// Something about the file or folder at a path below the state directory.
    Path(String),
    /// Something about what is checked out or recorded.
    Git,
    /// Anything: events were lost, or cannot be told apart.
    Anything,
}

/// The part of the state directory to look at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extent {
    /// Everything; then the paths say nothing more.
    pub everything: bool,
    /// What is checked out and recorded.
    pub git: bool,
    /// Files and folders below the state directory.
    pub paths: BTreeSet<String>,
}

impl Extent {
    /// Creates the extent that covers the whole directory.
    #[must_use]
    pub fn everything() -> Self {
        Self { everything: true, git: true, paths: BTreeSet::new() }
    }

    fn add(&mut self, hint: Hint) {
        match hint {
            Hint::Path(_) if self.everything => {}
            Hint::Path(path) => drop(self.paths.insert(path)),
            Hint::Git => self.git = true,
            Hint::Anything => *self = Self::everything(),
        }
        if self.paths.len() > MOST_PATHS {
            *self = Self::everything();
        }
    }

    fn is_empty(&self) -> bool {
        !self.everything && !self.git && self.paths.is_empty()
    }
}

/// From so many paths on a walk is quicker.
const MOST_PATHS: usize = 512;

/// How long to wait for what. A moment is the time since the watch began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Without a hint, a burst is over.
    pub quiet: Duration,
    /// A burst that does not end is looked at after this.
    pub longest: Duration,
    /// Everything is looked at this often, whatever the hints say.
    pub walk: Duration,
    /// How often to ask whether an obstacle has gone.
    pub ask: Duration,
    /// Git's index is locked for no longer than this by a command that changes files; by then it waits for a person.
    pub lock: Duration,
}

impl Limits {
    /// The limits where the file system reports events.
    pub const NATIVE: Self = Self {
        quiet: Duration::from_millis(25),
        longest: Duration::from_millis(250),
        walk: Duration::from_secs(60),
        ask: Duration::from_millis(200),
        lock: Duration::from_secs(10),
    };

    /// Where no events come: looks at everything this often.
    #[must_use]
    pub fn polling(every: Duration) -> Self {
        Self { walk: every, ..Self::NATIVE }
    }
}

/// What stands in the way of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchLimit {
    /// Nothing.
    Clear,
    /// Git is changing files, or is about to.
    Locked,
    /// Git has begun something that a person has to end.
    Unfinished(UnfinishedOperation),
    /// The state directory is not there.
    Gone,
}

/// The next step that the schedule asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduleStep {
    /// Wait for hints, at most so long.
    Wait(Duration),
    /// Say once that nothing happens before this has gone.
    Hold(WatchLimit),
    /// Look at this.
    Look {
        /// At what.
        extent: Extent,
        /// What stood in the way until now, if that was said.
        after: Option<WatchLimit>,
    },
}

/// The state machine: told of hints, asked for the next step.
#[derive(Debug)]
pub struct Schedule {
    limits: Limits,
    waiting: Extent,
    /// The first and the newest hint of the burst.
    burst: Option<(Duration, Duration)>,
    next_walk: Duration,
    /// When a failed look may be tried again.
    not_before: Duration,
    /// What stands in the way and was said, or how long it has been there.
    held: Option<WatchLimit>,
    locked_since: Option<Duration>,
    asked: Option<Duration>,
}

impl Schedule {
    /// Begins to watch something that was just looked at.
    #[must_use]
    pub fn new(limits: Limits, at: Duration) -> Self {
        Self {
            limits,
            waiting: Extent::default(),
            burst: None,
            next_walk: at + limits.walk,
            not_before: Duration::ZERO,
            held: None,
            locked_since: None,
            asked: None,
        }
    }

    /// Waits by other limits from now on.
    pub fn limit(&mut self, limits: Limits, at: Duration) {
        self.limits = limits;
        self.next_walk = self.next_walk.min(at + limits.walk);
    }

    /// Takes note of one event from outside.
    pub fn hint(&mut self, at: Duration, hint: Hint) {
        self.waiting.add(hint);
        self.burst = Some((self.burst.map_or(at, |(first, _)| first), at));
    }

    /// Takes back a look that could not be done, or was overtaken: everything is to be looked at, not before then.
    /// `after` is what that look was to say has gone; the next one says so.
    pub fn again(&mut self, at: Duration, rest: Duration, after: Option<WatchLimit>) {
        self.held = after;
        self.waiting = Extent::everything();
        self.burst = Some((at, at));
        self.not_before = at + rest;
    }

    /// Says what to do. `verdict_ends` is the moment at which a verdict changes by itself; `limit` is asked only when
    /// there is something to look at.
    pub fn step(
        &mut self,
        at: Duration,
        verdict_ends: Option<Duration>,
        limit: impl FnOnce() -> WatchLimit,
    ) -> ScheduleStep {
        let limits = self.limits;
        if self.next_walk <= at {
            self.waiting = Extent::everything();
            self.burst.get_or_insert((at.saturating_sub(limits.longest), at.saturating_sub(limits.quiet)));
        }
        let settled = self.burst.map(|(first, last)| (last + limits.quiet).min(first + limits.longest));
        let ready = match (settled, verdict_ends) {
            (Some(settled), Some(ends)) => settled.min(ends),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => self.next_walk,
        };
        let ready = ready.min(self.next_walk).max(self.not_before).max(self.asked.unwrap_or_default());
        if at < ready {
            return ScheduleStep::Wait(ready - at);
        }
        match limit() {
            WatchLimit::Clear => self.look(at),
            WatchLimit::Locked if at < *self.locked_since.get_or_insert(at) + limits.lock => {
                self.asked = Some(at + limits.quiet);
                ScheduleStep::Wait(limits.quiet)
            }
            WatchLimit::Locked => self.look(at),
            obstacle => {
                self.asked = Some(at + limits.ask);
                // Whatever happens meanwhile, everything is looked at when it is over.
                self.waiting = Extent::everything();
                self.burst = Some((at, at));
                match self.held.replace(obstacle) == Some(obstacle) {
                    true => ScheduleStep::Wait(limits.ask),
                    false => ScheduleStep::Hold(obstacle),
                }
            }
        }
    }

    fn look(&mut self, at: Duration) -> ScheduleStep {
        let extent = std::mem::take(&mut self.waiting);
        if extent.everything {
            self.next_walk = at + self.limits.walk;
        }
        (self.burst, self.locked_since, self.asked) = (None, None, None);
        ScheduleStep::Look { extent, after: self.held.take() }
    }

    /// Whether anything waits to be looked at.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }
}
