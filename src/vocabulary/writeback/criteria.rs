//! The five entry criteria of contract 3, in the order in which they are asked: the first one that does not hold is
//! what a blocker names.

use crate::vocabulary::reason::Reason;

/// One entry criterion; its number is its place in the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Criterion {
    /// A projection identifies goal, agent, runtime, session, and a run or a todo.
    Projection = 1,
    /// The source event is recorded.
    SourceRecorded = 2,
    /// The target can preview.
    Preview = 3,
    /// The payload is compact metadata.
    Compact = 4,
    /// The target says what came of it.
    Result = 5,
}

/// What is declared about a criterion.
#[derive(Debug, Clone, Copy)]
pub struct CriterionRow {
    /// The criterion.
    pub criterion: Criterion,
    /// What the contract asks.
    pub asks: &'static str,
    /// When it holds. Documents and receipts decide, never facts, so every clone finds the same.
    pub holds: &'static str,
    /// The reasons of a blocker that names it.
    pub reasons: &'static [Reason],
}

/// The criteria, in the order in which they are asked.
pub const CRITERIA: [CriterionRow; 5] = [
    CriterionRow {
        criterion: Criterion::Projection,
        asks: "a read-only projection identifies goal, agent, runtime and session, and a run or a todo",
        holds: "the session's binding is live, of this goal alone, of a known runtime and the one that its agent's projection shows; \
                the agent is one of the goal's and the one that the source is for; it has a receipt or an open todo",
        reasons: &[Reason::WritebackTargetUnavailable, Reason::SourceEventNotRecorded],
    },
    CriterionRow {
        criterion: Criterion::SourceRecorded,
        asks: "the source event is recorded",
        holds: "its receipt is at the authority ref, agrees with the document, and what it records still stands",
        reasons: &[Reason::SourceEventNotRecorded],
    },
    CriterionRow {
        criterion: Criterion::Preview,
        asks: "the target can preview",
        holds: "an attached session has `session_queue`, where a message can be looked at before it is taken; the \
                queue of a managed one is loopx's own",
        reasons: &[Reason::WritebackTargetUnavailable],
    },
    CriterionRow {
        criterion: Criterion::Compact,
        asks: "the payload is compact metadata: no transcript, tool output, local path, credential or private text",
        holds: "the source holds nothing that the privacy rules refuse, and neither does any text of the preview",
        reasons: &[Reason::UnsafeMaterial],
    },
    CriterionRow {
        criterion: Criterion::Result,
        asks: "the target says whether it applied, skipped, rejected or failed, without a guess",
        holds: "an attached session has `reply_readback`; loopx supervises a managed one itself",
        reasons: &[Reason::WritebackTargetUnavailable],
    },
];

impl Criterion {
    /// Its number in the contract.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }
}
