//! Where a repository keeps its files, found without opening it: what a hook has time for.

use std::fs;
use std::path::{Path, PathBuf};

/// A work tree and the folders of its repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitPlace {
    /// The root of the work tree, without links.
    pub work_tree: PathBuf,
    /// The folder with this work tree's `HEAD`.
    pub git_dir: PathBuf,
    /// The folder that all work trees share.
    pub common_dir: PathBuf,
}

impl GitPlace {
    /// Finds the work tree that holds a folder; `None` when none does.
    #[must_use]
    pub fn find(folder: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok()?;
        folder.ancestors().find_map(Self::at)
    }

    /// The work tree with this root.
    fn at(root: &Path) -> Option<Self> {
        let mark = root.join(".git");
        let git_dir = if mark.is_dir() {
            mark
        } else {
            let text = fs::read_to_string(&mark).ok()?;
            root.join(text.strip_prefix("gitdir:")?.trim())
        };
        if !git_dir.join("HEAD").exists() {
            return None;
        }
        let common_dir = match fs::read_to_string(git_dir.join("commondir")) {
            Ok(text) => git_dir.join(text.trim()),
            Err(_) => git_dir.clone(),
        };
        Some(Self { work_tree: root.to_owned(), git_dir, common_dir: common_dir.canonicalize().ok()? })
    }

    /// What tells this work tree from the others of its repository: empty for the main one.
    #[must_use]
    pub fn name(&self) -> String {
        let is_linked = self.git_dir.join("commondir").exists();
        let name = self.git_dir.file_name().filter(|_| is_linked);
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The roots of all work trees of the repository that are there, this one first.
    #[must_use]
    pub fn work_trees(&self) -> Vec<PathBuf> {
        let mut roots = vec![self.work_tree.clone()];
        if self.common_dir.file_name().is_some_and(|name| name == ".git") {
            roots.extend(self.common_dir.parent().map(Path::to_owned));
        }
        let linked = fs::read_dir(self.common_dir.join("worktrees")).into_iter().flatten().flatten();
        for entry in linked {
            let Ok(text) = fs::read_to_string(entry.path().join("gitdir")) else { continue };
            roots.extend(Path::new(text.trim()).parent().and_then(|root| root.canonicalize().ok()));
        }
        roots.dedup();
        roots
    }
}
