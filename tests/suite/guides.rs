//! The pages for people run as they are written: the README's recipes, and each guide as a story.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::receipts::team::NOW;
use crate::store::sandbox::{Sandbox, put, put_program};

/// A fenced block: its first line behind the fence, and its lines.
pub(crate) struct Block {
    pub(crate) kind: String,
    pub(crate) text: String,
    /// Where the text stands in the page.
    start: usize,
}

pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut place = 0;
    for line in page.split_inclusive('\n') {
        place += line.len();
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => {
                open = Some(Block { kind: kind.trim().to_owned(), text: String::new(), start: place });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.text.push_str(line),
            (None, None) => {}
        }
    }
    blocks
}

/// A folder in front of `PATH` whose `loopx` sees the time of the story, or that of `NOW`.
pub(crate) fn with_loopx(sandbox: &Sandbox) -> String {
    let real = env!("CARGO_BIN_EXE_loopx");
    put_program(&sandbox.path("bin"), "loopx", &format!("#!/bin/sh\nexec '{real}' --now \"${{NOW:-{NOW}}}\" \"$@\"\n"));
    format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap_or_default())
}

/// Runs a block, which must succeed; gives what it says.
pub(crate) fn run(sandbox: &Sandbox, folder: &Path, path: &str, script: &str) -> String {
    let mut command = Command::new("sh");
    sandbox.scrub(&mut command);
    let output = command.env("PATH", path).current_dir(folder).args(["-e", "-c", script]).output().expect("a shell");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("Unicode");
    assert!(output.status.success(), "{script}\n{said}");
    said
}

/// Runs a guide in a fresh folder: each `sh` block must succeed, each `text` block is what the one before it says.
pub(crate) fn runs_as_written(guide: &str, shows_at_least: usize) {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide").join(guide);
    let mut page = std::fs::read_to_string(&file).expect("the guide");
    let sandbox = Sandbox::new();
    let folder = sandbox.path("ledger");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = with_loopx(&sandbox);
    let (mut said, mut shown) = (String::new(), Vec::new());
    for block in blocks(&page) {
        match block.kind.as_str() {
            "sh" => said = run(&sandbox, &folder, &path, &block.text),
            "text" => shown.push((block, std::mem::take(&mut said))),
            other => panic!("no block is of kind {other:?}"),
        }
    }
    assert!(shown.len() >= shows_at_least, "the guide shows what it says");
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        for (block, said) in shown.iter().rev() {
            page.replace_range(block.start..block.start + block.text.len(), said);
        }
        std::fs::write(&file, page).expect("writable");
        return;
    }
    for (block, said) in &shown {
        assert_eq!(block.text, *said, "SNAPSHOTS=overwrite cargo test guides");
    }
}

#[test]
fn the_guide_to_deciding_runs_as_it_is_written() {
    runs_as_written("decide.md", 8);
}

#[test]
fn the_guide_to_connecting_runs_as_it_is_written() {
    runs_as_written("connect.md", 5);
}

#[test]
fn the_guide_to_reviewing_runs_as_it_is_written() {
    runs_as_written("review.md", 5);
}

#[test]
fn the_guide_to_a_day_runs_as_it_is_written() {
    runs_as_written("a-day.md", 12);
}

/// The recipes follow one another in one folder, as a newcomer would type them; what builds loopx runs it instead.
#[test]
fn the_recipes_of_the_readme_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let sandbox = Sandbox::new();
    let folder = sandbox.path("team");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = with_loopx(&sandbox);
    let person = "[user]\nname = A Newcomer\nemail = newcomer@users.noreply.example\n[init]\ndefaultBranch = main\n";
    put(&sandbox.path("home"), ".gitconfig", person);
    let consoles: Vec<_> = blocks(&page).into_iter().filter(|block| block.kind == "console").collect();
    let (opening, recipes) = consoles.split_at(2);
    let shows = opening[0].text.replace("$ cargo run --release --", concat!("'", env!("CARGO_BIN_EXE_loopx"), "'"));
    assert!(run(&sandbox, root, &path, &shows).contains("GOAL"), "{shows}");
    assert_eq!(opening[1].text, "$ ./check\n");
    assert!(root.join("check").is_file());
    assert!(recipes.len() >= 5, "five recipes");
    for recipe in recipes {
        let commands: Vec<_> = recipe.text.lines().map(|line| line.strip_prefix("$ ").expect("a command")).collect();
        // What watches ends after its first look, and nobody decides in the very second in which somebody asks.
        let script = commands.join("\n").replace("loopx watch", "loopx watch --once");
        let script = script.replace("loopx gate", "loopx --now 2026-03-08T09:00:00Z gate");
        run(&sandbox, &folder, &path, &script);
    }
}
