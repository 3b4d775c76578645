//! What each difference means, as people meet it: in a repository, through the program.

use std::fs;

use crate::receipts::team::{ASKED, Said, Team, closed, decided, open};

const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";
const TODO: &str = "goals/ledger/todos/switch-9d4m.yaml";

/// The line of the one agent.
fn line(team: &Team) -> String {
    team.does(&["status", "--agent", "codex-main", "--format", "concise"])
}

fn is_closed(team: &Team) -> bool {
    line(team).contains("may_continue=no")
}

/// A team whose gate is approved and recorded on main.
fn approved() -> Team {
    let team = Team::new();
    team.does(&[
        "gate",
        "decide",
        "switch-2f8q",
        "approve",
        "--reason",
        "fine",
        "--by",
        "maya",
        "--as",
        "owner",
        "--execute",
    ]);
    team.commit("decide");
    assert!(line(&team).contains("may_continue=yes"), "{}", line(&team));
    team
}

fn remove(team: &Team, path: &str) {
    fs::remove_file(team.repo.join("loopx").join(path)).expect("a file");
}

// Field case turn2/01.
#[test]
fn a_gate_that_is_gone_stays_closed() {
    let team = Team::new();
    assert!(is_closed(&team));
    remove(&team, GATE);
    assert!(is_closed(&team));
    let said = team.does(&["status"]);
    assert!(said.contains("gate switch-2f8q is removed") && said.contains("git commit"), "{said}");
    team.commit("remove the gate");
    assert!(!is_closed(&team), "a reviewed removal counts");
}

#[test]
fn a_sparse_checkout_without_gates_opens_nothing_and_lints_what_it_leaves_out() {
    let team = Team::new();
    team.git(&["sparse-checkout", "set", "--cone", "loopx/goals/ledger/todos"]);
    assert!(!team.repo.join("loopx").join(GATE).exists());
    assert!(is_closed(&team));
    assert!(team.does(&["lint"]).contains("4 documents clean"), "{}", team.does(&["lint"]));
    assert!(!team.does(&["status"]).contains("is removed"), "what is left out is not removed");
}

// Field case turn2/02.
#[test]
fn a_sparse_checkout_lets_reconcile_remove_no_output() {
    let team = Team::with_settings("authority: { ref: main }\noutputs: committed\n");
    team.does(&["reconcile"]);
    team.git(&["add", "--all", "--force"]);
    team.git(&["commit", "--quiet", "--message=outputs"]);
    let before = team.git(&["ls-files"]);
    team.git(&["sparse-checkout", "set", "--cone", "loopx/projections", "loopx/receipts"]);
    assert!(!team.repo.join("loopx/goals/ledger/goal.yaml").exists());
    let said = team.does(&["reconcile"]);
    assert!(said.starts_with("Nothing written"), "{said}");
    assert_eq!(team.sandbox.status(&team.repo), "");
    assert_eq!(team.git(&["ls-files"]), before);
}

#[test]
fn a_branch_cannot_name_its_own_judge() {
    let team = Team::new();
    team.git(&["remote", "add", "origin", "https://git.example/team/repo"]);
    team.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    team.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    team.git(&["switch", "--quiet", "--create", "topic"]);
    team.put("loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: HEAD }\n");
    team.decide("approve");
    team.does(&["record"]);
    team.commit("a judge of its own, and what it says");
    assert!(is_closed(&team), "{}", line(&team));
}

#[test]
fn a_branch_that_is_older_than_an_approval_is_open_and_no_conflict() {
    let team = Team::new();
    team.git(&["branch", "topic"]);
    team.does(&[
        "gate",
        "decide",
        "switch-2f8q",
        "approve",
        "--reason",
        "fine",
        "--by",
        "maya",
        "--as",
        "owner",
        "--execute",
    ]);
    team.commit("decide");
    team.git(&["switch", "--quiet", "topic"]);
    assert_eq!(team.screen(), open());
}

