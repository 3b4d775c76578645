//! Output of tools: logs, stack traces, test runs, diffs, dumps.

use std::ops::Range;

use crate::privacy::class::Class;
use crate::privacy::row::Gate::{Shape, Words};
use crate::privacy::row::Piece::Lit;
use crate::privacy::row::{Find, Row};

/// A row of one pattern.
macro_rules! output {
    ($id:literal, $what:literal, $gate:expr, $pattern:expr, $refused:expr, $clean:expr) => {
        Row {
            id: $id,
            class: Class::ToolOutput,
            what: $what,
            source: "what the tools print",
            find: Find::Pattern { gate: $gate, pattern: $pattern, check: |_| true },
            refused: $refused,
            clean: $clean,
        }
    };
}

/// The start of a line, whatever indents or quotes it.
macro_rules! line {
    () => {
        r#"(?m)(?:^|\\n|["'=])[\s>|#*"'`-]{0,24}"#
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    output!("colour-remains", "colour codes whose escape character was stripped",
        Words(&["[0m", "[1m", "[2m", "[3", "[4", "[9", "[m", "[0;", "[1;", "[2;"]), r"\[[0-9]{1,3}(?:;[0-9]{1,3}){0,4}m[^\[\n]{0,200}\[(?:0|39|49|22)?m",
        &[&[Lit("[32m"), Lit("ok[0m test_a")]], &[&[Lit("a [32m wide ditch")]]),
    output!("python-trace", "a Python traceback",
        Words(&["traceback (most", ", line "]), r#"Traceback \(most recent call last\)|\bFile \\{0,3}["'][^"'\n]{1,200}["'], line [0-9]{1,7}, in "#,
        &[&[Lit("Traceback (most re"), Lit("cent call last):\n  File \"app/m.py\", line 3, in run")]], &[&[Lit("stack trace omitted, see evidence pointer")]]),
    output!("javascript-trace", "a JavaScript stack trace",
        Words(&[".js:", ".ts:", ".mjs:", ".cjs:", ".jsx:", ".tsx:", "anonymous>", "node:", ".vue:"]), concat!(line!(), r"at (?:[\w.$<>\[\] ]{1,120} \()?[^\s()]{1,200}:[0-9]{1,7}:[0-9]{1,7}\)?"),
        &[&[Lit("TypeError: x is not a function\n    at ru"), Lit("n (src/a.js:3:7)")]], &[&[Lit("meet at 10:30:00 in room 4")]]),
    output!("rust-panic", "a Rust panic or backtrace",
        Words(&["panicked at", "stack backtrace:"]), r"thread '[^'\n]{1,80}'(?: \([0-9]{1,9}\))? panicked at|\bpanicked at [^\n]{1,200}:[0-9]{1,7}:[0-9]{1,7}|stack backtrace:",
        &[&[Lit("thread 'main' pan"), Lit("icked at src/main.rs:3:5:\nindex out of bounds")]], &[&[Lit("nobody panicked at the review")]]),
    output!("jvm-trace", "a Java or Kotlin stack trace",
        Words(&[".java:", ".kt:", ".scala:", ".groovy:", "native method", "unknown source", "exception in thread", "caused by:"]), r#"\bat [\w$]{1,60}(?:\.[\w$<>]{1,80}){1,12}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy):[0-9]{1,7}|Native Method|Unknown Source)\)|Exception in thread ["'\\]|\bCaused by: [\w.]{3,120}(?:Exception|Error)"#,
        &[&[Lit("Exception in thr"), Lit("ead \"main\" java.lang.IllegalStateException: no")], &[Lit("\tat a.b.C.ru"), Lit("n(C.java:3)")]], &[&[Lit("Caused by: a late review")]]),
    output!("go-panic", "a Go panic or goroutine dump",
        Words(&["goroutine ", "panic: "]), r"goroutine [0-9]{1,9} \[[a-z ,0-9]{2,60}\]:|\bpanic: [^\n]{1,200}\n\s{0,40}(?:\[|goroutine)",
        &[&[Lit("panic: boom\n\ngorou"), Lit("tine 1 [running]:\nmain.main()")]], &[&[Lit("one goroutine per lane, no panic: agreed")]]),
    output!("native-trace", "a trace of C, C++, Swift, Ruby, PHP, .NET or Erlang",
        Words(&["#0 ", "#1 ", "#2 ", ".rb:", ":line ", "segmentation fault", "core dumped", "sanitizer", "php fatal", "php warning", "php notice", "** ("]),
        r"#[0-9]{1,3} {1,3}(?:0x[0-9a-f]{6,16}|[^\n]{1,120}\([0-9]{1,6}\): )|\.rb:[0-9]{1,7}:in [`'\\]| in [^\n]{1,160}\.(?:cs|fs|vb):line [0-9]|Segmentation fault(?: \(core dumped\))|\(core dumped\)|==[0-9]{1,9}==ERROR: \w{2,20}Sanitizer|PHP (?:Fatal error|Warning|Notice): |\*\* \([\w.]{3,60}Error\)",
        &[&[Lit("#0  0x00007f"), Lit("2a1b in main ()")], &[Lit("app/models/user.rb:1"), Lit("2:in `save'")], &[Lit("   at Shop.Cart.Add() in Cart.cs:li"), Lit("ne 12")]],
        &[&[Lit("fixes #12 and #13 in the parser")]]),
    output!("compiler-message", "messages of a compiler or linter with their place",
        Words(&["error[", "error:", "warning:", "warning[", "error ts", "npm err", "npm error", "***", ": error", ": warning", ": fatal", ": note", "ld: ", "lld: ", "e   "]), r"\b(?:error|warning)(?:\[[A-Z][0-9]{2,6}\])?: [^\n]{1,200}\n[\s|>#]{0,24}--> |[\w./-]{1,160}\.[a-z]{1,5}(?::[0-9]{1,7}:[0-9]{1,7}:|\([0-9]{1,7},[0-9]{1,7}\):) (?:fatal )?(?:error|warning|note)\b|error TS[0-9]{3,5}:|npm (?:ERR!|error code)|make(?:\[[0-9]{1,3}\])?: \*\*\* |ld(?:\.lld)?: (?:error|undefined)|\bE {3}\w{3,40}Error\b",
        &[&[Lit("error[E0308]: mismatched types\n --"), Lit("> src/x.rs:1:2")], &[Lit("x.c:12:5: err"), Lit("or: expected ';'")]],
        &[&[Lit("error: the gate is closed")], &[Lit("warning and error levels")]]),
    output!("test-run", "the output of a test run",
        Words(&["... ok", "... failed", "... ignored", "test result:", "--- fail", "--- pass", "--- skip", "===", "passing (", "failing (", "tests: ", "not ok ", "build failed", "build success", " passed", " failed", ".test.", ".spec."]),
        concat!(r"\btest [\w:<> ,.-]{1,160} \.\.\. (?:ok|FAILED|ignored)|test result: (?:ok|FAILED)\. [0-9]|--- (?:FAIL|PASS|SKIP): \w|={3,} (?:[0-9]{1,6} (?:passed|failed|error)|FAILURES|ERRORS|RUN|short test summary|test session starts)|\b[0-9]{1,6} (?:passing|failing) \([0-9]|Tests: {1,8}[0-9]{1,6} (?:failed|passed)[^\n]{0,60}total|\bnot ok [0-9]{1,6} |BUILD (?:FAILED|SUCCESSFUL|SUCCESS) in|\.py::[\w\[\]:-]{1,160} (?:PASSED|FAILED)|", line!(), r"(?:PASS|FAIL) [\w./-]{1,160}\.(?:test|spec)\.[jt]sx?\b"),
        &[&[Lit("test a ... o"), Lit("k\ntest b ... FAILED")], &[Lit("=== 1 fai"), Lit("led, 2 passed in 0.12s ===")], &[Lit("tests/test_x.py::test_a PAS"), Lit("SED")]],
        &[&[Lit("12 tests passed after the fix")], &[Lit("latest_validation: passed")]]),
    output!("build-run", "the output of a build or an installation",
        Words(&["compiling ", "checking ", "downloaded ", "finished ", "step ", "[info]", "remote: ", "successfully ", "added ", "get:", "#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8", "#9"]),
        r"\b(?:Compiling|Checking|Downloaded) [\w-]{1,60} v[0-9]|Finished `?\w{2,20}`? (?:profile|\[)|\bStep [0-9]{1,3}/[0-9]{1,3} : |#[0-9]{1,3} \[[^\]\n]{1,60}[0-9]{1,2}/[0-9]{1,2}\]|\[INFO\] -{10}|remote: (?:Enumerating|Counting|Compressing|Resolving) |Successfully (?:installed|built) [\w-]{1,60}[ -][0-9a-f]|added [0-9]{1,6} packages?,? (?:and|in)|\bGet:[0-9]{1,4} http",
        &[&[Lit("   Comp"), Lit("iling serde v1.0.0")], &[Lit("added 12 pack"), Lit("ages in 3s")]], &[&[Lit("Compiling notes for the review")]]),
    output!("shell-session", "commands at a prompt with what they printed",
        Words(&["$ ", "% ", "❯", "➜", "ps ", "@"]),
        r#"(?m)(?:^|\\n|["'=])[\s>|"'`]{0,8}(?:\$|❯|➜|%|PS [A-Za-z]:[^>\n]{0,80}>|[\w.-]{1,40}@[\w.-]{1,60}[: ][^\s$#]{0,80}[$#]) (?:sudo )?[a-z][\w./-]{0,60}(?: [^\n\\]{0,200})?(?:\r?\n|\\n)[ \t]{0,20}[^\s$%#`\xe2]"#,
        &[&[Lit("$ car"), Lit("go test\n   running 12 tests")], &[Lit("alice@box:~$ l"), Lit("s -la\ntotal 12")]], &[&[Lit("$ cargo test")], &[Lit("costs $ 5\nor less")]]),
    output!("http-dump", "a request or answer of HTTP",
        Words(&["http/1", "http/2"]), concat!(line!(), r"[<>*]{0,1} ?(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT) \S{1,300} HTTP/[12](?:\.[01])?|HTTP/[12](?:\.[01])? [1-5][0-9]{2}\b)"),
        &[&[Lit("> GET /v1/x HT"), Lit("TP/1.1\n> Host: api.example.net")], &[Lit("HT"), Lit("TP/1.1 500 Internal Server Error\nx: y")]], &[&[Lit("we speak HTTP/1.1 and HTTP/2")]]),
    output!("unified-diff", "a diff",
        Words(&["diff --git", "@@ -", "+++ "]), r"diff --git a/|@@ -[0-9]{1,7}(?:,[0-9]{1,7})? \+[0-9]{1,7}(?:,[0-9]{1,7})? @@|--- (?:a/|/dev/null)[^\n]{0,200}(?:\n|\\n)\+\+\+ (?:b/|/dev/null)",
        &[&[Lit("diff --g"), Lit("it a/x.rs b/x.rs")], &[Lit("@@ -1,3 +1,"), Lit("3 @@\n-a\n+b")]], &[&[Lit("the diff is small")]]),
    output!("stack-words", "the frames of a log line that carries a trace",
        Words(&["exit code", "exit status", "exited with", "failed with", "returned"]), r"(?i)(?:command|process|script|job)[^\n]{0,120} (?:failed with|exited with|returned)(?: an?)? (?:exit )?(?:code|status)[: ]{1,2}[0-9]{1,3}[^\n]{0,20}\n[^\n]{0,20}(?:stdout|stderr|output)\b",
        &[&[Lit("Command failed with exit co"), Lit("de 2\nstderr: no such file")]], &[&[Lit("the job exited with status 1")]]),
    Row {
        id: "log-lines",
        class: Class::ToolOutput,
        what: "lines of a log, each with its time or level",
        source: "what the tools print",
        find: Find::Look { gate: Shape(r#"(?m)^[ \t>|#*"'`\[-]*(?:[0-9]{2,4}[-/:][0-9]{2}[-/:][0-9]{2}|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:|(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|CRITICAL|NOTICE))"#), look: log_lines },
        refused: &[
            &[Lit("2026-09-01T10:00:00Z INFO worker: step 1\n2026-09-01T10:00:01Z INFO wor"), Lit("ker: step 2\n2026-09-01T10:00:02Z INFO worker: step 3")],
            &[Lit("2026-01-01T00:00:00Z ERR"), Lit("OR boom\n2026-01-01T00:00:01Z ERROR boom")],
            &[Lit("INFO: start\nDEBUG: ste"), Lit("p\nERROR: stop")],
        ],
        clean: &[&[Lit("2026-09-01T10:00:00Z the gate was decided")], &[Lit("ERROR: the gate is closed")],
            &[Lit("- 2026-09-01T10:00:00Z\n- 2026-09-01T10:00:01Z\n- 2026-09-01T10:00:02Z")]],
    },
];

/// Finds lines that carry a time or a level each: three of them, or two that carry both.
fn log_lines(text: &str) -> Vec<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    let (mut score, mut start) = (0, 0);
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        // The first line of a string that was unescaped begins behind a quote or an equals sign.
        let starts = line.match_indices(['"', '\'', '=']).map(|(at, mark)| at + mark.len()).take(STARTS);
        let weight = std::iter::once(0).chain(starts).map(|at| log_weight(&line[at..])).max().unwrap_or(0);
        if weight > 0 {
            score += weight;
            let first = found.as_ref().map_or(start, |range| range.start);
            found = Some(first..end);
        }
        start += line.len();
    }
    found.filter(|_| score >= 6).into_iter().collect()
}

/// At how many places of a line a log line is looked for.
const STARTS: usize = 8;

/// How much a line looks like one of a log: 3 with time and level, 2 with either.
fn log_weight(line: &str) -> usize {
    const LEVELS: &[&str] =
        &["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "ERR", "FATAL", "CRITICAL", "NOTICE"];
    let line = line.trim_start_matches([' ', '\t', '>', '|', '#', '*', '-', '"', '\'', '`', '[']);
    let digits = line.bytes().take(32).filter(u8::is_ascii_digit).count();
    let timed = digits >= 6 && starts_with_instant(line.as_bytes()) && line.len() > 30;
    let mut words = line.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let levelled = if timed {
        words.clone().take(12).any(|word| LEVELS.contains(&word.to_ascii_uppercase().as_str()))
    } else {
        words.next().is_some_and(|word| LEVELS.contains(&word)) && line.contains([':', '[', ']', ' '])
    };
    match (timed, levelled) {
        (true, true) => 3,
        (true, false) | (false, true) => 2,
        (false, false) => 0,
    }
}

/// Whether a line begins with an instant as logs write it.
fn starts_with_instant(line: &[u8]) -> bool {
    let shape: Vec<u8> = line.iter().take(19).map(|byte| if byte.is_ascii_digit() { b'9' } else { *byte }).collect();
    let dated = shape.len() == 19
        && matches!(&shape[..10], b"9999-99-99" | b"9999/99/99")
        && matches!(shape[10], b'T' | b't' | b' ' | b'_')
        && &shape[11..] == b"99:99:99";
    let syslog = shape.len() >= 15
        && shape[..3].iter().all(u8::is_ascii_alphabetic)
        && shape[3] == b' '
        && &shape[7..15] == b"99:99:99";
    dated
        || syslog
        || shape.starts_with(b"99:99:99.999")
        || shape.starts_with(b"99:99:99,999")
        || shape.starts_with(b"99:99:99 ")
}
