//! A watch under way: what it does at each step, and what it says.

use std::time::Duration;

use super::command::Follower;
use super::io::DiskIo;
use super::words::{in_the_way, over, told};
use super::{IncrementalPlan, Listener, Looked, ReconcileRun, WatchOptions};
use crate::app::error::{Error, ErrorCode};
use crate::app::plan::any_goal_is_read;
use crate::app::record::commit_within;
use crate::reconcile::Plan;
use crate::render::{WatchEventKind, deed};
use crate::vocabulary::Instant;
use crate::watch::{EventSource, Extent, Hint, Limits, Schedule, ScheduleStep, StopRequest, WatchBackend, WatchLimit};

/// A watch under way.
pub(super) struct Watch<'a> {
    pub(super) disk: DiskIo,
    pub(super) plan: IncrementalPlan,
    first: ReconcileRun,
    pub(super) wanted: &'a WatchOptions,
    pub(super) clock: &'a dyn Fn() -> Instant,
    pub(super) listener: Listener<'a>,
    follower: Option<Follower>,
    /// What failed last, so that it is said once.
    pub(super) failed: Option<Error>,
    /// What could not be recorded, so that it is not tried again before something changes.
    refused: Option<Plan>,
    pub(super) is_heard: bool,
}

/// How often the first look may be overtaken.
const ATTEMPTS: usize = 40;

/// How long to rest when a look was overtaken, and when it failed.
const OVERTAKEN: Duration = Duration::from_millis(25);
const FAILED: Duration = Duration::from_secs(1);

/// How often a running command is asked whether it has ended.
const FOLLOW: Duration = Duration::from_millis(50);

/// How long to sleep at most: where signals wake nobody, they are seen by then.
const SLEEP: Duration = if cfg!(unix) { Duration::from_secs(60) } else { Duration::from_millis(200) };

/// Where no events come, everything is looked at this often, or so much more rarely that a look costs a twentieth.
const POLL: Duration = Duration::from_secs(1);

impl<'a> Watch<'a> {
    pub(super) fn open(
        mut disk: DiskIo,
        wanted: &'a WatchOptions,
        clock: &'a dyn Fn() -> Instant,
        listener: Listener<'a>,
    ) -> Result<Self, Error> {
        for _ in 0..ATTEMPTS {
            if disk.limit() != WatchLimit::Locked
                && let Some((plan, first)) = IncrementalPlan::open(&mut disk, clock())?
            {
                let follower = wanted.exec.clone().map(Follower::new);
                let (failed, refused) = (None, None);
                return Ok(Self {
                    disk,
                    plan,
                    first,
                    wanted,
                    clock,
                    listener,
                    follower,
                    failed,
                    refused,
                    is_heard: true,
                });
            }
            std::thread::sleep(OVERTAKEN);
        }
        Err(Error::about(ErrorCode::CannotRead, "git changes files, or has left its index locked"))
    }

    pub(super) fn begin(&mut self, means: &'static str) -> Result<(), Error> {
        let workspace = self.plan.workspace();
        let documents = workspace.entries.iter().filter(|entry| entry.is_document).count();
        let files = self.first.written + self.first.removed;
        let (goals, unusable) = (self.plan.plan().goals.len(), self.status_line().errors);
        self.say(WatchEventKind::Began { documents, unusable, goals, means, files })?;
        self.say_notes()?;
        if files > 0 {
            self.follow();
        }
        // What a commit leaves to be looked at, the first look of the loop sees.
        if self.wanted.commit {
            self.commit()?;
        }
        Ok(())
    }

    pub(super) fn run(&mut self, events: &mut EventSource, stop: &StopRequest) -> Result<(), Error> {
        let begun = std::time::Instant::now();
        let mut means = events.means();
        let mut schedule = Schedule::new(limits(means, Duration::ZERO), Duration::ZERO);
        self.say_means(means)?;
        // Whatever changed since the first look began.
        schedule.hint(Duration::ZERO, Hint::Anything);
        while self.is_heard && !stop.is_wanted() {
            if events.means() != means {
                means = events.means();
                schedule.limit(limits(means, Duration::ZERO), begun.elapsed());
                self.say_means(means)?;
            }
            let ends = self.verdict_ends(begun.elapsed());
            match schedule.step(begun.elapsed(), ends, || self.disk.limit()) {
                ScheduleStep::Wait(longest) => {
                    for hint in events.wait(self.rest(longest)) {
                        schedule.hint(begun.elapsed(), hint);
                    }
                    self.reap()?;
                }
                ScheduleStep::Hold(obstacle) => self.say(WatchEventKind::Waits(in_the_way(obstacle)))?,
                ScheduleStep::Look { extent, after } => {
                    if extent.everything || after.is_some() {
                        events.arm();
                    }
                    let looked = std::time::Instant::now();
                    let is_far = extent.everything;
                    if let Some(rest) = self.look(&extent, after)? {
                        schedule.again(begun.elapsed(), rest, after);
                    }
                    if is_far && means != WatchBackend::Native {
                        schedule.limit(limits(means, looked.elapsed()), begun.elapsed());
                    }
                }
            }
        }
        self.end(schedule.is_idle())
    }

