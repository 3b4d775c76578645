//! When a watch looks: bursts, limits and obstacles, in a time of the test's own.

use std::time::Duration;

use loopx::git::UnfinishedOperation;
use loopx::watch::{Extent, Hint, Limits, Schedule, ScheduleStep, WatchLimit};

fn ms(number: u64) -> Duration {
    Duration::from_millis(number)
}

fn path(name: &str) -> Hint {
    Hint::Path(name.to_owned())
}

fn schedule() -> Schedule {
    Schedule::new(Limits::NATIVE, Duration::ZERO)
}

fn clear() -> WatchLimit {
    WatchLimit::Clear
}

fn at(names: &[&str]) -> Extent {
    Extent { paths: names.iter().map(|name| (*name).to_owned()).collect(), ..Extent::default() }
}

fn look(step: ScheduleStep) -> Extent {
    match step {
        ScheduleStep::Look { extent, .. } => extent,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_burst_is_one_look_once_it_is_quiet() {
    let mut schedule = schedule();
    for number in 0..5 {
        schedule.hint(ms(number * 10), path("goals/a/goal.yaml"));
    }
    schedule.hint(ms(45), path("goals/b/goal.yaml"));
    assert_eq!(schedule.step(ms(50), None, clear), ScheduleStep::Wait(ms(20)));
    assert_eq!(look(schedule.step(ms(70), None, clear)), at(&["goals/a/goal.yaml", "goals/b/goal.yaml"]));
    assert_eq!(schedule.step(ms(70), None, clear), ScheduleStep::Wait(Limits::NATIVE.walk - ms(70)));
}

/// W10: what changes during a look is one more look, and then none.
#[test]
fn a_change_during_a_look_is_one_more_look() {
    let mut schedule = schedule();
    schedule.hint(ms(0), path("goals/a/goal.yaml"));
    assert_eq!(look(schedule.step(ms(25), None, clear)), at(&["goals/a/goal.yaml"]));
    for number in 0..10 {
        schedule.hint(ms(30 + number), path("goals/a/goal.yaml"));
    }
    assert_eq!(look(schedule.step(ms(500), None, clear)), at(&["goals/a/goal.yaml"]));
    assert!(matches!(schedule.step(ms(900), None, clear), ScheduleStep::Wait(_)));
}

#[test]
fn a_burst_without_end_is_looked_at_all_the_same() {
    let mut schedule = schedule();
    let mut looks = 0;
    for number in 0..100 {
        schedule.hint(ms(number * 10), path("goals/a/goal.yaml"));
        looks += usize::from(matches!(schedule.step(ms(number * 10), None, clear), ScheduleStep::Look { .. }));
    }
    assert_eq!(looks, 3, "one each 250 ms");
}

#[test]
fn everything_is_looked_at_each_minute_and_after_lost_events() {
    let mut schedule = schedule();
    assert_eq!(schedule.step(ms(59_999), None, clear), ScheduleStep::Wait(ms(1)));
    assert_eq!(look(schedule.step(ms(60_000), None, clear)), Extent::everything());
    schedule.hint(ms(61_000), Hint::Anything);
    assert_eq!(look(schedule.step(ms(61_025), None, clear)), Extent::everything());
    assert_eq!(schedule.step(ms(61_025), None, clear), ScheduleStep::Wait(ms(60_000)));
    for number in 0..1_000 {
        schedule.hint(ms(62_000), path(&format!("goals/a/todos/{number}.yaml")));
    }
    assert_eq!(look(schedule.step(ms(62_025), None, clear)), Extent::everything(), "so many files are a walk");
}

#[test]
fn a_verdict_that_ends_is_a_look_at_nothing() {
    let mut schedule = schedule();
    assert_eq!(schedule.step(ms(0), Some(ms(5_000)), clear), ScheduleStep::Wait(ms(5_000)));
    assert_eq!(look(schedule.step(ms(5_000), Some(ms(5_000)), clear)), Extent::default());
}

#[test]
fn a_merge_is_waited_for_and_said_once() {
    let mut schedule = schedule();
    let merge = WatchLimit::Unfinished(UnfinishedOperation::Merge);
    schedule.hint(ms(0), path("goals/a/goal.yaml"));
    assert_eq!(schedule.step(ms(25), None, || merge), ScheduleStep::Hold(merge));
    assert_eq!(schedule.step(ms(25), None, || merge), ScheduleStep::Wait(ms(200)));
    assert_eq!(schedule.step(ms(225), None, || merge), ScheduleStep::Wait(ms(200)));
    // Another obstacle is another thing to say.
    let rebase = WatchLimit::Unfinished(UnfinishedOperation::Rebase);
    assert_eq!(schedule.step(ms(425), None, || rebase), ScheduleStep::Hold(rebase));
    assert_eq!(
        schedule.step(ms(625), None, clear),
        ScheduleStep::Look { extent: Extent::everything(), after: Some(rebase) }
    );
    schedule.hint(ms(700), path("goals/a/goal.yaml"));
    let step = schedule.step(ms(725), None, clear);
    assert_eq!(step, ScheduleStep::Look { extent: at(&["goals/a/goal.yaml"]), after: None });
}

#[test]
fn a_locked_index_is_waited_for_in_silence_but_not_for_ever() {
    let mut schedule = schedule();
    schedule.hint(ms(0), path("goals/a/goal.yaml"));
    let mut now = ms(25);
    let mut waits = 0;
    while let ScheduleStep::Wait(rest) = schedule.step(now, None, || WatchLimit::Locked) {
        now += rest;
        waits += 1;
        assert!(now < ms(20_000), "a commit whose editor is open all day holds up nothing");
    }
    assert!(now >= ms(10_025) && waits > 100, "{now:?}, {waits}");
    schedule.hint(ms(30_000), path("goals/b/goal.yaml"));
    assert_eq!(schedule.step(ms(30_025), None, || WatchLimit::Locked), ScheduleStep::Wait(ms(25)));
    assert_eq!(look(schedule.step(ms(30_050), None, clear)), at(&["goals/b/goal.yaml"]));
}

#[test]
fn a_failed_look_is_tried_again_after_a_rest_and_looks_at_everything() {
    let mut schedule = schedule();
    schedule.again(ms(100), ms(1_000), None);
    assert_eq!(schedule.step(ms(100), None, clear), ScheduleStep::Wait(ms(1_000)));
    schedule.hint(ms(200), path("goals/a/goal.yaml"));
    assert!(!schedule.is_idle());
    assert_eq!(look(schedule.step(ms(1_100), None, clear)), Extent::everything());
    assert!(schedule.is_idle());
}

/// What was in the way is said to be over by the look that is not overtaken.
#[test]
fn a_look_that_is_overtaken_still_owes_the_end_of_a_merge() {
    let mut schedule = schedule();
    let merge = WatchLimit::Unfinished(UnfinishedOperation::Merge);
    schedule.hint(ms(0), path("goals/a/goal.yaml"));
    assert_eq!(schedule.step(ms(25), None, || merge), ScheduleStep::Hold(merge));
    let ScheduleStep::Look { after, .. } = schedule.step(ms(300), None, clear) else { panic!("a look") };
    schedule.again(ms(300), ms(25), after);
    let ScheduleStep::Look { after, .. } = schedule.step(ms(325), None, clear) else { panic!("another look") };
    assert_eq!(after, Some(merge));
    // A merge that begins again in between was said already.
    schedule.again(ms(400), ms(25), after);
    assert_eq!(schedule.step(ms(425), None, || merge), ScheduleStep::Wait(ms(200)));
}

#[test]
fn where_no_events_come_everything_is_looked_at_more_often() {
    let mut schedule = schedule();
    schedule.limit(Limits::polling(ms(1_000)), ms(500));
    assert_eq!(schedule.step(ms(500), None, clear), ScheduleStep::Wait(ms(1_000)));
    assert_eq!(look(schedule.step(ms(1_500), None, clear)), Extent::everything());
    assert_eq!(schedule.step(ms(1_500), None, clear), ScheduleStep::Wait(ms(1_000)));
    // A look that took long makes them rarer.
    schedule.limit(Limits::polling(ms(3_000)), ms(1_500));
    assert_eq!(look(schedule.step(ms(2_500), None, clear)), Extent::everything());
    assert_eq!(schedule.step(ms(2_500), None, clear), ScheduleStep::Wait(ms(3_000)));
}
