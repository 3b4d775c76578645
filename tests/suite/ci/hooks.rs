//! The hooks that are published for pre-commit: they judge what would be committed, and nothing that would not. The stories
//! run as a plain hook of git, and with the real pre-commit where it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::guides::with_loopx;
use crate::receipts::team::Team;
use crate::store::report;
use crate::store::sandbox::{put, put_program};

const TODO: &str = "loopx/goals/ledger/todos/switch-9d4m.yaml";

/// The published hooks.
fn published() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    serde_yaml::from_str(&std::fs::read_to_string(file).expect("the hooks")).expect("YAML")
}

/// A team whose commits go through the hooks.
struct Hooked {
    team: Team,
    path: String,
}

impl Hooked {
    fn commits(&self, message: &str) -> Output {
        let mut command = Command::new("git");
        self.team.sandbox.scrub(&mut command);
        command.env("PATH", &self.path).current_dir(&self.team.repo);
        command.args(["commit", "--quiet", "--message", message]).output().expect("git")
    }

    fn accepts(&self, message: &str) {
        let output = self.commits(message);
        assert!(output.status.success(), "{message}: {output:?}");
    }

    fn refuses(&self, message: &str, why: &str) {
        let output = self.commits(message);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(!output.status.success() && said.contains(why), "{message}: {said}");
        self.team.git(&["reset", "--quiet", "--hard"]);
    }

    /// What commits must meet (field case 06 and its kind).
    fn stories(&self) {
        let team = &self.team;
        team.git(&["rm", "--quiet", TODO]);
        self.refuses("Only remove what something refers to", "reference/");

        let todo = team.read("goals/ledger/todos/switch-9d4m.yaml");
        team.put("goals/ledger/todos/draft.yaml", "x: [");
        put(&team.repo, TODO, &todo.replace("Switch the read flag", "Switch the flag"));
        team.git(&["add", "--update"]);
        self.accepts("A good change beside an untracked draft");
        std::fs::remove_file(team.repo.join("loopx/goals/ledger/todos/draft.yaml")).expect("the draft");

        put(&team.repo, TODO, &todo.replace("task_class: advancement_task", "task_class: advancement"));
        team.git(&["add", "--update"]);
        put(&team.repo, TODO, &todo);
        self.refuses("A bad version, with a good one in the work tree", "vocabulary/unknown-value");

        put(&team.repo, "go.sum", &go_sum());
        team.git(&["add", "go.sum"]);
        self.accepts("Checksums of modules");

        put(&team.repo, "notes.txt", &["seen at /ho", "me/alice/plans\n"].concat());
        team.git(&["add", "notes.txt"]);
        self.refuses("What is private, in a file of any kind", "privacy/");

        let token = ["gh", "p_", "k7Qz2mXw9RbT4vNc8LpJk7Qz2mXw9RbT4vNc"].concat();
        put(&team.repo, &format!("{token}.txt"), "fine\n");
        team.git(&["add", "--all"]);
        self.refuses("A name that is private", "privacy/secret");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(format!("/tmp/{token}"), team.repo.join("away")).expect("a link");
            team.git(&["add", "away"]);
            self.refuses("A link whose target is private", "privacy/secret");
        }
        std::fs::write(team.repo.join("picture.bin"), [0u8, 1, 2, 255]).expect("written");
        team.git(&["add", "picture.bin"]);
        self.accepts("A picture outside the state directory");

        team.git(&["rm", "--quiet", "-r", "loopx"]);
        self.accepts("Remove the state directory");
        put(&team.repo, "loopx/loopx.yaml", "schema_version: [\n");
        put(&team.repo, "readme.txt", "hello\n");
        team.git(&["add", "readme.txt"]);
        self.accepts("Another file beside a state directory that nobody added yet");
    }
}

/// What Go writes for two modules.
fn go_sum() -> String {
    use base64::Engine as _;
    let sum = base64::engine::general_purpose::STANDARD
        .encode((0..32_u8).map(|at| at.wrapping_mul(73) ^ 0x2d).collect::<Vec<_>>());
    format!("example.org/x v0.1.0 h1:{sum}\nexample.org/x v0.1.0/go.mod h1:{sum}\n")
}

#[test]
fn the_published_hooks_say_what_they_run() {
    let hooks = published();
    let field =
        |name: &str| hooks.as_array().expect("a list").iter().map(|hook| hook[name].clone()).collect::<Vec<_>>();
    assert_eq!(field("id"), ["loopx-lint", "loopx-scan"]);
    assert_eq!(field("entry"), ["loopx lint --staged", "loopx scan --"]);
    assert_eq!(field("language"), ["rust", "rust"]);
    assert_eq!(hooks[0]["always_run"], true);
    assert_eq!(hooks[0]["pass_filenames"], false);
}

#[test]
fn the_hooks_judge_what_would_be_committed() {
    let team = Team::new();
    let path = with_loopx(&team.sandbox);
    let entries = published();
    let entry = |number: usize| entries[number]["entry"].as_str().expect("a command").to_owned();
    // As pre-commit runs them: one without names, the other with those of files that are added or changed.
    let lines = format!(
        "#!/bin/sh\nset -e\n{}\nfiles=$(git diff --cached --name-only --diff-filter=ACMR)\n\
         if [ -n \"$files\" ]; then {} $files; fi\n",
        entry(0),
        entry(1)
    );
    put_program(&team.repo, ".git/hooks/pre-commit", &lines);
    Hooked { team, path }.stories();
}

/// The real pre-commit: where `LOOPX_PRE_COMMIT` says, else on `PATH`.
fn pre_commit() -> Option<PathBuf> {
    let named = std::env::var_os("LOOPX_PRE_COMMIT").map(PathBuf::from);
    named.or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join("pre-commit")).find(|file| file.is_file())
    })
}

#[test]
fn the_hooks_judge_what_would_be_committed_with_the_real_pre_commit() {
    let Some(program) = pre_commit() else {
        report("SKIPPED: the hooks with the real pre-commit; `pip install pre-commit`, then LOOPX_PRE_COMMIT=its path");
        return;
    };
    let team = Team::new();
    let path = with_loopx(&team.sandbox);
    let mut hooks = published();
    for hook in hooks.as_array_mut().expect("a list") {
        // The program is built already.
        hook["language"] = "system".into();
    }
    let config = serde_json::json!({ "repos": [{ "repo": "local", "hooks": hooks }] });
    put(&team.repo, ".pre-commit-config.yaml", &config.to_string());
    team.commit("hooks");
    let mut install = Command::new(program);
    team.sandbox.scrub(&mut install);
    let output = install.env("PATH", &path).current_dir(&team.repo).arg("install").output().expect("pre-commit");
    assert!(output.status.success(), "{output:?}");
    Hooked { team, path }.stories();
}
