//! Where a path of a tool call leads: outside the repository, or to a file of one of its work trees.

use std::path::{Component, Path, PathBuf};

/// How many links are followed, as the system does.
const MOST_LINKS: usize = 40;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkAt {
    /// A symbolic link to this target.
    Target(PathBuf),
    /// A file, a folder, or nothing.
    NoLink,
    /// Nobody can say.
    Unknown,
}

/// A work tree of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkTree {
    /// Its root, without links.
    pub root: PathBuf,
}

/// Where a path of a tool call leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// Outside every work tree of the repository.
    Outside,
    /// To this file of a work tree, with `/` between folders.
    Inside(String),
    /// Nobody can say.
    Unknown,
}

/// Finds where a path leads, in each way in which a program may read it.
///
/// A program may drop `..` from the spelling before the system sees it, or leave it to the system, which follows links
/// first. Both readings are given; mostly they are one.
#[must_use]
pub fn locate(
    path: &str,
    folder: &Path,
    trees: &[WorkTree],
    folds: bool,
    link_at: &dyn Fn(&Path) -> LinkAt,
) -> Vec<Location> {
    let whole = folder.join(path);
    let mut locations: Vec<Location> = Vec::with_capacity(2);
    for reading in [resolve(&whole, link_at), resolve(&normalized(&whole), link_at)] {
        let location = reading.map_or(Location::Unknown, |path| below(&path, trees, folds));
        if !locations.contains(&location) {
            locations.push(location);
        }
    }
    locations
}

/// Drops `.` and `..` by spelling alone.
fn normalized(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Follows every link of an absolute path, also where its end is not there yet; `None` where nobody can say.
fn resolve(path: &Path, link_at: &dyn Fn(&Path) -> LinkAt) -> Option<PathBuf> {
    let mut waiting: Vec<PathBuf> = vec![path.to_owned()];
    let mut resolved = PathBuf::new();
    let mut links = 0;
    while let Some(path) = waiting.pop() {
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            match part {
                Component::Prefix(_) | Component::RootDir => {
                    if part == Component::RootDir && !resolved.has_root() {
                        resolved.push(part);
                    } else {
                        resolved = PathBuf::from(part.as_os_str());
                    }
                }
                Component::CurDir => {}
                Component::ParentDir => {
                    resolved.pop();
                }
                Component::Normal(name) => {
                    resolved.push(name);
                    let target = match link_at(&resolved) {
                        LinkAt::NoLink => continue,
                        LinkAt::Unknown => return None,
                        LinkAt::Target(target) => target,
                    };
                    links += 1;
                    if links > MOST_LINKS {
                        return None;
                    }
                    resolved.pop();
                    waiting.push(parts.as_path().to_owned());
                    waiting.push(target);
                    break;
                }
            }
        }
    }
    resolved.is_absolute().then_some(resolved)
}

/// Finds a resolved path below the innermost work tree that holds it.
fn below(path: &Path, trees: &[WorkTree], folds: bool) -> Location {
    let holding = trees.iter().filter_map(|tree| Some((tree, without_root(path, &tree.root, folds)?)));
    let Some((_, parts)) = holding.max_by_key(|(tree, _)| tree.root.components().count()) else {
        return Location::Outside;
    };
    parts.map_or(Location::Unknown, |parts| Location::Inside(parts.join("/")))
}

/// The parts of a path below a root; `None` when it is not below it, and none inside when a part is no text.
fn without_root<'p>(path: &'p Path, root: &Path, folds: bool) -> Option<Option<Vec<&'p str>>> {
    let is_same = |one: Component<'_>, other: Component<'_>| {
        one == other
            || (folds && fold(&one.as_os_str().to_string_lossy()) == fold(&other.as_os_str().to_string_lossy()))
    };
    let mut parts = path.components();
    for expected in root.components() {
        if !is_same(parts.next()?, expected) {
            return None;
        }
    }
    Some(parts.map(|part| part.as_os_str().to_str()).collect())
}

/// A name as a file system that folds case compares it.
pub(super) fn fold(name: &str) -> String {
    crate::vocabulary::folded(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn located(path: &str, links: &[(&str, &str)]) -> Vec<Location> {
        let link_at = |path: &Path| {
            let found = links.iter().find(|(link, _)| Path::new(link) == path);
            found.map_or(LinkAt::NoLink, |(_, target)| LinkAt::Target(PathBuf::from(target)))
        };
        let trees = [WorkTree { root: "/r".into() }, WorkTree { root: "/r/inner".into() }];
        locate(path, Path::new("/r/sub"), &trees, false, &link_at)
    }

    fn inside(path: &str) -> Location {
        Location::Inside(path.to_owned())
    }

    #[test]
    fn relative_and_climbing_paths() {
        assert_eq!(located("a", &[]), [inside("sub/a")]);
        assert_eq!(located("../b/./c", &[]), [inside("b/c")]);
        assert_eq!(located("../../x", &[]), [Location::Outside]);
        assert_eq!(located("/r/inner/x", &[]), [inside("x")]);
        assert_eq!(located("/rx/y", &[]), [Location::Outside]);
    }

    #[test]
    fn links_are_followed_also_where_nothing_stands() {
        assert_eq!(located("/r/l/x", &[("/r/l", "../out")]), [Location::Outside]);
        assert_eq!(located("/r/l", &[("/r/l", "secret/new")]), [inside("secret/new")]);
        assert_eq!(located("/o/x", &[("/o", "/r/docs")]), [inside("docs/x")]);
        assert_eq!(located("/r/l", &[("/r/l", "l")]), [Location::Unknown]);
    }

    #[test]
    fn both_readings_of_a_link_and_two_dots() {
        let both = located("/r/l/../x", &[("/r/l", "/r/a/b")]);
        assert_eq!(both, [inside("a/x"), inside("x")]);
    }
}
