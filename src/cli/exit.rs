//! The exit codes.

use std::process::ExitCode;

/// The outcome of a run, as its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// The job is done.
    Done,
    /// The job is done, and the answer is no.
    Found,
    /// The command line is wrong.
    Usage,
    /// The job could not be done.
    Failed,
}

impl Exit {
    /// Every way to end, by code.
    pub const ALL: &'static [Self] = &[Self::Done, Self::Found, Self::Usage, Self::Failed];

    /// Returns the exit code as a number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Describes the exit code in one sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "the job is done; open conditions, warnings and notes are no failure",
            Self::Found => {
                "findings of level error, something refused, an unknown word, or changes under `--exit-code`"
            }
            Self::Usage => "the command line is wrong",
            Self::Failed => "the job could not be done: nothing to check, an unknown goal, disk, git, or a bug",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
