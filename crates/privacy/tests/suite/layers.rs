//! No file of the crate imports, directly or through others, a file that imports it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules that each module imports, by their paths below the crate, such as `decode::joined`.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the crate").filter_map(Result::ok) {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            _ => {}
        }
    }
}

/// The module of a file, such as `decode::joined`; the file `decode/mod.rs` is `decode`.
fn module(path: &Path) -> String {
    let name = path.with_extension("").display().to_string().replace('/', "::");
    name.trim_end_matches("::mod").to_owned()
}

/// What a text names of the crate, as paths from its root: in `use` lines and in code, tests left out.
fn named(module: &str, text: &str) -> Vec<String> {
    let above = |module: &str| module.rsplit_once("::").map_or("", |(above, _)| above).to_owned();
    let mut paths = Vec::new();
    for line in text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")) {
        let code = line.split("//").next().unwrap_or_default();
        let is_start =
            |at: usize| at == 0 || !code.as_bytes()[at - 1].is_ascii_alphanumeric() && !code[..at].ends_with("::");
        for (at, root) in ["crate::", "super::"].iter().flat_map(|root| code.match_indices(root)) {
            if !is_start(at) || code[..at].ends_with("(in ") {
                continue;
            }
            let mut rest = &code[at + root.len()..];
            let mut base = match root {
                "crate::" => String::new(),
                _ => above(module),
            };
            while let Some(inner) = rest.strip_prefix("super::") {
                base = above(&base);
                rest = inner;
            }
            paths.push(format!("{base}::{rest}").trim_start_matches("::").to_owned());
        }
    }
    paths
}

/// The imports of all modules; a path counts for the deepest module that it names.
fn imports(sources: &[(String, String)]) -> Imports {
    let modules: BTreeSet<&str> = sources.iter().map(|(module, ..)| module.as_str()).collect();
    let mut imports = Imports::new();
    for (module, text) in sources {
        let used = named(module, text).into_iter().filter_map(|path| {
            let parts: Vec<&str> = path
                .split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | ':')))
                .next()?
                .split("::")
                .filter(|part| !part.is_empty())
                .collect();
            (1..=parts.len()).rev().map(|length| parts[..length].join("::")).find(|path| modules.contains(&**path))
        });
        imports.entry(module.clone()).or_default().extend(used.filter(|used| used != module));
    }
    imports
}

/// A module that reaches itself through its imports.
fn cycle(imports: &Imports) -> Option<&str> {
    imports.keys().map(String::as_str).find(|start| {
        let mut ahead: Vec<&str> = imports[*start].iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        while let Some(module) = ahead.pop() {
            if seen.insert(module) {
                ahead.extend(imports.get(module).into_iter().flatten().map(String::as_str));
            }
        }
        seen.contains(start)
    })
}

#[test]
fn no_file_imports_itself_through_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let source = |path: &PathBuf| {
        let below = path.strip_prefix(&root).expect("below src");
        (module(below), std::fs::read_to_string(path).expect("a source file"))
    };
    // The root and the tests of the whole import everything, and nothing imports them.
    let is_part = |(module, _): &(String, String)| !matches!(module.as_str(), "lib" | "property" | "examples");
    let sources: Vec<_> = paths.iter().map(source).filter(is_part).collect();
    assert!(sources.len() > 40, "the crate's files are found");
    let imports = imports(&sources);
    assert!(imports["scan"].contains("compiled") && imports["table::path"].contains("match_context"), "{imports:?}");
    assert_eq!(cycle(&imports), None, "{imports:#?}");
}

#[test]
fn a_cycle_is_found() {
    let source = |module: &str, text: &str| (module.to_owned(), text.to_owned());
    let straight = [source("a", "use super::b::X;\n"), source("b", "")];
    assert_eq!(cycle(&imports(&straight)), None);
    let round =
        [source("a", "use super::b::X;\n"), source("b", "use crate::c::{Y, Z};\n"), source("c", "use super::a;\n")];
    assert_eq!(cycle(&imports(&round)), Some("a"));
}
