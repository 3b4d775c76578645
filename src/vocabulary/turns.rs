//! The words of an agent's turn: what it may do now, and what it has to record.

use super::closed::{ClosedWords, Vocabulary, vocabulary};

vocabulary! {
    /// What an agent does with its turn.
    TurnDecision, "turn_decision", "a turn decision" {
        Settle = "settle": "finish or settle an earlier turn before anything else",
        Work = "work": "work on the todo of the packet, and only on it",
        Replan = "replan": "do not repeat the todo: block it, ask, or add a smaller one",
        Report = "report": "let the host say where the session stands, then ask again",
        Ask = "ask": "tell the person what is asked, and end",
        Repair = "repair": "tell the person what has to be fixed, and end",
        Wait = "wait": "nothing can be done now; end",
        Stop = "stop": "nothing is left to do; end until a person resumes it",
    }
}
vocabulary! {
    /// How a turn runs (contract 5).
    TurnMode, "turn_mode", "a turn mode" {
        BoundedDelivery = "bounded_delivery": "one bounded piece of work",
        ScopedUserGateFallback = "scoped_user_gate_fallback": "work beside a gate that waits for a person",
        UserGate = "user_gate": "a person is asked first",
        MonitorQuietSkip = "monitor_quiet_skip": "only monitors are open, and none is due",
        QuotaThrottled = "quota_throttled": "no slot is left in the window",
        Skip = "skip": "this turn does nothing",
        ReassignmentRequired = "reassignment_required": "the open todos are those of other agents",
        AutonomousReplan = "autonomous_replan": "the plan is changed, not repeated",
        ControlPlaneSelfRepair = "control_plane_self_repair": "only the state of the turn is put in order",
        ExternalEvidenceObservation = "external_evidence_observation": "something outside has to happen first",
        TerminalNoFollowup = "terminal_no_followup": "every todo is done",
    }
}
vocabulary! {
    /// Where the quota of a goal stands for one agent (contract 5).
    TurnState, "turn_state", "a turn state" {
        Paused = "paused": "the goal is not active, or its quota is zero",
        TerminalNoFollowup = "terminal_no_followup": "every todo is done",
        BlockedHealth = "blocked_health": "something has to be repaired first",
        OperatorGate = "operator_gate": "a person is waited for",
        Throttled = "throttled": "no slot is left in the window",
        Eligible = "eligible": "an agent todo is open",
        Waiting = "waiting": "nothing is open for this agent",
    }
}
vocabulary! {
    /// Why a goal is paused (contract 5).
    PauseCause, "pause_cause", "a pause cause" {
        GoalStopped = "goal_stopped": "the owner says the goal is not active",
        ComputeQuotaZero = "compute_quota_zero": "the share of the window that may be used is zero",
    }
}
vocabulary! {
    /// Whether people are told of a turn; it never says whether to work.
    Notify, "notify", "a notify word" {
        Notify = "NOTIFY": "tell the person",
        DontNotify = "DONT_NOTIFY": "tell nobody",
    }
}
vocabulary! {
    /// Which version of the documents decided a turn (law 9).
    JudgedBy, "judged_by", "a judged_by word" {
        Same = "same": "the work tree and the authority ref say the same",
        AuthorityRef = "authority_ref": "what the work tree would open does not count yet",
        WorkTree = "work_tree": "the work tree closes more, or there is no commit",
        Unread = "unread": "the authority ref is not in this clone",
    }
}
vocabulary! {
    /// What a turn has to do about the work that it has open (contract 5).
    Obligation, "obligation", "an obligation" {
        AdvanceOneBoundedSegment = "advance_one_bounded_segment": "move the todo one bounded step forward",
        AdvancePrimaryOutcomeOrWriteBlocker = "advance_primary_outcome_or_write_blocker":
            "reach the outcome, or say what is in the way",
        AttemptDueMonitor = "attempt_due_monitor": "look at what the monitor watches",
        QuietUntilMaterialMonitorTransition = "quiet_until_material_monitor_transition":
            "stay quiet until a monitor is due",
        ObserveExternalEvidenceOrBlocker = "observe_external_evidence_or_blocker":
            "look whether what is awaited has happened",
    }
}
vocabulary! {
    /// What is pending after a turn, the first one first.
    PendingKind, "pending_kind", "a pending step" {
        Finish = "finish": "a turn is recorded, and its spend, todo or facts are not",
        Settle = "settle": "an outcome names the current turn, and no receipt does",
        Validate = "validate": "finished work has no validation",
        Commit = "commit": "a receipt is not committed",
        Merge = "merge": "a receipt is not at the authority ref, where a person brings it",
    }
}
vocabulary! {
    /// What a host does with its timer (contract 5).
    SchedulerAction, "scheduler_action", "a scheduler action" {
        RunNow = "run_now": "run the next turn at the shortest interval",
        BackoffWaitingForUser = "backoff_waiting_for_user": "run more rarely until a person answers",
        BackoffUntilReassigned = "backoff_until_reassigned": "run more rarely until a todo is this agent's",
        BackoffUntilMaterialTransition = "backoff_until_material_transition": "run more rarely until a monitor is due",
        BackoffUntilFreshEvidence = "backoff_until_fresh_evidence": "run more rarely until something outside happened",
        BackoffUntilStateChange = "backoff_until_state_change": "run more rarely until the state changes",
        RepairInteractionContractProjection = "repair_interaction_contract_projection":
            "put the state of the turn in order first",
        RepairSchedulerExecutionContext = "repair_scheduler_execution_context": "name the host whose timer this is",
        StopUntilExplicitResume = "stop_until_explicit_resume": "stop until a person resumes it",
    }
}
vocabulary! {
    /// How fast a host asks again (contract 5).
    CadenceClass, "cadence_class", "a cadence class" {
        ActiveWork = "active_work": "there is work",
        ControlPlaneRepair = "control_plane_repair": "a turn has to be settled or reported",
        HumanGate = "human_gate": "a person is asked",
        AgentScopeWait = "agent_scope_wait": "the work is other agents'",
        MonitorWait = "monitor_wait": "a monitor will be due",
        UnchangedNoop = "unchanged_noop": "something outside is awaited",
        QuietWait = "quiet_wait": "nothing can be done now",
        QuotaPaused = "quota_paused": "the quota is zero",
        GoalStopped = "goal_stopped": "the goal is not active",
        TerminalNoFollowup = "terminal_no_followup": "every todo is done",
    }
}
vocabulary! {
    /// What came of a turn's check.
    TurnValidation, "turn_validation", "a turn validation" {
        Passed = "passed": "the goal's command ended with status 0",
        Failed = "failed": "the goal's command ended with another status",
        TimedOut = "timed_out": "the goal's command was ended, since it took too long",
        NotRun = "not_run": "the goal's command was not run",
        None = "none": "the goal has no command",
    }
}
vocabulary! {
    /// What came of a turn.
    TurnResult, "turn_result", "a turn result" {
        Passed = "passed": "the work passed its check",
        Done = "done": "the work passed its check and the todo is done",
        Failed = "failed": "the work or its check failed",
        Blocked = "blocked": "something closed the todo before it was settled",
    }
}

vocabulary! {
    /// Why a turn was not settled.
    SettleRefusal, "settle_refusal", "a reason why a turn is not settled" {
        TurnSettledOtherwise = "turn_settled_otherwise": "the turn was settled before, with another result",
        TodoOfPeer = "todo_of_peer": "the todo is another agent's, here or at the authority ref",
        TodoOfPerson = "todo_of_person": "the todo is a person's",
    }
}

/// The vocabularies of this file.
pub(super) const WORDS: &[Vocabulary] = &[
    TurnDecision::VOCABULARY,
    TurnMode::VOCABULARY,
    TurnState::VOCABULARY,
    PauseCause::VOCABULARY,
    Notify::VOCABULARY,
    JudgedBy::VOCABULARY,
    Obligation::VOCABULARY,
    PendingKind::VOCABULARY,
    SchedulerAction::VOCABULARY,
    CadenceClass::VOCABULARY,
    TurnValidation::VOCABULARY,
    TurnResult::VOCABULARY,
    SettleRefusal::VOCABULARY,
];
