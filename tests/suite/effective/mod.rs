//! The effective tree (law 9): what verdicts rest on where the work tree, `HEAD` and the authority ref differ.

pub(crate) mod property;
mod stories;
pub(crate) mod trees;
