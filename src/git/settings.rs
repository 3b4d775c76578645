//! What `git commit` would do here beyond committing.

use std::path::Path;

use super::Repository;

/// The hooks that `git commit` runs, in their order.
const HOOKS: [&str; 5] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction"];

/// What a commit made without the `git` command leaves out.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Hooks that are there and would run.
    pub hooks: Vec<&'static str>,
    /// Whether commits are to be signed.
    pub signature: bool,
}

impl Repository {
    /// The address that git puts into a commit made here, as far as its configuration gives one.
    #[must_use]
    pub fn identity(&self) -> Option<String> {
        self.git.config_snapshot().string("user.email").map(|address| address.to_string())
    }

    /// The name that git puts into a commit made here, as far as its configuration gives one.
    #[must_use]
    pub fn identity_name(&self) -> Option<String> {
        self.git.config_snapshot().string("user.name").map(|name| name.to_string())
    }

    /// Lists what a commit made without the `git` command leaves out.
    #[must_use]
    pub fn left_out(&self) -> LeftOut {
        let config = self.git.config_snapshot();
        let folder = match config.trusted_path("core.hooksPath").ok().flatten() {
            Some(path) => self.git.workdir().unwrap_or(self.git.git_dir()).join(path),
            None => self.git.common_dir().join("hooks"),
        };
        LeftOut {
            hooks: HOOKS.into_iter().filter(|hook| is_executable(&folder.join(hook))).collect(),
            signature: config.boolean("commit.gpgSign") == Some(true),
        }
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
