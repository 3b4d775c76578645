//! Any files, read whole: what `scan` looks through.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ignore::DirEntry;

use super::display::{DisplayPaths, as_typed};
use super::files::{Files, ReadFault};
use super::folder::slashed;
use super::named::absolute;
use super::walk::{WalkOptions, walk};

/// Files of any kind and size, by their path as it was typed: that of a file, or that of a folder and the way below it.
#[derive(Debug, Clone, Default)]
pub struct Plain {
    place: PathBuf,
    names: Vec<String>,
    given: BTreeMap<String, Vec<u8>>,
    paths: DisplayPaths,
    /// Where what was typed stands, without links in the folders above.
    full: BTreeMap<String, PathBuf>,
}

impl Plain {
    /// Lists files that were named, and the files below folders that were named, without what git ignores.
    ///
    /// # Errors
    /// The path that names nothing, and why.
    pub fn at(place: &Path, paths: &[PathBuf]) -> Result<Self, (PathBuf, ReadFault)> {
        let mut plain = Self { place: place.to_owned(), ..Self::default() };
        for path in paths {
            let full = absolute(&place.join(path)).map_err(|fault| (path.clone(), fault))?;
            let typed = as_typed(path);
            let is_link = full.symlink_metadata().is_ok_and(|data| data.is_symlink());
            if !is_link || full.is_dir() {
                let options = WalkOptions { with_hidden: true, with_repositories: true, ..WalkOptions::default() };
                let walked = walk(&full, options, |entry| entry.file_name() != ".git");
                let is_read =
                    |entry: &&DirEntry| entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink());
                let found = walked.entries.iter().filter(is_read).map(DirEntry::path);
                for path in found.chain(walked.unlisted.iter().map(PathBuf::as_path)) {
                    let below = path.strip_prefix(&full).map(slashed).unwrap_or_default();
                    plain.names.push(joined(&typed, &below));
                }
            }
            if is_link {
                plain.names.push(typed.clone());
            }
            plain.paths.add(&typed, &typed, &full);
            plain.full.insert(typed, full);
        }
        plain.names.sort_unstable();
        plain.names.dedup();
        Ok(plain)
    }

    /// Takes bytes that stand in no file.
    #[must_use]
    pub fn given(name: &str, bytes: Vec<u8>) -> Self {
        Self { names: vec![name.to_owned()], given: BTreeMap::from([(name.to_owned(), bytes)]), ..Self::default() }
    }

    /// The folders that were named: as typed, and where they stand.
    pub fn folders(&self) -> impl Iterator<Item = (&String, &PathBuf)> {
        self.full.iter().filter(|(_, full)| full.is_dir())
    }

    /// Adds files below folders that were named, which the walk left out: `found` are folders as typed, and paths below.
    pub fn add(&mut self, found: impl IntoIterator<Item = (String, String)>) {
        let names = found.into_iter().map(|(typed, below)| joined(&typed, &below));
        self.names.extend(names.filter(|name| self.place.join(name).symlink_metadata().is_ok()));
        self.names.sort_unstable();
        self.names.dedup();
    }

    /// The target of a symbolic link, as git would hold it; `None` for what is none.
    #[must_use]
    pub fn target(&self, name: &str) -> Option<Vec<u8>> {
        let target = std::fs::read_link(self.place.join(name)).ok()?;
        Some(target.into_os_string().into_encoded_bytes())
    }

    /// Whether the content behind a link is scanned: of one that was named outside any repository. Git holds the link.
    #[must_use]
    pub fn is_followed(&self, name: &str) -> bool {
        self.full.contains_key(name) && self.paths.repository_path(name).is_none()
    }

    /// How the paths are shown.
    #[must_use]
    pub fn paths(&self) -> &DisplayPaths {
        &self.paths
    }

    /// The part of a path that goes wherever the file goes: in a repository what is below its root, else what was typed,
    /// less the folders above an absolute path.
    #[must_use]
    pub fn shared_path(&self, name: &str) -> String {
        if let Some(path) = self.paths.repository_path(name) {
            return path;
        }
        let Some((typed, _)) = self.typed(name).filter(|(typed, _)| Path::new(typed).is_absolute()) else {
            return name.to_owned();
        };
        let above = typed.rfind('/').map_or(0, |slash| slash + 1);
        name[above..].to_owned()
    }

    /// The path below a folder, such as a state directory whose policies name it so; the path itself for a file that
    /// stands elsewhere.
    #[must_use]
    pub fn path_below(&self, root: Option<&Path>, name: &str) -> String {
        let below = || {
            let (typed, full) = self.typed(name)?;
            let rest = name[typed.len()..].trim_start_matches('/');
            let full = if rest.is_empty() { full.clone() } else { full.join(rest) };
            full.strip_prefix(root?).ok().map(slashed)
        };
        below().unwrap_or_else(|| name.to_owned())
    }

    /// What was typed that a path begins with, and where it stands.
    fn typed<'n>(&self, name: &'n str) -> Option<(&'n str, &PathBuf)> {
        let above = name.rmatch_indices('/').map(|(end, _)| &name[..end]);
        let parts = std::iter::once(name).chain(above).chain(["/", ""]);
        parts.filter(|part| name.starts_with(part)).find_map(|part| Some((part, self.full.get(part)?)))
    }
}

/// A path below another one.
fn joined(above: &str, below: &str) -> String {
    match (above, below) {
        (_, "") => above.to_owned(),
        ("", _) => below.to_owned(),
        _ => format!("{}/{below}", above.trim_end_matches('/')),
    }
}

impl Plain {
    /// The size of a file, where it stands in one.
    #[must_use]
    pub fn size(&self, path: &str) -> Option<u64> {
        let metadata = (!self.given.contains_key(path)).then(|| std::fs::metadata(self.place.join(path)))?;
        metadata.ok().map(|metadata| metadata.len())
    }

    /// Opens a file, to read it piece by piece.
    ///
    /// # Errors
    /// The system's words.
    pub fn open(&self, path: &str) -> Result<std::fs::File, ReadFault> {
        std::fs::File::open(self.place.join(path)).map_err(|error| ReadFault { reason: error.kind().to_string() })
    }
}

impl Files for Plain {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        if let Some(bytes) = self.given.get(path) {
            return Ok(bytes.clone());
        }
        std::fs::read(self.place.join(path)).map_err(|error| ReadFault { reason: error.kind().to_string() })
    }
}
