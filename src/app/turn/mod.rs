//! An agent's turn: what it may do now, and what settling it records.

mod next;
mod quota;
mod scope;
mod settle;

pub use next::{NextRequest, NextTurn, next};
pub use quota::{
    Answered, GuardRequest, TimerReport, acknowledge_timer, quota_spend, quota_status, quota_void, should_run,
};
pub(super) use scope::{goal_named, goals_that_name};
pub use settle::{SettleRequest, settle, settle_probed};
