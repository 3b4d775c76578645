//! Files that appear whole or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use rayon::prelude::*;
use tempfile::TempDir;

use super::disk::{Disk, DiskStep};
use super::error::{StoreError, io};
use super::scratch::in_the_way;
use super::{Owned, Store};

pub(super) use super::scratch::{SCRATCH, STAGE, clear_scratch, make_scratch, sweep};

/// What a file shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// There, with these bytes.
    Content(Vec<u8>),
    /// Not there.
    Absent,
}

/// Whether a file must outlive a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// It can be derived again, so it is not synced.
    Derived,
    /// It exists nowhere else: synced before it takes its place.
    Kept,
}

/// The files that a run wrote and removed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct WrittenFiles {
    /// Files that were created or replaced, by path.
    pub written: Vec<String>,
    /// Files that were removed, by path.
    pub removed: Vec<String>,
    /// How many files were already as wanted.
    pub unchanged: usize,
}

/// One file that is not as wanted yet.
struct FileDifference<'a> {
    path: &'a str,
    /// None removes the file.
    bytes: Option<&'a [u8]>,
    /// The permissions of the file that is replaced.
    permissions: Option<Permissions>,
}

impl Store {
    /// Makes every file what is wanted. Paths are relative to the state directory, with slashes.
    ///
    /// All files are looked at before the first is touched, and all are staged before the first takes its place: what
    /// is refused, or does not fit on the disk, changes nothing.
    ///
    /// # Errors
    ///
    /// A path leads outside or through a link, a file that differs is not `owned`, or the operating system refuses;
    /// each names the path.
    pub fn write(
        &self,
        wanted: &BTreeMap<String, Wanted>,
        owned: Owned<'_>,
        durability: Durability,
    ) -> Result<WrittenFiles, StoreError> {
        let folder = TargetFolder { root: &self.root, disk: &self.disk };
        folder.check(wanted.keys())?;
        let compared = wanted.par_iter().map(|(path, wanted)| folder.compare(path, wanted, owned));
        let compared: Vec<Option<FileDifference<'_>>> = compared.collect::<Result<_, _>>()?;
        let differences: Vec<FileDifference<'_>> = compared.into_iter().flatten().collect();
        if !differences.is_empty() {
            folder.carry_out(&differences, durability)?;
        }
        let path = |difference: &FileDifference<'_>| difference.path.to_owned();
        Ok(WrittenFiles {
            unchanged: wanted.len() - differences.len(),
            written: differences.iter().filter(|one| one.bytes.is_some()).map(path).collect(),
            removed: differences.iter().filter(|one| one.bytes.is_none()).map(path).collect(),
        })
    }
}

/// The state directory, and the way to change it.
struct TargetFolder<'a> {
    root: &'a Path,
    disk: &'a Disk,
}

