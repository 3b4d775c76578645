//! Every format over one fixed list of findings; `SNAPSHOTS=overwrite` rewrites what is expected.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::write::GzEncoder;
use loopx::document::{Edit, Route, Span};
use loopx::finding::{Anchor, Finding, Fix, Label};
use loopx::privacy::{Text, Wall};
use loopx::report::{Batch, HostFormat, Report, ReportFormat, Totals, step_page, summarize, write, write_for_host};
use loopx::vocabulary::Level;
use loopx::workspace::{DisplayPaths, MemoryFiles, locate};
use serde_json::Value;
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
            .fix(Fix::edits(
                Text::fixed("quote the text"),
                vec![Edit { span: bytes(HANDOFF, "012"), text: "'012'".to_owned() }],
            )),
    ]
}

/// The documents stand in a folder below the working directory, outside any repository.
static PATHS: LazyLock<DisplayPaths> =
    LazyLock::new(|| DisplayPaths::below(Path::new("/nowhere"), Path::new("/nowhere/loopx")));

/// Gives the findings their places, as a run does.
fn located() -> Vec<Finding> {
    let mut findings = findings();
    let files: MemoryFiles =
        [GATE, HANDOFF, FACTS].map(|path| (path.to_owned(), text_of(path).into_bytes())).into_iter().collect();
    locate(&files, Wall::shipped(), &mut findings);
    findings
}

fn shown(format: ReportFormat, findings: &[Finding]) -> String {
    let mut totals = Totals { goals: 2, agents: 3, ..Totals::default() };
    totals.add(36, findings);
    let batches = vec![Batch { findings, paths: &PATHS, wall: Wall::shipped() }];
    let report = Report { batches, totals };
    let mut out = Vec::new();
    write(&mut out, format, &report).expect("memory takes everything");
    if format == ReportFormat::Human {
        summarize(&mut out, &report).expect("memory takes everything");
    }
    String::from_utf8(anstream::adapter::strip_bytes(&out).into_vec()).expect("reports are UTF-8")
}

#[test]
fn human() {
    assert_data_eq!(shown(ReportFormat::Human, &located()), file!["../../fixtures/report/human.txt"].raw());
}

#[test]
fn concise() {
    assert_data_eq!(shown(ReportFormat::Concise, &located()), file!["../../fixtures/report/concise.txt"].raw());
}

#[test]
fn json() {
    assert_data_eq!(shown(ReportFormat::Json, &located()), file!["../../fixtures/report/report.json"].raw());
}

/// A report for a host of code.
fn for_host(format: HostFormat, findings: &[Finding]) -> String {
    let mut out = Vec::new();
    write_for_host(&mut out, format, &report(findings)).expect("memory takes everything");
    String::from_utf8(out).expect("reports are UTF-8")
}

fn report(findings: &[Finding]) -> Report<'_> {
    let mut totals = Totals { goals: 2, agents: 3, ..Totals::default() };
    totals.add(36, findings);
    Report { batches: vec![Batch { findings, paths: &PATHS, wall: Wall::shipped() }], totals }
}

#[test]
fn sarif() {
    // The version of the program changes without the format.
    let shown = for_host(HostFormat::Sarif, &located()).replace(env!("CARGO_PKG_VERSION"), "0.0.0");
    assert_data_eq!(shown, file!["../../fixtures/report/report.sarif"].raw());
}

#[test]
fn github() {
    assert_data_eq!(for_host(HostFormat::Github, &located()), file!["../../fixtures/report/github.txt"].raw());
}

#[test]
fn step_summary() {
    assert_data_eq!(step_page(&report(&located())), file!["../../fixtures/report/step.md"].raw());
}

/// What is wrong with a log of SARIF by the schema of OASIS.
fn faults_of(log: &Value) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/report/sarif/sarif-2.1.0-rtm.5.json");
    let mut schema: Value = serde_json::from_slice(&fs::read(path).expect("the schema")).expect("JSON");
    // The one pattern that is none, in two places: a bracket is closed that nothing opened.
    for kind in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][kind]["properties"]["language"];
        language.as_object_mut().expect("a property").remove("pattern").expect("the pattern");
    }
    let schema = jsonschema::draft4::new(&schema).expect("a schema of draft 4");
    schema.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn log_of(findings: &[Finding]) -> Value {
    serde_json::from_str(&for_host(HostFormat::Sarif, findings)).expect("JSON")
}

#[test]
fn sarif_is_valid_and_a_fault_would_be_seen() {
    for findings in [located(), findings(), Vec::new()] {
        assert_eq!(faults_of(&log_of(&findings)), Vec::<String>::new());
    }
    let mut log = log_of(&located());
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into();
    assert_eq!(faults_of(&log).len(), 1);
}

/// P05: a host refuses a log of too many results, or too long a one.
#[test]
fn sarif_of_thirty_thousand_findings_holds_the_loudest_and_counts_the_rest() {
    let located = located();
    let many: Vec<Finding> = located.iter().cycle().take(30_000).cloned().collect();
    let text = for_host(HostFormat::Sarif, &many);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(faults_of(&log), Vec::<String>::new());
    assert_eq!(log["runs"].as_array().expect("runs").len(), 1);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 5_000);
    assert!(results[..4_999].iter().all(|result| result["level"] == "error"));
    let last = results[4_999]["message"]["text"].as_str().expect("a text");
    assert_eq!(last, "25001 more findings are not in this file, none louder than those that are: loopx lint");
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).expect("memory takes everything");
    let size = packed.finish().expect("memory takes everything").len();
    assert!(size < 10 << 20, "{size} bytes");
    let fingerprints: BTreeSet<String> = fingerprints(&log).into_iter().collect();
    assert_eq!(fingerprints.len(), 5_000, "each result has its own");
}

