//! Many hooks at once, and hooks that are killed: no fact is lost, and the next event finds everything in order.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::receipts::team::{NOW, Team};

const SESSIONS: usize = 16;

/// How many events each session has; the whole storm is run by hand with `HOSTS_STORM=200`.
fn events() -> usize {
    std::env::var("HOSTS_STORM").ok().and_then(|count| count.parse().ok()).unwrap_or(12)
}

/// A team with many agents, each connected; their goal is open.
fn team() -> Team {
    let team = Team::new();
    let agents: Vec<String> = (0..SESSIONS).map(|number| format!("agent-{number}: works")).collect();
    team.put(
        "goals/ledger/goal.yaml",
        &format!(
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store\nowner: maya\n\
             agents: {{ {} }}\nboundary:\n  write_scope: [services/ledger/**]\n  stop_condition: Stop\n\
             validation_command: [make, check]\n",
            agents.join(", ")
        ),
    );
    for number in 0..SESSIONS {
        team.put(
            &format!("goals/ledger/todos/work-{number:04}.yaml"),
            &format!(
                "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: work-{number:04}\ntitle: Work\n\
                 task_class: advancement_task\nassignee: agent-{number}\n"
            ),
        );
    }
    team.put("goals/ledger/gates/switch-2f8q.yaml", &crate::receipts::team::ASKED.replace("[switch-9d4m]", "none"));
    team.put(
        "goals/ledger/todos/switch-9d4m.yaml",
        "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: switch-9d4m\ntitle: Switch\ntask_class: user_action\nassignee: maya\n",
    );
    team.commit("many agents");
    for number in 0..SESSIONS {
        let agent = format!("agent-{number}");
        team.does(&["connect", "claude_code", "--agent", &agent, "--by", "maya", "--execute"]);
    }
    team.commit("connected");
    team
}

fn command(team: &Team, event: &str, session: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
    team.sandbox.scrub(&mut command);
    command.current_dir(&team.repo).args(["--now", NOW, "hook", "claude_code", event]);
    command.env("LOOPX_AGENT", format!("agent-{session}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn payload(team: &Team, event: &str, session: usize, number: usize) -> Vec<u8> {
    let mut value = json!({ "hook_event_name": event, "session_id": format!("s-{session}"), "cwd": team.repo });
    let keys = match event {
        "PreToolUse" => {
            json!({ "tool_name": "Write", "tool_input": { "file_path": format!("services/ledger/{number}.rs") } })
        }
        "PostToolUse" => json!({ "tool_name": "Bash", "tool_input": { "command": "make check" }, "tool_response": {} }),
        _ => json!({}),
    };
    value.as_object_mut().expect("an object").extend(keys.as_object().expect("an object").clone());
    value.to_string().into_bytes()
}

fn hook(team: &Team, event: &str, session: usize, number: usize) -> (String, Duration) {
    let start = Instant::now();
    let mut child = command(team, event, session).spawn().expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(&payload(team, event, session, number)).expect("the hook reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    (String::from_utf8(output.stdout).expect("Unicode"), start.elapsed())
}

fn facts(team: &Team, session: usize) -> String {
    let status: serde_json::Value =
        serde_json::from_str(&team.does(&["session", "list", "--format", "json"])).expect("JSON");
    let lines = status["sessions"].as_array().expect("a list");
    let own = lines.iter().find(|line| line["agent_id"] == format!("agent-{session}")).expect("a binding");
    let name = format!(".git/loopx/facts/loopx/claude_code/{}.yaml", own["session_id"].as_str().expect("an id"));
    std::fs::read_to_string(team.repo.join(name)).unwrap_or_default()
}

#[test]
#[expect(clippy::print_stdout, reason = "says what a long run by hand measured")]
fn many_sessions_at_once_lose_no_fact() {
    let team = team();
    let count = events();
    let results: Vec<(BTreeSet<String>, Duration)> = std::thread::scope(|scope| {
        let one = |session: usize| {
            let (team, mut verdicts, mut slowest) = (&team, BTreeSet::new(), Duration::ZERO);
            scope.spawn(move || {
                hook(team, "SessionStart", session, 0);
                hook(team, "UserPromptSubmit", session, 0);
                for number in 0..count {
                    let event = if number % 4 == 3 { "PostToolUse" } else { "PreToolUse" };
                    let (answer, took) = hook(team, event, session, number);
                    slowest = slowest.max(took);
                    if event == "PreToolUse" {
                        verdicts.insert(answer);
                    }
                }
                (verdicts, slowest)
            })
        };
        let threads: Vec<_> = (0..SESSIONS).map(one).collect();
        threads.into_iter().map(|thread| thread.join().expect("a session")).collect()
    });
    let slowest = results.iter().map(|(_, took)| *took).max().expect("sessions");
    let verdicts: BTreeSet<&String> = results.iter().flat_map(|(verdicts, _)| verdicts).collect();
    assert_eq!(verdicts.into_iter().collect::<Vec<_>>(), [""], "one verdict for all");
    for session in 0..SESSIONS {
        let facts = facts(&team, session);
        let newest = format!("outcome_id: hv-1-{}", count / 4);
        assert!(facts.contains(&newest), "{newest} of agent-{session}: {facts}");
    }
    println!("storm: {SESSIONS} sessions of {count} events, the slowest hook took {slowest:?}");
}

#[test]
fn two_hooks_of_one_session_at_once_lose_no_fact() {
    let team = team();
    hook(&team, "SessionStart", 0, 0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| hook(&team, "PostToolUse", 0, 0));
        }
    });
    hook(&team, "UserPromptSubmit", 0, 0);
    assert!(facts(&team, 0).contains("outcome_id: hv-1-8"), "{}", facts(&team, 0));
}

/// How many hooks are killed; the whole test is run by hand with `HOSTS_KILLS=200`.
fn kills() -> u64 {
    std::env::var("HOSTS_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(12)
}

#[test]
fn a_killed_hook_leaves_the_next_event_right() {
    let team = team();
    let before = team.loopx(&["lint"]).code;
    hook(&team, "SessionStart", 0, 0);
    let mut seed = 7_u64;
    for number in 0..kills() {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let event =
            ["UserPromptSubmit", "PostToolUse", "Stop", "PreToolUse"][usize::try_from(number % 4).expect("small")];
        let mut child = command(&team, event, 0).spawn().expect("the program runs");
        let _ = child.stdin.take().expect("a pipe").write_all(&payload(&team, event, 0, 0));
        std::thread::sleep(Duration::from_micros(seed % 30_000));
        let _ = child.kill();
        child.wait().expect("it ends");
        let (answer, _) = hook(&team, "PreToolUse", 0, 1);
        assert_eq!(answer, "", "after kill {number} during {event}");
    }
    hook(&team, "UserPromptSubmit", 0, 0);
    assert!(facts(&team, 0).contains("status: running"));
    assert_eq!(team.loopx(&["lint"]).code, before);
    let waiting = team.repo.join(".git/loopx/hosts/reports");
    let left: usize = std::fs::read_dir(waiting)
        .into_iter()
        .flatten()
        .flatten()
        .map(|folder| {
            std::fs::read_dir(folder.path())
                .expect("a folder")
                .flatten()
                .filter(|it| !it.file_name().to_string_lossy().starts_with('.'))
                .count()
        })
        .sum();
    assert_eq!(left, 0, "every report is folded");
}
