//! Decisions that count: written beside the change, committed, looked up, verified.

mod recording;
mod team;
