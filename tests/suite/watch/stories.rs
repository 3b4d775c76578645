//! `loopx watch` on a real disk, beside editors, git and other programs. The ids are those of the team's list.

use std::fs;
use std::time::Duration;

use super::running::{Running, is_cold};
use crate::receipts::team::{ASKED, NOW, Team, decided};

const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";

fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

/// Saves a file as vim and most editors do: the new text beside it, then in its place.
fn save_by_rename(team: &Team, path: &str, text: &str, number: usize) {
    let beside = format!("{path}.{number}.tmp");
    team.put(&beside, text);
    fs::rename(team.repo.join("loopx").join(beside), team.repo.join("loopx").join(path)).expect("a rename");
}

#[test]
fn the_screen_of_an_edit_is_one_line_for_each_change_of_meaning() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    team.put(GATE, &decided("aproved"));
    watch.until("ran");
    team.put(GATE, &decided("approve"));
    let mended = watch.until("ran");
    assert_eq!(mended["next"], "git commit, then loopx reconcile --commit");
    team.put(GATE, &format!("# a comment\n{}", decided("approve")));
    team.put(GATE, &format!("{}\n", decided("approve").replace("blocks: [switch-9d4m]", "blocks:\n  - switch-9d4m")));
    watch.settle(&team, 1);
    assert_eq!(
        watch.changes(),
        [
            "fault switch-2f8q `aproved` is not a gate decision (line 9); ledger projects blocked until fixed",
            "plain switch-2f8q mended: approved, not recorded yet",
            "plain settled-1 new todo; ledger waits on agent, agents may continue: yes",
        ]
    );
    is_cold(&team);
}

/// W01, W02: rename-over saves, each seen; names of temporary files are nobody's.
#[test]
fn each_atomic_save_is_seen_and_temporary_names_are_no_documents() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    for (number, question) in ["May it go on?", "May it really?", "May it, at last?"].into_iter().enumerate() {
        let text = ASKED.replace("May codex-main switch the staging read flag?", question);
        save_by_rename(&team, GATE, &text, number);
        watch.until("ran");
    }
    watch.settle(&team, 1);
    let changes = watch.changes();
    assert_eq!(changes.len(), 4, "{changes:#?}");
    let about = |change: &&String| change.starts_with("notable switch-2f8q question");
    assert_eq!(changes.iter().filter(about).count(), 3, "{changes:#?}");
    is_cold(&team);
}

/// W05: folders made in one go, and moved as a whole.
#[test]
fn new_and_renamed_folders_are_found() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    let goal = team.read("goals/ledger/goal.yaml").replace("goal_id: ledger", "goal_id: other");
    team.put("goals/other/goal.yaml", &goal);
    watch.until("ran");
    watch.settle(&team, 1);
    assert!(team.repo.join("loopx/projections/other/codex-main.json").exists());
    fs::rename(team.repo.join("loopx/goals/other"), team.repo.join("loopx/goals/third")).expect("a rename");
    watch.until("ran");
    team.put("goals/third/goal.yaml", &goal.replace("other", "third"));
    watch.until("ran");
    watch.settle(&team, 2);
    is_cold(&team);
    assert!(team.repo.join("loopx/projections/third/codex-main.json").exists());
    assert!(!team.repo.join("loopx/projections/other").exists());
}

/// W08, W14: neither our own outputs nor a looping `git status` are a reason to look.
#[test]
fn an_idle_watch_does_nothing() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    watch.settle(&team, 1);
    let before = cpu(watch.id());
    for _ in 0..20 {
        team.git(&["status"]);
        fs::read(team.repo.join("loopx").join(GATE)).expect("a file");
    }
    assert_eq!(watch.within(seconds(2)), Vec::<serde_json::Value>::new());
    let used = cpu(watch.id()) - before;
    assert!(used <= 10, "{used} hundredths of a second in two");
}

/// Processor time of a process, in hundredths of a second; zero where the system does not say.
fn cpu(id: u32) -> u64 {
    let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else { return 0 };
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// Outputs that somebody edits or removes are put right.
#[test]
fn outputs_are_restored() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    let output = team.repo.join("loopx/projections/ledger/codex-main.json");
    let text = fs::read(&output).expect("an output");
    fs::remove_file(&output).expect("an output");
    watch.until("ran");
    assert_eq!(fs::read(&output).expect("an output"), text);
    fs::remove_dir_all(team.repo.join("loopx/projections")).expect("outputs");
    watch.until("ran");
    assert_eq!(fs::read(&output).expect("an output"), text);
    is_cold(&team);
}

