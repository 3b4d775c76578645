//! `loopx scan` as people start it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What one run said.
#[derive(Debug)]
struct Run {
    out: String,
    err: String,
    code: Option<i32>,
}

fn scan(place: &Path, arguments: &[&str], input: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
    command.current_dir(place).env_clear().args(["--now", "2026-03-07T12:00:00Z", "scan"]).args(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that reads no input may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
}

fn path() -> String {
    ["/ho", "me/sample/plan.txt"].concat()
}

/// The lines of the findings of a run in JSON, each with its rule.
fn found(run: &Run) -> Vec<(u64, String)> {
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    findings
        .map(|finding| (finding["line"].as_u64().unwrap_or(0), finding["rule"].as_str().unwrap_or_default().to_owned()))
        .collect()
}

#[test]
fn each_line_is_one_payload() {
    let place = tempfile::tempdir().expect("a folder");
    let path = path();
    let lines = format!(
        "\"fine\"\n{{\"a\": [{{\"b\": \"{path}\"}}]}}\nplain text with {path}\n\n{{\"{path}\": 1}}\n[1, true]\n"
    );
    let run = scan(place.path(), &["-", "--jsonl", "--format", "json"], &lines);
    assert_eq!(run.code, Some(1), "{run:?}");
    let rule = || "privacy/local-path".to_owned();
    assert_eq!(found(&run), [(2, rule()), (3, rule()), (5, rule())]);
    // Two lines are two payloads: nothing is joined over them.
    let halves = format!("\"gh{}_k7Qz2mXw9RbT4vNc\"\n\"8LpJk7Qz2mXw9RbT4vNc\"\n", "p");
    assert_eq!(scan(place.path(), &["-", "--jsonl"], &halves).code, Some(0));
}

#[test]
fn a_policy_adds_prefixes_and_hosts_where_there_is_no_state_directory() {
    let place = tempfile::tempdir().expect("a folder");
    let policy =
        "schema_version: loopx_policy_v0\nprivacy:\n  ticket_prefixes: [ACMEPAY]\n  private_hosts: [vault.sample.io]\n";
    std::fs::write(place.path().join("team.yaml"), policy).expect("a file");
    let text = "fixed ACMEPAY-12\nsee git.vault.sample.io\n";
    assert_eq!(scan(place.path(), &["-"], text).code, Some(0));
    let run = scan(place.path(), &["-", "--policy", "team.yaml", "--format", "json"], text);
    assert_eq!(found(&run), [(1, "privacy/ticket".to_owned()), (2, "privacy/private-network".to_owned())]);
    let missing = scan(place.path(), &["-", "--policy", "none.yaml"], text);
    assert_eq!(missing.code, Some(3), "{missing:?}");
}

#[test]
fn an_exception_excuses_one_field_until_it_ends_and_never_a_secret() {
    let place = tempfile::tempdir().expect("a folder");
    let exception = |rule: &str, end: &str| {
        format!(
            "schema_version: loopx_policy_v0\nprivacy:\n  exceptions:\n    - rule: {rule}\n      document: notes.yaml\n      \
             field: where.is\n      reason: shown in the manual\n      owner: maya\n      expires_at: {end}\n"
        )
    };
    let notes = format!("where:\n  is: see {}\nelse: fine\n", path());
    std::fs::write(place.path().join("notes.yaml"), notes).expect("a file");
    let code = |policy: &str| {
        std::fs::write(place.path().join("team.yaml"), policy).expect("a file");
        scan(place.path(), &["notes.yaml", "--policy", "team.yaml"], "").code
    };
    assert_eq!(code(&exception("privacy/local-path", "2026-04-01T00:00:00Z")), Some(0));
    assert_eq!(code(&exception("privacy/local-path", "2026-03-01T00:00:00Z")), Some(1), "its time is over");
    assert_eq!(code(&exception("privacy/ticket", "2026-04-01T00:00:00Z")), Some(1), "of another rule");
    let secret = format!("where:\n  is: gh{}_{}\n", "p", "k7Qz2mXw9RbT4vNc8LpJk7Qz2mXw9RbT4vNc");
    std::fs::write(place.path().join("notes.yaml"), secret).expect("a file");
    assert_eq!(code(&exception("privacy/secret", "2026-04-01T00:00:00Z")), Some(1), "a secret knows none");
}

#[test]
fn a_cleaned_copy_is_clean() {
    let place = tempfile::tempdir().expect("a folder");
    let text =
        format!("see {}\n\nUser: fix it\nAssis{}: done\n\nmail maya at maya.li{}mail.dev\n", path(), "tant", "@");
    std::fs::write(place.path().join("notes.txt"), &text).expect("a file");
    for (arguments, input) in [(&["notes.txt", "--redact"][..], ""), (&["-", "--redact"][..], text.as_str())] {
        let clean = scan(place.path(), arguments, input);
        assert_eq!(clean.code, Some(0), "{clean:?}");
        assert!(
            clean.out.contains("‹hidden: local path›") && clean.out.contains("‹hidden: personal data›"),
            "{clean:?}"
        );
        let again = scan(place.path(), &["-"], &clean.out);
        assert_eq!((again.code, again.err.as_str()), (Some(0), ""), "{again:?}");
    }
}

#[test]
fn every_format_says_where_and_none_says_what() {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::write(place.path().join("notes.txt"), format!("one\nsee {}\n", path())).expect("a file");
    for format in ["human", "concise", "json"] {
        let run = scan(place.path(), &["notes.txt", "--format", format], "");
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("notes.txt") && run.out.contains("privacy/local-path"), "{run:?}");
        assert!(!run.out.contains("sample") && !run.err.contains("sample"), "{run:?}");
    }
    assert_eq!(scan(place.path(), &["none.txt"], "").code, Some(3));
    assert_eq!(scan(place.path(), &["-", "notes.txt"], "").code, Some(2));
    assert_eq!(scan(place.path(), &["-"], "").code, Some(0), "nothing is clean");
}