#[test]
fn where_only_an_older_copy_closes_the_row_names_the_merge() {
    let team = approved();
    team.git(&["branch", "topic"]);
    let again = decided("approve").replace("requested:", "revision: 2\nrequested:").replace("2026-03-06", "2026-03-07");
    team.put(GATE, &again.replace("T16:12", "T10:00"));
    team.does(&["record"]);
    team.commit("ask again");
    team.git(&["switch", "--quiet", "topic"]);
    let text = team.read(GATE);
    team.put(GATE, &format!("{text}evidence: [out-1]\n"));
    let said = team.does(&["status"]);
    assert!(said.contains("git merge main"), "{said}");
    assert!(is_closed(&team));
}

#[test]
fn a_local_main_behind_origin_knows_what_origin_recorded() {
    let team = Team::new();
    team.git(&["branch", "old"]);
    team.does(&[
        "gate",
        "decide",
        "switch-2f8q",
        "approve",
        "--reason",
        "fine",
        "--by",
        "maya",
        "--as",
        "owner",
        "--execute",
    ]);
    team.commit("decide");
    team.git(&["remote", "add", "origin", "https://git.example/team/repo"]);
    team.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    team.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    team.git(&["reset", "--quiet", "--hard", "old"]);
    assert_eq!(team.screen(), open());
    // Where each has what the other lacks, the one here counts, and a line says so.
    team.put("notes.txt", "x\n");
    team.commit("apart");
    let said = team.does(&["status"]);
    assert!(said.contains("main here and origin/main have diverged"), "{said}");
    assert!(is_closed(&team));
}

#[test]
fn what_a_person_finished_counts_at_the_authority_ref() {
    let team = Team::new();
    team.put(
        "goals/ledger/todos/ask-1a2b.yaml",
        "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: ask-1a2b\ntitle: Ask the owners\ntask_class: user_action\n",
    );
    let todo = team.read(TODO);
    team.put(TODO, &format!("{todo}after: [ask-1a2b]\n"));
    remove(&team, GATE);
    team.commit("a person first");
    assert!(team.does(&["status"]).contains("open_user_todo"));
    let ask = team.read("goals/ledger/todos/ask-1a2b.yaml");
    team.put("goals/ledger/todos/ask-1a2b.yaml", &format!("{ask}status: done\ndone_at: 2026-03-07T11:00:00Z\n"));
    let said = team.does(&["status"]);
    assert!(said.contains("change_not_recorded") && is_closed(&team), "{said}");
    team.commit("asked");
    assert!(!is_closed(&team));
}

#[test]
fn a_goal_of_a_branch_waits_for_the_authority_ref() {
    let team = Team::new();
    team.git(&["switch", "--quiet", "--create", "topic"]);
    let goal = team.read("goals/ledger/goal.yaml");
    let todo = team.read(TODO);
    team.put("goals/other/goal.yaml", &goal.replace("ledger", "other"));
    team.put(&TODO.replace("ledger", "other"), &todo.replace("ledger", "other"));
    team.commit("another goal");
    let said = team.does(&["status", "--goal", "other"]);
    assert!(said.contains("change_not_recorded") && said.contains("git switch main && git merge topic"), "{said}");
    let command: Vec<&str> = "git switch main && git merge topic".split(" && ").collect();
    for part in command {
        team.git(&part.split(' ').skip(1).collect::<Vec<_>>());
    }
    assert!(!team.does(&["status", "--goal", "other"]).contains("change_not_recorded"));
}

#[test]
fn a_new_todo_of_an_agent_counts_from_here() {
    let team = approved();
    team.git(&["switch", "--quiet", "--create", "topic"]);
    let todo = team.read(TODO).replace("switch-9d4m", "extra-1a2b");
    team.put("goals/ledger/todos/extra-1a2b.yaml", &format!("{todo}priority: P0\n"));
    assert!(line(&team).contains("todo=extra-1a2b"), "{}", line(&team));
}

#[test]
fn done_behind_a_closed_gate_reads_open() {
    let team = Team::new();
    let todo = team.read(TODO);
    team.put(TODO, &format!("{todo}status: done\ndone_at: 2026-03-07T11:00:00Z\n"));
    assert_eq!(team.screen(), closed("missing_gate_decision"));
}

