//! Runs the command by which a goal validates work. Nobody reads what it writes: a log is no state.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Signals;

/// How often a command is asked whether it has ended.
const REST: Duration = Duration::from_millis(10);

/// How long a command has to end itself once it is told to.
const GRACE: Duration = Duration::from_secs(5);

/// How the command of a validation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnd {
    /// With status 0.
    Passed,
    /// With another status, or by a signal.
    Failed,
    /// It took too long and was ended with everything in its group.
    TimedOut,
}

/// Why a command says nothing about the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// It cannot be started.
    #[error("it cannot be started: {0}")]
    NotStarted(io::ErrorKind),
    /// This program was told to end meanwhile.
    #[error("this run was told to end")]
    Interrupted,
}

/// Runs a command, given as separate words, in a folder: no shell, none of git's variables, a process group of its own,
/// its streams to nowhere. Once `deadline` is over its group is told to end, and five seconds later ended.
///
/// # Errors
/// It cannot be started, or this program is told to end; then its group is ended too.
pub fn run_command(words: &[&str], folder: &Path, deadline: Duration) -> Result<CommandEnd, CommandError> {
    let not_started = |error: io::Error| CommandError::NotStarted(error.kind());
    let Some((program, arguments)) = words.split_first() else {
        return Err(CommandError::NotStarted(io::ErrorKind::InvalidInput));
    };
    let signals = Signals::listen().map_err(not_started)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    in_own_group(&mut command);
    let mut child = command.spawn().map_err(not_started)?;
    let end = Instant::now() + deadline;
    loop {
        match child.try_wait().map_err(not_started)? {
            Some(status) if status.success() => return Ok(CommandEnd::Passed),
            Some(_) => return Ok(CommandEnd::Failed),
            None => {}
        }
        let is_late = Instant::now() >= end;
        if is_late || signals.came() {
            end_group(&mut child).map_err(not_started)?;
            return if is_late { Ok(CommandEnd::TimedOut) } else { Err(CommandError::Interrupted) };
        }
        thread::sleep(REST);
    }
}

#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// Ends everything in the group of a command: first so that it can put things away, then for good.
fn end_group(child: &mut Child) -> io::Result<()> {
    signal_group(child.id(), "-TERM");
    let end = Instant::now() + GRACE;
    while Instant::now() < end && child.try_wait()?.is_none() {
        thread::sleep(REST);
    }
    // Its leader may be gone while others of the group go on.
    signal_group(child.id(), "-KILL");
    child.kill().or_else(|error| if error.kind() == io::ErrorKind::InvalidInput { Ok(()) } else { Err(error) })?;
    child.wait().map(drop)
}

fn signal_group(id: u32, signal: &str) {
    let group = format!("-{id}");
    let mut command = Command::new("kill");
    command.args([signal, "--", &group]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Where nothing of the group is left there is nothing to end.
    let _ = command.status();
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{CommandEnd, CommandError, run_command};

    fn run(words: &[&str], deadline: u64) -> Result<CommandEnd, CommandError> {
        run_command(words, &std::env::temp_dir(), Duration::from_millis(deadline))
    }

    #[test]
    fn a_command_passes_with_status_0_alone() {
        assert_eq!(run(&["true"], 10_000), Ok(CommandEnd::Passed));
        assert_eq!(run(&["false"], 10_000), Ok(CommandEnd::Failed));
        assert!(matches!(run(&["/no/such/program"], 10_000), Err(CommandError::NotStarted(_))));
        assert!(matches!(run(&[], 10_000), Err(CommandError::NotStarted(_))));
    }

    #[test]
    fn what_hangs_is_ended_with_its_group() {
        let folder = tempfile::tempdir().expect("a folder");
        let mark = folder.path().join("mark");
        let script = format!("(sleep 2; echo late > {}) & sleep 60", mark.display());
        let begun = Instant::now();
        assert_eq!(run(&["sh", "-c", &script], 200), Ok(CommandEnd::TimedOut));
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(2_500));
        assert!(!mark.exists(), "a child of the command went on");
    }
}
