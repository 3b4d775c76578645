//! What the path of an event hints at.

use std::path::{Path, PathBuf};

use super::schedule::Hint;
use crate::workspace::PathClass;

/// Where git keeps what a watch has to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitFolders {
    /// The folder with this work tree's `HEAD`.
    pub own: PathBuf,
    /// The folder with the branches.
    pub common: PathBuf,
}

/// What a path hints at; nothing for what concerns no verdict.
pub(super) fn hint(root: &Path, git: Option<&GitFolders>, path: &Path) -> Option<Hint> {
    let below = git.and_then(|git| path.strip_prefix(&git.own).or_else(|_| path.strip_prefix(&git.common)).ok());
    if let Some(below) = below {
        return shared_facts(below).or_else(|| is_of_head(below).then_some(Hint::Git));
    }
    let mut slashed = String::new();
    for part in path.strip_prefix(root).ok()? {
        let Some(part) = part.to_str() else { return Some(Hint::Anything) };
        slashed.push_str(if slashed.is_empty() { "" } else { "/" });
        slashed.push_str(part);
    }
    match PathClass::of(&slashed) {
        PathClass::Document | PathClass::Output => Some(Hint::Path(slashed)),
        PathClass::Everything => Some(Hint::Anything),
        PathClass::Nothing => None,
    }
}

/// What a path below the git common directory hints at, where hosts keep the facts that all work trees share.
fn shared_facts(below: &Path) -> Option<Hint> {
    let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    match parts[..] {
        ["loopx"] | ["loopx", "facts"] | ["loopx", "facts", _] | ["loopx", "facts", _, _] => Some(Hint::Anything),
        ["loopx", "facts", _, runtime, file] if !file.starts_with('.') => {
            Some(Hint::Path(format!("facts/{runtime}/{file}")))
        }
        _ => None,
    }
}

/// Whether a file of git says what is checked out or recorded. The index does not: a mere `git status` writes it.
fn is_of_head(below: &Path) -> bool {
    let Some(name) = below.to_str().filter(|name| !name.ends_with(".lock")) else { return false };
    let is_begun = name.ends_with("_HEAD") && !matches!(name, "FETCH_HEAD" | "ORIG_HEAD");
    name == "HEAD" || name == "packed-refs" || is_begun || name.starts_with("refs/") || name.starts_with("rebase-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_hints() {
        let git = GitFolders { own: "/r/.git/worktrees/w".into(), common: "/r/.git".into() };
        let path = |path: &str| Some(Hint::Path(path.to_owned()));
        let cases = [
            ("/r/loopx/goals/a/goal.yaml", path("goals/a/goal.yaml")),
            ("/r/loopx/projections/a/b.json", path("projections/a/b.json")),
            ("/r/loopx/goals", path("goals")),
            ("/r/loopx", Some(Hint::Anything)),
            ("/r/loopx/policies/team.yaml", Some(Hint::Anything)),
            ("/r/loopx/goals/a/.goal.yaml.swp", None),
            ("/r/README.md", None),
            ("/r/.git/HEAD", Some(Hint::Git)),
            ("/r/.git/worktrees/w/HEAD", Some(Hint::Git)),
            ("/r/.git/worktrees/w/MERGE_HEAD", Some(Hint::Git)),
            ("/r/.git/refs/heads/main", Some(Hint::Git)),
            ("/r/.git/refs/remotes/origin/main", Some(Hint::Git)),
            ("/r/.git/packed-refs", Some(Hint::Git)),
            ("/r/.git/refs/heads/main.lock", None),
            ("/r/.git/index", None),
            ("/r/.git/index.lock", None),
            ("/r/.git/FETCH_HEAD", None),
            ("/r/.git/COMMIT_EDITMSG", None),
            ("/r/.git/loopx/facts", Some(Hint::Anything)),
            ("/r/.git/loopx/facts/loopx/claude_code/a.yaml", path("facts/claude_code/a.yaml")),
            ("/r/.git/loopx/facts/loopx/claude_code/.stage-x", None),
            ("/r/.git/loopx/lock", None),
        ];
        for (name, hinted) in cases {
            assert_eq!(hint(Path::new("/r/loopx"), Some(&git), Path::new(name)), hinted, "{name}");
        }
        // A state directory that is its repository's root.
        let git = GitFolders { own: "/r/.git".into(), common: "/r/.git".into() };
        assert_eq!(hint(Path::new("/r"), Some(&git), Path::new("/r/.git/index")), None);
        assert_eq!(hint(Path::new("/r"), Some(&git), Path::new("/r/.git/HEAD")), Some(Hint::Git));
        assert_eq!(hint(Path::new("/r"), None, Path::new("/r/target/x.yaml")), None);
    }
}
