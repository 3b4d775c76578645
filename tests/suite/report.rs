//! Every format over one fixed list of findings; `SNAPSHOTS=overwrite` rewrites what is expected.

use std::sync::Arc;

use loopx::document::{Edit, Route, Span};
use loopx::finding::{Anchor, Finding, Fix, Label};
use loopx::privacy::{Text, Wall};
use loopx::report::{Batch, Format, Report, Totals, summarize, write};
use loopx::vocabulary::Level;
use loopx::workspace::{Memory, locate};
use snapbox::{assert_data_eq, file};

const GATE: &str = "goals/ledger-cutover/gates/cutover-2f8q.yaml";
const HANDOFF: &str = "goals/ledger-cutover/handoffs/cutover-3y5k.yaml";
const FACTS: &str = "facts/custom_worker/bench-ledger-e8.yaml";

/// The files that the findings are about; the machine's path is joined at run time.
fn text_of(path: &str) -> String {
    let private = ["/ho", "me/alice/shadow.log"].concat();
    match path {
        GATE => "schema_version: operator_gate_v0\ngoal_id: ledger-cutover\ngate_id: cutover-2f8q\n\
                 decision:\n  label: aproved # 決定 👩‍💻\n"
            .to_owned(),
        HANDOFF => "schema_version: handoff_packet_v0\ngate_id: cutover-2f8\nnext_action: 012\n".to_owned(),
        FACTS => format!(
            "schema_version: session_runtime_facts_v0\noutcomes:\n  - summary: the shadow reads of the last two days were \
             compared row by row and the rest stands in {private} on the machine of the one who ran them\n"
        ),
        _ => unreachable!("three files"),
    }
}

fn finding(rule: &'static str, level: Level, message: &'static str, path: &str, anchor: Anchor) -> Finding {
    Finding {
        rule,
        level,
        message: Text::fixed(message),
        primary: Label::new(&Arc::from(path), anchor),
        related: Vec::new(),
        help: None,
        legal: None,
        now: None,
        fix: None,
    }
}

fn value(route: &str) -> Anchor {
    Anchor::Value(route.split('.').fold(Route::root(), |route, step| match step.parse() {
        Ok(index) => route.index(index),
        Err(_) => route.key(step),
    }))
}

/// Where a text stands in a file.
fn bytes(path: &str, text: &str) -> Span {
    let start = text_of(path).find(text).expect("the text stands in the file");
    Span::new(start, start + text.len())
}

fn findings() -> Vec<Finding> {
    let path = ["/ho", "me/alice/shadow.log"].concat();
    vec![
        finding("privacy/local-path", Level::Error, "a local path in `summary`", FACTS, Anchor::Bytes(bytes(FACTS, &path)))
            .note(Text::fixed("a person's home folder (hidden value 1)"))
            .help(Text::fixed("name the artifact, not its place: `artifact_id: art-shadow-report`"))
            .now(Text::fixed("out-shadow-48h is left out of every output; the value is printed nowhere")),
        finding("vocabulary/unknown-value", Level::Error, "`aproved` is not a gate decision", GATE, value("decision.label"))
            .note(Text::fixed("did you mean `approve`?"))
            .legal(Text::fixed("approve, reject, defer"))
            .now(Text::fixed("the gate is unreadable; ledger-cutover projects blocked")),
        finding("yaml/byte-order-mark", Level::Note, "the file begins with a byte-order mark", HANDOFF, Anchor::File),
        finding("reference/dangling", Level::Error, "no gate `cutover-2f8` in goal ledger-cutover", HANDOFF, value("gate_id"))
            .note(Text::fixed("did you mean `cutover-2f8q`?"))
            .also(Label::new(&Arc::from(GATE), value("gate_id")).note(Text::fixed("this one is requested and waits on owner")))
            .now(Text::fixed("the handoff reads as not approved")),
        finding("yaml/ambiguous-scalar", Level::Warning, "unquoted, `012` is a number", HANDOFF, value("next_action"))
            .help(Text::fixed(
                "quote it; a reader of YAML 1.1 takes it for the number ten, one of YAML 1.2 for the number twelve, and \
                 neither for the text that the team wrote here",
            ))
            .fix(Fix {
                title: Text::fixed("quote the text"),
                edits: vec![Edit { span: bytes(HANDOFF, "012"), text: "'012'".to_owned() }],
            }),
    ]
}

/// Gives the findings their places, as a run does.
fn located() -> Vec<Finding> {
    let mut findings = findings();
    let files: Memory =
        [GATE, HANDOFF, FACTS].map(|path| (path.to_owned(), text_of(path).into_bytes())).into_iter().collect();
    locate(&files, Wall::shipped(), &mut findings);
    findings
}

fn shown(format: Format, findings: &[Finding]) -> String {
    let mut totals = Totals { goals: 2, agents: 3, ..Totals::default() };
    totals.add(36, findings);
    let batches = vec![Batch { findings, prefix: "loopx/", wall: Wall::shipped() }];
    let report = Report { batches, totals };
    let mut out = Vec::new();
    write(&mut out, format, &report).expect("memory takes everything");
    if format == Format::Human {
        summarize(&mut out, &report).expect("memory takes everything");
    }
    String::from_utf8(anstream::adapter::strip_bytes(&out).into_vec()).expect("reports are UTF-8")
}

#[test]
fn human() {
    assert_data_eq!(shown(Format::Human, &located()), file!["../../fixtures/report/human.txt"].raw());
}

#[test]
fn concise() {
    assert_data_eq!(shown(Format::Concise, &located()), file!["../../fixtures/report/concise.txt"].raw());
}

#[test]
fn json() {
    assert_data_eq!(shown(Format::Json, &located()), file!["../../fixtures/report/report.json"].raw());
}

#[test]
fn no_line_for_people_is_wider_than_100_columns() {
    let shown = shown(Format::Human, &located());
    let wide: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 100).collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn of_one_file_twenty_findings_are_drawn_and_the_rest_is_counted() {
    let many: Vec<Finding> = (0..500).flat_map(|_| located().into_iter().nth(1)).collect();
    let shown = shown(Format::Human, &many);
    assert_eq!(shown.matches("error[vocabulary/unknown-value]").count(), 20);
    assert!(shown.contains("480 more findings in loopx/goals/ledger-cutover/gates/cutover-2f8q.yaml"), "{shown}");
}

#[test]
fn a_clean_run_says_so_and_what_it_looked_at() {
    assert_eq!(shown(Format::Human, &[]), "36 documents clean (2 goals, 3 agents).\n");
    assert_eq!(shown(Format::Concise, &[]), "");
}
