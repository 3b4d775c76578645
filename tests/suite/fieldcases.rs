//! Real bug reports of tools of this shape: each is a test of ours. The ids are those of the team's list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use loopx::finding::Finding;
use loopx::rules::{JudgedDirectory, judge, judge_alone};
use loopx::vocabulary::{Instant, Record};
use loopx::workspace::{Files, Folder, MemoryFiles};

use crate::fixture::{files_below, filled};

const TODO: &str = "schema_version: loopx_todo_v0
goal_id: ledger
todo_id: cutover
title: Switch the read flag
task_class: advancement_task
";

/// One report: a document, and the rules that it breaks; none when it has to be clean.
struct Case {
    id: &'static str,
    name: &'static str,
    text: String,
    rules: &'static [&'static str],
}

/// Every report about YAML that one document shows.
#[expect(clippy::too_many_lines, reason = "a table: one row for each case")]
fn cases() -> Vec<Case> {
    let case = |id, rules, text: String| Case { id, name: "todo.yaml", text, rules };
    let json = |id, rules, text: String| Case { id, name: "document.json", text, rules };
    let deep = (0..400).map(|level| format!("{}k:\n", " ".repeat(level))).collect::<String>();
    let wide = format!("{TODO}x: &a [{}]\nafter: [{}]\n", "1, ".repeat(1000), "*a, ".repeat(20_000));
    let bomb: String = ('b'..='i')
        .map(|name| {
            let previous = char::from(name as u8 - 1);
            format!("{name}: &{name} [{}]\n", format!("*{previous}, ").repeat(9))
        })
        .collect();
    let agents = "schema_version: loopx_goal_v0
goal_id: ledger
objective: Serve all reads from the new store.
owner: NO
agents:
  on: odd jobs
boundary: { write_scope: ['**'], stop_condition: stop at a gate }
";
    vec![
        case("Y01", &["yaml/ambiguous-scalar"], agents.to_owned()),
        // Where quotes mend nothing, nobody asks for them.
        case("Y01", &["shape/wrong-type"], format!("{TODO}watch_only: no\n")),
        case("Y01", &["vocabulary/unknown-value"], TODO.replace("advancement_task", "yes")),
        case("Y01", &["vocabulary/unknown-value"], format!("{TODO}priority: 1\n")),
        case("Y01", &["shape/malformed"], format!("{TODO}expires_at: no\n")),
        case("Y01", &["shape/unknown-key"], format!("{TODO}no: Norway\n")),
        case("Y02", &["yaml/duplicate-key"], format!("{TODO}status: open\nstatus: done\n")),
        case("Y04", &["yaml/alias", "yaml/anchor"], format!("a: &a [x]\n{bomb}")),
        case("Y05", &["yaml/alias", "yaml/anchor"], wide),
        case("Y07", &["yaml/nesting"], format!("{}x\n", "- ".repeat(3000))),
        case("Y07", &["yaml/nesting"], deep),
        case("Y08", &["yaml/byte-order-mark"], format!("\u{feff}{TODO}")),
        case("Y10", &[], TODO.replace('\n', "\r\n")),
        case(
            "Y11",
            &["privacy/secret", "yaml/second-document"],
            format!("{TODO}---\nunknown: {{{{gh|p_}}}}{{{{aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6}}}}\n"),
        ),
        case("Y13", &["yaml/ambiguous-scalar"], TODO.replace("cutover", "0510210600")),
        case(
            "Y14",
            &["yaml/ambiguous-scalar"],
            format!("{TODO}evidence: [4225332178759948004347560002921719079454]\n"),
        ),
        case(
            "Y16",
            &["shape/unknown-key"],
            "schema_version: loopx_agent_session_binding_v0
goal_id: ledger
session_id: codex-q4
agent_id: codex-main
sesion_mode: attached_host
executor_endpoint_id: ep-7k2f
"
            .to_owned(),
        ),
        json("Y17", &["shape/unknown-key"], writeback()),
        case(
            "Y19",
            &["privacy/secret", "yaml/syntax"],
            format!(
                "{TODO}payload: \"{{{{-----BEGIN| RSA PRIVATE KEY-----}}}}\n{{{{MIIEowIBAAKC|AQEA0Z3VS5JJcds3xfn}}}}\n{{{{-----END| RSA PRIVATE KEY-----}}}}\"\n"
            ),
        ),
        json("Y20", &["vocabulary/unknown-value"], sample("projection.json").replace("\"clear\"", "\"aproved\"")),
        case(
            "A10",
            &["vocabulary/unknown-value"],
            "schema_version: loopx_agent_session_binding_v0
goal_id: ledger
session_id: codex-q4
agent_id: codex-main
session_mode: bubble
executor_endpoint_id: ep-7k2f
"
            .to_owned(),
        ),
        case(
            "G26",
            &["yaml/conflict-marker"],
            format!(
                "{TODO}{{{{<<<<<<|<}}}} ours\npriority: P0\n{{{{||||}}}}{{{{|||||}}}}\n{{{{======|=}}}}\npriority: P1\n{{{{>>>>>>|>}}}} theirs\n"
            ),
        ),
    ]
}

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts").join(name);
    std::fs::read_to_string(path).expect("the fixture is there")
}

