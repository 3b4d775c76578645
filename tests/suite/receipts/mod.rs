//! Decisions that count: written beside the change, committed, looked up, verified.

mod branches;
mod canaries;
mod guide;
mod killed;
mod recording;
mod team;
mod verifying;
mod writebacks;
