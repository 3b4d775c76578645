//! Keeps the index locked until nobody can write back what they read of it before it changed.
//!
//! Git reads the index, looks at every file, locks the index and only then writes back what it had read: our change
//! would be gone, and the user's next commit would remove our files. While we hold the lock it fails instead, as it
//! does beside any other git command, and nothing is lost.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::index::GitIndex;

/// What it takes to be scheduled at all.
const AT_LEAST: Duration = Duration::from_millis(50);

/// Nobody is kept from their index for longer than three times this.
const AT_MOST: Duration = Duration::from_secs(2);

/// How often to ask whether somebody has ended.
const REST: Duration = Duration::from_millis(5);

/// Lets every git command that read the index before it changed come to the point where it locks the index.
///
/// How long that takes depends on the machine and on who else is busy, so the same work is done here: all that was
/// needed since the lock was taken, and a look at every file, one after the other where git takes many at a time.
/// Where the system tells who is there, the commands that were are waited for besides: a slow file system monitor may
/// hold one of them up before it locks. One that waits for a person has locked and released the index already.
pub(super) fn settle(index: &GitIndex, work_tree: &Path, begun: Instant, running: &GitProcesses) {
    let section = begun.elapsed();
    index.look_at_files(work_tree, AT_MOST);
    thread::sleep(section.clamp(AT_LEAST, AT_MOST));
    let end = Instant::now() + AT_MOST;
    while running.are_there() && Instant::now() < end {
        thread::sleep(REST);
    }
}

/// The git commands in a work tree at one moment; nobody where the system does not tell.
pub(super) struct GitProcesses(Vec<Process>);

/// A process: its folder below `/proc`, and when it began, so that another one of the same number is told apart.
#[derive(Debug, PartialEq, Eq)]
struct Process {
    folder: PathBuf,
    began: String,
}

impl GitProcesses {
    /// Lists those who are there. Git works at the root of the work tree.
    pub(super) fn of(work_tree: &Path) -> Self {
        let root = work_tree.canonicalize().unwrap_or_else(|_| work_tree.to_owned());
        let all = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
        let is_git = |folder: &PathBuf| fs::read_to_string(folder.join("comm")).is_ok_and(|name| name == "git\n");
        let may_write = |folder: &PathBuf| {
            let line = fs::read_to_string(folder.join("cmdline")).unwrap_or_default();
            !act(&line).is_some_and(|act| READERS.contains(&act))
        };
        let is_here = |folder: &PathBuf| fs::read_link(folder.join("cwd")).is_ok_and(|place| place.starts_with(&root));
        let numbered = all.filter(|folder| folder.file_name().and_then(OsStr::to_str).is_some_and(is_number));
        let running = numbered.filter(|folder| is_git(folder) && is_here(folder) && may_write(folder));
        Self(running.filter_map(Process::at).collect())
    }

    fn are_there(&self) -> bool {
        self.0.iter().any(|elder| Process::at(elder.folder.clone()).as_ref() == Some(elder))
    }
}

impl Process {
    /// Reads when a process began; nothing once it has ended.
    fn at(folder: PathBuf) -> Option<Self> {
        let stat = fs::read_to_string(folder.join("stat")).ok()?;
        // The name stands in brackets and may hold anything; the state comes after it.
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        let state = fields.next()?;
        let began = fields.nth(18)?.to_owned();
        (!matches!(state, "Z" | "X")).then_some(Self { folder, began })
    }
}

/// Commands that stay for long and never write the index; others may be somebody's alias.
const READERS: [&str; 12] = [
    "blame",
    "cat-file",
    "diff",
    "fetch",
    "fsmonitor--daemon",
    "gc",
    "grep",
    "gui",
    "log",
    "maintenance",
    "rev-list",
    "show",
];

/// Options of `git` itself with a value that follows them.
const VALUED: [&str; 5] = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"];

/// The command among the arguments of `git`, each of which ends in a NUL.
fn act(line: &str) -> Option<&str> {
    let mut arguments = line.split('\0').skip(1);
    loop {
        match arguments.next()? {
            option if VALUED.contains(&option) => drop(arguments.next()),
            option if option.starts_with('-') => {}
            act => return Some(act),
        }
    }
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{READERS, act};

    #[test]
    fn the_command_is_found_behind_the_options_of_git() {
        let cases = [
            ("git\0commit\0-m\0log\0", Some("commit")),
            ("git\0-C\0log\0-c\0a=b\0--no-pager\0ci\0", Some("ci")),
            ("git\0--git-dir\0x\0log\0", Some("log")),
            ("git\0", Some("")),
            ("", None),
        ];
        for (line, found) in cases {
            assert_eq!(act(line), found, "{line:?}");
        }
        assert!(READERS.is_sorted());
    }
}