/// A writeback of a handoff with one misspelled key in its payload.
fn writeback() -> String {
    let sample = sample("writeback.json");
    let (start, rest) = sample.split_once("\"payload\": {").expect("a payload");
    let (_, rest) = rest.split_once('}').expect("its end");
    let payload = r#""payload": { "handoff_id": "ho-1", "next_acton": "go on", "stop_condition": "stop", "evidence_pointers": [] }"#;
    format!("{start}{payload}{rest}")
}

fn judged(name: &str, text: &str) -> JudgedDirectory {
    judge_alone(&MemoryFiles::from_iter([(name.to_owned(), filled(text))]))
}

fn rules(findings: &[Finding]) -> Vec<&'static str> {
    let mut rules: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

#[test]
fn each_report_is_answered() {
    let mut wrong = Vec::new();
    for case in cases() {
        let found = rules(&judged(case.name, &case.text).findings);
        if found != case.rules {
            wrong.push(format!("{}: {found:?}, not {:?}", case.id, case.rules));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_near_miss_is_named_and_nothing_else_is_said_of_it() {
    let note = |id: &str| {
        let case = cases().into_iter().find(|case| case.id == id).expect("the case is there");
        let findings = judged(case.name, &case.text).findings;
        assert_eq!(findings.len(), 1, "{id}: {findings:?}");
        let note = findings[0].primary.note.clone().map(|note| note.to_string());
        (note.unwrap_or_default(), findings[0].legal.clone().map(|legal| legal.to_string()).unwrap_or_default())
    };
    assert_eq!(note("Y16").0, "did you mean `session_mode`?");
    assert_eq!(note("Y17").0, "did you mean `next_action`?");
    let (near, legal) = note("Y20");
    assert_eq!(near, "did you mean `approved`?");
    assert_eq!(legal, "blocked, operator_gate, user_todo, deferred, approved, clear");
}

#[test]
fn digits_stay_text() {
    let text = format!(
        "{}evidence: [4225332178759948004347560002921719079454, 013, 11]\n",
        TODO.replace("cutover", "0510210600")
    );
    let judged = judged("todo.yaml", &text);
    let Some(Record::Todo(todo)) = &judged.workspace.entries[0].record else { panic!("readable all the same") };
    assert_eq!(todo.todo_id.as_str(), "0510210600");
    let evidence: Vec<_> = todo.evidence.iter().map(|id| id.as_str()).collect();
    assert_eq!(evidence, ["4225332178759948004347560002921719079454", "013", "11"]);
}

#[test]
fn line_ends_change_nothing() {
    let folder = Folder::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("state-example"));
    let as_of = Instant::parse("2026-03-08T12:00:00Z").expect("a time");
    let with = |ending: &str| {
        let text = |path: &String| String::from_utf8(folder.read(path).expect("readable")).expect("text");
        let files: BTreeMap<_, _> =
            folder.list().iter().map(|path| (path.clone(), text(path).replace('\n', ending).into_bytes())).collect();
        let judged = judge(&MemoryFiles::new(files), as_of);
        assert_eq!(judged.findings.len(), 0, "{:?}", judged.findings);
        judged.workspace.entries.into_iter().map(|entry| entry.record).collect::<Vec<_>>()
    };
    assert_eq!(with("\r\n"), with("\n"));
}

/// W13, G16: what lies behind a link is never read, and a name that is no UTF-8 hides nothing.
#[cfg(target_os = "linux")]
#[test]
fn links_and_strange_names_are_found_and_not_followed() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = tempfile::tempdir().expect("a place to write");
    let write = |path: &Path, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    };
    let root = place.path().join("state");
    write(&root.join("loopx.yaml"), "schema_version: loopx_workspace_v0\n");
    write(&place.path().join("outside/todo.yaml"), "surprise: yes\n");
    std::fs::create_dir_all(root.join("goals/ledger/todos")).expect("writable");
    std::os::unix::fs::symlink(place.path().join("outside"), root.join("goals/elsewhere")).expect("a link");
    std::os::unix::fs::symlink(place.path().join("outside/todo.yaml"), root.join("goals/ledger/goal.yaml"))
        .expect("a link");
    let strange = std::ffi::OsStr::from_bytes(b"bad\xff.yaml");
    write(&root.join("goals/ledger/todos").join(strange), TODO);
    let as_of = Instant::parse("2026-03-08T12:00:00Z").expect("a time");
    let judged = judge(&Folder::open(&root), as_of);
    let found: Vec<_> = judged.findings.iter().map(|finding| (finding.rule, &*finding.primary.path)).collect();
    assert_eq!(
        found,
        [
            ("path/link", "goals/elsewhere"),
            ("path/link", "goals/ledger/goal.yaml"),
            ("path/reserved-name", "goals/ledger/todos/bad\\xff.yaml"),
            ("path/unreadable", "goals/ledger/todos/bad\\xff.yaml"),
        ]
    );
}

