//! Recall and false alarms on three corpora: one to develop on, one with other seeds, shapes and wrappers, and one that
//! stays unseen while the wall is tuned.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use rayon::prelude::*;

use super::corpora::{Case, Corpus, clean, refused, wall};

/// Judged texts by some name: how many there are, and how many were judged rightly.
type Table = BTreeMap<&'static str, (usize, usize)>;

#[derive(Debug, Default)]
struct Measured {
    classes: Table,
    wrappers: Table,
    clean: (usize, usize),
    wrong: Vec<String>,
}

/// All corpora, judged once.
static MEASURED: LazyLock<[Measured; 3]> = LazyLock::new(|| Corpus::ALL.map(measure));

fn measure(corpus: Corpus) -> Measured {
    let wall = wall();
    let mut measured = Measured::default();
    let judge = |cases: Vec<Case>| -> Vec<(Case, bool)> {
        cases
            .into_par_iter()
            .map(|case| {
                let found = !wall.scan_text(&case.text).is_empty();
                (case, found)
            })
            .collect()
    };
    for (case, found) in judge(refused(corpus)) {
        for (table, name) in [(&mut measured.classes, case.class), (&mut measured.wrappers, case.wrapper)] {
            let (all, right) = table.entry(name).or_default();
            *all += 1;
            *right += usize::from(found);
        }
        if !found {
            measured.wrong.push(format!("missed {} {} {}: {:?}", case.class, case.shape, case.wrapper, case.text));
        }
    }
    for (case, found) in judge(clean(corpus)) {
        measured.clean.0 += 1;
        measured.clean.1 += usize::from(!found);
        if found {
            let rows: Vec<&str> = wall.scan_text(&case.text).iter().map(|hit| hit.rule.id).collect();
            measured.wrong.push(format!("false alarm {} {rows:?}: {:?}", case.shape, case.text));
        }
    }
    measured
}

fn share((all, right): (usize, usize)) -> f64 {
    right as f64 / all.max(1) as f64
}

fn check(measured: &Measured, least: f64) {
    let mut short = Vec::new();
    for (name, counts) in measured.classes.iter().chain(&measured.wrappers) {
        if share(*counts) < least {
            short.push(format!("{name}: {:.4}", share(*counts)));
        }
    }
    let alarms = measured.clean.0 - measured.clean.1;
    if alarms * 10_000 > measured.clean.0 * 5 {
        short.push(format!("{alarms} false alarms in {}", measured.clean.0));
    }
    assert!(short.is_empty(), "{}\n{}", short.join("\n"), measured.wrong.join("\n"));
}

#[test]
fn the_development_corpus_is_refused_and_its_twins_pass() {
    check(&MEASURED[0], 0.99);
}

#[test]
fn the_held_out_corpus_is_refused_and_its_twins_pass() {
    check(&MEASURED[1], 0.97);
}

#[test]
fn the_unseen_corpus_is_refused_and_its_twins_pass() {
    check(&MEASURED[2], 0.97);
}

/// The page of the wall: its table, and what it finds.
fn page() -> String {
    let mut page = loopx_privacy::reference();
    page.push_str("\n## What it finds\n\nMeasured by `cargo test -p loopx-privacy` on three corpora that the tests build: one to develop on, one with other seeds, shapes and wrappers, and one that stays unseen while the wall is tuned.\n");
    for (title, measured) in ["Development", "Held out", "Unseen"].into_iter().zip(&*MEASURED) {
        write!(page, "\n### {title}\n").expect("text");
        for (head, table) in [("class", &measured.classes), ("wrapper", &measured.wrappers)] {
            write!(page, "\n| {head} | texts | recall |\n|---|---|---|\n").expect("text");
            for (name, counts) in table {
                writeln!(page, "| {name} | {} | {:.4} |", counts.0, share(*counts)).expect("text");
            }
        }
        let (all, right) = measured.clean;
        writeln!(page, "\nFalse alarms: {} in {all} texts that only look refused.", all - right).expect("text");
    }
    page.push_str(include_str!("../fixtures/real_text.md"));
    page.push_str(ELSEWHERE);
    page
}

/// What stays in this project's own pages and in others that are often shown.
const ELSEWHERE: &str = "
## Texts of others

`loopx scan` on READMEs of crates as they stand in a local registry, on this project's README, CONTRIBUTING, `docs/` and
`state-example`, and on the five contracts leaves these findings, each of which is what its row says:

| where | what stays | why it is right |
|---|---|---|
| `docs/first-screen.svg` | tool output | a picture of a terminal, with a prompt and what it printed |
| `docs/guide/ci.md` | tool output | an annotation as CI prints it, shown on purpose |
| `docs/reference/privacy.md` | transcript | this page, where it names what it refuses and passes |
| `docs/reference/schema` | forbidden field | a schema that names the fields which foreign summaries hold |
| syn, serde-saphyr | tool output | messages of the compiler, shown on purpose |
| proptest, humantime, memchr | tool output | panics, results of tests and a shell session, shown on purpose |
| jiff | local path | the home folder of its author |
| ahash | opaque blob | the key of a published sheet |

serde, serde_json, regex, clap, rayon, tempfile, thiserror, once_cell, libc and log give none. Whoever wants to keep such a
text in a state directory names rule, document and field in a reviewed exception.
";

#[test]
fn the_reference_page_is_fresh() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/privacy.md");
    let fresh = page();
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(&path, &fresh).expect("writable");
    }
    let stands = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stands == fresh, "docs/reference/privacy.md is stale; SNAPSHOTS=overwrite rewrites it");
}