#[test]
fn the_name_of_a_file_is_scanned_too() {
    let place = tempfile::tempdir().expect("a folder");
    let name = format!("gh{}_k7Qz2mXw9RbT4vNc8LpJk7Qz2mXw9RbT4vNc.txt", "p");
    std::fs::write(place.path().join(&name), "fine\n").expect("a file");
    let run = scan(place.path(), &[&name, "--format", "json"], "");
    assert_eq!(found(&run), [(0, "privacy/secret".to_owned())]);
    assert!(!run.out.contains("k7Qz2m"), "{run:?}");
}

/// A line with thousands of findings is told in time that grows with it: each finding once searched its whole line again.
/// A line of a quarter of a mebibyte is compared with an eighth of it, told eight times; a square would take eight times
/// as long, and a machine that is busy is so for both. Only a ratio that is bad four times counts.
#[test]
fn a_long_line_with_many_findings_costs_no_more_than_its_length() {
    let place = tempfile::tempdir().expect("a folder");
    let word = format!("see {} ", path());
    let line = |bytes: usize| word.repeat(bytes / word.len());
    for format in ["human", "concise", "json"] {
        let time = |text: &str, times: usize| {
            let start = std::time::Instant::now();
            for _ in 0..times {
                let run = scan(place.path(), &["-", "--format", format], text);
                assert_eq!(run.code, Some(1));
                assert!(!run.out.contains("sample"));
            }
            start.elapsed().as_secs_f64()
        };
        let ratio = || time(&line(1 << 18), 1) / time(&line(1 << 15), 8);
        let ratios: Vec<f64> = std::iter::repeat_with(ratio).take(4).take_while(|ratio| *ratio > 3.0).collect();
        assert!(ratios.len() < 4, "{format}: {ratios:?}");
    }
}

