//! A `git` command that is started here: with none of the variables that lead it elsewhere, for so long and no longer,
//! and ended when this program is told to end.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::error::StoreError;
use crate::process::Signals;

/// The only variables of git's own that are passed on. All others may point it at another repository: a hook runs with
/// those of the repository that it belongs to.
const PASSED_ON: [&str; 8] = [
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
];

/// How often a command is asked whether it has ended.
const REST: Duration = Duration::from_millis(10);

/// How long a command has to put its locks away once it is told to end.
const GRACE: Duration = Duration::from_secs(5);

/// A command that is about to be run.
pub(super) struct Child {
    pub(super) command: Command,
}

impl Child {
    /// A `git` command at the root of a work tree.
    pub(super) fn git(work_tree: &Path) -> Self {
        let mut command = Command::new("git");
        command.current_dir(work_tree);
        for (name, _) in std::env::vars_os() {
            let is_passed_on = PASSED_ON.iter().any(|known| name == *known);
            if name.to_string_lossy().starts_with("GIT_") && !is_passed_on {
                command.env_remove(name);
            }
        }
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_REPLACE_OBJECTS", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Self { command }
    }

    /// Runs it. `act` is what errors call it.
    pub(super) fn run(mut self, act: &'static str, deadline: Duration) -> Result<(), StoreError> {
        let no_command = |error: std::io::Error| StoreError::NoGitCommand(error.kind());
        let signals = Signals::listen().map_err(no_command)?;
        let end = Instant::now() + deadline;
        let mut child = self.command.spawn().map_err(no_command)?;
        let status: ExitStatus = loop {
            if let Some(status) = child.try_wait().map_err(no_command)? {
                break status;
            }
            let is_late = Instant::now() >= end;
            if is_late || signals.came() {
                terminate(&mut child).map_err(no_command)?;
                return Err(match is_late {
                    true => StoreError::GitDeadline { act, seconds: deadline.as_secs() },
                    false => StoreError::Interrupted,
                });
            }
            thread::sleep(REST);
        };
        match status.success() {
            true => Ok(()),
            // A terminal sends the signal to both.
            false if signals.came() => Err(StoreError::Interrupted),
            false => Err(StoreError::GitCommand { act, code: status.code() }),
        }
    }
}

/// Ends a command and what it has started, at first so that git puts its locks away.
fn terminate(child: &mut std::process::Child) -> std::io::Result<()> {
    let all = with_descendants(child.id());
    let _ = Command::new("kill").arg("-TERM").args(all.iter().map(u32::to_string)).stderr(Stdio::null()).status();
    let end = Instant::now() + GRACE;
    while Instant::now() < end {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        thread::sleep(REST);
    }
    child.kill()?;
    child.wait().map(drop)
}

/// A process and those below it, as far as the system tells: the hooks that git has started are nobody's else to end.
fn with_descendants(id: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parents: Vec<(u32, u32)> = numbers.filter_map(|number| Some((number, parent(number)?))).collect();
    let mut found = vec![id];
    let mut at = 0;
    while let Some(above) = found.get(at).copied() {
        found.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(number, _)| *number));
        at += 1;
    }
    found
}

/// The parent of a process.
fn parent(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name stands in brackets and may hold anything; the state and the parent come after it.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
