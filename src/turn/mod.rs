//! An agent's turn: what it may do now, and what settling it records.
//!
//! Comes in: an [`AgentView`](crate::reconcile::AgentView), the turn receipts of its goal, one instant. Goes out: the
//! packet `loopx_turn_v0`, the receipts and edits that a settled turn writes, the schedule of a host. Pure.
//! Must not know: disk, git, clocks, processes, or how anything is drawn.

mod backoff;
mod bounds;
mod compose;
mod context;
mod decide;
mod history;
mod input;
mod packet;
mod pending;
mod schedule;
mod settled;
mod settlement;
mod situation;
mod table;

pub use backoff::{Ack, AckRefusal, AckState, BackoffHint, HostFailure, acknowledge, failed};
pub use bounds::{PACKET_LIMIT, fit, line};
pub use compose::{packet, situation};
pub use context::{ContextFault, PROFILES, Profile, host_named, host_of};
pub use decide::{DecidedTurn, decided};
pub use history::{Places, SeenTurn, TurnHistory, TurnRow, turn_id};
pub use input::TurnInput;
pub use packet::{
    LastTurn, OtherGoal, PendingStep, TurnBoundary, TurnCommands, TurnGate, TurnHandoff, TurnPacket, TurnQuota,
    TurnTodo, TurnUserTodo, TurnV0, packet_schema,
};
pub use pending::{Unfinished, pending_steps};
pub use schedule::{
    Cursor, HostSchedule, Timer, TurnSchedule, after_limit, capped, interval_of, normalized_rrule, rrule, schedule,
    timer,
};
pub use settled::{SettledTurn, outcomes, progress, spend_receipt, turn_receipt, validation_of, void_receipt};
pub use settlement::{SettleV0, Settlement, settlement_schema};
pub use situation::{Situation, StopCause};
pub use table::{Channels, DecisionRow, ROWS, STALL_LIMIT};
