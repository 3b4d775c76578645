//! A state directory on disk: how it is found and which files it holds.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::content::Identify;
use super::files::{Files, ReadFault};
use super::misplaced::LAYOUT;
use super::stamp::Stamp;
use crate::document::MAX_BYTES;

/// The file that marks the root of a state directory.
pub const MARK: &str = "loopx.yaml";

/// How deep a state directory is looked for where no repository says where to stop: `loopx/loopx.yaml` has depth 2.
const NEAR: usize = 3;

/// What reconcile writes; judged only when it is named.
pub(super) const EMITTED: &[&str] = &["projections", "previews", "blockers", "attention.json", "attention.md"];

/// Whether a file is judged where it stands in a state directory: what reconcile writes is judged only where it is
/// named, and what editors keep is never.
#[must_use]
pub fn is_judged(path: &str) -> bool {
    let top = path.split('/').next().unwrap_or_default();
    let is_hidden = path.split('/').any(|part| part.starts_with('.') || part.ends_with('~'));
    let is_known =
        LAYOUT.contains(&top) || ["yaml", "yml", "json"].iter().any(|ending| path.ends_with(&format!(".{ending}")));
    is_known && !is_hidden && !EMITTED.contains(&top)
}

/// Why no state directory was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscoverError {
    /// None at or above the place, and none below the repository's root.
    #[error("no state directory at this place, above it or below the repository's root")]
    Nothing,
    /// Several below the repository's root.
    #[error("several state directories below the repository's root: {}", .0.join(", "))]
    Several(Vec<String>),
}

/// Finds the state directory of a place: the nearest ancestor with `loopx.yaml`, else the only one below the
/// repository's root. Where there is no repository, the place and a few folders below it are looked at.
///
/// # Errors
/// None found, or several to choose from.
pub fn discover(place: &Path) -> Result<PathBuf, DiscoverError> {
    if let Some(root) = place.ancestors().find(|folder| folder.join(MARK).is_file()) {
        return Ok(root.to_owned());
    }
    let repository = place.ancestors().find(|folder| folder.join(".git").exists());
    let (top, depth) = repository.map_or((place, Some(NEAR)), |root| (root, None));
    let mut below: Vec<PathBuf> = WalkBuilder::new(top)
        .max_depth(depth)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name() == MARK && entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| entry.path().parent().map(Path::to_owned))
        .collect();
    below.sort();
    match below.len() {
        0 => Err(DiscoverError::Nothing),
        1 => Ok(below.swap_remove(0)),
        _ => {
            let name = |root: &PathBuf| root.strip_prefix(top).map_or_else(|_| String::new(), slashed);
            Err(DiscoverError::Several(below.iter().map(name).collect()))
        }
    }
}

/// A state directory on disk.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    root: PathBuf,
    names: Vec<String>,
    links: Vec<String>,
    identify: Option<Identify>,
}

impl Folder {
    /// Lists the files of a state directory: the layout's folders as they are, even where git ignores them (facts are
    /// ignored by default), elsewhere the documents that git does not ignore, so that a misplaced one is found.
    ///
    /// A folder that cannot be listed stands in the list by its own name: reading it fails with the system's words, so
    /// what it may hold is unreadable and never absent (law 9).
    #[must_use]
    pub fn open(root: &Path) -> Self {
        let mut folder = Self { root: root.to_owned(), ..Self::default() };
        for name in LAYOUT {
            folder.add(name);
        }
        folder.add_rest();
        folder.sorted()
    }

