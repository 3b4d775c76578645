//! What this clone's own configuration holds for us.

use std::fs::OpenOptions;
use std::io::Write as _;

use gix::config::{File, Source};

use crate::git::Repository;

use super::error::{StoreError, io};

/// Names the authority ref in the configuration of this clone, as `git config loopx.authority NAME` would, unless a name is
/// there; tells whether it was written. Every other byte stays as it is.
///
/// # Errors
/// The configuration is locked by somebody else, or cannot be read or written.
pub fn name_authority(repository: &Repository, name: &str) -> Result<bool, StoreError> {
    if repository.configured_authority().is_some() {
        return Ok(false);
    }
    let path = repository.common_dir().join("config");
    let lock = path.with_file_name("config.lock");
    let mut file = OpenOptions::new().write(true).create_new(true).open(&lock).map_err(io("lock", ".git/config"))?;
    let written = (|| {
        let broken = |_| std::io::Error::from(std::io::ErrorKind::InvalidData);
        let mut config = File::from_path_no_includes(path.clone(), Source::Local).map_err(broken)?;
        config.set_raw_value("loopx.authority", name).map_err(|_| std::io::ErrorKind::InvalidData)?;
        config.write_to(&mut file)?;
        file.flush()?;
        file.sync_all()?;
        std::fs::rename(&lock, &path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&lock);
    }
    written.map(|()| true).map_err(io("write", ".git/config"))
}