/// Reports that other tests answer, each with the tests that would fail if it came back.
const ANSWERED: &[(&str, &[&str])] = &[
    ("A05", &["every_reason_has_a_state_that_yields_it_and_a_near_miss_that_does_not"]),
    ("A13", &["law_3_order_does_not_matter"]),
    ("A14", &["a_deleted_receipt_is_found"]),
    ("A17", &["the_criteria_are_asked_in_their_order_and_the_first_that_does_not_hold_is_named"]),
    ("A22", &["the_criteria_are_asked_in_their_order_and_the_first_that_does_not_hold_is_named"]),
    ("A23", &["law_5_an_unreadable_document_closes_its_goal_and_no_other"]),
    ("G25", &["a_merge_that_gives_one_id_two_meanings_fails"]),
    ("P01", &["three_thousand_gates_fit_into_one_comment"]),
    ("P02", &["a_comment_is_whole_at_every_bound"]),
    ("P04", &["what_a_value_says_stays_a_value"]),
    ("P05", &["sarif_of_thirty_thousand_findings_holds_the_loudest_and_counts_the_rest"]),
    ("P07", &["annotations_go_to_the_log_and_the_whole_list_to_the_page_of_the_step"]),
    ("P08", &["what_a_value_says_stays_a_value", "a_comment_is_whole_at_every_bound"]),
    ("P10", &["output_that_cannot_be_written_is_a_failure_of_its_own"]),
    ("P11", &["the_workflow_of_github_asks_for_little_and_pins_what_it_uses"]),
    ("S01", &["what_only_looks_refused_passes"]),
    ("S02", &["what_only_looks_refused_passes"]),
    ("S04", &["what_only_looks_refused_passes"]),
    ("S05", &["what_only_looks_refused_passes"]),
    ("S13", &["what_only_looks_refused_passes"]),
    ("S19", &["what_only_looks_refused_passes"]),
    ("S28", &["what_only_looks_refused_passes"]),
    ("S29", &["what_only_looks_refused_passes"]),
    ("S32", &["what_only_looks_refused_passes"]),
    ("S37", &["what_only_looks_refused_passes"]),
    ("S07", &["a_hidden_secret_is_reported_where_it_is_hidden"]),
    ("S20", &["a_hidden_secret_is_reported_where_it_is_hidden"]),
    ("S08", &["what_other_scanners_missed_is_found"]),
    ("S10", &["what_other_scanners_missed_is_found"]),
    ("S14", &["what_other_scanners_missed_is_found"]),
    ("S16", &["what_other_scanners_missed_is_found"]),
    ("S17", &["what_other_scanners_missed_is_found"]),
    ("S31", &["what_other_scanners_missed_is_found"]),
    ("S34", &["what_other_scanners_missed_is_found"]),
    ("S11", &["every_style_of_yaml_shows_the_same"]),
    ("S22", &["every_place_of_a_document_is_searched"]),
    ("S23", &["every_place_of_a_document_is_searched"]),
    ("S25", &["no_command_shows_or_writes_a_canary", "no_argument_comes_back", "no_payload_comes_back"]),
    ("G01", &["a_revision_is_found_or_says_what_to_fetch", "a_missing_authority_names_a_fetch_that_works"]),
    ("G02", &["a_shallow_clone_says_what_it_cannot_know"]),
    ("G04", &["a_repository_of_another_user_is_read_and_not_written", "an_empty_folder_is_never_clean"]),
    ("G05", &["eight_writers_and_a_user_lose_nothing"]),
    ("G07", &["a_lock_of_git_is_waited_for_named_and_left_alone"]),
    ("G08", &["before_the_first_commit_everything_is_read_and_nothing_recorded"]),
    ("G10", &["what_a_hook_leaves_in_the_environment_points_nowhere_else"]),
    ("G11", &["every_kind_of_repository_is_recognised", "every_kind_of_work_tree_is_committed_to"]),
    ("G13", &["every_kind_of_work_tree_is_committed_to", "what_a_hook_leaves_in_the_environment_points_nowhere_else"]),
    ("G14", &["a_name_beyond_ascii_is_reported_as_it_is_written"]),
    ("G16", &["links_and_strange_names_are_found_and_not_followed"]),
    ("G17", &["each_rule_finds_its_bad_fixture_alone_and_nothing_in_its_good_one"]),
    ("G19", &["line_ends_change_nothing", "attributes_and_filters_decide_what_is_stored_as_git_itself_does"]),
    ("G20", &["attributes_and_filters_decide_what_is_stored_as_git_itself_does"]),
    ("G22", &["no_flag_hides_a_file_of_ours"]),
    (
        "G23",
        &[
            "the_same_decision_on_two_branches_merges_clean",
            "two_decisions_conflict_in_git_and_a_bad_resolution_stays_closed",
        ],
    ),
    ("R01", &["law_2_a_second_run_changes_nothing_before_valid_until", "only_what_differs_is_written"]),
    ("R10", &["reading_alone_leaves_a_repository_untouched"]),
    ("R11", &["a_run_that_ends_at_any_change_is_completed_by_the_next", "a_killed_reconcile_leaves_no_torn_output"]),
    ("R13", &["eight_writers_and_a_user_lose_nothing", "a_second_run_waits_and_then_says_who_is_in_the_way"]),
    ("R14", &["a_branch_switch_is_one_run", "law_4_a_watch_ends_where_a_cold_run_does"]),
    ("R16", &["where_nothing_can_be_done_a_plan_is_no_success"]),
    ("R19", &["two_decisions_conflict_in_git_and_a_bad_resolution_stays_closed"]),
    ("R20", &["each_rule_finds_its_bad_fixture_alone_and_nothing_in_its_good_one"]),
    ("W01", &["each_atomic_save_is_seen_and_temporary_names_are_no_documents"]),
    ("W02", &["each_atomic_save_is_seen_and_temporary_names_are_no_documents"]),
    ("W04", &["law_4_a_watch_ends_where_a_cold_run_does", "everything_is_looked_at_each_minute_and_after_lost_events"]),
    ("W05", &["new_and_renamed_folders_are_found"]),
    ("W07", &["polling_sees_the_same"]),
    ("W08", &["an_idle_watch_does_nothing"]),
    ("W10", &["a_change_during_a_look_is_one_more_look"]),
    ("W11", &["a_signal_ends_it_after_the_run_in_hand"]),
    ("W13", &["links_are_not_followed"]),
    ("W14", &["an_idle_watch_does_nothing"]),
    ("W16", &["a_merge_with_conflicts_is_waited_for"]),
    ("W17", &["a_branch_switch_is_one_run", "law_4_a_watch_ends_where_a_cold_run_does"]),
];

