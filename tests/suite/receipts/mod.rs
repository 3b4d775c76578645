//! Decisions that count: written beside the change, committed, looked up, verified.

mod branches;
mod canaries;
mod interrupted;
mod killed;
mod recording;
pub(crate) mod team;
mod verifying;
mod writebacks;
