//! The command that follows changes: one at a time, and once more when something changed while it ran.

use std::process::{Child, Command, Stdio};

/// A command line for the system's shell.
#[derive(Debug)]
pub(super) struct Follower {
    line: String,
    running: Option<Child>,
    is_wanted: bool,
}

impl Follower {
    pub(super) fn new(line: String) -> Self {
        Self { line, running: None, is_wanted: false }
    }

    /// Asks for a run after a change.
    pub(super) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Whether a run is going on or wanted.
    pub(super) fn is_busy(&self) -> bool {
        self.is_wanted || self.running.is_some()
    }

    /// Starts the command if it is wanted and not running; gives the exit code of one that has ended.
    pub(super) fn step(&mut self) -> Option<Option<i32>> {
        let ended = match self.running.as_mut().map(Child::try_wait) {
            Some(Ok(None)) => return None,
            Some(Ok(Some(status))) => Some(status.code()),
            Some(Err(_)) => Some(None),
            None => None,
        };
        self.running = None;
        if ended.is_none() && std::mem::take(&mut self.is_wanted) {
            match self.command().spawn() {
                Ok(child) => self.running = Some(child),
                Err(_) => return Some(None),
            }
        }
        ended
    }

    fn command(&self) -> Command {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut command = Command::new(shell);
        // Results are ours; whatever the command says goes where everything else does.
        command.args([flag, &self.line]).stdin(Stdio::null()).stdout(std::io::stderr());
        command
    }
}
