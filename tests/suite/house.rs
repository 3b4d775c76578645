//! What keeps the code readable by strangers: one meaning for each type name, a doc line for each public item, an
//! example in the help of each command, and no circle of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The fewest words of the first paragraph of a doc comment.
const DOC_WORDS: usize = 5;

/// The source files below a folder, sorted. The inside of `privacy` is judged elsewhere.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("src/privacy") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The text of every source file by its path below `src`, up to its unit tests.
pub(crate) fn texts() -> BTreeMap<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a source file");
        text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned()
    };
    let name = |path: &Path| path.strip_prefix(&source).expect("below src").display().to_string();
    sources(&source).iter().map(|path| (name(path), text(path))).collect()
}

/// One declared item: the line, whether it is public to the whole crate and beyond, its keyword and its name.
struct Item<'t> {
    is_public: bool,
    keyword: &'t str,
    name: &'t str,
}

/// Reads the item that a line declares.
fn item(line: &str) -> Option<Item<'_>> {
    let line = line.trim_start();
    let (is_public, rest) = match line.strip_prefix("pub ") {
        Some(rest) => (true, rest),
        None => {
            (false, line.strip_prefix("pub(").map_or(Some(line), |rest| rest.split_once(") ").map(|(_, rest)| rest))?)
        }
    };
    let mut words = rest.split_whitespace().skip_while(|word| ["const", "async", "unsafe"].contains(word));
    let (first, second) = (rest.split_whitespace().next()?, words.next()?);
    let keywords = ["fn", "struct", "enum", "trait", "type", "union", "static", "const"];
    let (keyword, name) = match keywords.iter().find(|keyword| **keyword == second) {
        Some(keyword) => (*keyword, words.next()?),
        None if first == "const" => ("const", second),
        None => return None,
    };
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    (end > 0).then(|| Item { is_public, keyword, name: &name[..end] })
}

/// The names of types that mean two things: one of them is public, and another type has the same name.
fn repeated(texts: &BTreeMap<String, String>) -> Vec<String> {
    let mut homes: BTreeMap<&str, (bool, Vec<&str>)> = BTreeMap::new();
    for (path, text) in texts {
        for line in text.lines().filter(|line| !line.starts_with(' ')) {
            let Some(item) = item(line) else { continue };
            if ["struct", "enum", "trait", "type", "union"].contains(&item.keyword) {
                let home = homes.entry(item.name).or_default();
                home.0 |= item.is_public;
                home.1.push(path);
            }
        }
    }
    let twice = homes.into_iter().filter(|(_, (is_public, homes))| *is_public && homes.len() > 1);
    twice.map(|(name, (_, homes))| format!("{name}: {}", homes.join(", "))).collect()
}

/// The public items without a doc line, or with one that says too little.
fn unexplained(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut doc: Option<Vec<&str>> = None;
    let mut is_first = true;
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            is_first &= !words.trim().is_empty();
            if is_first {
                doc.get_or_insert_default().extend(words.split_whitespace());
            }
            continue;
        }
        if line.starts_with("#[") || line.starts_with(")]") {
            continue;
        }
        let words = doc.take().map_or(0, |words| words.len());
        is_first = true;
        if let Some(item) = item(line).filter(|item| item.is_public && words < DOC_WORDS) {
            found.push(format!("src/{path}: {} {} has {words} words", item.keyword, item.name));
        }
    }
    found
}

/// The commands of the reference page whose help ends without an example.
fn without_example(page: &str) -> Vec<&str> {
    let sections = page.split("\n## ").skip(1);
    let bare = sections.filter(|section| !["Examples:\n", "Start here:\n"].iter().any(|head| section.contains(head)));
    bare.map(|section| section.lines().next().unwrap_or_default()).collect()
}

#[test]
fn no_name_of_a_public_type_means_two_things() {
    assert_eq!(repeated(&texts()), Vec::<String>::new());
}

#[test]
fn every_public_item_is_explained() {
    let all: Vec<String> = texts().iter().flat_map(|(path, text)| unexplained(path, text)).collect();
    assert!(all.is_empty(), "a doc line has at least {DOC_WORDS} words:\n{}", all.join("\n"));
}

#[test]
fn every_command_shows_an_example() {
    let page = loopx::cli::command_line();
    assert!(page.contains("\n## loopx gate withdraw\n"), "the page has subcommands");
    assert_eq!(without_example(&page), Vec::<&str>::new());
}

