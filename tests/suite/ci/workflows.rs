//! The workflows that `init --ci` writes: what they may do (P11), and that their steps work against a bare remote.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::guides::with_loopx;
use crate::receipts::team::{ASKED, decided};
use crate::store::sandbox::{Sandbox, put};

/// A clone of an empty bare remote, with what `init --ci` writes, pushed.
struct Hosted {
    sandbox: Sandbox,
    clone: PathBuf,
    path: String,
}

impl Hosted {
    fn new(host: &str) -> Self {
        let sandbox = Sandbox::new();
        let remote = sandbox.path("remote.git");
        std::fs::create_dir_all(&remote).expect("a folder");
        sandbox.git(&remote, &["init", "--quiet", "--bare", "--initial-branch=main", "."]);
        let hosted = Self { clone: sandbox.init("clone", &[]), path: with_loopx(&sandbox), sandbox };
        hosted.git(&["remote", "add", "origin", &remote.to_string_lossy()]);
        // Whoever runs `init` becomes the owner whom the policies know.
        hosted.git(&["config", "user.name", "Maya"]);
        hosted.does(&format!("loopx init --ci {host}"));
        // One question of our own, whose ids are known.
        hosted.put("loopx/goals/ledger/gates/switch-2f8q.yaml", ASKED);
        hosted.put(
            "loopx/goals/ledger/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store\nowner: maya\n\
             agents: { codex-main: writes the switch }\n\
             boundary: { write_scope: [services/ledger/**], stop_condition: Stop at the first failed check }\n",
        );
        hosted.put(
            "loopx/goals/ledger/todos/switch-9d4m.yaml",
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: switch-9d4m\ntitle: Switch the read flag\n\
             task_class: advancement_task\n",
        );
        hosted.does("git add . && git commit --quiet -m 'Ask' && git push --quiet -u origin main");
        hosted
    }

    fn put(&self, path: &str, text: &str) {
        put(&self.clone, path, text);
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.sandbox.git(&self.clone, arguments)
    }

    fn runs(&self, folder: &Path, script: &str, variables: &[(&str, String)]) -> Output {
        let mut command = Command::new("bash");
        self.sandbox.scrub(&mut command);
        command.env("PATH", &self.path).envs(variables.iter().map(|(name, value)| (*name, value)));
        command.current_dir(folder).args(["-e", "-o", "pipefail", "-c", script]).output().expect("a shell")
    }

    fn does(&self, script: &str) -> String {
        said(self.runs(&self.clone, script, &[]))
    }
}

/// What a script said, which must have succeeded.
fn said(output: Output) -> String {
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("Unicode");
    assert!(output.status.success(), "{said}");
    said
}

/// The workflow that `init --ci github` wrote.
fn workflow(hosted: &Hosted) -> (String, Value) {
    let text = std::fs::read_to_string(hosted.clone.join(".github/workflows/loopx.yml")).expect("the workflow");
    let value = serde_yaml::from_str(&text).expect("YAML");
    (text, value)
}

fn steps(job: &Value) -> &Vec<Value> {
    job["steps"].as_array().expect("steps")
}

fn script<'w>(workflow: &'w Value, job: &str, step: &str) -> &'w str {
    let found = steps(&workflow["jobs"][job]).iter().find(|it| it["name"] == step).expect("a step of this name");
    found["run"].as_str().expect("a script")
}

