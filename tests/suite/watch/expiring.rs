//! An exception from a privacy rule that ends while somebody watches.

use std::collections::BTreeMap;
use std::process::Command;

use loopx::app::{IncrementalPlan, Looked, Records, world};
use loopx::reconcile::reconcile;
use loopx::render::outputs;
use loopx::rules::{Judge, keep, open};
use loopx::vocabulary::Instant;
use loopx::watch::Extent;
use loopx::workspace::{Files, IncrementalWorkspace, MemoryFiles, Workspace};

use super::memory::Soil;
use super::running::Running;
use crate::receipts::team::Team;

const GOAL: &str = "goals/ledger/goal.yaml";
const TODO: &str = "goals/ledger/todos/td-1.yaml";
const BINDING: &str = "goals/ledger/bindings/bound.yaml";
const BOUND: &str = "facts/claude_code/bound.yaml";
const UNBOUND: &str = "facts/claude_code/unbound.yaml";

/// One field of each kind of document whose end is seen somewhere else, with a host that the team keeps to itself.
const FIELDS: [(&str, &str); 4] =
    [(GOAL, "objective"), (TODO, "title"), (BOUND, "outcomes.summary"), (UNBOUND, "outcomes.summary")];

fn instant(text: &str) -> Instant {
    Instant::parse(text).expect("an instant")
}

fn start() -> Instant {
    instant("2026-03-07T12:00:00Z")
}

/// The end of the exception, and the last second before it.
fn end() -> Instant {
    instant("2026-03-07T14:00:00.5Z")
}

fn before() -> Instant {
    instant("2026-03-07T14:00:00Z")
}

fn after() -> Instant {
    instant("2026-03-07T14:00:01Z")
}

fn facts(session: &str) -> String {
    format!(
        "schema_version: session_runtime_facts_v0\nruntime_id: claude_code\nsession_id: {session}\nstatus: running\n\
         updated_at: 2026-03-07T11:00:00Z\noutcomes:\n  - outcome_id: out-1\n    kind: work\n    status: passed\n    \
         at: 2026-03-07T11:00:00Z\n    summary: Read from window\n"
    )
}

/// A state directory whose only exception is for one field of one document; where others hold the host, they do not.
fn soil(document: &str, field: &str) -> Soil {
    let other = "schema_version: loopx_goal_v0\ngoal_id: other\nobjective: Serve writes\nowner: maya\n\
                 agents: { claude: writes }\nboundary: { write_scope: [docs/**], stop_condition: stop }\n";
    let files = [
        ("loopx.yaml", "schema_version: loopx_workspace_v0\nstale_after: 999d\n".to_owned()),
        (GOAL, other.replace("other", "ledger").replace("Serve writes", "Serve window")),
        ("goals/other/goal.yaml", other.to_owned()),
        (
            TODO,
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: td-1\ntitle: Read from window\n\
             task_class: advancement_task\n"
                .to_owned(),
        ),
        (
            BINDING,
            "schema_version: loopx_agent_session_binding_v0\ngoal_id: ledger\nsession_id: bound\nagent_id: claude\n\
             executor_endpoint_id: endpoint\nhost_surface: claude_code\nsession_mode: attached_host\n"
                .to_owned(),
        ),
        (BOUND, facts("bound")),
        (UNBOUND, facts("unbound")),
    ];
    let mut soil = Soil::default();
    for (path, text) in files {
        let text = if path == document { text } else { text.replace("window", "there") };
        soil.put(path, text.into_bytes());
    }
    soil.put(
        "policies/team.yaml",
        format!(
            "schema_version: loopx_policy_v0\nprivacy:\n  private_hosts: [window]\n  exceptions:\n    - rule: \
             privacy/private-network\n      document: {document}\n      field: {field}\n      reason: reviewed\n      \
             owner: maya\n      expires_at: {}\n",
            end()
        )
        .into_bytes(),
    );
    soil
}

/// What one cold run gives.
fn cold(soil: &Soil, as_of: Instant) -> BTreeMap<String, Vec<u8>> {
    let workspace = open(&MemoryFiles::new(soil.all()), as_of);
    let records = Records::of([]);
    outputs(&reconcile(&world(&workspace, &records), &workspace.wall, as_of))
}

