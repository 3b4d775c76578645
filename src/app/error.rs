//! Why a job could not be done: one table of stable codes that messages, `explain` and the docs read.

use std::fmt;
use std::io;

use crate::privacy::{Text, Wall};

/// Declares the codes: variant, word, message, help.
macro_rules! codes {
    ($( $variant:ident = $word:literal: $message:literal, $help:literal; )+) => {
        /// A reason why a job could not be done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ErrorCode {
            $( #[doc = $message] $variant, )+
        }

        impl ErrorCode {
            /// Every code, in the order in which `explain` lists them.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// Everything that is declared about this code.
            #[must_use]
            pub fn row(self) -> ErrorRow {
                match self {
                    $( Self::$variant => ErrorRow { word: $word, message: $message, help: $help }, )+
                }
            }
        }
    };
}

/// What is declared about a code.
#[derive(Debug, Clone, Copy)]
pub struct ErrorRow {
    /// The stable word.
    pub word: &'static str,
    /// What happened, as a sentence without its period.
    pub message: &'static str,
    /// What to do about it, as a sentence without its period.
    pub help: &'static str,
}

codes! {
    NoStateDirectory = "no_state_directory": "No state directory at . or above it", "Start one: loopx init";
    NotCheckedOut = "not_checked_out": "Git holds a state directory that is not checked out here",
        "Run that, then this again";
    BareRepository = "bare_repository": "A bare repository has no work tree, and no state directory stands in it",
        "Work in a clone; here only what is committed is read: loopx lint --rev REV, loopx review BASE..HEAD";
    LinkLeadsOut = "link_leads_out": "A symbolic link leads out of the repository",
        "Name a folder inside the repository: loopx init DIR";
    SeveralStateDirectories = "several_state_directories": "Several state directories could be meant",
        "Name one: loopx -C DIR";
    NestedStateDirectory = "nested_state_directory": "One state directory cannot stand inside another",
        "Choose a place outside, or use the one that is there";
    NothingToCheck = "nothing_to_check": "No document is there",
        "Name a state directory, a part of one, or a document; of any other file: loopx scan";
    NothingToScan = "nothing_to_scan": "No file is there",
        "Name a file, or a folder with one that git does not ignore; of what a program writes: loopx scan -";
    EmptyDocument = "empty_document": "Standard input is empty, so there is no document to check",
        "Pass one on: my-host export | loopx lint -; of files: loopx lint PATHS";
    EmptySummaries = "empty_summaries": "The input is empty, so there is no summary to project",
        "Pass the compact summaries of a host as JSON: loopx project FILE, or my-host summaries | loopx project -";
    UnknownGoal = "unknown_goal": "No such goal", "List the goals: loopx status";
    UnknownAgent = "unknown_agent": "No goal lists such an agent", "List the goals: loopx status";
    UnknownDocument = "unknown_document": "No such document is here", "List what waits: loopx status";
    AmbiguousDocument = "ambiguous_document": "Several documents could be meant",
        "Type more of the id, or name the goal: --goal ID";
    IdNotWhole = "id_not_whole": "With --execute the beginning of an id is not enough",
        "Type the whole id";
    DocumentUnusable = "document_unusable": "The document cannot be used as it stands", "Fix the document first; `loopx lint` lists the errors";
    Refused = "refused": "Nothing was written", "Look at the document, and at what is asked: loopx status";
    UnknownClass = "unknown_class": "Nothing says in which class somebody acts",
        "Say it: --as user, operator, controller, owner or agent; or list them under actors in a policy";
    UnknownActor = "unknown_actor": "Your git identity is no actor of the policy",
        "Name yourself: --me NAME or --by NAME; or let the policies know you: loopx actor add NAME --class CLASS --email ADDRESS";
    UnknownPerson = "unknown_person": "Nobody of that name owns a goal, is an actor of the policies, or has something to do",
        "List who waits for whom: loopx status; let the policies know somebody: loopx actor add";
    UnknownHostSession = "unknown_host_session": "Nothing says which host session is meant, or nobody announced it",
        "Name it: LOOPX_HOST_SESSION=HOST:ID; see which hosts are connected: loopx doctor";
    HostNotConnected = "host_not_connected": "The host is not connected for this agent and goal", "Connect it: loopx connect HOST --agent ID --goal ID --execute";
    UnknownRow = "unknown_row": "The queue has no such row", "List the rows: loopx status";
    GitUnreadable = "git_unreadable": "Git cannot be read", "Repair the repository, or work in a clone that git itself can read";
    NoGit = "no_git": "There is no git repository here, so nothing can be recorded",
        "Keep the state directory in a repository: git init";
    NoCommit = "no_commit": "Nothing is committed here yet, so nothing can be recorded",
        "Commit the documents first: a receipt cites what its commit holds";
    AuthorityMissing = "authority_missing": "The authority ref is not in this clone", "Run that, then this again";
    NotAuthorityBranch = "not_authority_branch": "Receipts count only on the authority branch",
        "Write them beside the change, where a merge brings them along: loopx record";
    ReceiptConflict = "receipt_conflict": "The work tree holds another receipt of the same decision",
        "Nothing was written; compare the two, and remove what is wrong: loopx lint";
    UnknownReceipt = "unknown_receipt": "No such receipt", "List them: loopx receipts list";
    UnknownRevision = "unknown_revision": "No such commit is here", "Name a commit, a branch or a tag of this clone";
    AmbiguousRevision = "ambiguous_revision": "Several commits could be meant", "Name the one that is meant by its full name";
    NothingToCompare = "nothing_to_compare": "There is nothing to compare HEAD with",
        "Name the range, with the base first: loopx review BASE..HEAD";
    StateDirectoryMoved = "state_directory_moved": "The base keeps its state directory somewhere else, so nothing there can judge this change",
        "Move it in a change of its own, that a person looks through file by file";
    UnrelatedHistories = "unrelated_histories": "The two commits have no commit in common",
        "Name a base that the change starts from";
    RepositoryNotTrusted = "repository_not_trusted": "The repository belongs to somebody else, so git does not trust it",
        "If you do, say so: git config --global --add safe.directory \"$PWD\"";
    HistoryCut = "history_cut": "The clone is shallow, and its history ends too early",
        "Run that, then this again";
    TurnNotCurrent = "turn_not_current": "The turn is not the agent's current one on this todo",
        "Ask for the current one: loopx next --agent ID";
    ValidationUnavailable = "validation_unavailable": "The goal's validation_command says nothing about the work",
        "Make the command run in this work tree, then settle again; nothing was recorded";
    ClockBehind = "clock_behind": "The clock is more than five minutes behind the newest receipt",
        "Set the clock of this machine, then settle again; nothing was recorded";
    CannotWrite = "cannot_write": "The files cannot be written", "Nothing was left half written; fix the cause and run it again";
    CommitWidened = "commit_widened": "A commit of receipts holds nothing else, and this one did",
        "Let the hook leave such commits alone, or record without hooks: commit: { via: gix } in loopx.yaml";
    CannotRead = "cannot_read": "Something cannot be read", "Look at its name and its permissions";
    CannotWriteOutput = "cannot_write_output": "The output cannot be written", "Look at where it is sent to";
}

