//! Measures the scanner on what other people wrote: `measure real DIR...`, `measure forms`.
//!
//! `real` scans every text file below some folders and prints findings per class and MB of text; `--list ROW` also
//! prints where a row (or `all`) found something, `--show` the line there. `forms` draws values for the vendors' forms of
//! the tests' fixture and lists those that are judged wrongly.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use loopx_privacy::{Class, Hit, Policy, Wall};
use rayon::prelude::*;

#[expect(dead_code, reason = "the tests use the rest of it")]
#[path = "../tests/suite/chance.rs"]
mod chance;
#[path = "../tests/suite/forms.rs"]
mod forms;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.split_first() {
        Some((mode, rest)) if mode == "real" => real(rest),
        Some((mode, rest)) if mode == "forms" => of_forms(rest.first().map_or("one", String::as_str)),
        Some((mode, [file, ..])) if mode == "payload" => payload(file),
        Some((mode, [file, prefixes @ ..])) if mode == "corpus" => corpus(file, prefixes),
        // `cargo bench` without arguments only shows that it builds.
        _ => {}
    }
    ExitCode::SUCCESS
}

/// Prints a line, or ends quietly when nobody reads it.
fn say(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Judges the vendors' forms.
fn of_forms(seed: &str) {
    let wall = Wall::shipped();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for form in forms::forms() {
        let text = form.drawn(seed);
        let is_found = !wall.scan_text(&text).is_empty();
        let (name, is_right) = match form.kind {
            forms::Kind::Secret => ("secret", is_found),
            forms::Kind::Clean => ("clean", !is_found),
            forms::Kind::Identifier => continue,
        };
        let (all, right) = counts.entry(name).or_default();
        *all += 1;
        *right += usize::from(is_right);
        if !is_right {
            say(&format!("{name}\t{}\t{:?}\t{:?}", form.rule, form.form, text));
        }
    }
    counts.iter().for_each(|(name, (all, right))| say(&format!("{name}: {right} of {all} right")));
}

/// Scans each line of a file as one payload.
fn payload(file: &str) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let found: usize = text.lines().map(|line| Wall::shipped().scan_payload(line).len()).sum();
    say(&format!("{found} findings"));
}

/// Judges a labelled corpus: one row `{label, cls, wrap, text}` a line; the rest are the team's ticket prefixes.
fn corpus(file: &str, prefixes: &[String]) {
    let wall = Wall::new(&Policy { ticket_prefixes: prefixes.to_vec(), ..Policy::default() });
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let rows: Vec<serde_json::Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let judge = |row: &serde_json::Value| {
        let text = row["text"].as_str().unwrap_or_default();
        let rows: Vec<&str> = wall.scan_text(text).iter().map(|hit| hit.rule.id).collect();
        (rows.is_empty() != (row["label"] == 1), rows.join(","))
    };
    let judged: Vec<(bool, String)> = rows.par_iter().map(judge).collect();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (row, (is_right, found)) in rows.iter().zip(&judged) {
        let label = if row["label"] == 1 { "refuse" } else { "pass" };
        for name in
            [label.to_owned(), format!("{label} class {}", row["cls"]), format!("{label} wrapper {}", row["wrap"])]
        {
            let (all, right) = counts.entry(name).or_default();
            *all += 1;
            *right += usize::from(*is_right);
        }
        if !is_right {
            say(&format!("{label}\t{}\t{}\t{found}\t{}", row["cls"], row["wrap"], row["text"]));
        }
    }
    for (name, (all, right)) in &counts {
        if right < all {
            say(&format!("{name}: {right} of {all}, {:.4}", *right as f64 / *all as f64));
        }
    }
    say(&format!("{} rows", rows.len()));
}

/// Scans folders.
fn real(arguments: &[String]) {
    let is_option = |name: &str| arguments.iter().any(|argument| argument == name);
    let list = arguments.iter().position(|it| it == "--list").and_then(|at| arguments.get(at + 1));
    let mut files = Vec::new();
    for folder in arguments.iter().filter(|argument| !argument.starts_with("--") && Some(*argument) != list) {
        below(Path::new(folder), &mut files);
    }
    let (read, effort) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wall = Wall::shipped();
    let scan = |path: &PathBuf| -> Vec<(Class, &'static str, String)> {
        let is_lossy = is_option("--binary");
        let Some(bytes) =
            std::fs::read(path).ok().filter(|bytes| is_lossy || !bytes[..bytes.len().min(8192)].contains(&0))
        else {
            return Vec::new();
        };
        let Ok(text) = String::from_utf8(bytes).or_else(|error| match is_lossy {
            true => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            false => Err(error),
        }) else {
            return Vec::new();
        };
        read.fetch_add(text.len(), Ordering::Relaxed);
        if is_option("--effort") {
            effort.fetch_add(wall.effort(&text), Ordering::Relaxed);
        }
        let place = |hit: &Hit| {
            let line = text[..hit.span.start].bytes().filter(|&byte| byte == b'\n').count() + 1;
            let shown: String =
                text[hit.span.clone()].chars().take(if is_option("--show") { 160 } else { 0 }).collect();
            let from = text[..hit.span.start].rfind('\n').map_or(0, |at| at + 1);
            let before: String =
                text[from..hit.span.start].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
            let before = if is_option("--show") { before } else { String::new() };
            format!("{}:{line}\t{before:?}\t{shown:?} {:?}", path.display(), hit.decoder)
        };
        wall.scan_text(&text).iter().map(|hit| (hit.rule.class, hit.rule.id, place(hit))).collect()
    };
    let found: Vec<_> = files.par_iter().flat_map_iter(scan).collect();
    let megabytes = read.load(Ordering::Relaxed) as f64 / 1e6;
    say(&format!("{} files, {megabytes:.1} MB of text, {} findings", files.len(), found.len()));
    if is_option("--effort") {
        say(&format!("bytes read per byte: {:.2}", effort.load(Ordering::Relaxed) as f64 / 1e6 / megabytes));
    }
    let mut rows: BTreeMap<(Class, &str), usize> = BTreeMap::new();
    found.iter().for_each(|(class, row, _)| *rows.entry((*class, row)).or_default() += 1);
    for class in Class::all() {
        let of_class: Vec<_> = rows.iter().filter(|((one, _), _)| *one == class).collect();
        let all: usize = of_class.iter().map(|(_, count)| **count).sum();
        let named: Vec<String> = of_class.iter().map(|((_, row), count)| format!("{row} {count}")).collect();
        say(&format!("{}\t{all}\t{:.3}/MB\t{}", class.rule(), all as f64 / megabytes, named.join(", ")));
    }
    for (class, row, place) in found
        .iter()
        .filter(|(class, row, _)| list.is_some_and(|list| list == "all" || list == row || *list == class.rule()))
    {
        say(&format!("{}\t{row}\t{place}", class.rule()));
    }
}

/// Lists the files below a folder.
fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => below(&entry.path(), files),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}