#[test]
fn planted_faults_are_found() {
    let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let twice = BTreeMap::from([text("a.rs", "pub struct Step {}"), text("b.rs", "struct Step;\nenum Own {}")]);
    assert_eq!(repeated(&twice), ["Step: a.rs, b.rs"]);
    let private = BTreeMap::from([text("a.rs", "struct Step {}"), text("b.rs", "pub(super) struct Step;")]);
    assert_eq!(repeated(&private), Vec::<String>::new());
    let bare = "/// What it does here.\n#[must_use]\npub const fn run() {}\npub enum Bare {}\n/// One two three four five.\npub const ALL: u8 = 1;";
    assert_eq!(unexplained("a.rs", bare), ["src/a.rs: fn run has 4 words", "src/a.rs: enum Bare has 0 words"]);
    assert_eq!(without_example("# P\n\n## loopx a\nExamples:\n  loopx a\n\n## loopx b\ntext\n"), ["loopx b"]);
}

/// A file of the crate: what it defines and what it names elsewhere, by path of modules.
#[derive(Default)]
struct Module {
    /// The file that holds it.
    file: String,
    /// The items that it defines.
    items: BTreeSet<String>,
    /// The names that it imports, each with the whole path.
    imports: BTreeMap<String, Vec<String>>,
    /// Modules whose names it takes as they are.
    globs: Vec<Vec<String>>,
    /// Every path that its code names.
    paths: BTreeSet<Vec<String>>,
}

type Modules = BTreeMap<Vec<String>, Module>;

/// The module path of a file below `src`.
fn module_path(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib") {
        parts.pop();
    }
    parts
}

/// Code without comments and without what stands in quotes.
fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let mut quoted = false;
        let mut previous = ' ';
        for c in line.chars() {
            match c {
                '"' if previous != '\\' && previous != '\'' => quoted = !quoted,
                '/' if previous == '/' && !quoted => break,
                _ if quoted => {}
                _ => code.push(c),
            }
            previous = if previous == '\\' { ' ' } else { c };
        }
        code.push('\n');
    }
    code
}