fn fingerprints(log: &Value) -> Vec<String> {
    let results = log["runs"][0]["results"].as_array().expect("results");
    results.iter().map(|result| result["partialFingerprints"].to_string()).collect()
}

#[test]
fn a_fingerprint_does_not_depend_on_lines_and_places() {
    let before = fingerprints(&log_of(&located()));
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), before.len());
    let mut moved = located();
    for finding in &mut moved {
        if let Some(place) = &mut finding.primary.place {
            (place.line, place.end_line, place.column) = (place.line + 40, place.end_line + 40, place.column + 1);
        }
    }
    assert_eq!(fingerprints(&log_of(&moved)), before);
    moved[0].primary.path = Arc::from("facts/custom_worker/other.yaml");
    moved[1].rule = "shape/wrong-type";
    moved[3].primary.anchor = value("next_action");
    let after = fingerprints(&log_of(&moved));
    let changed = before.iter().zip(&after).filter(|(one, other)| one != other).count();
    assert_eq!(changed, 3);
}

/// P04 and P08: a value cannot begin a command, end a property, a cell or a code span, or draw anything.
#[test]
fn what_a_value_says_stays_a_value() {
    let hostile = "a\r\n::error file=x,line=1::b %0A | ` [ok](https://evil.example) ![](https://px.example) @org/team #1 </details> <!-- x -->";
    let mut finding = findings().remove(3);
    finding.message = Text::fixed(hostile);
    finding.help = Some(Wall::shipped().text(hostile));
    finding.primary.path = Arc::from("goals/a,b:c%d\n::e::f/goal.yaml");
    let lines = for_host(HostFormat::Github, &[finding.clone()]);
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(lines.starts_with("::error file=loopx/goals/a%2Cb%3Ac%25d‹U+000A›%3A%3Ae%3A%3Af/goal.yaml,"), "{lines}");
    assert!(lines.contains("::a%0D%0A::error file=x,line=1::b %250A |"), "{lines}");

    let page = step_page(&report(&[finding.clone()]));
    let row = page.lines().last().expect("a row");
    assert!(row.starts_with("| error | `reference/dangling` |") && row.ends_with(" |"), "{page}");
    let outside = outside_spans(row);
    assert!(!outside.contains(['[', '@', '#', '!']) && !outside.contains("<!--"), "{outside}");

    let log = log_of(&[finding]);
    assert_eq!(faults_of(&log), Vec::<String>::new());
    let uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert_eq!(uri, "loopx/goals/a%2Cb%3Ac%25d%E2%80%B9U%2B000A%E2%80%BA%3A%3Ae%3A%3Af/goal.yaml");
}

/// What a line of Markdown holds outside its code spans.
fn outside_spans(line: &str) -> String {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        outside.push_str(&rest[..start]);
        let length = rest[start..].bytes().take_while(|byte| *byte == b'`').count();
        let fence = "`".repeat(length);
        let mut inside = &rest[start + length..];
        rest = loop {
            let end = inside.find(&fence).unwrap_or_else(|| panic!("a span is open: {line}"));
            let closing = inside[end..].bytes().take_while(|byte| *byte == b'`').count();
            inside = &inside[end + closing..];
            if closing == length {
                break inside;
            }
        };
    }
    outside + rest
}

#[test]
fn annotations_are_as_many_as_a_host_shows_and_the_rest_is_counted() {
    let many: Vec<Finding> = located().into_iter().cycle().take(100).collect();
    let shown = for_host(HostFormat::Github, &many);
    let of = |command: &str| shown.lines().filter(|line| line.starts_with(command)).count();
    assert_eq!((of("::error "), of("::warning "), of("::notice ")), (10, 10, 10));
    let last = shown.lines().last().expect("a line");
    assert_eq!(last, "::notice title=loopx::71 findings more, all of them: the summary of this step, or loopx lint");
    assert_eq!(
        step_page(&report(&many)).lines().filter(|line| line.starts_with("| ") && line.contains('`')).count(),
        100
    );
}

#[test]
fn the_page_of_a_step_is_bounded_and_whole() {
    let many: Vec<Finding> = located().into_iter().cycle().take(30_000).collect();
    let page = step_page(&report(&many));
    assert!(page.len() < 510_000, "{}", page.len());
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains('`')).count();
    let last = page.lines().last().expect("a line");
    assert_eq!(last, format!("{} findings more, for which there is no room here: `loopx lint`", 30_000 - rows));
    assert!(page.lines().filter(|line| line.starts_with("| ")).all(|line| line.ends_with(" |")));
    assert_eq!(step_page(&report(&[])), "### loopx\n\n36 documents clean (2 goals, 3 agents).\n");
}

#[test]
fn no_line_for_people_is_wider_than_100_columns() {
    let shown = shown(ReportFormat::Human, &located());
    let wide: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 100).collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn of_one_file_twenty_findings_are_drawn_and_the_rest_is_counted() {
    let many: Vec<Finding> = (0..500).flat_map(|_| located().into_iter().nth(1)).collect();
    let shown = shown(ReportFormat::Human, &many);
    assert_eq!(shown.matches("error[vocabulary/unknown-value]").count(), 20);
    assert!(shown.contains("480 more findings in loopx/goals/ledger-cutover/gates/cutover-2f8q.yaml"), "{shown}");
}

#[test]
fn a_clean_run_says_so_and_what_it_looked_at() {
    assert_eq!(shown(ReportFormat::Human, &[]), "36 documents clean (2 goals, 3 agents).\n");
    assert_eq!(shown(ReportFormat::Concise, &[]), "");
}