impl TargetFolder<'_> {
    /// Refuses paths that leave the state directory, by spelling or by a link on the way.
    fn check<'a>(&self, paths: impl Iterator<Item = &'a String>) -> Result<(), StoreError> {
        let mut folders = BTreeSet::new();
        for path in paths {
            if !is_inside(path) {
                return Err(StoreError::Outside { path: path.clone() });
            }
            folders.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
        }
        for folder in folders {
            match fs::symlink_metadata(self.root.join(folder)) {
                Ok(found) if found.is_dir() => {}
                Ok(found) => return Err(in_the_way(folder, &found)),
                Err(error) if is_absent(&error) => {}
                Err(error) => return Err(io("look at", folder)(error)),
            }
        }
        Ok(())
    }

    fn compare<'a>(
        &self,
        path: &'a str,
        wanted: &'a Wanted,
        owned: Owned<'_>,
    ) -> Result<Option<FileDifference<'a>>, StoreError> {
        let bytes = match wanted {
            Wanted::Content(bytes) => Some(bytes.as_slice()),
            Wanted::Absent => None,
        };
        let place = self.root.join(path);
        let found = match fs::symlink_metadata(&place) {
            Ok(found) if found.is_file() => found,
            Ok(found) => return Err(in_the_way(path, &found)),
            Err(error) if is_absent(&error) => {
                return Ok(bytes.is_some().then_some(FileDifference { path, bytes, permissions: None }));
            }
            Err(error) => return Err(io("look at", path)(error)),
        };
        let current = fs::read(&place).map_err(io("read", path))?;
        if bytes == Some(current.as_slice()) {
            return Ok(None);
        }
        if !owned(path, &current) {
            return Err(StoreError::NotOurs { path: path.to_owned() });
        }
        Ok(Some(FileDifference { path, bytes, permissions: Some(found.permissions()) }))
    }

    fn carry_out(&self, differences: &[FileDifference<'_>], durability: Durability) -> Result<(), StoreError> {
        let stage = self.stage(differences, durability)?;
        let mut folders = BTreeSet::new();
        let of = |path| str::rsplit_once(path, '/').map_or("", |(folder, _)| folder);
        for (number, FileDifference { path, .. }) in
            differences.iter().enumerate().filter(|(_, one)| one.bytes.is_some())
        {
            let folder = of(path);
            if folders.insert(folder) {
                self.disk.make_folder(&self.root.join(folder)).map_err(io("create the folder of", *path))?;
            }
            let staged = stage.path().join(number.to_string());
            self.disk.rename(DiskStep::Publish, &staged, &self.root.join(path)).map_err(io("write", *path))?;
        }
        // Last, so that no folder goes that another file belongs in.
        for FileDifference { path, .. } in differences.iter().filter(|one| one.bytes.is_none()) {
            self.disk.remove(DiskStep::Remove, &self.root.join(path)).map_err(io("remove", *path))?;
            folders.insert(of(path));
            self.prune(of(path));
        }
        drop(stage);
        clear_scratch(self.root);
        if durability == Durability::Kept {
            self.sync(folders)?;
        }
        Ok(())
    }

    /// Makes what changed in these folders, and they themselves, outlive a power failure.
    fn sync(&self, folders: BTreeSet<&str>) -> Result<(), StoreError> {
        let mut all = BTreeSet::from([""]);
        for folder in folders {
            all.extend(folder.match_indices('/').map(|(at, _)| &folder[..at]));
            all.insert(folder);
        }
        all.into_iter().try_for_each(|folder| sync_folder(&self.root.join(folder)).map_err(io("sync", folder)))
    }

    /// Writes the new content of each file under its number.
    fn stage(&self, differences: &[FileDifference<'_>], durability: Durability) -> Result<TempDir, StoreError> {
        make_scratch(self.root)?;
        let stage = tempfile::Builder::new()
            .prefix(STAGE)
            .tempdir_in(self.root.join(SCRATCH))
            .map_err(io("create a folder in", SCRATCH))?;
        differences.par_iter().enumerate().try_for_each(|(number, difference)| {
            let Some(bytes) = difference.bytes else { return Ok(()) };
            let staged = stage.path().join(number.to_string());
            let sync = durability == Durability::Kept;
            let file = self.disk.create(DiskStep::Stage, &staged, bytes, sync).map_err(io("write", difference.path))?;
            match &difference.permissions {
                Some(kept) => file.set_permissions(kept.clone()).map_err(io("write", difference.path)),
                None => Ok(()),
            }
        })?;
        Ok(stage)
    }

    /// Removes folders that a removal left empty. One that is not empty, or that somebody uses, simply stays.
    fn prune(&self, mut folder: &str) {
        while !folder.is_empty() && fs::remove_dir(self.root.join(folder)).is_ok() {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }
}

/// Tells whether a path stays below the state directory and outside git's and our own folders, as every system reads it.
pub(super) fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.contains(['\\', ':', '\0'])
            && ![".git", SCRATCH].iter().any(|own| part.eq_ignore_ascii_case(own))
    };
    path.split('/').all(is_name)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Syncs a folder. Where folders cannot be opened, the system does so by itself.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) && folder.is_dir() { File::open(folder)?.sync_all() } else { Ok(()) }
}
