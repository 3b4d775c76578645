//! What a commit is asked to hold, and whether the repository can take it now.

use std::collections::BTreeMap;

use super::error::StoreError;
use super::files::Wanted;
use super::reference::Tip;
use crate::git::Repository;

/// The text of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMessage {
    subject: String,
    trailers: Vec<(String, String)>,
}

impl CommitMessage {
    /// Builds a message of one line and trailers, in the given order.
    ///
    /// # Errors
    ///
    /// An empty subject, a line break, or a key that is not of letters, digits and hyphens.
    pub fn new(subject: &str, trailers: &[(&str, &str)]) -> Result<Self, StoreError> {
        let is_line = |text: &str| !text.trim().is_empty() && !text.contains(char::is_control);
        let is_key = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_line(subject) || !trailers.iter().all(|(key, value)| is_line(key) && is_key(key) && is_line(value)) {
            return Err(StoreError::Message);
        }
        let trailers = trailers.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Ok(Self { subject: subject.to_owned(), trailers })
    }

    /// Returns the first line of the message.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns the trailers, one a line.
    pub(super) fn trailers(&self) -> String {
        self.trailers.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> String {
        let trailers = self.trailers();
        let gap = if trailers.is_empty() { "" } else { "\n" };
        format!("{}\n{gap}{trailers}", self.subject)
    }
}

/// How a commit is made: by this program or by `git commit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommitMethod {
    /// This program. Hooks do not run and nothing is signed.
    #[default]
    Gix,
    /// The `git` command, with its hooks and signatures. Takes what the files hold in the work tree.
    Git,
}

/// The paths and the message of a commit to make.
#[derive(Debug, Clone)]
pub struct CommitRequest<'a> {
    /// The files, relative to the state directory; what they hold here is what is committed.
    pub files: &'a BTreeMap<String, Wanted>,
    /// The text.
    pub message: &'a CommitMessage,
    /// The author's and committer's time, written in UTC.
    pub time: jiff::Timestamp,
    /// Who makes it.
    pub via: CommitMethod,
    /// The short name of the branch that the files belong to; none takes whatever is checked out.
    pub branch: Option<&'a str>,
    /// Commits also when no branch is checked out, moving `HEAD` itself.
    pub allow_detached: bool,
}

impl CommitRequest<'_> {
    /// Reads what is checked out, which must be what the files belong to.
    pub(super) fn tip(&self, repository: &Repository) -> Result<Tip, StoreError> {
        let tip = Tip::read(repository, self.allow_detached)?;
        match self.branch {
            Some(branch) if tip.name.strip_prefix("refs/heads/") != Some(branch) => {
                Err(StoreError::OtherBranch { branch: branch.to_owned() })
            }
            _ => Ok(tip),
        }
    }
}

/// Refuses while git has something unfinished: a commit would become part of it, or end it.
pub(super) fn check_state(repository: &Repository) -> Result<(), StoreError> {
    repository.operation().map_or(Ok(()), |operation| Err(StoreError::Unfinished(operation)))
}
