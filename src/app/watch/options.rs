//! What a watch is asked for, and whom it tells.

use super::super::error::Error;
use crate::render::WatchEvent;

/// What is wanted of a watch.
#[derive(Debug, Clone, Default)]
pub struct WatchOptions {
    /// Record decisions, too.
    pub commit: bool,
    /// End after the first run.
    pub once: bool,
    /// Look again and again instead of waiting for events.
    pub poll: bool,
    /// A command line to run after each change.
    pub exec: Option<String>,
}

/// How things stand, for the last line of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusLine {
    /// Goals.
    pub goals: usize,
    /// Goals that wait for a person.
    pub waiting: usize,
    /// Documents that cannot be used.
    pub errors: usize,
}

/// Whoever hears what a watch says; ends it by returning false.
pub type Listener<'a> = &'a mut dyn FnMut(&WatchEvent, StatusLine) -> Result<bool, Error>;