    /// Lists what judging some files or folders of a state directory needs: the settings and policies, the whole goals
    /// that the names touch, the facts of their sessions, and the named files themselves.
    ///
    /// What settings and policies say concerns every file; where they are named, or a folder of all goals is, this is
    /// [`open`](Self::open). What reconcile writes is only listed where it is named.
    #[must_use]
    pub fn around(root: &Path, named: &[String]) -> Self {
        let is_wide = |name: &String| !name.contains('/') || name.starts_with("policies/");
        if named.is_empty() || named.iter().any(is_wide) {
            let mut folder = Self::open(root);
            named.iter().filter(|name| root.join(name).is_file()).for_each(|name| folder.add(name));
            return folder.sorted();
        }
        let mut folder = Self::of_all_goals(root);
        let (mut goals, mut sessions) = (BTreeSet::new(), BTreeSet::new());
        for name in named {
            match name.split('/').collect::<Vec<_>>()[..] {
                ["goals" | "receipts" | "projections" | "previews" | "blockers", goal, ..] => {
                    goals.insert(goal.to_owned());
                }
                ["facts", _, session, ..] => sessions.extend(stem(session)),
                _ => {}
            }
        }
        for session in &sessions {
            goals.extend(folder.goals_that_bind(session));
        }
        for goal in &goals {
            folder.add(&format!("goals/{goal}"));
            folder.add(&format!("receipts/{goal}"));
            sessions.extend(folder.names_in(&format!("goals/{goal}/bindings")).iter().filter_map(|name| stem(name)));
        }
        for runtime in folder.names_in("facts") {
            for session in &sessions {
                folder.add_either(&format!("facts/{runtime}/{session}"));
            }
        }
        for name in named {
            folder.add(name);
            // A session is bound once in the whole state directory.
            if let ["goals", _, "bindings", session] = name.split('/').collect::<Vec<_>>()[..]
                && let Some(session) = stem(session)
            {
                for goal in folder.goals_that_bind(&session) {
                    folder.add_either(&format!("goals/{goal}/bindings/{session}"));
                }
            }
        }
        folder.sorted()
    }

    /// Lists what the verdicts on some goals need: the settings and policies, the documents of these goals, and the
    /// facts of their sessions. Their receipts are left out, for there may be many.
    #[must_use]
    pub fn of_goals(root: &Path, goals: &BTreeSet<String>) -> Self {
        let mut folder = Self::of_all_goals(root);
        let mut sessions = BTreeSet::new();
        for goal in goals {
            folder.add(&format!("goals/{goal}"));
            sessions.extend(folder.names_in(&format!("goals/{goal}/bindings")).iter().filter_map(|name| stem(name)));
        }
        for session in &sessions {
            // A session is bound once in the whole state directory; two goals that bind it share none of its facts.
            for other in folder.goals_that_bind(session) {
                folder.add_either(&format!("goals/{other}/bindings/{session}"));
            }
        }
        for runtime in folder.names_in("facts") {
            for session in &sessions {
                folder.add_either(&format!("facts/{runtime}/{session}"));
            }
        }
        folder.sorted()
    }

    /// Lists what concerns every goal.
    fn of_all_goals(root: &Path) -> Self {
        let mut folder = Self { root: root.to_owned(), ..Self::default() };
        folder.add(MARK);
        folder.add("policies");
        folder
    }

    /// The goals with a binding of a session.
    fn goals_that_bind(&self, session: &str) -> Vec<String> {
        let mut goals = self.names_in("goals");
        goals.retain(|goal| {
            let binding = self.root.join("goals").join(goal).join("bindings").join(session);
            ["yaml", "json"].iter().any(|ending| binding.with_added_extension(ending).is_file())
        });
        goals
    }

