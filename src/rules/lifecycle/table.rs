//! The one table of lifecycles: lint, `explain` and the reference read it.

use super::row::Demand::{ByClass, ByPerson, Differs, Is as Reads, Later, Needs, Refuses, Same};
use super::row::Premise::{Has, Is};
use super::row::{Constraint, Demand, LifecycleRow};
use super::{contradiction, incomplete, out_of_order};
use crate::rules::Rule;
use crate::rules::authority::{accepted_by_another, agent_decides, self_decision, wrong_class};
use crate::rules::binding::executor_is_agent;
use crate::vocabulary::Kind;

const fn constraint(name: &'static str, rule: &'static Rule, demand: Demand, says: &'static str) -> Constraint {
    Constraint { name, rule, demand, says }
}

const INCOMPLETE: &Rule = &incomplete::RULE;
const CONTRADICTION: &Rule = &contradiction::RULE;
const OUT_OF_ORDER: &Rule = &out_of_order::RULE;
const AGENT_DECIDES: &Rule = &agent_decides::RULE;
const WRONG_CLASS: &Rule = &wrong_class::RULE;

const UNDECIDED: &str = "the gate reads as undecided";
const NOT_WITHDRAWN: &str = "the gate reads as not withdrawn and keeps blocking";
const NOT_APPROVED: &str = "the handoff reads as not approved";
const NOT_ACCEPTED: &str = "the handoff reads as not accepted";
const NOT_READ: &str = "the field is not read";
const NOT_BOUND: &str = "the session counts as not bound, and its agent projects blocked";
const NOT_WRITTEN: &str = "nothing is written back";
const NOT_PROMOTED: &str = "the proposal reads as undecided";