/// A job that could not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Which of the known reasons.
    pub code: ErrorCode,
    /// What it was about: names and reasons, never an absolute path.
    pub about: Option<Text>,
}

impl Error {
    /// A job that failed for a reason that needs no more words.
    #[must_use]
    pub const fn of(code: ErrorCode) -> Self {
        Self { code, about: None }
    }

    /// A job that failed over one thing; what is private about it is masked.
    #[must_use]
    pub fn about(code: ErrorCode, about: impl AsRef<str>) -> Self {
        Self { code, about: Some(Wall::shipped().text(about)) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.code.row();
        formatter.write_str(row.message)?;
        if let Some(about) = &self.about {
            write!(formatter, ": {about}")?;
        }
        write!(formatter, ". {}", row.help)
    }
}

impl std::error::Error for Error {}

/// What git says when it cannot be read; its texts name no path of a machine.
impl From<crate::git::GitError> for Error {
    fn from(error: crate::git::GitError) -> Self {
        let code = match error {
            crate::git::GitError::UnknownRevision { .. } => ErrorCode::UnknownRevision,
            crate::git::GitError::Shallow { .. } => ErrorCode::HistoryCut,
            _ => ErrorCode::GitUnreadable,
        };
        match error {
            // What happened is what the code says.
            crate::git::GitError::Shallow { fetch } => Self::about(code, format!("`{fetch}` brings the rest")),
            error => Self::about(code, error.to_string()),
        }
    }
}

/// Why the store wrote nothing.
impl From<crate::store::StoreError> for Error {
    fn from(error: crate::store::StoreError) -> Self {
        let code = match error {
            crate::store::StoreError::Widened { .. } => ErrorCode::CommitWidened,
            _ => ErrorCode::CannotWrite,
        };
        Self::about(code, error.to_string())
    }
}

/// What a stream says that results are written to.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::about(ErrorCode::CannotWriteOutput, error.kind().to_string())
    }
}
