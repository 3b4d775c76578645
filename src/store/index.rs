//! Git's index: read, changed for our files alone, and written back whole.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage, Stat};

use super::disk::{Disk, DiskStep};
use super::error::io;
use super::error::{StoreError, git};
use super::git_lock;
use crate::git::Repository;

/// One file of the commit.
pub(super) struct IndexEntry<'a> {
    /// Relative to the state directory.
    pub(super) path: &'a str,
    /// Relative to the root of the work tree.
    pub(super) full: String,
    /// Whether the file is a program, as the index has it so far.
    pub(super) executable: bool,
    /// The bytes in the work tree and the blob that git makes of them; none removes the file.
    pub(super) content: Option<(&'a [u8], gix::ObjectId)>,
}

/// The index as it is on disk.
pub(super) struct GitIndex {
    file: gix::index::File,
    skip_hash: bool,
}

impl GitIndex {
    /// Reads the repository's index; without one it is empty.
    pub(super) fn read(repository: &Repository) -> Result<Self, StoreError> {
        Self::at(&git_lock::place(repository, git_lock::INDEX), repository.handle().object_hash())
    }

    /// Reads an index file; without one it is empty.
    pub(super) fn at(place: &Path, kind: gix::hash::Kind) -> Result<Self, StoreError> {
        let empty = gix::index::State::new(kind);
        let bytes = match fs::read(place) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { file: gix::index::File::from_state(empty, ""), skip_hash: false });
            }
            Err(error) => return Err(io("read", "index")(error)),
        };
        // Decoded from memory because opening the file would join a split index unseen.
        let options = gix::index::decode::Options::default();
        let (state, checksum) = gix::index::State::from_bytes(&bytes, empty.timestamp(), kind, options)
            .map_err(|_| StoreError::CorruptIndex)?;
        if let Some(expected) = checksum {
            let mut hasher = gix::hash::hasher(kind);
            hasher.update(&bytes[..bytes.len() - kind.len_in_bytes()]);
            if hasher.try_finalize().map_err(|_| StoreError::CorruptIndex)? != expected {
                return Err(StoreError::CorruptIndex);
            }
        }
        if state.link().is_some() {
            return Err(StoreError::SplitIndex);
        }
        if state.is_sparse() {
            return Err(StoreError::SparseIndex);
        }
        Ok(Self { file: gix::index::File::from_state(state, ""), skip_hash: checksum.is_none() })
    }

    pub(super) fn state(&self) -> &gix::index::State {
        &self.file
    }

    /// Returns what is staged for a path. That somebody means to add it later stages nothing.
    pub(super) fn staged(&self, path: &str) -> Option<gix::ObjectId> {
        let found = self.file.entry_by_path_and_stage(path.into(), Stage::Unconflicted);
        found.filter(|entry| !entry.flags.contains(Flags::INTENT_TO_ADD)).map(|entry| entry.id)
    }

    /// Refuses a path with a conflict, and one where the index has a file for a folder or a folder for a file.
    pub(super) fn check(&self, entry: &IndexEntry<'_>) -> Result<(), StoreError> {
        let full: &BStr = entry.full.as_str().into();
        let is_staged = |path: &BStr, stage| self.file.entry_by_path_and_stage(path, stage).is_some();
        if [Stage::Base, Stage::Ours, Stage::Theirs].into_iter().any(|stage| is_staged(full, stage)) {
            return Err(StoreError::Unmerged { path: entry.path.to_owned() });
        }
        let is_folder = self.file.path_is_directory(full);
        let below_a_file = full.find_iter("/").any(|at| is_staged(full[..at].as_bstr(), Stage::Unconflicted));
        if is_folder || (entry.content.is_some() && below_a_file) {
            return Err(StoreError::Occupied { path: entry.path.to_owned() });
        }
        Ok(())
    }

    /// Tells whether the index has the file as a program.
    pub(super) fn is_executable(&self, path: &str) -> bool {
        let found = self.file.entry_by_path_and_stage(path.into(), Stage::Unconflicted);
        found.is_some_and(|entry| entry.mode == Mode::FILE_EXECUTABLE)
    }

    /// Stages the files, and nothing else.
    pub(super) fn stage(&mut self, entries: &[IndexEntry<'_>], work_tree: &Path) {
        let mut removed = Vec::new();
        let known = self.file.entries().len();
        for entry in entries {
            let full: &BStr = entry.full.as_str().into();
            let at = self.file.entry_index_by_path_and_stage_bounded(full, Stage::Unconflicted, known);
            let Some((bytes, id)) = entry.content else {
                removed.extend(at);
                continue;
            };
            let mode = if entry.executable { Mode::FILE_EXECUTABLE } else { Mode::FILE };
            let stat = stat(&work_tree.join(&entry.full), bytes);
            match at {
                Some(at) => {
                    let staged = &mut self.file.entries_mut()[at];
                    (staged.id, staged.mode, staged.stat, staged.flags) = (id, mode, stat, Flags::empty());
                }
                None => self.file.dangerously_push_entry(stat, id, Flags::empty(), mode, full),
            }
        }
        removed.sort_unstable();
        if !removed.is_empty() {
            self.file.remove_entries(|at, _, _| removed.binary_search(&at).is_ok());
        }
        self.file.sort_entries();
        // The library would write the cached trees back as if they still fitted, and git would believe them:
        // the user's next commit then holds a broken tree.
        self.file.remove_tree();
    }

    /// Writes the whole index to a file.
    pub(super) fn write(&self, disk: &Disk, place: &Path) -> Result<(), StoreError> {
        let options = gix::index::write::Options { skip_hash: self.skip_hash, ..Default::default() };
        let file =
            disk.reach(DiskStep::WriteIndex).and_then(|()| fs::File::create(place)).map_err(io("write", "index"))?;
        let mut out = BufWriter::with_capacity(1 << 16, file);
        self.file.write_to(&mut out, options).map_err(git("write the index"))?;
        io::Write::flush(&mut out).map_err(io("write", "index"))
    }

    /// Looks at every file that the index names, as git does before it locks the index; for at most `longest`.
    pub(super) fn look_at_files(&self, work_tree: &Path, longest: Duration) {
        let begun = Instant::now();
        for entry in self.file.entries() {
            if begun.elapsed() > longest {
                return;
            }
            let path = gix::path::from_bstr(entry.path(&self.file));
            let _ = path.map(|path| fs::symlink_metadata(work_tree.join(path)));
        }
    }
}

/// What lets git see without reading it that a file is unchanged. Nothing, when the file is not what is committed.
fn stat(place: &Path, bytes: &[u8]) -> Stat {
    // Looked at before it is read: a change in between is then seen as one.
    let found = gix::index::fs::Metadata::from_path_no_follow(place).ok();
    let is_same = fs::read(place).is_ok_and(|current| current == bytes);
    found.filter(|_| is_same).and_then(|found| Stat::from_fs(&found).ok()).unwrap_or_default()
}

/// The name of the index, as git's folder has it.
pub(super) const INDEX: &str = "index";

/// Where git keeps the index, `HEAD` or a ref: those that all work trees share apart from those of one.
pub(super) fn place(repository: &Repository, name: &str) -> PathBuf {
    let folder = if name.starts_with("refs/") { repository.common_dir() } else { repository.git_dir() };
    folder.join(name)
}