#[test]
fn a_verdict_holds_until_the_exception_under_it_ends_and_the_watch_wakes_then() {
    for (document, field) in FIELDS {
        let mut soil = soil(document, field);
        let opened = IncrementalPlan::open(&mut soil, start()).expect("memory can be read");
        let (mut keeper, _) = opened.expect("nothing overtakes");
        assert_eq!(keeper.plan().valid_until, Some(end()), "{document}");
        assert_eq!(keeper.plan().attention.valid_until, Some(end()), "{document}");
        let of = |goal: &str| {
            keeper.plan().goals.values().find(|it| it.title.as_ref().is_some_and(|it| it.as_ref() == goal))
        };
        assert_eq!(of("Serve writes").expect("the other goal").valid_until, None, "{document}");
        let nothing = Extent::default();
        assert!(matches!(keeper.look(&mut soil, &nothing, before()), Ok(Looked::Same)), "{document}");
        assert_eq!(soil.outputs, cold(&soil, before()), "{document}");
        let Ok(Looked::Ran(ran)) = keeper.look(&mut soil, &nothing, after()) else { panic!("{document}: nothing ran") };
        assert!(!ran.changes.is_empty(), "{document}");
        assert_eq!(soil.outputs, cold(&soil, after()), "{document}");
        let shown = String::from_utf8_lossy(&soil.outputs["attention.json"]).into_owned();
        assert!(shown.contains("unsafe_material") && shown.contains(document), "{document}: {shown}");
        assert!(keeper.plan().valid_until != Some(end()), "{document}");
    }
}

#[test]
fn a_hint_at_another_file_after_the_end_leaves_nothing_excused() {
    let mut soil = soil(TODO, "title");
    let opened = IncrementalPlan::open(&mut soil, start()).expect("memory can be read");
    let (mut keeper, _) = opened.expect("nothing overtakes");
    let text = String::from_utf8_lossy(soil.get("goals/other/goal.yaml").expect("a goal")).replace("writes", "reads");
    soil.put("goals/other/goal.yaml", text.into_bytes());
    let extent = Extent { paths: ["goals/other/goal.yaml".to_owned()].into(), ..Extent::default() };
    assert!(matches!(keeper.look(&mut soil, &extent, after()), Ok(Looked::Ran(_))));
    assert_eq!(soil.outputs, cold(&soil, after()));
}

/// What was judged of each file.
fn judged(workspace: &Workspace) -> String {
    format!("{:#?} {:#?}", workspace.entries, workspace.policies.privacy)
}

#[test]
fn what_is_kept_is_what_a_cold_reading_gives_at_any_instant() {
    let soil = soil(GOAL, "objective");
    let files = MemoryFiles::new(soil.all());
    let kept = |kept: &mut IncrementalWorkspace, as_of| {
        kept.walk(&files as &dyn Files, as_of);
        assert_eq!(judged(kept.workspace()), judged(&open(&files, as_of)), "at {as_of}");
    };
    let mut one = keep(&files, Judge::default(), start());
    // A clock may also be set back.
    for as_of in [start(), before(), end(), after(), start(), after(), before()] {
        kept(&mut one, as_of);
    }
    let nothing = std::collections::BTreeSet::new();
    assert!(one.look(&files, &nothing, start()).is_some());
    assert!(one.look(&files, &nothing, end()).is_none(), "only a walk tells");
}

/// A watch in life, by the clock of the machine: no event comes, and no walk is due.
#[test]
fn a_running_watch_says_so_when_an_exception_ends() {
    const READS: &str = "goals/ledger/todos/switch-9d4m.yaml";
    let team = Team::new();
    let end = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(4);
    team.put(
        "policies/team.yaml",
        &format!(
            "schema_version: loopx_policy_v0\nprivacy:\n  private_hosts: [flag]\n  exceptions:\n    - rule: \
             privacy/private-network\n      document: {READS}\n      field: title\n      reason: reviewed\n      \
             owner: maya\n      expires_at: {end}\n"
        ),
    );
    team.commit("a policy");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        team.sandbox.scrub(&mut command);
        command.current_dir(&team.repo).args(arguments);
        command
    };
    let mut watch = Running::spawn(command(&["watch", "--format", "json"]));
    watch.until("began");
    watch.until("ran");
    let late = jiff::Timestamp::now().duration_since(end);
    assert!(!late.is_negative() && late < jiff::SignedDuration::from_secs(40), "{late}: {:#?}", watch.said);
    let changes = watch.changes();
    assert!(changes.len() == 1 && changes[0].starts_with("fault switch-9d4m "), "{changes:#?}");
    let again = command(&["reconcile"]).output().expect("the program runs");
    assert!(again.stdout.starts_with(b"Nothing written:"), "{again:?}");
}