#[test]
fn what_cannot_be_scanned_is_named() {
    let place = tempfile::tempdir().expect("a folder");
    for arguments in [&["nosuch.txt"][..], &["nosuch.txt", "--redact"], &["there.txt", "nosuch.txt"]] {
        std::fs::write(place.path().join("there.txt"), "fine\n").expect("a file");
        let run = scan(place.path(), arguments, "");
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{run:?}");
        assert!(run.err.contains("nosuch.txt: "), "{run:?}");
    }
    std::fs::create_dir(place.path().join("empty")).expect("a folder");
    let run = scan(place.path(), &["empty"], "");
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.starts_with("error[nothing_to_scan]") && run.err.contains("loopx scan -"), "{run:?}");
}

/// The page of the wall lists what stays in this project's own pages, with the reason; nothing else does.
#[test]
fn in_our_own_pages_only_what_is_listed_is_found() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/reference/privacy.md")).expect("the page");
    let (_, listed) = page.split_once("## Texts of others").expect("the list");
    let scan = ["scan", "docs", "README.md", "CONTRIBUTING.md", "state-example", "--format", "concise"];
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_loopx")).current_dir(root).args(scan).output().expect("loopx");
    let found = String::from_utf8(output.stdout).expect("Unicode");
    assert!(found.lines().count() >= 3, "{found}");
    for line in found.lines() {
        let (path, rest) = line.split_once(':').expect("a place");
        let class = rest.split("privacy/").nth(1).and_then(|rest| rest.split(' ').next()).expect("a rule");
        let is_listed = |row: &str| {
            let mut cells = row.split('|').map(str::trim).skip(1);
            let place = cells.next().unwrap_or_default().trim_matches('`');
            !place.is_empty() && path.starts_with(place) && cells.next() == Some(&class.replace('-', " "))
        };
        assert!(listed.lines().any(is_listed), "{line}");
    }
}

/// Bytes in a file, on standard input, and under another ending are judged alike.
#[test]
fn a_verdict_depends_on_what_a_file_holds_and_not_on_its_name() {
    let place = tempfile::tempdir().expect("a folder");
    let texts = [
        "schema_version: x\nenv: production\n".to_owned(),
        "env: production\njobs:\n  build: ${{ secrets.SAMPLE }}\n".to_owned(),
        format!("see {}\n", path()),
        format!("{{\"where\": \"{}\"}}\n", path()),
    ];
    for text in &texts {
        let verdicts = ["a.yaml", "b.yml", "c.txt", "d.json"].map(|name| {
            std::fs::write(place.path().join(name), text).expect("a file");
            scan(place.path(), &[name], "").code
        });
        let input = scan(place.path(), &["-"], text).code;
        assert!(verdicts.iter().all(|verdict| *verdict == input), "{text} {verdicts:?} {input:?}");
    }
    assert_eq!(scan(place.path(), &["-"], &texts[0]).code, Some(1), "a field of our document");
    assert_eq!(scan(place.path(), &["-"], &texts[1]).code, Some(0), "a workflow of somebody else");
}

#[test]
fn binary_content_is_counted_as_not_scanned_and_refused_in_payloads() {
    let place = tempfile::tempdir().expect("a folder");
    let binary = [b"\x7fELF\0\0 ".as_slice(), path().as_bytes(), b"\0\xff"].concat();
    std::fs::write(place.path().join("tool.bin"), &binary).expect("a file");
    std::fs::write(place.path().join("notes.txt"), "fine\n").expect("a file");
    let run = scan(place.path(), &["tool.bin", "notes.txt"], "");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("tool.bin: binary, not scanned"), "{run:?}");
    assert!(run.out.contains("1 file clean, 1 not scanned."), "{run:?}");
    let strings = scan(place.path(), &["tool.bin", "--binary", "--format", "json"], "");
    assert_eq!(found(&strings).iter().map(|(_, rule)| rule.as_str()).collect::<Vec<_>>(), ["privacy/local-path"]);
    let lines = scan(place.path(), &["tool.bin", "--jsonl", "--format", "json"], "");
    assert!(found(&lines).iter().any(|(_, rule)| rule == "privacy/opaque-blob"), "{lines:?}");
}