/// W17: one run for a branch, after git is done.
#[test]
fn a_branch_switch_is_one_run() {
    let team = Team::new();
    team.git(&["switch", "--quiet", "--create", "side"]);
    for number in 0..300 {
        team.put(
            &format!("goals/ledger/todos/more-{number}.yaml"),
            &format!(
                "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: more-{number}\ntitle: More\n\
                 task_class: advancement_task\n"
            ),
        );
    }
    team.decide("approve");
    team.commit("side");
    let mut watch = Running::start(&team, &[]);
    team.git(&["switch", "--quiet", "main"]);
    let ran = watch.until("ran");
    let moved = ran["moved"].as_str().unwrap_or_default();
    assert!(moved.starts_with("side ") && moved.contains(" -> main "), "{ran}");
    team.git(&["switch", "--quiet", "side"]);
    let moved = watch.until("ran")["moved"].clone();
    assert!(moved.as_str().unwrap_or_default().contains(" -> side "), "{moved}");
    watch.settle(&team, 1);
    assert_eq!(watch.count("ran"), 3, "{:#?}", watch.said);
    is_cold(&team);
}

/// W16: nothing is touched during a merge, and all is looked at after it.
#[test]
fn a_merge_with_conflicts_is_waited_for() {
    let team = Team::new();
    team.git(&["switch", "--quiet", "--create", "side"]);
    team.decide("reject");
    team.commit("reject");
    team.git(&["switch", "--quiet", "main"]);
    team.decide("approve");
    team.commit("approve");
    let mut watch = Running::start(&team, &[]);
    let output = || team.read("projections/ledger/codex-main.json");
    let before = output();
    assert!(!team.sandbox.try_git(&team.repo, &["merge", "side"]).status.success(), "a conflict");
    let conflict = team.read(GATE);
    assert_eq!(watch.until("waits")["text"], "git: a merge is in progress, waiting");
    team.put("goals/ledger/todos/switch-9d4m.yaml", "broken: [\n");
    assert_eq!(watch.within(seconds(1)), Vec::<serde_json::Value>::new());
    assert_eq!((team.read(GATE), output()), (conflict, before.clone()));
    team.git(&["checkout", "--quiet", "HEAD", "--", "."]);
    team.git(&["merge", "--abort"]);
    assert_eq!(watch.until("over")["text"], "git: a merge is over, nothing changed by it");
    assert_eq!(output(), before);
    is_cold(&team);
}

/// Between unlocking the index and saying that a merge is open, git is held up by a busy machine. The conflict marks of
/// that moment are nobody's document.
#[test]
fn conflict_marks_before_git_says_so_are_not_looked_at() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    watch.settle(&team, 1);
    let head = team.git(&["rev-parse", "HEAD"]);
    fs::write(team.repo.join(".git/AUTO_MERGE"), &head).expect("a file");
    team.put(GATE, &format!("<<<<<<< HEAD\n{ASKED}=======\n>>>>>>> side\n"));
    std::thread::sleep(Duration::from_millis(500));
    fs::write(team.repo.join(".git/MERGE_HEAD"), &head).expect("a file");
    assert_eq!(watch.until("waits")["text"], "git: a merge is in progress, waiting");
    let changes = watch.changes();
    assert!(changes.iter().all(|change| !change.starts_with("fault")), "{changes:#?}");
    team.put(GATE, ASKED);
    fs::remove_file(team.repo.join(".git/AUTO_MERGE")).expect("a file");
    fs::remove_file(team.repo.join(".git/MERGE_HEAD")).expect("a file");
    assert_eq!(watch.until("over")["text"], "git: a merge is over, nothing changed by it");
}

/// W04, W11: a flood of events delays no end, and leaves what a cold run gives once another watch has looked.
#[test]
fn a_signal_ends_it_after_the_run_in_hand() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    for number in 0..2_000 {
        team.put(GATE, &ASKED.replace("read flag", &format!("read flag {number}")));
    }
    let (status, took) = watch.stop();
    assert_eq!(status.code(), Some(0));
    assert!(took < seconds(5), "{took:?}");
    let ended = watch.until("ended");
    assert!(ended["commit"].is_string(), "{ended}");
    assert!(!team.repo.join("loopx/.loopx").exists());
    team.does(&["reconcile"]);
}

/// What time brings about is followed without any event.
#[test]
fn a_verdict_that_ends_is_followed_when_it_does() {
    let team = Team::new();
    team.put(GATE, &decided("defer").replace("2026-03-12T00:00:00Z", "2026-03-07T12:00:03Z"));
    team.commit("defer");
    team.does(&["reconcile", "--commit"]);
    let mut watch = Running::start(&team, &[]);
    watch.until("ran");
    assert_eq!(
        watch.changes(),
        ["plain ledger no longer gate_deferred switch-2f8q", "notable ledger missing_gate_decision switch-2f8q"]
    );
}

