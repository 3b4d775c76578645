//! The scratch folder in which files are staged until they appear whole.

use std::fs;
use std::fs::Metadata;
use std::path::Path;

use super::error::{StoreError, io};
use super::run_lock;

/// The folder of the state directory where files are staged: on the same file system as their place, and out of sight
/// of `git add`, which fails when a file vanishes under it.
pub(super) const SCRATCH: &str = ".loopx";

pub(super) const STAGE: &str = "stage-";

/// Creates the scratch folder, which hides itself from git.
pub(super) fn make_scratch(root: &Path) -> Result<(), StoreError> {
    let scratch = root.join(SCRATCH);
    match fs::symlink_metadata(&scratch) {
        Ok(found) if found.is_dir() => {}
        Ok(found) => return Err(in_the_way(SCRATCH, &found)),
        Err(_) => fs::create_dir(&scratch).map_err(io("create", SCRATCH))?,
    }
    fs::write(scratch.join(".gitignore"), "*\n").map_err(io("write to", SCRATCH))
}

/// Removes the scratch folder unless a lock lives in it.
pub(super) fn clear_scratch(root: &Path) {
    let scratch = root.join(SCRATCH);
    if !scratch.join(run_lock::NAME).exists() && fs::remove_file(scratch.join(".gitignore")).is_ok() {
        // Whatever else somebody put there keeps the folder.
        let _ = fs::remove_dir(scratch);
    }
}

/// Removes what killed runs had staged.
pub(super) fn sweep(root: &Path) -> Result<(), StoreError> {
    let scratch = root.join(SCRATCH);
    let left = match fs::symlink_metadata(&scratch) {
        Ok(found) if found.is_dir() => fs::read_dir(&scratch).map_err(io("read", SCRATCH))?,
        _ => return Ok(()),
    };
    for entry in left {
        let entry = entry.map_err(io("read", SCRATCH))?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && entry.file_name().to_string_lossy().starts_with(STAGE) {
            fs::remove_dir_all(entry.path()).map_err(io("clear", SCRATCH))?;
        }
    }
    clear_scratch(root);
    Ok(())
}

pub(super) fn in_the_way(path: &str, found: &Metadata) -> StoreError {
    let path = path.to_owned();
    if found.is_symlink() { StoreError::Link { path } } else { StoreError::Occupied { path } }
}
