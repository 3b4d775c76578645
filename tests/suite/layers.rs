//! Modules import one way: a module uses only the modules above it in `src/lib.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The modules in their order, from the `pub mod` lines of `lib.rs`.
fn order(lib: &str) -> BTreeMap<String, usize> {
    let names = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.enumerate().map(|(rank, name)| (name.to_owned(), rank)).collect()
}

/// What is wrong with the imports of one file of a module.
fn faults(order: &BTreeMap<String, usize>, module: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let rank = order[module];
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for used in code.split("crate::").skip(1) {
            let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            match order.get(&used) {
                Some(other) if *other > rank => faults.push(format!("line {}: {module} uses {used}", number + 1)),
                None if used.is_empty() => faults.push(format!("line {}: braces across modules", number + 1)),
                _ => {}
            }
        }
        if code.contains("super::super::super") {
            faults.push(format!("line {}: climbs out of the module", number + 1));
        }
    }
    faults
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of a module").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn modules_import_one_way() {
    let order = order(&std::fs::read_to_string(source().join("lib.rs")).expect("lib.rs"));
    assert!(order.len() >= 7, "lib.rs lists the modules");
    let mut wrong = Vec::new();
    for module in order.keys() {
        for path in files(&source().join(module)) {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let name = path.strip_prefix(source()).expect("below src").display().to_string();
            wrong.extend(faults(&order, module, &text).into_iter().map(|fault| format!("src/{name}: {fault}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_says_what_it_must_not_know() {
    let order = order(&std::fs::read_to_string(source().join("lib.rs")).expect("lib.rs"));
    for module in order.keys() {
        let text = std::fs::read_to_string(source().join(module).join("mod.rs")).expect("a module has a mod.rs");
        assert!(text.starts_with("//!"), "src/{module}/mod.rs opens with a description");
        assert!(text.contains("Must not know"), "src/{module}/mod.rs says what the module must not know");
    }
}

#[test]
fn a_wrong_import_is_found() {
    let order = order("pub mod document;\npub mod finding;\npub mod app;\n");
    assert_eq!(faults(&order, "finding", "use crate::document::Span;\n"), Vec::<String>::new());
    assert_eq!(faults(&order, "finding", "use crate::app::run;\n"), ["line 1: finding uses app"]);
    assert_eq!(faults(&order, "finding", "fn f() { crate::app::run() }\n"), ["line 1: finding uses app"]);
    assert_eq!(faults(&order, "app", "use crate::{document, finding};\n"), ["line 1: braces across modules"]);
    assert_eq!(faults(&order, "finding", "use super::super::super::app;\n"), ["line 1: climbs out of the module"]);
}