    /// The names of the files and folders of one folder.
    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.root.join(folder)).into_iter().flatten();
        entries.filter_map(Result::ok).map(|entry| readable(&entry.file_name())).collect()
    }

    /// Adds a document in whichever format it stands there.
    fn add_either(&mut self, stem: &str) {
        self.add(&format!("{stem}.yaml"));
        self.add(&format!("{stem}.json"));
    }

    /// Lists those of some paths below the layout's folders that [`open`](Self::open) would list. `None` when one of
    /// them is a folder, so that there may be more below it.
    #[must_use]
    pub fn at(root: &Path, paths: &BTreeSet<String>) -> Option<Self> {
        let mut folder = Self { root: root.to_owned(), ..Self::default() };
        for path in paths.iter().filter(|path| !path.split('/').any(is_hidden)) {
            let data = |path: &str| std::fs::symlink_metadata(root.join(path));
            let is_way = |at: usize| data(&path[..at]).is_ok_and(|data| data.is_dir());
            match data(path) {
                Ok(data) if data.is_dir() => return None,
                Ok(data) if path.match_indices('/').all(|(at, _)| is_way(at)) => match data.is_symlink() {
                    true => folder.links.push(path.clone()),
                    false if data.is_file() => folder.names.push(path.clone()),
                    false => {}
                },
                Err(error) if !is_absence(&error) => folder.names.push(path.clone()),
                _ => {}
            }
        }
        Some(folder.sorted())
    }

    /// Takes files below a folder by name.
    #[must_use]
    pub fn of(root: &Path, names: Vec<String>) -> Self {
        Self { root: root.to_owned(), names, ..Self::default() }.sorted()
    }

    /// Sets how the contents of files are named.
    #[must_use]
    pub fn identified_by(mut self, identify: Option<Identify>) -> Self {
        self.identify = identify;
        self
    }

    /// Returns the path of the state directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn sorted(mut self) -> Self {
        for names in [&mut self.names, &mut self.links] {
            names.sort_unstable();
            names.dedup();
        }
        self
    }

    /// Adds a file of the layout, or every file below a folder of it.
    fn add(&mut self, path: &str) {
        let mut waiting = vec![path.to_owned()];
        while let Some(path) = waiting.pop() {
            let data = match std::fs::symlink_metadata(self.root.join(&path)) {
                Ok(data) => data,
                Err(error) if is_absence(&error) => continue,
                Err(_) => {
                    self.names.push(path);
                    continue;
                }
            };
            if data.is_symlink() {
                self.links.push(path);
            } else if data.is_file() {
                self.names.push(path);
            } else if data.is_dir() {
                self.add_folder(&path, &mut waiting);
            }
        }
    }

    /// Adds the files of one folder; folders below it have to wait.
    fn add_folder(&mut self, folder: &str, waiting: &mut Vec<String>) {
        let entries = match std::fs::read_dir(self.root.join(folder)) {
            Ok(entries) => entries,
            Err(error) if is_absence(&error) => return,
            Err(_) => return self.names.push(folder.to_owned()),
        };
        for entry in entries {
            let Ok(entry) = entry else {
                self.names.push(folder.to_owned());
                continue;
            };
            let name = readable(&entry.file_name());
            if is_hidden(&name) {
                continue;
            }
            let path = format!("{folder}/{name}");
            let Ok(kind) = entry.file_type() else {
                self.names.push(path);
                continue;
            };
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() {
                self.names.push(path);
            } else if kind.is_symlink() {
                self.links.push(path);
            }
        }
    }

    /// Adds documents outside the layout's folders and outside what reconcile writes.
    fn add_rest(&mut self) {
        self.add(MARK);
        let walk = WalkBuilder::new(&self.root)
            .filter_entry(|entry| {
                let name = entry.file_name().to_string_lossy();
                entry.depth() != 1 || !(LAYOUT.contains(&&*name) || EMITTED.contains(&&*name))
            })
            .build();
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.names
                        .extend(unlisted(&error).and_then(|path| Some(slashed(path.strip_prefix(&self.root).ok()?))));
                    continue;
                }
            };
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let ending = entry.path().extension().and_then(OsStr::to_str);
            let path = entry.path().strip_prefix(&self.root);
            if let (true, Some("yaml" | "yml" | "json"), Ok(path)) = (is_file, ending, path) {
                self.names.push(slashed(path));
            }
        }
    }
}

impl Files for Folder {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn links(&self) -> &[String] {
        &self.links
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        let fault = |error: std::io::Error| ReadFault {
            reason: match error.kind() {
                ErrorKind::NotFound if path.contains("\\x") => "its name is no UTF-8".to_owned(),
                kind => kind.to_string(),
            },
        };
        let file = File::open(self.root.join(path)).map_err(fault)?;
        let mut bytes = Vec::with_capacity(2048);
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(fault)?;
        Ok(bytes)
    }

    fn identify(&self) -> Option<Identify> {
        self.identify
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        Stamp::of(&std::fs::symlink_metadata(self.root.join(path)).ok()?)
    }
}

/// Whether an error says that nothing stands at a path, rather than that it cannot be read.
fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The path that a walk could not list; `None` for faults of ignore files and for what vanished meanwhile.
pub(super) fn unlisted(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => unlisted(err),
        ignore::Error::WithPath { path, err } => {
            let is_fault = err.io_error().is_some_and(|error| !is_absence(error));
            is_fault.then_some(path.as_path())
        }
        _ => None,
    }
}

/// Whether a name belongs to an editor: it begins with a dot or ends with `~`.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~')
}

/// A name as text; bytes that are no UTF-8 become `\xNN`, a name that no file can be opened by.
fn readable(name: &OsStr) -> String {
    match name.to_str() {
        Some(name) => name.to_owned(),
        None => name.as_encoded_bytes().escape_ascii().to_string(),
    }
}

/// The name of a document without its ending.
fn stem(name: &str) -> Option<String> {
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".json"))?;
    Some(stem.to_owned())
}

/// A path with `/` between its parts.
pub(super) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| readable(part.as_os_str())).collect();
    parts.join("/")
}
