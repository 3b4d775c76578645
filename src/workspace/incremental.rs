//! A state directory that was read once and is then kept in step, file by file.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use super::files::{Files, MemoryFiles};
use super::load::{Inspected, LoadedFile, Scope, Workspace, entry, load};
use super::misplaced::Misplaced;
use super::policies::Policies;
use super::reading::Reading;
use super::stamp::Stamp;
use crate::vocabulary::{Instant, WorkspaceSettings as Settings};

/// A state directory in memory that can be brought up to date with its files.
///
/// After [`walk`](Self::walk) it is what [`load`] makes of the same files at the same instant; so it is after
/// [`look`](Self::look) when no other files than those it was told of had changed.
#[derive(Debug)]
pub struct IncrementalWorkspace {
    workspace: Workspace,
    marks: HashMap<Arc<str>, FileMark>,
    /// The policies whatever the time: those of the workspace are what is in force of them.
    policies: Policies,
    look: LookOptions,
}

/// How files are looked at, and what judges them, for as long as they are kept.
#[derive(Debug, Clone)]
pub struct LookOptions {
    /// What rules say of one file.
    pub inspect: fn(&Reading<'_>) -> Inspected,
    /// The policies that judge instead of those among the files: the ones of the authority ref.
    pub policies: Option<Policies>,
    /// The settings that count instead of those among the files.
    pub settings: Option<Settings>,
}

/// What is remembered of a file to see that it is still the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct FileMark {
    /// `None` when it does not tell one content from the next.
    stamp: Option<Stamp>,
    /// `None` when it could not be read.
    digest: Option<[u8; 32]>,
}

/// A file that is no longer what it was: its path, and what was kept of it unless it is new.
pub type Before = (Arc<str>, Option<LoadedFile>);

/// What is new of one file: nothing when it is gone.
type News = (Arc<str>, Option<(LoadedFile, FileMark)>);

impl IncrementalWorkspace {
    /// Reads every file, as it is to be judged at an instant.
    pub fn open(files: &dyn Files, as_of: Instant, look: LookOptions) -> Self {
        let policies = look.policies.clone().unwrap_or_else(|| Policies::read(files));
        let mut workspace =
            load(&MemoryFiles::default(), Scope::Directory, policies.in_force(as_of), &look.inspect, None).0;
        workspace.pin(look.settings.clone());
        let mut kept = Self { workspace, marks: HashMap::new(), policies, look };
        kept.workspace.links = files.links().iter().map(|path| Arc::from(path.as_str())).collect();
        let all: Vec<&str> = files.list().iter().map(String::as_str).collect();
        let news = kept.read(files, &all, Vec::new());
        kept.take(news);
        kept
    }

    /// The state directory as it was last seen.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Judges by other policies and settings from the next walk on; `None` means those among the files.
    pub fn judge_by(&mut self, policies: Option<Policies>, settings: Option<Settings>) {
        self.workspace.pin(settings.clone());
        self.look.policies = policies;
        self.look.settings = settings;
    }

    /// Brings everything up to date; reads no file whose stamp is the same, unless others are private by now.
    pub fn walk(&mut self, files: &dyn Files, as_of: Instant) -> Vec<Before> {
        let listed: HashSet<&str> = files.list().iter().map(String::as_str).collect();
        let gone = self.workspace.entries.iter().map(|entry| &entry.path).filter(|path| !listed.contains(&***path));
        let gone: Vec<Arc<str>> = gone.cloned().collect();
        let is_same = |path: &String| {
            let mark = self.marks.get(path.as_str());
            mark.and_then(|mark| mark.stamp).is_some_and(|stamp| files.stamp(path) == Some(stamp))
        };
        let stale: Vec<&str> = files.list().par_iter().filter(|path| !is_same(path)).map(String::as_str).collect();
        let links = files.links().iter().map(|path| Arc::from(path.as_str())).collect();
        let news = self.read(files, &stale, gone);
        self.workspace.links = links;
        self.policies = self.look.policies.clone().unwrap_or_else(|| Policies::read(files));
        // What is private is decided there, for every file; an exception ends by itself.
        if !self.is_wall_of(as_of) {
            return self.start_over(files, as_of);
        }
        self.workspace.policies = self.policies.in_force(as_of);
        self.take(news)
    }

    /// Brings files that are named up to date. `files` lists those of them that are there.
    ///
    /// `None` when one of them was a folder with files, or another exception is in force than before: then only a walk
    /// tells. No file of policies may be named.
    pub fn look(&mut self, files: &dyn Files, paths: &BTreeSet<String>, as_of: Instant) -> Option<Vec<Before>> {
        if !self.is_wall_of(as_of) || paths.iter().any(|path| self.has_below(path)) {
            return None;
        }
        let listed: Vec<&str> = files.list().iter().map(String::as_str).collect();
        let is_gone = |path: &&String| listed.binary_search(&path.as_str()).is_err() && self.at(path).is_some();
        let gone = paths.iter().filter(is_gone).map(|path| Arc::from(path.as_str())).collect();
        let news = self.read(files, &listed, gone);
        let links = &mut self.workspace.links;
        links.retain(|path| !paths.contains(&**path));
        links.extend(files.links().iter().map(|path| Arc::from(path.as_str())));
        links.sort_unstable();
        Some(self.take(news))
    }

