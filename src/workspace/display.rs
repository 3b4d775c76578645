//! How paths are shown: as somebody typed them, from the working directory, or from the root of the repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::folder::slashed;
use super::named::display_prefix;
use crate::privacy::{Text, Wall};

/// How the paths of one folder are shown, to people and to hosts of code.
///
/// People see a path as they typed it, else from the working directory; a host of code finds a file only by its path
/// from the root of the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DisplayPaths {
    /// By the path below the folder that they begin with, with `/` between its parts; empty for the folder itself.
    routes: BTreeMap<String, DisplayRoute>,
}

/// How the paths at and below one path are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct DisplayRoute {
    /// What stands in its place for people.
    shown: String,
    /// Whether somebody typed that.
    is_typed: bool,
    /// What stands in its place for a host of code; `None` outside any repository.
    repository: Option<String>,
}

impl DisplayPaths {
    /// Shows the paths below `root` from `place`, both absolute.
    #[must_use]
    pub fn below(place: &Path, root: &Path) -> Self {
        let shown = display_prefix(place, root).trim_end_matches('/').to_owned();
        let route = DisplayRoute { shown, is_typed: false, repository: below_repository(root) };
        Self { routes: BTreeMap::from([(String::new(), route)]) }
    }

    /// Shows paths below a folder of a repository of which nothing is checked out; `above` is empty or ends in a slash.
    #[must_use]
    pub fn in_repository(above: &str) -> Self {
        let shown = above.trim_end_matches('/').to_owned();
        let route = DisplayRoute { repository: Some(shown.clone()), shown, is_typed: false };
        Self { routes: BTreeMap::from([(String::new(), route)]) }
    }

    /// Shows `path`, and what stands below it, as `typed`; `full` is where it is.
    pub(super) fn add(&mut self, path: &str, typed: &str, full: &Path) {
        let route = DisplayRoute { shown: typed.to_owned(), is_typed: true, repository: below_repository(full) };
        self.routes.insert(path.to_owned(), route);
    }

    /// Shows what somebody named below `root` as it was typed, and what stands around it in the same way.
    #[must_use]
    pub fn typed(mut self, root: &Path, path: &str, typed: &Path) -> Self {
        let typed = as_typed(typed);
        if let Some(above) = typed.strip_suffix(path).filter(|above| above.len() > 1 && above.ends_with('/'))
            && !path.is_empty()
        {
            self.add("", above.trim_end_matches('/'), root);
        }
        self.add(path, &typed, &root.join(path));
        self
    }

    /// The path as people see it.
    #[must_use]
    pub fn text(&self, wall: &Wall, path: &str) -> Text {
        match self.route(path) {
            Some((DisplayRoute { shown, is_typed: true, .. }, rest)) => wall.path(&behind(shown, rest), rest),
            Some((DisplayRoute { shown, .. }, rest)) => wall.text(behind(shown, rest) + rest),
            None => wall.text(path),
        }
    }

    /// The path as a host of code finds it: below the root of the repository, where there is one.
    #[must_use]
    pub fn repository_text(&self, wall: &Wall, path: &str) -> Text {
        match self.route(path) {
            Some((DisplayRoute { repository: Some(above), .. }, rest)) => wall.text(behind(above, rest) + rest),
            _ => self.text(wall, path),
        }
    }

    /// The path below the root of the repository, where there is one.
    pub(super) fn repository_path(&self, path: &str) -> Option<String> {
        let (route, rest) = self.route(path)?;
        Some(behind(route.repository.as_ref()?, rest) + rest)
    }

    /// The route that a path takes, and what is left of the path behind it.
    fn route<'p>(&self, path: &'p str) -> Option<(&DisplayRoute, &'p str)> {
        if let Some(route) = self.routes.get(path) {
            return Some((route, ""));
        }
        let above = path.rmatch_indices('/').map(|(end, _)| end);
        let mut routes = above.filter_map(|end| Some((self.routes.get(&path[..end])?, &path[end + 1..])));
        let of_root = || Some((self.routes.get("/")?, path.strip_prefix('/')?));
        routes.next().or_else(of_root).or_else(|| Some((self.routes.get("")?, path)))
    }
}

/// What stands before `rest`, with a `/` between the two.
fn behind(above: &str, rest: &str) -> String {
    if above.is_empty() || rest.is_empty() || above.ends_with('/') { above.to_owned() } else { format!("{above}/") }
}

/// A path as it was typed, with `/` between its parts, none at its end, and empty for the working directory.
pub(super) fn as_typed(path: &Path) -> String {
    let text = slashed_as_typed(path);
    match text.trim_end_matches('/') {
        "" if text.starts_with('/') => "/".to_owned(),
        "." | "" => String::new(),
        trimmed => trimmed.to_owned(),
    }
}

/// The text of a path; bytes that are no UTF-8 become `\xNN`.
fn slashed_as_typed(path: &Path) -> String {
    let text = path.to_str().map_or_else(|| slashed(path), str::to_owned);
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// The root of the repository that a place belongs to: the nearest folder with a `.git`.
fn repository_root(place: &Path) -> Option<PathBuf> {
    place.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
}

/// The path of a place below the root of its repository.
fn below_repository(place: &Path) -> Option<String> {
    let root = repository_root(place)?;
    place.strip_prefix(root).ok().map(slashed)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::DisplayPaths;
    use crate::privacy::Wall;

    #[test]
    fn what_was_typed_is_shown_as_typed_and_the_rest_is_masked() {
        let place = Path::new("/work");
        let typed = ["/ho", "me/alice/state/goals/a"].concat();
        let root = ["/ho", "me/alice/state"].concat();
        let paths = DisplayPaths::below(place, Path::new(&root)).typed(Path::new(&root), "goals/a", Path::new(&typed));
        let shown = |path: &str| paths.text(Wall::shipped(), path).to_string();
        assert_eq!(shown("goals/a"), typed);
        assert_eq!(shown("goals/a/goal.yaml"), format!("{typed}/goal.yaml"));
        assert_eq!(shown("goals/b/goal.yaml"), format!("{root}/goals/b/goal.yaml"), "what stands around it too");
        let secret = ["gh", "p_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"].concat();
        assert_eq!(shown(&format!("goals/a/{secret}.yaml")), format!("{typed}/‹hidden: secret›.yaml"));
    }

    #[test]
    fn a_secret_that_was_typed_stays_hidden() {
        let secret = ["gh", "p_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"].concat();
        let root = Path::new("/work");
        let paths = DisplayPaths::below(root, root).typed(root, &secret, Path::new(&secret));
        assert_eq!(paths.text(Wall::shipped(), &secret).as_ref(), "‹hidden: secret›");
    }
}