/// Reports about what loopx does not do, each with the reason.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "A08",
        "no session is resumed: a binding keeps its mode for life, which transition/mode-changed refuses to change",
    ),
    ("A11", "the gate stands in the goal's own document; no packet can leave it out"),
    ("S26", "a finding has no field for a value, its length or a digest of it"),
    (
        "S35",
        "an exception is rule, document and field in a reviewed policy: no baseline file, no line numbers, no times",
    ),
    ("S38", "findings hold text only as the type whose one constructor masks"),
    ("R02", "no plan is saved: reconcile reads, derives and writes in one run under its lock"),
    ("R04", "a path and the ids in it determine each other, so no two goals derive one output"),
    ("R05", "no plan is saved, and a receipt is named by its effect: a second one is the same file"),
    ("R07", "no plan is saved and nothing is counted: a run that changes nothing leaves nothing behind"),
    ("R08", "no plan is saved, so none is shown later"),
    ("R17", "no plan is saved: what a change takes back is not derived any more"),
];

/// Reports about what is not built yet; each becomes a test with it.
const LATER: &[(&str, &str)] = &[
    ("A01", "session claim"),
    ("A02", "session claim"),
    ("A04", "session reconcile"),
    ("A07", "session complete"),
    ("A16", "the packet of a turn, loopx next"),
    ("A19", "the keys of the message queue"),
    ("A20", "session leases"),
];