    /// How long to wait at most.
    fn rest(&self, longest: Duration) -> Duration {
        let follow = self.follower.as_ref().filter(|follower| follower.is_busy()).map_or(SLEEP, |_| FOLLOW);
        longest.min(follow).min(SLEEP)
    }

    /// The moment at which a verdict changes by itself.
    fn verdict_ends(&self, at: Duration) -> Option<Duration> {
        let until = self.plan.plan().valid_until?.timestamp();
        let left = until.duration_since((self.clock)().timestamp());
        // The clock of verdicts has whole seconds, and the next one is where it is reached for sure.
        let seconds = u64::try_from(left.as_secs()).unwrap_or(0) + u64::from(left.subsec_nanos() > 0);
        Some(at + Duration::from_secs(seconds))
    }

    /// Looks, and follows what changed. Gives how long to rest before everything is looked at again, if it must be.
    fn look(&mut self, extent: &Extent, after: Option<WatchLimit>) -> Result<Option<Duration>, Error> {
        let begun = std::time::Instant::now();
        if extent.everything || extent.git {
            // A repository may be new, or its configuration another one.
            if let Err(error) = self.disk.reopen() {
                return self.fail(error);
            }
        }
        let looked = match self.plan.look(&mut self.disk, extent, (self.clock)()) {
            Ok(looked) => looked,
            Err(error) => return self.fail(error),
        };
        self.failed = None;
        match looked {
            Looked::Overtaken => return Ok(Some(OVERTAKEN)),
            Looked::Same => {
                if let Some(obstacle) = after {
                    self.say(WatchEventKind::Over(over(obstacle)))?;
                }
            }
            Looked::Ran(ran) => {
                self.refused = None;
                self.say_ran(ran, begun.elapsed())?;
            }
        }
        if self.wanted.commit { self.commit() } else { Ok(None) }
    }

    /// Records the decisions that lack their receipt, unless that was refused and nothing changed since. Gives how long
    /// to rest before everything is looked at again, if it must be.
    fn commit(&mut self) -> Result<Option<Duration>, Error> {
        let plan = self.plan.plan();
        if plan.unrecorded.is_empty() || self.refused.as_ref() == Some(plan) {
            return Ok(None);
        }
        self.refused = Some(plan.clone());
        let made = commit_within(self.disk.root(), (self.clock)(), false, FAILED);
        let (planned, written) = match made {
            Ok(made) => made,
            Err(error) => {
                self.say(WatchEventKind::Failed(told(&error)))?;
                return Ok(None);
            }
        };
        let Some(commit) = &planned.recording.commit else { return Ok(None) };
        let wall = &planned.state.workspace.wall;
        let deeds = planned.recording.receipts.iter().map(|receipt| deed(receipt, wall)).collect();
        let files = written.written.len() + written.removed.len();
        self.say(WatchEventKind::Recorded { commit: wall.text(&commit.short), deeds, files })?;
        self.refused = None;
        self.follow();
        let begun = std::time::Instant::now();
        match self.plan.look(&mut self.disk, &Extent::everything(), (self.clock)()) {
            // That the branch moved was said.
            Ok(Looked::Ran(ran)) => self.say_ran(ReconcileRun { moved: None, ..ran }, begun.elapsed()).map(|()| None),
            Ok(Looked::Same) => Ok(None),
            Ok(Looked::Overtaken) => Ok(Some(OVERTAKEN)),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: Error) -> Result<Option<Duration>, Error> {
        if self.failed.as_ref() != Some(&error) {
            self.say(WatchEventKind::Failed(told(&error)))?;
            self.failed = Some(error);
        }
        Ok(Some(FAILED))
    }

    pub(super) fn follow(&mut self) {
        if let Some(follower) = &mut self.follower {
            follower.want();
        }
    }

    /// Starts the command that follows, and says how the last one ended.
    fn reap(&mut self) -> Result<(), Error> {
        match self.follower.as_mut().and_then(Follower::step) {
            Some(code) => self.say(WatchEventKind::Executed(code)),
            None => Ok(()),
        }
    }

    /// Whether any goal has a document that can be read, or there is none at all.
    pub(super) fn is_possible(&self) -> bool {
        let goals = &self.plan.plan().goals;
        goals.is_empty() && self.status_line().errors == 0 || any_goal_is_read(self.plan.plan(), self.plan.workspace())
    }
}

fn limits(means: WatchBackend, look: Duration) -> Limits {
    match means {
        WatchBackend::Native => Limits::NATIVE,
        _ => Limits::polling(POLL.max(look * 20)),
    }
}
