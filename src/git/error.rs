//! Why git could not be read. No error text carries a path: those of the library name absolute ones.

use std::{fmt, io};

use super::CommitId;

/// A question to git that has no answer here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// Refs in a reftable are not readable yet.
    #[error(
        "the repository keeps its refs in a reftable, which loopx cannot read; `git refs migrate --ref-format=files` moves them"
    )]
    Reftable,
    /// Something is called `.git` here, and no repository can be read through it; or one that was here is gone.
    #[error("no repository can be read through the .git here; `git status` tells what is wrong with it")]
    Broken,
    /// `core.worktree` or a symbolic link leads elsewhere.
    #[error("the directory is not inside the work tree of its repository")]
    OutsideWorkTree,
    /// The directory's own name is not Unicode.
    #[error("the path of the directory inside its repository is not Unicode")]
    NotUnicode,
    /// An object that must be there was never fetched, or is lost.
    #[error("could not {doing}: an object is missing{}", remedy(fetch.as_ref()))]
    MissingObject {
        /// The act that needed it, as an infinitive.
        doing: &'static str,
        /// How to get it, when it was left out on purpose.
        fetch: Option<Fetch>,
    },
    /// No commit has this name.
    #[error("the repository has no such commit{}", remedy(fetch.as_ref()))]
    UnknownRevision {
        /// How to get it, when a fetch may bring it.
        fetch: Option<Fetch>,
    },
    /// The answer lies beyond the boundary of a shallow clone.
    #[error("the clone is shallow and its history ends too early{}", remedy(Some(fetch)))]
    Shallow {
        /// How to get the rest.
        fetch: Fetch,
    },
    /// A merge has left conflicts in the index, so nobody can say what the next commit would hold.
    #[error("the index has conflicts of a merge; resolve them, and `git add` each file")]
    Conflicts,
    /// `GIT_INDEX_FILE` names a file that does not exist.
    #[error("GIT_INDEX_FILE names an index that does not exist; `unset GIT_INDEX_FILE` takes that of the repository")]
    NoSuchIndex,
    /// The library failed in a way that has no remedy of its own.
    #[error("could not {doing}: {fault}")]
    Git {
        /// The act, as an infinitive.
        doing: &'static str,
        /// What went wrong, in general.
        fault: GitFault,
    },
}

/// What went wrong, in general; the library's own words would name absolute paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitFault {
    /// The operating system refused.
    Io(io::ErrorKind),
    /// Something that must exist does not.
    Absent,
    /// What is stored contradicts itself.
    Corrupt,
    /// The repository uses something that the library does not know.
    Unsupported,
    /// A name or setting is not well formed.
    Invalid,
    /// Anything else.
    Other,
}

impl fmt::Display for GitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(kind) => kind.fmt(f),
            Self::Absent => f.write_str("something is missing"),
            Self::Corrupt => f.write_str("the data is corrupt; `git fsck` tells more"),
            Self::Unsupported => f.write_str("the repository uses an unsupported extension"),
            Self::Invalid => f.write_str("a name or a setting is not well formed"),
            Self::Other => f.write_str("git refused"),
        }
    }
}

/// The command that brings what is missing, ready to paste.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch(String);

impl Fetch {
    /// Brings one branch of `origin` to where it is looked up. A shallow clone stays as shallow as it is.
    pub(super) fn branch(name: &str, shallow: bool) -> Self {
        let depth = if shallow { "--depth=1 " } else { "" };
        Self(format!("git fetch {depth}origin {}", quoted(&format!("refs/heads/{name}:refs/remotes/origin/{name}"))))
    }

    /// Makes a branch that is here the authority ref of this clone.
    pub(super) fn authority(branch: &str) -> Self {
        Self(format!("git config loopx.authority {}", quoted(branch)))
    }

    /// Creates a branch of `origin` where its default branch stands.
    pub(super) fn push(default: &str, branch: &str) -> Self {
        let refs = format!("refs/remotes/origin/{default}:refs/heads/{branch}");
        Self(format!("git push origin {}", quoted(&refs)))
    }

    /// Brings the part of the history of every branch that a shallow clone left out. The refs are named because a clone
    /// of a tag or of one branch is set up to fetch nothing else.
    pub(super) fn history() -> Self {
        Self("git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'".to_owned())
    }

    /// The same, and the history of one commit, which may be on no branch.
    pub(super) fn history_of(commit: CommitId) -> Self {
        let Self(branches) = Self::history();
        Self(format!("{branches} {commit}"))
    }

    /// Brings the objects that a partial clone left out, of every branch and of what is checked out.
    pub(super) fn objects() -> Self {
        Self("git fetch --refetch --no-filter origin '+refs/heads/*:refs/remotes/origin/*'".to_owned())
    }
}

impl fmt::Display for Fetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Quotes a word for a shell. A branch or a file name may hold any of a shell's own signs.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/:".contains(&byte));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn remedy(fetch: Option<&Fetch>) -> String {
    fetch.map_or_else(String::new, |fetch| format!("; `{fetch}` brings it"))
}

impl GitError {
    pub(super) fn of_io(doing: &'static str, error: &io::Error) -> Self {
        Self::Git { doing, fault: GitFault::Io(error.kind()) }
    }
}

/// Turns an error of the library into one of ours, which says what was attempted and keeps none of its text.
pub(crate) fn failed(doing: &'static str) -> impl Fn(gix::Error) -> GitError {
    move |error| GitError::Git { doing, fault: GitFault::of(&error) }
}

impl GitFault {
    pub(crate) fn of(error: &gix::Error) -> Self {
        use gix::error::Class;
        if let Some(kind) = error.classify().find_map(|found| found.io_kind()) {
            return Self::Io(kind);
        }
        match error.dominant_class() {
            Some(Class::NotFound) => Self::Absent,
            Some(Class::Corruption) => Self::Corrupt,
            Some(Class::Unsupported) => Self::Unsupported,
            Some(Class::Validation) => Self::Invalid,
            _ => Self::Other,
        }
    }
}