#[test]
fn settings_and_policies_are_those_of_the_authority_ref() {
    let team = Team::new();
    team.put("policies/team.yaml", "schema_version: loopx_policy_v0\nactors: { zoe: { class: owner } }\n");
    let said = team.loopx(&["gate", "decide", "switch-2f8q", "approve", "--reason", "x", "--by", "zoe"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    team.commit("zoe");
    let said: Said = team.loopx(&["gate", "decide", "switch-2f8q", "approve", "--reason", "x", "--by", "zoe"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_at_the_place_of_a_document_closes_its_goal() {
    let team = Team::new();
    remove(&team, GATE);
    team.commit("no gate");
    assert!(!is_closed(&team));
    std::os::unix::fs::symlink("../goal.yaml", team.repo.join("loopx/goals/ledger/todos/link-1a2b.yaml"))
        .expect("a link");
    assert!(is_closed(&team), "{}", line(&team));
}

/// Runs as a plain user, whom the system does not let read everything; root would be let.
#[cfg(unix)]
#[test]
fn what_a_plain_user_cannot_read_closes_and_is_named() {
    use std::os::unix::fs::PermissionsExt;

    let team = Team::new();
    let folder = team.repo.join("loopx/goals/ledger/gates");
    let lock = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("permissions");
    let Some(run) = plain_user(&team) else {
        // A plain user runs the tests, who is stopped as it is.
        lock(0o000);
        let lint = team.loopx(&["lint"]);
        let closed = is_closed(&team);
        lock(0o755);
        assert!(closed && lint.code == Some(1) && lint.out.contains("goals/ledger/gates"), "{lint:?}");
        return;
    };
    lock(0o000);
    let (lint, status) = (run(&["lint"]), run(&["status", "--agent", "codex-main", "--format", "concise"]));
    lock(0o755);
    let gate = team.repo.join("loopx").join(GATE);
    fs::set_permissions(&gate, fs::Permissions::from_mode(0o000)).expect("permissions");
    let scan = run(&["scan", GATE]);
    fs::set_permissions(&gate, fs::Permissions::from_mode(0o644)).expect("permissions");
    let index = team.repo.join(".git/index");
    fs::set_permissions(&index, fs::Permissions::from_mode(0o000)).expect("permissions");
    let unlisted = run(&["lint"]);
    fs::set_permissions(&index, fs::Permissions::from_mode(0o644)).expect("permissions");
    assert!(unlisted.code == Some(3) && unlisted.err.contains("the index: permission denied"), "{unlisted:?}");
    assert_eq!(scan.code, Some(3), "{scan:?}");
    assert!(scan.out.contains("permission denied") && scan.out.contains("0 clean"), "{scan:?}");
    assert!(scan.err.contains(&format!("{GATE}: not read: permission denied")), "{scan:?}");
    assert_eq!(lint.code, Some(1), "{lint:?}");
    assert!(lint.out.contains("goals/ledger/gates") && lint.out.contains("permission denied"), "{lint:?}");
    assert!(status.out.contains("may_continue=no"), "{status:?}");
}

type Run<'t> = Box<dyn Fn(&[&str]) -> Said + 't>;

/// Runs the program as a user without rights, where root runs the tests.
#[cfg(unix)]
fn plain_user(team: &Team) -> Option<Run<'_>> {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65534;
    let is_root = fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0);
    if !is_root {
        return None;
    }
    let open = std::process::Command::new("chmod").args(["-R", "a+rX"]).arg(team.sandbox.path("")).status();
    assert!(open.expect("chmod").success());
    // The program may stand where nobody else may look. Another process copies it: a descriptor of this one that is
    // open for writing is inherited by what other tests start meanwhile, and the program would be busy.
    let program = team.sandbox.path("loopx-of-a-plain-user");
    let copy = std::process::Command::new("cp").arg(env!("CARGO_BIN_EXE_loopx")).arg(&program).status();
    assert!(copy.expect("cp").success());
    Some(Box::new(move |arguments| {
        let mut command = std::process::Command::new(&program);
        team.sandbox.scrub(&mut command);
        command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "safe.directory").env("GIT_CONFIG_VALUE_0", "*");
        command.current_dir(team.repo.join("loopx")).args(["--now", "2026-03-07T12:00:00Z"]).args(arguments);
        let output = command.uid(NOBODY).gid(NOBODY).output().expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("Unicode");
        Said { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }))
}

// Law 11.

#[test]
fn a_decision_that_is_dated_ahead_is_refused_and_opens_nothing() {
    let team = Team::new();
    let gate = team.read(GATE);
    let decision =
        "decision: { label: approve, actor_class: owner, by: maya, at: 2026-04-07T12:00:00Z, reason: later }\n";
    team.put(GATE, &format!("{gate}{decision}"));
    let lint = team.loopx(&["lint"]);
    assert_eq!(lint.code, Some(1), "{lint:?}");
    assert!(
        lint.out.contains("lifecycle/in-the-future") && lint.out.contains("at: 2026-03-07T12:00:00Z"),
        "{}",
        lint.out
    );
    let recorded = team.loopx(&["record"]);
    assert_eq!(recorded.code, Some(1), "{recorded:?}");
    team.commit("later");
    let committed = team.loopx(&["reconcile", "--commit"]);
    assert_eq!(committed.code, Some(1), "{committed:?}");
    assert!(is_closed(&team));
}

// What is closed at the authority ref by hand is opened by no field from here.

/// Asks about nothing in the next revision, which has no answer.
fn ask_about_less(team: &Team) {
    let text = team.read(GATE);
    let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("decision") && !line.starts_with(' ')).collect();
    let text = kept.join("\n").replace("blocks: [switch-9d4m]", "blocks: none\nrevision: 2");
    team.put(GATE, &format!("{}\n", text.replace("expires_at: 2026-03-07T00:00:00Z", "")));
}

#[test]
fn the_next_revision_of_an_expired_gate_blocks_what_it_blocked() {
    let team = approved();
    let text = team.read(GATE);
    team.put(GATE, &format!("{text}expires_at: 2026-03-07T00:00:00Z\n"));
    team.commit("it ends");
    assert!(is_closed(&team));
    ask_about_less(&team);
    assert!(is_closed(&team), "{}", line(&team));
}

#[test]
fn a_decision_that_a_person_took_back_stays_taken_back() {
    let team = approved();
    let approval = team.read(GATE);
    for (word, taken_back) in
        [("removed", ASKED.to_owned()), ("edited", approval.replace("label: approve", "label: reject"))]
    {
        team.put(GATE, &taken_back);
        team.commit(&format!("{word} by hand"));
        assert!(is_closed(&team), "{word}");
        team.put(GATE, &approval);
        assert!(is_closed(&team), "{word}, and put back here: {}", line(&team));
        team.git(&["checkout", "--quiet", "--", "."]);
    }
}

#[test]
fn who_asked_and_when_is_what_the_authority_ref_says() {
    let team = approved();
    let approval = team.read(GATE);
    for request in ["{ by: maya, at: 2026-03-05T09:10:00Z }", "{ by: codex-main, at: 2026-03-07T11:59:59Z }"] {
        let later = approval.replace("{ by: codex-main, at: 2026-03-05T09:10:00Z }", request);
        assert_ne!(later, approval);
        team.put(GATE, &later.replace("at: 2026-03-07T12:00:00Z", "at: 2026-03-07T11:00:00Z"));
        team.commit("another request");
        assert!(is_closed(&team), "{request}");
        team.put(GATE, &approval);
        assert!(is_closed(&team), "{request}: {}", line(&team));
    }
}

#[test]
fn a_new_handoff_moves_no_todo_before_it_is_reviewed() {
    let team = approved();
    let goal = team.read("goals/ledger/goal.yaml");
    team.put(
        "goals/ledger/goal.yaml",
        &goal.replace("codex-main: writes the switch", "codex-main: writes the switch, codex-two: reads it"),
    );
    let todo = team.read(TODO);
    team.put(TODO, &todo.replace("assignee: codex-main\n", "claimed_by: codex-main\n"));
    team.commit("two agents");
    let handoff = "schema_version: handoff_packet_v0\ngoal_id: ledger\nhandoff_id: switch-3y5k\n\
        from_agent: codex-main\nto_agent: codex-two\ntodo_id: switch-9d4m\ngate_id: switch-2f8q\n\
        next_action: switch it\nstop_condition: Never stop\nexpires_at: 2026-03-09T00:00:00Z\n";
    let concise = || team.does(&["status", "--format", "concise"]);
    let two = || concise().lines().find(|line| line.contains("codex-two")).expect("the second agent").to_owned();
    assert!(!two().contains("may_continue=yes"), "{}", two());
    team.put("goals/ledger/handoffs/switch-3y5k.yaml", handoff);
    assert!(!two().contains("may_continue=yes"), "{}", two());
    let said = team.does(&["status"]);
    assert!(said.contains("handoff switch-3y5k is new"), "{said}");
    team.commit("reviewed");
    assert!(two().contains("may_continue=yes"), "a reviewed handoff counts: {}", concise());
}

// What cannot be read is no absence, git itself included.

#[test]
fn a_broken_repository_is_an_error_and_not_none() {
    type Damage = fn(&Team);
    let breaks: [(&str, Damage); 4] = [
        ("no HEAD", |team| fs::remove_file(team.repo.join(".git/HEAD")).expect("HEAD")),
        ("no refs", |team| fs::remove_dir_all(team.repo.join(".git/refs")).expect("refs")),
        ("no objects", |team| fs::remove_dir_all(team.repo.join(".git/objects")).expect("objects")),
        ("a file that leads nowhere", |team| {
            fs::rename(team.repo.join(".git"), team.repo.join("moved")).expect("a rename");
            fs::write(team.repo.join(".git"), "gitdir: nowhere\n").expect("a file");
        }),
    ];
    for (what, damage) in breaks {
        let team = Team::new();
        remove(&team, GATE);
        damage(&team);
        for command in [&["status"] as &[&str], &["reconcile"], &["lint"]] {
            let said = team.loopx(command);
            assert_eq!(said.code, Some(3), "{what}: {said:?}");
            assert!(said.err.contains("`git status` tells what is wrong"), "{what}: {said:?}");
        }
    }
}

#[test]
fn a_repository_below_is_not_skipped_for_the_one_above() {
    let team = Team::new();
    fs::create_dir(team.repo.join("loopx/.git")).expect("a folder");
    let said = team.loopx(&["status"]);
    assert_eq!(said.code, Some(3), "{said:?}");
}

#[test]
fn a_branch_that_is_lost_is_not_a_new_one() {
    let team = Team::new();
    team.git(&["branch", "other"]);
    remove(&team, GATE);
    fs::remove_file(team.repo.join(".git/refs/heads/main")).expect("a ref");
    assert!(is_closed(&team), "{}", line(&team));
}

#[test]
fn an_edit_that_is_not_committed_names_no_other_authority_ref() {
    let team = Team::new();
    team.git(&["branch", "other"]);
    team.git(&["switch", "--quiet", "other"]);
    team.decide("approve");
    team.does(&["record"]);
    team.commit("its own decision");
    assert!(is_closed(&team));
    team.put("loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: other }\n");
    assert!(is_closed(&team), "{}", line(&team));
}

#[test]
fn what_is_not_committed_yet_is_committed_first() {
    let team = Team::new();
    team.git(&["switch", "--quiet", "--create", "topic"]);
    remove(&team, GATE);
    let said = team.does(&["status"]);
    assert!(said.contains("git commit && git switch main && git merge topic"), "{said}");
    team.commit("remove the gate");
    let said = team.does(&["status"]);
    assert!(said.contains("git switch main && git merge topic") && !said.contains("git commit &&"), "{said}");
}

#[test]
fn a_goal_that_waits_for_the_authority_ref_is_named() {
    let team = Team::new();
    team.git(&["switch", "--quiet", "--create", "topic"]);
    for (path, from, to) in [
        ("goal.yaml", "goal_id: ledger", "goal_id: other"),
        ("todos/switch-9d4m.yaml", "goal_id: ledger", "goal_id: other"),
    ] {
        let text = team.read(&format!("goals/ledger/{path}"));
        team.put(&format!("goals/other/{path}"), &text.replace(from, to).replace("switch-9d4m", "other-1a2b"));
    }
    fs::rename(
        team.repo.join("loopx/goals/other/todos/switch-9d4m.yaml"),
        team.repo.join("loopx/goals/other/todos/other-1a2b.yaml"),
    )
    .expect("a rename");
    let said = team.does(&["status"]);
    assert!(said.contains("bring other to main") && !said.contains("{0}"), "{said}");
}
