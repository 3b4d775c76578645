//! Why an act cannot be written.

use crate::vocabulary::{GateDecision, GoalStatus, Id, Kind, TodoStatus};

/// Why an act cannot be written where it belongs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The document says so already.
    #[error("{id} has a `{field}` already{}", instead_of(instead, id))]
    Standing {
        /// The document.
        id: Id,
        /// The field that holds the act.
        field: &'static str,
        /// The command for what is probably meant, without the id.
        instead: Option<&'static str>,
    },
    /// The goal lists the agent already.
    #[error("{goal} lists {agent} already")]
    Registered {
        /// The goal.
        goal: Id,
        /// The agent.
        agent: Id,
    },
    /// The todo is not open.
    #[error("{todo} is {status}, not open{}", resumed(todo, *status))]
    NotOpen {
        /// The todo.
        todo: Id,
        /// Its status.
        status: TodoStatus,
    },
    /// Another agent claimed the todo.
    #[error("{todo} is claimed by {by}")]
    Claimed {
        /// The todo.
        todo: Id,
        /// The agent.
        by: Id,
    },
    /// The goal is not active, so it cannot be paused.
    #[error("{goal} is {status}: only an active goal can be paused")]
    NotActive {
        /// The goal.
        goal: Id,
        /// Its status.
        status: GoalStatus,
    },
    /// The proposal has another decision.
    #[error("the decision of {proposal} is `{label}` already")]
    DecidedOtherwise {
        /// The proposal.
        proposal: Id,
        /// The decision.
        label: GateDecision,
    },
    /// The facts hold another item of the same id.
    #[error("the facts of {session} hold another item {item}; give the new one an id of its own")]
    ItemDiffers {
        /// The session.
        session: Id,
        /// The item.
        item: Id,
    },
    /// Another actor has this identity, and one of the two is a person.
    #[error(
        "that is an identity of {other} already, and nobody could tell {other} from {actor}; only agents and hosts share one"
    )]
    IdentityTaken {
        /// Who is to have it.
        actor: Id,
        /// Who has it.
        other: Id,
    },
    /// A gate approves this handoff.
    #[error("{handoff} is approved by its gate alone; decide that: loopx gate decide {gate}")]
    ApprovedByGate {
        /// The handoff.
        handoff: Id,
        /// Its gate.
        gate: Id,
    },
    /// The document is of another kind than the act.
    #[error("that is a {}, and this is done to a {}", is.row().name, wanted.row().name)]
    OtherKind {
        /// What it is.
        is: Kind,
        /// What the act is done to.
        wanted: Kind,
    },
    /// The file is written in a way that no edit fits.
    #[error("{path} is written in a way that no edit fits without touching the rest; write it by hand")]
    Unwritable {
        /// The path below the state directory.
        path: String,
    },
}

fn instead_of(command: &Option<&'static str>, id: &Id) -> String {
    command.map_or_else(String::new, |command| format!("; try: {command} {id}"))
}

fn resumed(todo: &Id, status: TodoStatus) -> String {
    match status {
        TodoStatus::Open | TodoStatus::Done => String::new(),
        TodoStatus::Blocked | TodoStatus::Deferred => format!("; open it: loopx todo resume {todo}"),
    }
}
