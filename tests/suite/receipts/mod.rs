//! Decisions that count: written beside the change, committed, looked up, verified.

mod branches;
pub(crate) mod guide;
mod killed;
mod recording;
pub(crate) mod team;
mod verifying;