#[test]
fn the_workflow_of_github_asks_for_little_and_pins_what_it_uses() {
    let hosted = Hosted::new("github");
    let (text, workflow) = workflow(&hosted);
    assert!(!text.contains("pull_request_target") && !text.contains("workflow_run") && !text.contains("secrets."));
    let triggers: Vec<&String> = workflow["on"].as_object().expect("triggers").keys().collect();
    assert_eq!(triggers, ["merge_group", "pull_request", "push"]);
    assert_eq!(workflow["on"]["push"]["branches"], serde_json::json!(["main"]));
    assert_eq!(workflow["permissions"], serde_json::json!({}));
    for (job, permissions) in
        [("check", serde_json::json!({ "contents": "read" })), ("record", serde_json::json!({ "contents": "write" }))]
    {
        let job = &workflow["jobs"][job];
        assert_eq!(job["permissions"], permissions);
        assert!(job["timeout-minutes"].is_u64());
        for step in steps(job) {
            if let Some(uses) = step["uses"].as_str() {
                let (_, pin) = uses.split_once('@').expect("a version");
                assert!(pin.len() == 40 && pin.bytes().all(|byte| byte.is_ascii_hexdigit()), "{uses} is not pinned");
                assert!(text.contains(&format!("{uses} # v")), "{uses} says no version");
                assert!(!uses.contains("checkout") || step["with"]["persist-credentials"] == false, "{uses}");
            }
            // What somebody else wrote reaches a script only as a variable.
            assert!(!step["run"].as_str().unwrap_or_default().contains("${{"), "{step}");
        }
    }
    // Only a push can start the job that may write.
    assert_eq!(workflow["jobs"]["record"]["if"], "github.event_name == 'push'");
    // A queued merge is linted and nothing else: it is no pull request, and has no base of one.
    assert_eq!(workflow["jobs"]["check"]["if"], "github.event_name != 'push'");
    let conditions: Vec<(&str, &str)> = steps(&workflow["jobs"]["check"])
        .iter()
        .filter(|step| {
            step["run"].as_str().is_some_and(|script| script.contains("loopx ") && !script.contains("cargo"))
        })
        .map(|step| (step["name"].as_str().unwrap_or_default(), step["if"].as_str().unwrap_or_default()))
        .collect();
    let review = "${{ !cancelled() && github.event_name == 'pull_request' }}";
    assert_eq!(conditions, [("Lint", ""), ("Review", review)]);
}

#[test]
fn the_steps_of_github_check_a_change_and_record_it_once_it_is_merged() {
    let hosted = Hosted::new("github");
    let (_, workflow) = workflow(&hosted);
    hosted.does("git switch --quiet --create decide");
    hosted.put("loopx/goals/ledger/gates/switch-2f8q.yaml", &decided("approve"));
    hosted.does("git commit --quiet --all -m 'Decide' && git push --quiet -u origin decide");
    let page = hosted.sandbox.path("page.md");
    let variables = [
        ("BASE", "main".to_owned()),
        ("HEAD", hosted.git(&["rev-parse", "decide"]).trim().to_owned()),
        ("TOKEN", "none".to_owned()),
        ("GITHUB_STEP_SUMMARY", page.to_string_lossy().into_owned()),
    ];
    said(hosted.runs(&hosted.clone, script(&workflow, "check", "Lint"), &variables));
    said(hosted.runs(&hosted.clone, script(&workflow, "check", "Review"), &variables));
    let page = std::fs::read_to_string(page).expect("the page of the step");
    assert!(page.contains("documents clean") && page.contains("switch-2f8q"), "{page}");

    hosted.does("git switch --quiet main && git merge --quiet --no-edit decide && git push --quiet");
    // Somebody else pushes between the checkout of the runner and its own push.
    let runner = hosted.sandbox.path("runner");
    hosted.sandbox.git(&hosted.sandbox.path(""), &["clone", "--quiet", "remote.git", "runner"]);
    hosted.put("notes.txt", "another change\n");
    hosted.does("git add . && git commit --quiet -m 'Another' && git push --quiet");
    let variables = [("BRANCH", "main".to_owned()), ("TOKEN", "none".to_owned())];
    let record = script(&workflow, "record", "Record and push");
    let told = said(hosted.runs(&runner, record, &variables));
    assert!(told.contains("Attempt 1: the branch has moved on"), "{told}");
    hosted.does("git pull --quiet");
    let log = hosted.git(&["log", "--format=%s", "-3"]);
    assert!(log.starts_with("loopx: record 1 decision (gate switch-2f8q approved)\nAnother\n"), "{log}");
    let status = hosted.does("loopx status --agent codex-main --format concise");
    assert!(status.contains("may_continue=yes") && status.contains("gate_state=approved"), "{status}");

    // Nothing is left to record, and nothing is pushed.
    said(hosted.runs(&runner, record, &variables));
    hosted.does("git pull --quiet");
    assert_eq!(hosted.git(&["log", "--format=%s", "-3"]), log);
}