#[test]
fn once_is_one_look() {
    let team = Team::new();
    assert_eq!(team.does(&["watch", "--once"]), "watching 4 documents, 1 goal, one look; 3 outputs written\n");
    assert_eq!(team.does(&["watch", "--once"]), "watching 4 documents, 1 goal, one look; outputs up to date\n");
    team.put("goals/ledger/goal.yaml", "]\n");
    let said = team.loopx(&["watch", "--once"]);
    assert_eq!((said.code, said.out.contains("1 document cannot be used")), (Some(1), true), "{said:?}");
    is_refused(&team);
}

fn is_refused(team: &Team) {
    for arguments in [&["watch", "--once", "--poll"][..], &["watch", "--once", "--exec", "true"]] {
        assert_eq!(team.loopx(arguments).code, Some(2));
    }
}

/// With `--commit` a decision is recorded as soon as it is committed.
#[test]
fn decisions_are_recorded_where_that_is_wanted() {
    let team = Team::new();
    let mut watch = Running::start(&team, &["--commit"]);
    team.decide("approve");
    assert_eq!(watch.until("ran")["next"], "git commit");
    team.commit("decide");
    let recorded = watch.until("recorded");
    assert_eq!(recorded["decisions"], serde_json::json!(["gate switch-2f8q approved"]));
    watch.settle(&team, 1);
    assert_eq!(team.receipts().len(), 1);
    assert_eq!(watch.count("recorded"), 1);
    let (_, _, reasons) = team.screen();
    assert_eq!(reasons, ["in_step"]);
    is_cold(&team);
}

/// A command after each change: once for all that came while it ran.
#[test]
fn a_command_follows_changes() {
    let team = Team::new();
    let log = team.sandbox.path("log");
    let line = format!("echo followed >> '{}'; sleep 1", log.display());
    let mut watch = Running::start(&team, &["--exec", &line]);
    watch.until("executed");
    for number in 0..3 {
        team.put(GATE, &ASKED.replace("read flag", &format!("flag {number}")));
        watch.until("ran");
    }
    watch.until("executed");
    watch.until("executed");
    assert_eq!(watch.within(Duration::from_millis(1500)), Vec::<serde_json::Value>::new());
    assert_eq!(fs::read_to_string(log).expect("a log").lines().count(), 3, "{:#?}", watch.said);
}

/// W07: where no events come, looking does.
#[test]
fn polling_sees_the_same() {
    let team = Team::new();
    let mut watch = Running::start(&team, &["--poll"]);
    assert_eq!(watch.said[0]["means"], "polling");
    team.put(GATE, &ASKED.replace("read flag", "flag"));
    watch.until("ran");
    team.git(&["checkout", "--quiet", "--", "."]);
    watch.until("ran");
    watch.settle(&team, 1);
    is_cold(&team);
}

/// The state directory itself may go and come back.
#[test]
fn a_state_directory_that_goes_is_waited_for() {
    let team = Team::new();
    let mut watch = Running::start(&team, &[]);
    let away = team.sandbox.path("away");
    fs::rename(team.repo.join("loopx"), &away).expect("a rename");
    assert_eq!(watch.until("waits")["text"], "loopx.yaml is gone, waiting for it");
    fs::rename(&away, team.repo.join("loopx")).expect("a rename");
    watch.until("over");
    watch.settle(&team, 1);
    is_cold(&team);
}

/// W13: what a link shows belongs to somebody else.
#[test]
fn links_are_not_followed() {
    let team = Team::new();
    let outside = team.sandbox.path("outside");
    fs::create_dir_all(&outside).expect("a folder");
    std::os::unix::fs::symlink(&outside, team.repo.join("loopx/goals/linked")).expect("a link");
    let mut watch = Running::start(&team, &[]);
    fs::write(outside.join("goal.yaml"), "]\n").expect("a file");
    std::os::unix::fs::symlink(&outside, team.repo.join("loopx/goals/later")).expect("a link");
    watch.settle(&team, 1);
    fs::write(outside.join("goal.yaml"), "[\n").expect("a file");
    watch.settle(&team, 2);
    assert!(watch.changes().iter().all(|change| change.contains("settled-")), "{:#?}", watch.changes());
    is_cold(&team);
}

#[test]
fn the_guide_to_watching_runs_as_it_is_written() {
    crate::guides::runs_as_written("watch.md", 3);
}

/// Nobody listens any more, so nobody is told.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let team = Team::new();
    let line = format!(
        "'{}' --now {NOW} watch --format json --exec 'printf \"# %s\\n\" x >> loopx/loopx.yaml' | head -n 1",
        env!("CARGO_BIN_EXE_loopx")
    );
    let said = team.sandbox.paste(&team.repo, &line);
    assert!(said.status.success());
    assert_eq!(String::from_utf8_lossy(&said.stderr), "");
}