    /// Whether files were judged by what is private at an instant.
    fn is_wall_of(&self, as_of: Instant) -> bool {
        self.policies.in_force(as_of).refuses_as(&self.workspace.policies)
    }

    fn at(&self, path: &str) -> Option<usize> {
        self.workspace.entries.binary_search_by(|entry| (*entry.path).cmp(path)).ok()
    }

    /// Whether there are files below a path.
    fn has_below(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let at = self.workspace.entries.partition_point(|entry| *entry.path < *below);
        self.workspace.entries.get(at).is_some_and(|entry| entry.path.starts_with(&below))
    }

    /// Reads files that may have changed. A file that stood beside another of its name is judged again when that one
    /// changes.
    fn read(&mut self, files: &dyn Files, stale: &[&str], gone: Vec<Arc<str>>) -> Vec<News> {
        let named = stale.iter().copied().chain(gone.iter().map(|path| &**path));
        let mut freed: HashSet<String> = named.filter_map(|path| self.entangled(path)).collect();
        freed.retain(|path| !gone.iter().any(|gone| **gone == **path));
        let all: HashSet<&str> = stale.iter().copied().chain(freed.iter().map(String::as_str)).collect();
        let judged: Vec<(Arc<str>, Option<LoadedFile>, FileMark)> =
            all.into_par_iter().map(|path| self.judge(files, path, freed.contains(path))).collect();
        let mut news: Vec<News> = gone.into_iter().map(|path| (path, None)).collect();
        for (path, entry, mark) in judged {
            match entry {
                Some(entry) => news.push((path, Some((entry, mark)))),
                None => drop(self.marks.insert(path, mark)),
            }
        }
        news
    }

    /// The file in the other format that cannot be read because of this one.
    fn entangled(&self, path: &str) -> Option<String> {
        let (stem, ending) = path.rsplit_once('.')?;
        let other = format!("{stem}.{}", if ending == "json" { "yaml" } else { "json" });
        let entry = &self.workspace.entries[self.at(&other)?];
        (entry.misplaced == Some(Misplaced::TwoFormats)).then_some(other)
    }

    /// Judges one file, unless it holds what it held.
    fn judge(&self, files: &dyn Files, path: &str, must: bool) -> (Arc<str>, Option<LoadedFile>, FileMark) {
        let path: Arc<str> = Arc::from(path);
        // Before it is read: a change in between gives another stamp.
        let stamp = files.stamp(&path);
        let bytes = files.read(&path);
        let mark = FileMark { stamp, digest: bytes.as_ref().ok().map(|bytes| Sha256::digest(bytes).into()) };
        let is_same = !must
            && mark.digest.is_some()
            && self.marks.get(&path).is_some_and(|known| known.digest == mark.digest)
            && self.at(&path).is_some();
        let judges = (&self.workspace.wall, &self.workspace.policies);
        let judged = || entry(&path, &bytes, Scope::Directory, judges, (&self.look.inspect, files.identify())).0;
        let entry = (!is_same).then(judged);
        (path, entry, mark)
    }

    /// Puts what is new in place, and gives what stood there.
    fn take(&mut self, news: Vec<News>) -> Vec<Before> {
        let (mut before, mut added, mut gone) = (Vec::with_capacity(news.len()), Vec::new(), HashSet::new());
        for (path, new) in news {
            match (self.at(&path), new) {
                (Some(at), Some((entry, mark))) => {
                    let old = std::mem::replace(&mut self.workspace.entries[at], entry);
                    self.marks.insert(Arc::clone(&path), mark);
                    before.push((path, Some(old)));
                }
                (None, Some((entry, mark))) => {
                    self.marks.insert(Arc::clone(&path), mark);
                    added.push(entry);
                    before.push((path, None));
                }
                (Some(_), None) => drop(gone.insert(path)),
                (None, None) => {}
            }
        }
        for path in &gone {
            self.marks.remove(path);
        }
        let is_other = !added.is_empty() || !gone.is_empty();
        if !gone.is_empty() {
            let entries = std::mem::take(&mut self.workspace.entries);
            let (lost, kept) = entries.into_iter().partition(|entry| gone.contains(&entry.path));
            self.workspace.entries = kept;
            before.extend(Vec::into_iter(lost).map(|entry: LoadedFile| (Arc::clone(&entry.path), Some(entry))));
        }
        self.workspace.entries.append(&mut added);
        self.workspace.settle(is_other);
        before
    }

    /// Judges every file anew.
    fn start_over(&mut self, files: &dyn Files, as_of: Instant) -> Vec<Before> {
        let old = std::mem::replace(self, Self::open(files, as_of, self.look.clone())).workspace.entries;
        let known: HashSet<Arc<str>> = old.iter().map(|entry| Arc::clone(&entry.path)).collect();
        let new = self.workspace.entries.iter().map(|entry| &entry.path).filter(|path| !known.contains(*path));
        let new: Vec<Before> = new.map(|path| (Arc::clone(path), None)).collect();
        old.into_iter().map(|entry| (Arc::clone(&entry.path), Some(entry))).chain(new).collect()
    }
}