/// A decision on a branch, and a base that wants it vouched for since then. Gives the base as the event names it, the
/// head, and the clone of a runner that was made before the base moved.
fn moved(hosted: &Hosted) -> (String, String, PathBuf) {
    let policy =
        "schema_version: loopx_policy_v0\nactors:\n  maya: { class: owner, git: [user@users.noreply.example] }\n";
    hosted.put("loopx/policies/team.yaml", policy);
    hosted.does("git add . && git commit --quiet -m 'Name people' && git push --quiet");
    let old = hosted.git(&["rev-parse", "main"]).trim().to_owned();
    hosted.does("git switch --quiet --create decide");
    hosted.put("loopx/goals/ledger/gates/switch-2f8q.yaml", &decided("approve"));
    hosted.does("loopx record --quiet");
    hosted.does("git add . && git commit --quiet -m 'Decide' && git push --quiet -u origin decide");
    let head = hosted.git(&["rev-parse", "decide"]).trim().to_owned();
    hosted.sandbox.git(&hosted.sandbox.path(""), &["clone", "--quiet", "--branch=decide", "remote.git", "runner"]);
    hosted.does("git switch --quiet main");
    hosted.put("loopx/policies/team.yaml", &format!("{policy}rules:\n  transition/unverified: error\n"));
    hosted.does("git commit --quiet --all -m 'Decisions have to be vouched for' && git push --quiet");
    (old, head, hosted.sandbox.path("runner"))
}

/// Field case 08: the policies of the target branch as it is now judge, not as it was when the change was pushed.
#[test]
fn a_base_that_moved_judges_by_what_it_says_now_on_github() {
    let hosted = Hosted::new("github");
    let (_, workflow) = workflow(&hosted);
    let (old, head, runner) = moved(&hosted);
    let by_old = hosted.runs(&runner, &format!("loopx review {old}...{head}"), &[]);
    assert_eq!(by_old.status.code(), Some(0), "the old base allows it: {by_old:?}");
    let page = hosted.sandbox.path("page.md");
    let variables = [
        ("BASE", "main".to_owned()),
        ("HEAD", head),
        ("TOKEN", "none".to_owned()),
        ("GITHUB_STEP_SUMMARY", page.to_string_lossy().into_owned()),
    ];
    let output = hosted.runs(&runner, script(&workflow, "check", "Review"), &variables);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = std::fs::read_to_string(page).expect("the page of the step");
    assert!(page.contains("transition/unverified"), "{page}");
}