/// Every id of the team's list, in `fixtures/fieldcases/ids.txt`, is a test here, a test elsewhere, or listed with the
/// reason; and none is both.
#[test]
fn each_report_is_a_test_or_listed() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fieldcases/ids.txt");
    let list = std::fs::read_to_string(list).expect("the list");
    let wanted: BTreeSet<&str> = list.lines().collect();
    let cases = cases();
    let tests: BTreeSet<&str> = cases.iter().map(|case| case.id).chain(ANSWERED.iter().map(|(id, _)| *id)).collect();
    let reasons: Vec<&str> = ELSEWHERE.iter().chain(LATER).map(|(id, _)| *id).collect();
    let listed: BTreeSet<&str> = reasons.iter().copied().collect();
    assert_eq!(reasons.len(), listed.len(), "listed twice");
    assert_eq!(tests.intersection(&listed).collect::<Vec<_>>(), [&""; 0], "a test and a reason");
    assert_eq!(tests.union(&listed).copied().collect::<BTreeSet<_>>(), wanted);
    let commands = loopx::cli::command_line().to_string();
    for (id, surface) in LATER {
        assert!(!commands.contains(&format!("loopx {surface}")), "{id}: {surface} is built; write its test");
    }
}

#[test]
fn each_report_that_other_tests_answer_names_tests_that_are_there() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let sources: String =
        files_below(&suite).iter().map(|path| std::fs::read_to_string(path).expect("a source")).collect();
    for (id, tests) in ANSWERED {
        assert!(!tests.is_empty(), "{id}");
        for test in *tests {
            assert!(sources.contains(&format!("fn {test}()")), "{id}: no test is called {test}");
        }
    }
    for (id, reason) in ELSEWHERE {
        assert!(reason.len() > 20 && ANSWERED.iter().all(|(answered, _)| answered != id), "{id}");
    }
}

#[test]
fn a_name_beyond_ascii_is_reported_as_it_is_written() {
    let gate = "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: pr\u{fc}fung\n";
    let path = "goals/ledger/gates/pr\u{fc}fung.yaml";
    let files = MemoryFiles::from_iter([
        ("loopx.yaml".to_owned(), b"schema_version: loopx_workspace_v0\n".to_vec()),
        (path.to_owned(), gate.as_bytes().to_vec()),
    ]);
    let findings = judge(&files, Instant::parse("2026-03-08T12:00:00Z").expect("a time")).findings;
    assert!(findings.iter().any(|finding| &*finding.primary.path == path), "{findings:?}");
}
