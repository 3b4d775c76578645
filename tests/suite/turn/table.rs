//! The table of decisions and the bounds of a packet.

use loopx::turn::{DecidedTurn, ROWS, Situation, StopCause, decided};
use loopx::vocabulary::{ClosedWords, TurnDecision, TurnMode};

/// A situation in which exactly one row's own cause holds.
fn only(number: u8) -> Situation {
    let nothing = Situation::default();
    match number {
        1 => Situation { stop: Some(StopCause::AllDone), ..nothing },
        2 => Situation { must_settle: true, ..nothing },
        3 => Situation { is_unhealthy: true, ..nothing },
        4 => Situation { waits_for_person: true, ..nothing },
        5 => Situation { lacks_facts: true, ..nothing },
        6 => Situation { stalled: 3, is_runnable: true, ..nothing },
        7 => Situation { waits_for_evidence: true, ..nothing },
        8 => Situation { is_exhausted: true, ..nothing },
        9 => Situation { is_runnable: true, has_open_todo: true, ..nothing },
        10 => Situation { is_quiet: true, has_open_todo: true, ..nothing },
        11 => Situation { is_all_of_peers: true, ..nothing },
        _ => nothing,
    }
}

/// Both causes.
fn both(one: Situation, other: Situation) -> Situation {
    Situation {
        stop: one.stop.or(other.stop),
        must_settle: one.must_settle || other.must_settle,
        is_unhealthy: one.is_unhealthy || other.is_unhealthy,
        waits_for_person: one.waits_for_person || other.waits_for_person,
        lacks_facts: one.lacks_facts || other.lacks_facts,
        is_rejected: one.is_rejected || other.is_rejected,
        stalled: one.stalled.max(other.stalled),
        waits_for_evidence: one.waits_for_evidence || other.waits_for_evidence,
        is_exhausted: one.is_exhausted || other.is_exhausted,
        is_runnable: one.is_runnable || other.is_runnable,
        is_gate_closed: one.is_gate_closed || other.is_gate_closed,
        has_user_todo: one.has_user_todo || other.has_user_todo,
        is_quiet: one.is_quiet || other.is_quiet,
        has_open_todo: one.has_open_todo || other.has_open_todo,
        is_all_of_peers: one.is_all_of_peers || other.is_all_of_peers,
        task_class: one.task_class.or(other.task_class),
    }
}

#[test]
fn the_first_row_that_holds_decides() {
    let expected = [
        ("stop", "terminal_no_followup", "fft", false),
        ("settle", "control_plane_self_repair", "tff", false),
        ("repair", "skip", "fft", true),
        ("ask", "user_gate", "fff", true),
        ("report", "control_plane_self_repair", "tff", false),
        ("replan", "autonomous_replan", "tff", false),
        ("wait", "external_evidence_observation", "fft", false),
        ("wait", "quota_throttled", "fft", false),
        ("work", "bounded_delivery", "ttf", false),
        ("wait", "monitor_quiet_skip", "fft", false),
        ("wait", "reassignment_required", "fft", false),
        ("wait", "skip", "fft", false),
    ];
    for (number, (decision, mode, letters, notifies)) in (1..).zip(expected) {
        let turn = DecidedTurn::of(&only(number));
        let said: String = [turn.channels.must_attempt, turn.channels.delivery_allowed, turn.channels.quiet_noop]
            .map(|holds| if holds { 't' } else { 'f' })
            .into_iter()
            .collect();
        let found = (turn.row, turn.decision.word(), turn.mode.word(), said.as_str(), turn.channels.notifies);
        assert_eq!(found, (number, decision, mode, letters, notifies));
        for later in number..=12 {
            assert_eq!(decided(&both(only(number), only(later))).number, number, "{number} before {later}");
        }
    }
    assert_eq!(ROWS.map(|row| row.number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
}

#[test]
fn a_packet_never_says_both_to_work_and_to_be_quiet() {
    for bits in 0..1_u32 << 13 {
        let is = |bit: u32| bits >> bit & 1 == 1;
        let situation = Situation {
            stop: is(0).then_some(StopCause::NotActive),
            must_settle: is(1),
            is_unhealthy: is(2),
            waits_for_person: is(3),
            lacks_facts: is(4),
            is_rejected: is(5),
            stalled: if is(6) { 3 } else { 0 },
            waits_for_evidence: is(7),
            is_exhausted: is(8),
            is_runnable: is(9),
            is_gate_closed: is(10),
            has_user_todo: is(11),
            is_quiet: is(12),
            ..Situation::default()
        };
        let turn = DecidedTurn::of(&situation);
        let channels = turn.channels;
        assert!(channels.must_attempt || !channels.delivery_allowed, "{situation:?}");
        assert!(!(channels.quiet_noop && channels.must_attempt), "{situation:?}");
        assert_eq!(channels.delivery_allowed, turn.decision == TurnDecision::Work, "{situation:?}");
        if turn.decision == TurnDecision::Work {
            let fallback = turn.mode == TurnMode::ScopedUserGateFallback;
            assert_eq!((fallback, channels.notifies), (is(10), is(10) || is(11)));
            assert!(is(9) && !is(0) && !is(2) && !is(3) && !is(8), "{situation:?}");
        }
    }
}