/// The same, also where the change comes from a fork, whose own branch of that name is nobody's base.
#[test]
fn a_base_that_moved_judges_by_what_it_says_now_on_gitlab() {
    let hosted = Hosted::new("gitlab");
    let text = std::fs::read_to_string(hosted.clone.join(".gitlab/loopx.yml")).expect("the jobs");
    let jobs: Value = serde_yaml::from_str(&text).expect("YAML");
    let (old, head, runner) = moved(&hosted);
    let by_old = hosted.runs(&runner, &format!("loopx review {old}...{head}"), &[]);
    assert_eq!(by_old.status.code(), Some(0), "the old base allows it: {by_old:?}");
    let lines = jobs["loopx-check"]["script"].as_array().expect("a script").iter().filter_map(Value::as_str);
    let lines: Vec<&str> = lines.collect();
    hosted.sandbox.git(&hosted.sandbox.path(""), &["clone", "--quiet", "--bare", "remote.git", "fork.git"]);
    let fork = hosted.sandbox.path("fork.git");
    hosted.sandbox.git(&fork, &["update-ref", "refs/heads/main", &old]);
    for (project, source) in [("7", "remote.git"), ("8", "fork.git")] {
        let place = hosted.sandbox.path(source);
        hosted.sandbox.git(&runner, &["remote", "set-url", "origin", &place.to_string_lossy()]);
        let variables = [
            ("CI_MERGE_REQUEST_PROJECT_ID", "7".to_owned()),
            ("CI_PROJECT_ID", project.to_owned()),
            ("CI_MERGE_REQUEST_PROJECT_URL", hosted.sandbox.path("remote").to_string_lossy().into_owned()),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main".to_owned()),
            ("CI_COMMIT_SHA", head.clone()),
        ];
        let output = hosted.runs(&runner, &lines.join("\n"), &variables);
        assert_eq!(output.status.code(), Some(1), "{source}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("transition/unverified"), "{source}: {output:?}");
    }
}

#[test]
fn a_change_that_lint_refuses_fails_the_check() {
    let hosted = Hosted::new("github");
    let (_, workflow) = workflow(&hosted);
    hosted.put("loopx/goals/ledger/gates/switch-2f8q.yaml", &decided("approve").replace("approve", "aproved"));
    let output = hosted.runs(&hosted.clone, script(&workflow, "check", "Lint"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).expect("Unicode");
    assert!(said.starts_with("::error file=loopx/goals/ledger/gates/switch-2f8q.yaml,"), "{said}");
}

#[test]
fn the_steps_of_gitlab_record_a_decision_on_the_default_branch() {
    let hosted = Hosted::new("gitlab");
    let root = std::fs::read_to_string(hosted.clone.join(".gitlab-ci.yml")).expect("the root");
    assert_eq!(root, "include:\n  - local: .gitlab/loopx.yml\n");
    let text = std::fs::read_to_string(hosted.clone.join(".gitlab/loopx.yml")).expect("the jobs");
    let jobs: Value = serde_yaml::from_str(&text).expect("YAML");
    let rule = jobs["loopx-record"]["rules"][0]["if"].as_str().expect("a rule");
    assert!(rule.contains("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH") && rule.contains("$LOOPX_PUSH_TOKEN"), "{rule}");
    hosted.put("loopx/goals/ledger/gates/switch-2f8q.yaml", &decided("approve"));
    hosted.does("git commit --quiet --all -m 'Decide' && git push --quiet");
    hosted.sandbox.git(&hosted.sandbox.path(""), &["clone", "--quiet", "remote.git", "group/project"]);
    let runner = hosted.sandbox.path("group/project");
    let lines: Vec<&str> =
        jobs["loopx-record"]["script"].as_array().expect("a script").iter().filter_map(Value::as_str).collect();
    hosted.sandbox.git(&hosted.sandbox.path(""), &["clone", "--quiet", "--bare", "remote.git", "served.git"]);
    let variables = [
        ("CI_SERVER_URL", hosted.sandbox.path("").to_string_lossy().trim_end_matches('/').to_owned()),
        ("CI_PROJECT_PATH", "served".to_owned()),
        ("CI_COMMIT_BRANCH", "main".to_owned()),
        ("LOOPX_PUSH_TOKEN", "none".to_owned()),
    ];
    // A bare repository of files takes no push options unless it is told to.
    hosted.sandbox.git(&hosted.sandbox.path("served.git"), &["config", "receive.advertisePushOptions", "true"]);
    said(hosted.runs(&runner, &lines.join("\n"), &variables));
    let log = hosted.sandbox.git(&hosted.sandbox.path("served.git"), &["log", "--format=%s", "-1", "main"]);
    assert_eq!(log.trim(), "loopx: record 1 decision (gate switch-2f8q approved)");
}

#[test]
fn what_is_there_is_left_and_shown_and_without_git_nothing_is_written() {
    let hosted = Hosted::new("github");
    hosted.put(".github/workflows/loopx.yml", "name: ours\n");
    let again = hosted.does("loopx init --ci github");
    assert!(again.contains("  = .github/workflows/loopx.yml is left as it is\n"), "{again}");
    let kept = std::fs::read_to_string(hosted.clone.join(".github/workflows/loopx.yml")).expect("the workflow");
    assert_eq!(kept, "name: ours\n");

    let alone = hosted.sandbox.init("alone", &[]);
    said(hosted.runs(&alone, "git switch --quiet --create trunk && loopx init --ci github", &[]));
    let written = std::fs::read_to_string(alone.join(".github/workflows/loopx.yml")).expect("the workflow");
    assert!(written.contains("    branches: [\"trunk\"]\n"), "the branch that is checked out, without a remote");

    let place = tempfile::tempdir().expect("a folder");
    let output = hosted.runs(place.path(), "loopx init --ci github", &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error[no_git]:"));
    assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 0);
}