/// Every act and status that demands something, by kind.
pub const TABLE: &[LifecycleRow] = &[
    LifecycleRow {
        kind: Kind::Todo,
        given: Is("status", "done"),
        now: "the todo reads as not done",
        constraints: &[constraint("todo-done", INCOMPLETE, Needs(&["done_at"]), "a done todo says when it was done")],
    },
    LifecycleRow {
        kind: Kind::Todo,
        given: Is("status", "deferred"),
        now: "nothing resumes the todo",
        constraints: &[constraint(
            "todo-deferred",
            INCOMPLETE,
            Needs(&["resume_when"]),
            "a deferred todo says what resumes it",
        )],
    },
    LifecycleRow {
        kind: Kind::Todo,
        given: Is("task_class", "continuous_monitor"),
        now: "the monitor is never due",
        constraints: &[constraint(
            "todo-monitor",
            INCOMPLETE,
            Needs(&["cadence"]),
            "a monitor says how often it looks",
        )],
    },
    LifecycleRow {
        kind: Kind::Todo,
        given: Has("done_at"),
        now: "the todo reads as its status says",
        constraints: &[constraint(
            "todo-done-at",
            CONTRADICTION,
            Reads("status", "done"),
            "only a done todo was done at some time",
        )],
    },
    LifecycleRow {
        kind: Kind::Todo,
        given: Has("cadence"),
        now: NOT_READ,
        constraints: &[constraint(
            "todo-cadence",
            CONTRADICTION,
            Reads("task_class", "continuous_monitor"),
            "only a monitor looks again",
        )],
    },
    LifecycleRow {
        kind: Kind::Todo,
        given: Has("next_due_at"),
        now: NOT_READ,
        constraints: &[constraint(
            "todo-next-due-at",
            CONTRADICTION,
            Reads("task_class", "continuous_monitor"),
            "only a monitor becomes due",
        )],
    },
    LifecycleRow {
        kind: Kind::Todo,
        given: Is("watch_only", "true"),
        now: NOT_READ,
        constraints: &[constraint(
            "todo-watch-only",
            CONTRADICTION,
            Reads("task_class", "continuous_monitor"),
            "only a monitor may do nothing but look",
        )],
    },
    LifecycleRow {
        kind: Kind::Gate,
        given: Has("requested"),
        now: "the gate reads as expired: undecided",
        constraints: &[constraint(
            "gate-expires",
            OUT_OF_ORDER,
            Later("expires_at", "requested.at"),
            "a gate expires after it was asked",
        )],
    },
    LifecycleRow {
        kind: Kind::Gate,
        given: Has("decision"),
        now: UNDECIDED,
        constraints: &[
            constraint(
                "gate-decided-by-agent",
                AGENT_DECIDES,
                ByPerson("decision"),
                "only people decide; an agent asks",
            ),
            constraint(
                "gate-decided-by-class",
                WRONG_CLASS,
                ByClass("decision", "required_actor"),
                "a gate is decided by the class it asks for, or by an owner",
            ),
            constraint(
                "gate-decided-by-asker",
                &self_decision::RULE,
                Differs("decision.by", "requested.by"),
                "whoever asks does not decide",
            ),
            constraint(
                "gate-decided-early",
                OUT_OF_ORDER,
                Later("decision.at", "requested.at"),
                "a decision follows its request",
            ),
            constraint(
                "gate-decided-late",
                OUT_OF_ORDER,
                Later("expires_at", "decision.at"),
                "an expired gate is asked again before it is decided",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Gate,
        given: Is("decision.label", "defer"),
        now: UNDECIDED,
        constraints: &[
            constraint(
                "gate-deferred",
                INCOMPLETE,
                Needs(&["decision.until"]),
                "a deferred gate says when it is asked again",
            ),
            constraint(
                "gate-deferred-until",
                OUT_OF_ORDER,
                Later("decision.until", "decision.at"),
                "a gate is deferred to a later time",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Gate,
        given: Is("decision.label", "approve"),
        now: UNDECIDED,
        constraints: &[constraint(
            "gate-approved-until",
            CONTRADICTION,
            Refuses("decision.until"),
            "an approval holds until the gate expires, never until a time of its own",
        )],
    },
    LifecycleRow {
        kind: Kind::Gate,
        given: Is("decision.label", "reject"),
        now: UNDECIDED,
        constraints: &[constraint(
            "gate-rejected-until",
            CONTRADICTION,
            Refuses("decision.until"),
            "a rejected gate is asked again with a new revision",
        )],
    },
    LifecycleRow {
        kind: Kind::Gate,
        given: Has("withdrawn"),
        now: NOT_WITHDRAWN,
        constraints: &[
            constraint(
                "gate-withdrawn-by-agent",
                AGENT_DECIDES,
                ByPerson("withdrawn"),
                "withdrawing is a decision, and only people decide",
            ),
            constraint(
                "gate-withdrawn-by-class",
                WRONG_CLASS,
                ByClass("withdrawn", "required_actor"),
                "a gate is withdrawn by the class it asks for, or by an owner",
            ),
            constraint(
                "gate-withdrawn-early",
                OUT_OF_ORDER,
                Later("withdrawn.at", "requested.at"),
                "a withdrawal follows the request",
            ),
            constraint(
                "gate-withdrawn-decided",
                OUT_OF_ORDER,
                Later("withdrawn.at", "decision.at"),
                "a withdrawn gate is not decided any more",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Handoff,
        given: Has("approved"),
        now: NOT_APPROVED,
        constraints: &[
            constraint(
                "handoff-approved-by-agent",
                AGENT_DECIDES,
                ByPerson("approved"),
                "only people approve; an agent accepts",
            ),
            constraint(
                "handoff-approved-gate",
                CONTRADICTION,
                Refuses("gate_id"),
                "a handoff with a gate is approved by that gate's decision alone",
            ),
            constraint(
                "handoff-approved-late",
                OUT_OF_ORDER,
                Later("expires_at", "approved.at"),
                "an expired handoff is drafted anew",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Handoff,
        given: Has("accepted"),
        now: NOT_ACCEPTED,
        constraints: &[
            constraint(
                "handoff-accepted",
                INCOMPLETE,
                Needs(&["approved", "gate_id"]),
                "an agent accepts what a person or a gate has approved",
            ),
            constraint(
                "handoff-accepted-by",
                &accepted_by_another::RULE,
                Same("accepted.by", "to_agent"),
                "the agent that a handoff is for accepts it",
            ),
            constraint(
                "handoff-accepted-early",
                OUT_OF_ORDER,
                Later("accepted.at", "approved.at"),
                "an acceptance follows the approval",
            ),
            constraint(
                "handoff-accepted-late",
                OUT_OF_ORDER,
                Later("expires_at", "accepted.at"),
                "a handoff is accepted before it expires",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Handoff,
        given: Has("withdrawn"),
        now: "the handoff reads as withdrawn",
        constraints: &[
            constraint(
                "handoff-withdrawn-approved",
                OUT_OF_ORDER,
                Later("withdrawn.at", "approved.at"),
                "a withdrawn handoff is not approved any more",
            ),
            constraint(
                "handoff-withdrawn-accepted",
                OUT_OF_ORDER,
                Later("withdrawn.at", "accepted.at"),
                "a withdrawn handoff is not accepted any more",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Reward,
        given: Has("given"),
        now: "the reward counts for nothing",
        constraints: &[constraint(
            "reward-given-by-agent",
            AGENT_DECIDES,
            ByPerson("given"),
            "only a person's judgment is a reward",
        )],
    },
    LifecycleRow {
        kind: Kind::Proposal,
        given: Has("decision"),
        now: NOT_PROMOTED,
        constraints: &[constraint(
            "proposal-decided-by-agent",
            AGENT_DECIDES,
            ByPerson("decision"),
            "only people decide; an agent proposes",
        )],
    },
    LifecycleRow {
        kind: Kind::Proposal,
        given: Is("decision.label", "defer"),
        now: NOT_PROMOTED,
        constraints: &[
            constraint(
                "proposal-deferred",
                INCOMPLETE,
                Needs(&["decision.until"]),
                "a deferred proposal says when it is looked at again",
            ),
            constraint(
                "proposal-deferred-until",
                OUT_OF_ORDER,
                Later("decision.until", "decision.at"),
                "a proposal is deferred to a later time",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Proposal,
        given: Is("decision.label", "approve"),
        now: NOT_PROMOTED,
        constraints: &[constraint(
            "proposal-approved-until",
            CONTRADICTION,
            Refuses("decision.until"),
            "an approval has no end of its own",
        )],
    },
    LifecycleRow {
        kind: Kind::Proposal,
        given: Is("decision.label", "reject"),
        now: NOT_PROMOTED,
        constraints: &[constraint(
            "proposal-rejected-until",
            CONTRADICTION,
            Refuses("decision.until"),
            "a rejection has no end of its own",
        )],
    },
    LifecycleRow {
        kind: Kind::Proposal,
        given: Has("promoted_todo_id"),
        now: "the todo stands for itself",
        constraints: &[constraint(
            "proposal-promoted",
            CONTRADICTION,
            Reads("decision.label", "approve"),
            "only an approved proposal became a todo",
        )],
    },
    LifecycleRow {
        kind: Kind::Binding,
        given: Has("agent_id"),
        now: NOT_BOUND,
        constraints: &[constraint(
            "binding-executor",
            &executor_is_agent::RULE,
            Differs("executor_endpoint_id", "agent_id"),
            "an executor has an id of its own",
        )],
    },
    LifecycleRow {
        kind: Kind::Binding,
        given: Is("session_mode", "attached_host"),
        now: NOT_BOUND,
        constraints: &[constraint(
            "binding-attached",
            INCOMPLETE,
            Needs(&["host_surface"]),
            "an attached session says where it lives",
        )],
    },
    LifecycleRow {
        kind: Kind::Binding,
        given: Is("session_mode", "managed_runtime"),
        now: NOT_BOUND,
        constraints: &[
            constraint(
                "binding-managed-surface",
                CONTRADICTION,
                Refuses("host_surface"),
                "a managed session lives on no host's surface",
            ),
            constraint(
                "binding-managed-capabilities",
                CONTRADICTION,
                Refuses("attached_capabilities"),
                "only an attached host has capabilities",
            ),
        ],
    },
    LifecycleRow {
        kind: Kind::Binding,
        given: Has("closed"),
        now: "the binding reads as closed",
        constraints: &[constraint(
            "binding-closed",
            CONTRADICTION,
            Refuses("replaced"),
            "a binding ends once: closed, or replaced",
        )],
    },
    LifecycleRow {
        kind: Kind::WritebackRequest,
        given: Is("mode", "apply"),
        now: NOT_WRITTEN,
        constraints: &[constraint(
            "writeback-apply",
            INCOMPLETE,
            Needs(&["approved_preview_digest"]),
            "an apply names the preview that was approved",
        )],
    },
    LifecycleRow {
        kind: Kind::WritebackRequest,
        given: Is("mode", "dry_run"),
        now: NOT_WRITTEN,
        constraints: &[constraint(
            "writeback-dry-run",
            CONTRADICTION,
            Refuses("approved_preview_digest"),
            "a dry run approves nothing",
        )],
    },
];
