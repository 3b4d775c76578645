//! The facts of sessions below the git common directory: one place for all work trees of a clone, and in no commit.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::error::{Error, ErrorCode};
use super::plan::PATIENCE;
use crate::change::SourceDocument;
use crate::document::to_yaml;
use crate::git::Repository;
use crate::privacy::Wall;
use crate::store::{LocalFiles, shared_facts_file};
use crate::vocabulary::{Facts, Record, Storage};
use crate::workspace::{Files as _, Folder, read};

/// The facts of one session as they stand: their text as YAML, and what it says where it can be read.
#[derive(Debug, Clone)]
pub(crate) struct FactsText {
    /// The text.
    pub(crate) text: String,
    /// What it says; `None`: it cannot be read.
    pub(crate) record: Option<Record>,
}

impl FactsText {
    /// The facts as a document that is to be edited; `None` where they cannot be read.
    pub(crate) fn source<'t>(&'t self, path: &'t str) -> Option<SourceDocument<'t>> {
        Some(SourceDocument { path, text: &self.text, record: self.record.as_ref()? })
    }

    /// What the text says, where it can be read.
    pub(crate) fn facts(self) -> Option<Facts> {
        match self.record {
            Some(Record::Facts(facts)) => Some(facts),
            _ => None,
        }
    }
}

/// The lock under which the facts and the holder of a session change, hooks and commands alike.
pub(crate) fn session_lock(session_id: &str) -> String {
    format!("hosts/holders/.{session_id}.lock")
}

/// The facts of a session: the shared ones, before there are any those of the work tree in either format.
pub(crate) fn read_facts(
    files: &LocalFiles,
    root: &Path,
    dir: &str,
    (runtime, session): (&str, &str),
) -> std::io::Result<Option<FactsText>> {
    let path = |ending: &str| Arc::<str>::from(format!("facts/{runtime}/{session}.{ending}"));
    let here = |ending: &str| Folder::of(root, Vec::new()).read(&path(ending)).ok();
    let (path, bytes) = match files.read(&shared_facts_file(dir, runtime, session))? {
        Some(bytes) => (path("yaml"), bytes),
        None => match here("yaml").map(|bytes| (path("yaml"), bytes)) {
            Some(found) => found,
            None => match here("json") {
                Some(bytes) => (path("json"), bytes),
                None => return Ok(None),
            },
        },
    };
    let record = read(&path, &bytes, Wall::shipped()).record;
    let text = match &record {
        Some(Record::Facts(facts)) if path.ends_with(".json") => to_yaml(facts),
        _ => String::from_utf8(bytes).unwrap_or_default(),
    };
    Ok(Some(FactsText { text, record }))
}

/// Where the programs of a clone write facts that git ignores.
#[derive(Debug, Clone)]
pub(crate) struct SharedFacts {
    files: LocalFiles,
    dir: String,
}

impl SharedFacts {
    /// The shared facts of a state directory; `None` where programs write into the work tree, for git holds the facts,
    /// or there is no repository that this user may write to.
    pub(crate) fn of(repository: Option<&Repository>, storage: Storage) -> Option<Self> {
        let is_ours = |it: &&Repository| it.work_tree().is_some() && it.is_trusted() && storage == Storage::Ignored;
        let repository = repository.filter(is_ours)?;
        Some(Self { files: LocalFiles::of(repository.common_dir()), dir: repository.prefix().to_owned() })
    }

    /// The facts of a session as they stand now.
    ///
    /// # Errors
    /// The system cannot read them.
    pub(crate) fn read(&self, root: &Path, runtime: &str, session: &str) -> Result<Option<FactsText>, Error> {
        let found = read_facts(&self.files, root, &self.dir, (runtime, session));
        found.map_err(|_| Error::about(ErrorCode::CannotRead, format!("the facts of {session}")))
    }

    /// Takes the right to change the facts of one session.
    ///
    /// # Errors
    /// Another program holds it for too long, or the lock cannot be made.
    pub(crate) fn lock(&self, runtime: &str, session: &str) -> Result<LockedFacts, Error> {
        let fault = |error: std::io::Error| Error::about(ErrorCode::CannotWrite, error.kind().to_string());
        let lock = self.files.lock(&session_lock(session), PATIENCE).map_err(fault)?;
        let busy = || Error::about(ErrorCode::CannotWrite, format!("another program changes the facts of {session}"));
        Ok(LockedFacts {
            shared: self.clone(),
            runtime: runtime.to_owned(),
            session: session.to_owned(),
            _lock: lock.ok_or_else(busy)?,
        })
    }
}

/// The right to change the shared facts of one session, until it is dropped.
#[derive(Debug)]
pub(crate) struct LockedFacts {
    shared: SharedFacts,
    runtime: String,
    session: String,
    _lock: File,
}

impl LockedFacts {
    /// The facts as they stand now.
    ///
    /// # Errors
    /// The system cannot read them.
    pub(crate) fn read(&self, root: &Path) -> Result<Option<FactsText>, Error> {
        self.shared.read(root, &self.runtime, &self.session)
    }

    /// Writes the facts, whole or not at all.
    ///
    /// # Errors
    /// The system cannot write them.
    pub(crate) fn write(&self, text: &str) -> Result<(), Error> {
        let fault = |error: std::io::Error| Error::about(ErrorCode::CannotWrite, error.kind().to_string());
        let name = shared_facts_file(&self.shared.dir, &self.runtime, &self.session);
        self.shared.files.write(&name, text.as_bytes()).map_err(fault)
    }
}