#[test]
fn findings_of_one_rule_in_one_file_are_capped_with_their_count() {
    let place = tempfile::tempdir().expect("a folder");
    let text = format!("see {}\n", path()).repeat(250);
    let run = scan(place.path(), &["-", "--format", "json"], &text);
    assert_eq!(found(&run).len(), 100, "{run:?}");
    assert!(run.out.contains("150 more of this rule in this file are not listed"), "{run:?}");
}

#[test]
fn a_file_that_is_missing_is_named() {
    let place = tempfile::tempdir().expect("a folder");
    let run = scan(place.path(), &["none.txt"], "");
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("none.txt"), "{run:?}");
}

#[test]
fn a_large_file_is_read_in_windows_and_its_lines_are_right() {
    let place = tempfile::tempdir().expect("a folder");
    let filler = "nothing stands in this line\n".repeat(330_000);
    std::fs::write(place.path().join("large.txt"), format!("{filler}see {}\n", path())).expect("a file");
    let run = scan(place.path(), &["large.txt", "--format", "json"], "");
    assert_eq!(found(&run), [(330_001, "privacy/local-path".to_owned())], "{run:?}");
}

#[test]
fn what_init_writes_scans_clean() {
    let place = tempfile::tempdir().expect("a folder");
    for command in [&["git", "init", "--quiet", "."][..], &[env!("CARGO_BIN_EXE_loopx"), "init", "--ci", "github"]] {
        let status = Command::new(command[0]).current_dir(place.path()).args(&command[1..]).output();
        assert!(status.expect("it starts").status.success(), "{command:?}");
    }
    let run = scan(place.path(), &["."], "");
    assert_eq!((run.code, run.out.contains("privacy/")), (Some(0), false), "{run:?}");
}

#[test]
fn what_was_typed_is_named_and_empty_input_is_said() {
    let place = tempfile::tempdir().expect("a folder");
    for arguments in [&["-"][..], &[]] {
        let run = scan(place.path(), arguments, "");
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.err.starts_with("standard input is empty") && run.err.contains("loopx scan -"), "{run:?}");
    }
    let loopx = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        let output = command.current_dir(place.path()).env_clear().args(arguments).output().expect("it runs");
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    assert!(loopx(&["project", "nosuch.json"]).contains("nosuch.json: "));
    assert!(loopx(&["-C", "nosuch", "scan", "."]).contains("-C nosuch: "));
}

/// Nothing that stands in a folder makes a walk wait, and what it cannot list is named.
#[cfg(unix)]
#[test]
fn a_walk_ends_at_pipes_and_names_what_it_cannot_list() {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(place.path().join("odd")).expect("a folder");
    std::fs::write(place.path().join("fine.txt"), "fine\n").expect("written");
    let pipe = place.path().join("odd/.gitignore");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let run = scan(place.path(), &["."], "");
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.contains("odd: not read"), "{run:?}");
    let run = scan(&place.path().join("odd"), &["."], "");
    assert_eq!(run.code, Some(3), "{run:?}");
    std::fs::remove_file(pipe).expect("removed");
    // Deeper than a path may be long.
    let name = "n".repeat(200);
    let (above, below) = (place.path().join("above"), place.path().join("below"));
    std::fs::create_dir(&below).expect("a folder");
    for _ in 0..25 {
        std::fs::create_dir(&above).expect("a folder");
        std::fs::rename(&below, above.join(&name)).expect("moved");
        std::fs::rename(&above, &below).expect("moved");
    }
    let run = scan(place.path(), &["."], "");
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.contains(&name), "{run:?}");
}
