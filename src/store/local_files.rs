//! Owner-local files of a clone: below the git common directory, so that all work trees share them and no commit holds
//! them. Folders have mode 0700 and files 0600; each file appears whole or not at all.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The folder of all of them, below the git common directory.
const FOLDER: &str = "loopx";

/// How the names of half-written files begin.
const STAGE: &str = ".stage-";

/// After how long a half-written file is nobody's.
const ABANDONED: Duration = Duration::from_secs(60);

/// The largest file that is read, in bytes.
const LARGEST: u64 = 8 << 20;

/// The folder of the shared facts of a state directory; `dir` is its path below the root of the work tree: empty, or
/// ending in a slash. All work trees of a clone share it.
#[must_use]
pub fn shared_facts_folder(dir: &str) -> String {
    let dir = dir.trim_end_matches('/').replace('/', "%2F");
    format!("facts/{}", if dir.is_empty() { "%2F" } else { &dir })
}

/// The file of the shared facts of one session.
#[must_use]
pub fn shared_facts_file(dir: &str, runtime: &str, session: &str) -> String {
    format!("{}/{runtime}/{session}.yaml", shared_facts_folder(dir))
}

/// The owner-local files of a clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalFiles {
    folder: PathBuf,
}

impl LocalFiles {
    /// Those of the clone with this git common directory.
    #[must_use]
    pub fn of(common_dir: &Path) -> Self {
        Self { folder: common_dir.join(FOLDER) }
    }

    /// Where a file of this name stands.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Reads a file; `None` when it is not there.
    ///
    /// # Errors
    /// It is a link or no file, it is too large, or the system cannot read it.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(name);
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_file() && data.len() <= LARGEST => {}
            Ok(_) => return Err(io::Error::from(io::ErrorKind::InvalidData)),
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut bytes = Vec::new();
        match File::open(&path) {
            Ok(file) => file.take(LARGEST).read_to_end(&mut bytes)?,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(bytes))
    }

    /// Makes a file hold these bytes.
    ///
    /// # Errors
    /// The system cannot write it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(name);
        let folder = path.parent().unwrap_or(&self.folder);
        let stage = || {
            let mut staged = tempfile::Builder::new().prefix(STAGE).tempfile_in(folder)?;
            staged.write_all(bytes)?;
            staged.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        match stage() {
            Err(error) if is_absent(&error) => {
                make_private_folder(folder)?;
                stage()
            }
            result => result,
        }
    }

    /// Removes a file; one that is not there is removed.
    ///
    /// # Errors
    /// The system cannot remove it.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(error) if !is_absent(&error) => Err(error),
            _ => Ok(()),
        }
    }

    /// The names of the files of a folder, sorted; what begins with a dot is left out.
    #[must_use]
    pub fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| !name.starts_with('.'));
        names.sort_unstable();
        names
    }

    /// Removes what killed programs left half written in a folder, and one below it, more than a minute ago.
    pub fn sweep(&self, folder: &str) {
        let mut waiting = vec![(self.path(folder), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(data) = entry.metadata() else { continue };
                if data.is_dir() && depth == 0 {
                    waiting.push((entry.path(), depth + 1));
                }
                let is_staged = entry.file_name().to_string_lossy().starts_with(STAGE);
                let is_old = data.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ABANDONED));
                if is_staged && is_old {
                    // It is only in the way of nobody.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Takes a lock and holds it until the returned file is dropped; `None` when another one holds it for that long.
    ///
    /// # Errors
    /// The lock file cannot be made.
    pub fn lock(&self, name: &str, wait: Duration) -> io::Result<Option<File>> {
        let path = self.path(name);
        let mut open = OpenOptions::new();
        open.create(true).truncate(false).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        let file = match open.open(&path) {
            Err(error) if is_absent(&error) => {
                make_private_folder(path.parent().unwrap_or(&self.folder))?;
                open.open(&path)?
            }
            opened => opened?,
        };
        let end = Instant::now() + wait;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(Duration::from_millis(1)),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// Makes a folder that only its owner may enter.
fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
