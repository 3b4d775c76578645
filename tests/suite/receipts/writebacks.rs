//! What `plan` and `reconcile` make of a writeback request before and after its source is recorded.

use serde_json::Value;

use super::team::Team;

const BINDING: &str = "schema_version: loopx_agent_session_binding_v0\ngoal_id: ledger\nsession_id: codex-q4\n\
                       agent_id: codex-main\nsession_mode: attached_host\nhost_surface: codex_cli\n\
                       executor_endpoint_id: ep-7k2f\nattached_capabilities: [session_queue, reply_readback]\n";
const REQUEST: &str = "schema_version: loopx_writeback_request_v0\ngoal_id: ledger\nrequest_id: tell-5d1p\n\
                       session_id: codex-q4\nsource: switch-2f8q\nmode: dry_run\n";

#[test]
fn a_request_has_a_blocker_until_its_source_is_recorded_and_then_a_preview() {
    let team = Team::new();
    team.put("goals/ledger/bindings/codex-q4.yaml", BINDING);
    team.put("goals/ledger/writebacks/tell-5d1p.yaml", REQUEST);
    team.commit("ask to tell the host");
    let plan = team.does(&["plan"]);
    let row = "  ! blockers/ledger/tell-5d1p.json  blocked: source_event_not_recorded (2 of 5)\n";
    assert!(
        plan.contains(&format!("{row}      \"decide switch-2f8q: May codex-main switch the staging read flag?\"\n")),
        "{plan}"
    );
    team.does(&["reconcile"]);
    assert!(team.read("blockers/ledger/tell-5d1p.json").contains("\"criterion\": 2"));

    team.decide("approve");
    team.commit("decide");
    team.does(&["reconcile", "--commit"]);
    assert!(!team.repo.join("loopx/blockers/ledger/tell-5d1p.json").exists());
    let preview: Value = serde_json::from_str(&team.read("previews/ledger/tell-5d1p.json")).expect("JSON");
    assert_eq!(preview["result"]["status"], "previewed");
    assert_eq!(preview["result"]["runtime_event_id"], Value::Null);

    // Taken away, it is planned again, with the digest to approve.
    std::fs::remove_file(team.repo.join("loopx/previews/ledger/tell-5d1p.json")).expect("the preview");
    let json: Value = serde_json::from_str(&team.does(&["plan", "--format", "json"])).expect("JSON");
    let digest = json["writebacks"][0]["preview_digest"].as_str().expect("a digest").to_owned();
    let row = "  + previews/ledger/tell-5d1p.json  operator_gate_decision to codex-q4\n";
    let plan = team.does(&["plan"]);
    assert!(plan.contains(&format!("{row}      preview_digest  {digest}\n")), "{plan}");
    let concise = team.does(&["plan", "--format", "concise"]);
    assert!(concise.contains("add previews/ledger/tell-5d1p.json operator_gate_decision to codex-q4\n"), "{concise}");
    team.does(&["reconcile"]);

    // The request names the digest: the change is what is approved. Lint takes the preview itself as well.
    let apply = REQUEST.replace("dry_run", &format!("apply\napproved_preview_digest: {digest}"));
    team.put("goals/ledger/writebacks/tell-5d1p.yaml", &apply);
    let json: Value = serde_json::from_str(&team.does(&["plan", "--format", "json"])).expect("JSON");
    assert_eq!(json["writebacks"][0]["apply"], "approved");
    team.does(&["lint", "loopx/previews/ledger/tell-5d1p.json"]);

    // Without the request, its files go; a file of somebody else stays.
    team.put("previews/ledger/notes.json", "{}\n");
    std::fs::remove_file(team.repo.join("loopx/goals/ledger/writebacks/tell-5d1p.yaml")).expect("the request");
    team.does(&["reconcile"]);
    assert!(!team.repo.join("loopx/previews/ledger/tell-5d1p.json").exists());
    assert_eq!(team.read("previews/ledger/notes.json"), "{}\n");
}
