//! Recall and false alarms on three corpora: one to develop on, one with other seeds, shapes and wrappers, and one that
//! stays unseen while the wall is tuned.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use loopx::privacy::{Policy, Wall};
use rayon::prelude::*;

use super::chance::Chance;
use super::clean::{FAMILIES, Family};
use super::shapes::{SHAPES, Shape};
use super::unseen;
use super::wrappers::{WRAPPERS, Wrapper};

/// How often each shape meets each wrapper, and how many texts a family has.
const REPEATS: usize = 3;
const CLEAN: usize = 130;

/// One text with what is known of it.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) class: &'static str,
    pub(super) shape: &'static str,
    pub(super) wrapper: &'static str,
    pub(super) text: String,
}

/// The wall of the team that both corpora speak of.
pub(super) fn wall() -> Wall {
    let ticket_prefixes = ["ACMEPAY", "INFRASEC", "PRODX"].map(String::from).to_vec();
    Wall::new(&Policy { ticket_prefixes, ..Policy::default() })
}

/// One of the corpora.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corpus {
    /// The wall is tuned on it.
    Development,
    /// Every pair in which the shape or the wrapper was held out of development.
    HeldOut,
    /// Shapes, wrappers and families of their own.
    Unseen,
}

impl Corpus {
    const ALL: [Self; 3] = [Self::Development, Self::HeldOut, Self::Unseen];

    /// The name; chance depends on it too.
    fn name(self) -> &'static str {
        match self {
            Self::Development => "development",
            Self::HeldOut => "held out",
            Self::Unseen => "unseen",
        }
    }

    fn parts(self) -> (&'static [Shape], &'static [Wrapper], &'static [Family]) {
        match self {
            Self::Unseen => (unseen::SHAPES, unseen::WRAPPERS, unseen::FAMILIES),
            _ => (SHAPES, WRAPPERS, FAMILIES),
        }
    }

    /// Whether something that is held out or not belongs to it.
    fn takes(self, held: bool) -> bool {
        held == (self != Self::Development)
    }
}

/// What must be refused.
pub(super) fn refused(corpus: Corpus) -> Vec<Case> {
    let (shapes, wrappers, _) = corpus.parts();
    let mut cases = Vec::new();
    for shape in shapes {
        for wrapper in
            wrappers.iter().filter(|wrapper| wrapper.classes.is_empty() || wrapper.classes.contains(&shape.class))
        {
            if !corpus.takes(shape.held || wrapper.held) {
                continue;
            }
            for number in 0..REPEATS {
                let mut chance =
                    Chance::of(&[corpus.name(), shape.class, shape.name, wrapper.name, &number.to_string()]);
                let material = (shape.build)(&mut chance);
                let text = (wrapper.wrap)(&material, &mut chance);
                cases.push(Case { class: shape.class, shape: shape.name, wrapper: wrapper.name, text });
            }
        }
    }
    cases
}

/// What must pass.
pub(super) fn clean(corpus: Corpus) -> Vec<Case> {
    let families = corpus.parts().2.iter().filter(|family| corpus.takes(family.held));
    families
        .flat_map(|family| {
            (0..CLEAN).map(move |number| {
                let mut chance = Chance::of(&[corpus.name(), "clean", family.name, &number.to_string()]);
                Case { class: "clean", shape: family.name, wrapper: "plain", text: (family.build)(&mut chance) }
            })
        })
        .collect()
}

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
    let mut page = loopx::privacy::reference();
    page.push_str("\n## What it finds\n\nMeasured by `cargo test --test suite privacy` on three corpora that the tests build: one to develop on, one with other seeds, shapes and wrappers, and one that stays unseen while the wall is tuned.\n");
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
    page.push_str(ELSEWHERE);
    page
}

/// What no corpus shows: the first reading of the third one, and texts of others.
const ELSEWHERE: &str = "
When the third corpus was first read, before anything had been changed for it, the wall found .959 of its secrets, .958 of
its opaque blobs, more than .97 of every other class, and gave 4 false alarms in 6500 texts. What was missed was seven kinds:
a key that ends in `_base`, a handle behind `task_e_`, a chat whose first line follows other words, tabs in quoted-printable,
marks of comments and of added lines before a compiler's arrow, before a share and before hex, and the head of an HTTP
answer in the middle of a line. All are found since; the seeds may be changed in `Corpus::name` to look again.

A fourth corpus was written outside the project by somebody who had not yet read the wall: 569 shapes of other vendors,
hosts, agents and tools, 123 ways of writing, 7,588 texts to refuse and 7,936 to pass. It was unseen when it was measured:
the wall found .775 of it (.882 of what stood there plainly), and gave 130 false alarms, 95 of them for certificates of
several lines. By class: tool output .854, document links .849, private networks .819, local paths .795, secrets .792,
tickets .754, transcripts .753, session links .722, personal data .712, opaque blobs .705, invisible characters .640. Not
read at all were base85, uuencode, numbers in decimal, octal and binary, small base32, hex in words, and the escapes of style
sheets and rich text. Its kinds are in the table now, and stand as held-out cases above; with another seed the wall finds
.988 of it and gives no false alarm. What it still misses is UTF-7, split phone numbers and split cards. Left out there as
open to dispute are paths below `$HOME`, a bare session id as a field, questions with answers, invisible characters that
are spelt out and controls in decoded bytes; of the texts to pass, `/opt` and the home of `user`. Words split over neighbours stay
its weakest part, between .82 and .96 by wrapper.

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
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/privacy.md");
    let fresh = page();
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(&path, &fresh).expect("writable");
    }
    let stands = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stands == fresh, "docs/reference/privacy.md is stale; SNAPSHOTS=overwrite rewrites it");
}
