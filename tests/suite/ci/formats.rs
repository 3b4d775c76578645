//! `--format sarif` and `--format github` as a step runs them.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const BROKEN: &str = "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: x\ntitle: t\ntask_class: advancement\n";

/// A folder with one document that lint refuses.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::write(place.path().join("todo.yaml"), BROKEN).expect("a file");
    place
}

/// Runs the program without a token, a home or anything else of a host, but with a page for the step.
fn loopx(place: &Path, arguments: &[&str], page: Option<&Path>, out: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
    command.current_dir(place).env_clear().args(arguments).stdout(out).stderr(Stdio::piped());
    if let Some(page) = page {
        command.env("GITHUB_STEP_SUMMARY", page);
    }
    command.output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("Unicode")
}

/// P07: a fork has no token and no secret, and everything works; the result is a file.
#[test]
fn annotations_go_to_the_log_and_the_whole_list_to_the_page_of_the_step() {
    let place = place();
    let page = place.path().join("page.md");
    std::fs::write(&page, "before\n").expect("a file");
    let said = loopx(place.path(), &["lint", "todo.yaml", "--format", "github"], Some(&page), Stdio::piped());
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    let line = "::error file=todo.yaml,line=5,endLine=5,col=13,endColumn=24,title=vocabulary/unknown-value::";
    assert!(text(&said.stdout).starts_with(line), "{}", text(&said.stdout));
    assert_eq!(text(&said.stderr), "");
    let page = std::fs::read_to_string(page).expect("the page");
    assert!(page.starts_with("before\n### loopx\n\n1 document: 0 clean, 1 with errors.\n"), "{page}");
    assert!(page.contains("| error | `vocabulary/unknown-value` | `todo.yaml:5:13` |"), "{page}");

    let alone = loopx(place.path(), &["lint", "todo.yaml", "--format", "github"], None, Stdio::piped());
    assert_eq!((alone.status.code(), alone.stdout), (said.status.code(), said.stdout));
}

#[test]
fn scan_and_lint_write_sarif() {
    let place = place();
    let secret = ["gh", "p_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"].concat();
    std::fs::write(place.path().join("notes.txt"), format!("kept: {secret}\n")).expect("a file");
    for (arguments, rule) in
        [(["lint", "todo.yaml"], "vocabulary/unknown-value"), (["scan", "notes.txt"], "privacy/secret")]
    {
        let arguments = [&arguments[..], &["--format", "sarif"]].concat();
        let said = loopx(place.path(), &arguments, None, Stdio::piped());
        assert_eq!(said.status.code(), Some(1), "{said:?}");
        let log: Value = serde_json::from_slice(&said.stdout).expect("JSON and nothing else");
        assert_eq!(log["runs"][0]["results"][0]["ruleId"], rule);
        assert!(!text(&said.stdout).contains(&secret));
    }
}

/// P10: what cannot be written is told apart from findings and from a clean run.
#[test]
fn output_that_cannot_be_written_is_a_failure_of_its_own() {
    let place = place();
    let said = loopx(place.path(), &["lint", "todo.yaml", "--format", "github"], Some(place.path()), Stdio::piped());
    assert_eq!(said.status.code(), Some(3), "{said:?}");
    assert!(text(&said.stderr).starts_with("error[cannot_write_output]:"), "{}", text(&said.stderr));
    for format in ["sarif", "github", "json"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let said = loopx(place.path(), &["lint", "todo.yaml", "--format", format], None, full.into());
        assert_eq!(said.status.code(), Some(3), "{format}: {said:?}");
    }
}

#[test]
fn no_other_command_takes_the_formats_of_hosts() {
    let place = place();
    for format in ["sarif", "github"] {
        let said = loopx(place.path(), &["status", "--format", format], None, Stdio::piped());
        assert_eq!(said.status.code(), Some(2), "{said:?}");
        assert!(text(&said.stderr).contains("only `loopx lint` and `loopx scan`"), "{}", text(&said.stderr));
    }
}
