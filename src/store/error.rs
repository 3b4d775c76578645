//! Why something was not written. Paths are relative to the state directory, and no text names an absolute one.

use std::io;

use crate::git::{GitError, GitFault, UnfinishedOperation};

/// A change that was refused or failed. Files already in place are whole; the next run continues from there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("could not {doing} `{path}`: {kind}")]
    Io {
        /// The act, as an infinitive.
        doing: &'static str,
        /// The place, relative to the state directory or to git's own folder.
        path: String,
        /// The operating system's reason.
        kind: io::ErrorKind,
    },
    /// Another run of this program is at work.
    #[error("another loopx run has been writing here for {seconds} s; wait for it or end it")]
    Busy {
        /// How long this run waited.
        seconds: u64,
    },
    /// The path is not one that may be written.
    #[error("`{path}` is no path below the state directory")]
    Outside {
        /// The path as given.
        path: String,
    },
    /// A symbolic link stands in the way.
    #[error("`{path}` is a symbolic link, which is not written through")]
    Link {
        /// The link.
        path: String,
    },
    /// A folder stands where a file belongs, or a file where a folder does.
    #[error("`{path}` is in the way: a file and a folder have the same name")]
    Occupied {
        /// What stands there.
        path: String,
    },
    /// The file there was written by somebody else.
    #[error("`{path}` was not written by loopx and is not replaced; move it away")]
    NotOurs {
        /// The file.
        path: String,
    },
    /// Nothing can be committed without a repository.
    #[error("the state directory is in no git work tree, so nothing can be committed")]
    NoRepository,
    /// The repository belongs to somebody else.
    #[error(
        "the repository belongs to another user and is not written to; add it to git's `safe.directory` if you trust it"
    )]
    Untrusted,
    /// Git has begun something and waits for its end.
    #[error("nothing is committed during {0}; finish or abort it first")]
    Unfinished(UnfinishedOperation),
    /// No branch is checked out.
    #[error("HEAD is detached, so no branch would hold the commit; check out a branch, or pass --allow-detached")]
    Detached,
    /// `HEAD` names something else than a branch, or one whose name is not Unicode.
    #[error("HEAD names a ref that is no branch with a readable name; check out another branch")]
    NoBranch,
    /// Another branch was checked out meanwhile.
    #[error("`{branch}` is no longer checked out, and what was to be committed belongs to it; run it again")]
    OtherBranch {
        /// The branch that was checked out.
        branch: String,
    },
    /// Nobody to commit as.
    #[error("git knows no name and address to commit as; set `user.name` and `user.email`")]
    NoIdentity,
    /// The index is spread over two files.
    #[error(
        "the index is split, which loopx would undo; \
         `git config core.splitIndex false && git update-index --no-split-index` joins it"
    )]
    SplitIndex,
    /// The index leaves out whole folders.
    #[error(
        "the index is sparse, which loopx cannot change; `git sparse-checkout reapply --no-sparse-index` expands it"
    )]
    SparseIndex,
    /// The index fails its own checksum.
    #[error("the index is corrupt; `git status` tells more")]
    CorruptIndex,
    /// A conflict in one of the files is unresolved.
    #[error("`{path}` has an unresolved conflict; resolve it and `git add` it first")]
    Unmerged {
        /// The file.
        path: String,
    },
    /// The user has staged something else for one of the files.
    #[error("`{path}` is staged with other content, which committing would lose; commit or unstage it first")]
    Staged {
        /// The file.
        path: String,
    },
    /// Git, or something like it, holds a lock.
    #[error(
        "`{name}.lock` in git's folder has been held for {age} s; if no git command is running, remove it with \
         `rm \"$(git rev-parse --git-path {name}.lock)\"`"
    )]
    Held {
        /// What is locked: `index` or a ref.
        name: String,
        /// Seconds since it was taken.
        age: u64,
    },
    /// Somebody else moves the branch faster than we can follow.
    #[error("the branch moved {attempts} times while the commit was made; try again")]
    Moving {
        /// How often it was tried.
        attempts: usize,
    },
    /// A commit message that git or its tools would read otherwise.
    #[error("the commit message is not well formed")]
    Message,
    /// `git` could not be started.
    #[error("could not run `git`: {0}")]
    NoGitCommand(io::ErrorKind),
    /// `git` ran and refused; what it wrote went to the standard error output.
    #[error("`git {act}` failed{}; a hook may have refused", code.map_or_else(String::new, |code| format!(" with exit code {code}")))]
    GitCommand {
        /// The subcommand.
        act: &'static str,
        /// Its exit code, unless a signal ended it.
        code: Option<i32>,
    },
    /// A hook of `git commit` put something else into the commit.
    #[error("a hook of `git commit` changed what the commit holds at {}{}", listed(paths), if *is_undone { ", and the commit was taken back" } else { "; `git show --stat` shows it" })]
    Widened {
        /// The paths, below the root of the repository.
        paths: Vec<String>,
        /// Whether the branch stands again where it stood.
        is_undone: bool,
    },
    /// `git`, or a hook of it, took too long.
    #[error("`git {act}` was ended after {seconds} s, and nothing was committed; a hook may wait for an answer")]
    GitDeadline {
        /// The subcommand.
        act: &'static str,
        /// How long it ran.
        seconds: u64,
    },
    /// This program was told to end while `git` ran.
    #[error("interrupted; nothing was committed")]
    Interrupted,
    /// The library failed in a way that has no remedy of its own.
    #[error("could not {doing}: {fault}")]
    Git {
        /// The act, as an infinitive.
        doing: &'static str,
        /// What went wrong, in general.
        fault: GitFault,
    },
    /// The repository could not be read.
    #[error(transparent)]
    Read(#[from] GitError),
}

/// A few of some paths.
fn listed(paths: &[String]) -> String {
    const SHOWN: usize = 5;
    let names: Vec<String> = paths.iter().take(SHOWN).map(|path| format!("`{path}`")).collect();
    let more = match paths.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.join(", ") + &more
}

/// Names the act and the place of an error of the operating system, and keeps nothing of its text.
pub(super) fn io(doing: &'static str, path: impl Into<String>) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.into();
    move |error| StoreError::Io { doing, path, kind: error.kind() }
}

/// Says what was attempted with the library, whose own text would name absolute paths.
pub(super) fn git(doing: &'static str) -> impl Fn(gix::Error) -> StoreError {
    move |error| StoreError::Git { doing, fault: GitFault::of(&error) }
}