/// Takes a use tree apart: every full path that it names, with the name that it gets here.
fn leaves(prefix: &[String], tree: &str, found: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, rest)) => (head.trim_end().trim_end_matches("::"), Some(rest.trim_end().trim_end_matches('}'))),
        None => (tree, None),
    };
    let (head, alias) = match head.split_once(" as ") {
        Some((head, alias)) if group.is_none() => (head, Some(alias.trim())),
        _ => (head, None),
    };
    let mut path = prefix.to_vec();
    path.extend(head.split("::").filter(|part| !part.is_empty()).map(|part| part.trim().to_owned()));
    let Some(group) = group else {
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = alias.map_or_else(|| path.last().cloned().unwrap_or_default(), str::to_owned);
        found.push((path, name));
        return;
    };
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                leaves(&path, &group[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        leaves(&path, &group[start..], found);
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Reads one file: what it defines, what it imports, which paths it names.
fn module(file: &str, text: &str) -> Module {
    let code = code(text);
    let mut module = Module { file: file.to_owned(), ..Module::default() };
    module.items =
        code.lines().filter(|line| !line.starts_with(' ')).filter_map(item).map(|it| it.name.to_owned()).collect();
    let mut rest = String::new();
    for (number, statement) in code.split(';').enumerate() {
        let begin = statement.rfind("use ").filter(|at| {
            statement[..*at].lines().last().is_none_or(|line| {
                let line = line.trim();
                line.is_empty() || line.starts_with("pub")
            })
        });
        let Some(begin) = begin.filter(|at| !statement[*at..].contains("fn ")) else {
            rest.push_str(statement);
            rest.push(if number == 0 { ' ' } else { ';' });
            continue;
        };
        rest.push_str(&statement[..begin]);
        let mut found = Vec::new();
        leaves(&[], &statement[begin + 4..], &mut found);
        for (path, name) in found {
            match name.as_str() {
                "*" => module.globs.push(path[..path.len() - 1].to_vec()),
                _ => {
                    let _ = module.imports.insert(name, path);
                }
            }
        }
    }
    let mut at = 0;
    while let Some(start) = rest[at..].find(is_name).map(|found| at + found) {
        let end = rest[start..].find(|c: char| !is_name(c) && c != ':').map_or(rest.len(), |found| start + found);
        at = end.max(start + 1);
        if rest[..start].ends_with('.') && !rest[..start].ends_with("..") || rest[..start].ends_with("::") {
            continue;
        }
        let path: Vec<String> = rest[start..end].trim_end_matches(':').split("::").map(str::to_owned).collect();
        // A word alone may be a variable; what is called is a function.
        let is_word = path.len() == 1 && path[0].starts_with(char::is_lowercase) && !rest[end..].starts_with('(');
        if !is_word && path.iter().all(|part| !part.is_empty() && !part.contains(':')) {
            module.paths.insert(path);
        }
    }
    module
}

/// The module that defines what a path names, as seen from a module.
fn home(modules: &Modules, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
    if depth > 12 || path.is_empty() {
        return None;
    }
    let mut at = from.to_vec();
    let mut rest = path;
    match path[0].as_str() {
        "crate" => (at, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        _ => {}
    }
    let here = modules.get(&at)?;
    let name = rest.first()?;
    let mut child = at.clone();
    child.push(name.clone());
    if modules.contains_key(&child) {
        let mut inner = vec!["self".to_owned()];
        inner.extend_from_slice(&rest[1..]);
        return if rest.len() == 1 { None } else { home(modules, &child, &inner, depth + 1) };
    }
    if here.items.contains(name) {
        return Some(at);
    }
    if let Some(target) = here.imports.get(name) {
        let mut target = target.clone();
        target.extend_from_slice(&rest[1..]);
        let is_same = target == path;
        return if is_same { None } else { home(modules, &at, &target, depth + 1) };
    }
    here.globs.iter().find_map(|glob| {
        let mut target = glob.clone();
        target.push(name.clone());
        home(modules, &at, &target, depth + 1)
    })
}

/// The circles among files: each file of one leads to the next, and the last to the first. A file leads to the files that
/// define what its code names; what a `mod.rs` only hands on leads nowhere.
fn circles(texts: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let modules: Modules = texts.iter().map(|(file, text)| (module_path(file), module(file, text))).collect();
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, it) in &modules {
        let homes = it.paths.iter().filter_map(|named| home(&modules, path, named, 0));
        let files = homes.map(|home| modules[&home].file.as_str()).filter(|file| *file != it.file);
        edges.insert(&it.file, files.collect());
    }
    // A file that leads to no other one that is left is in no circle, again and again.
    let mut left: BTreeSet<&str> = edges.keys().copied().collect();
    loop {
        let dead: Vec<&str> = left.iter().copied().filter(|file| edges[file].is_disjoint(&left)).collect();
        let free = |file: &&str| !left.iter().any(|other| edges[other].contains(file));
        let sources: Vec<&str> = left.iter().copied().filter(free).collect();
        if dead.is_empty() && sources.is_empty() {
            break;
        }
        left.retain(|file| !dead.contains(file) && !sources.contains(file));
    }
    left.iter()
        .map(|file| std::iter::once(*file).chain(edges[file].intersection(&left).copied()).map(str::to_owned).collect())
        .collect()
}

#[test]
fn no_file_leads_back_to_itself() {
    let found: Vec<String> = circles(&texts()).iter().map(|circle| circle.join(" -> ")).collect();
    assert!(found.is_empty(), "files that use each other:\n{}", found.join("\n"));
}

#[test]
fn a_planted_circle_is_found() {
    let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let straight = [
        text("lib.rs", "pub mod a;"),
        text("a/mod.rs", "mod b;\nmod c;\npub use b::B;\npub fn run() { c::run(); }\n"),
        text("a/b.rs", "pub struct B;\n"),
        text("a/c.rs", "use super::B;\npub fn run() -> B { B }\n"),
    ];
    assert_eq!(circles(&BTreeMap::from(straight.clone())), Vec::<Vec<String>>::new());
    let mut round = BTreeMap::from(straight);
    round.insert("a/b.rs".to_owned(), "use crate::a::run;\npub struct B;\nfn f() { run() }\n".to_owned());
    assert_eq!(circles(&round).len(), 3, "a/mod.rs -> a/c.rs -> a/b.rs -> a/mod.rs");
}
