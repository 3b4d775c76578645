//! Files of a state directory that are no documents: whatever git holds of it passes the wall, in every command alike.

use std::path::Path;

use super::team::{Said, Step, Team};
use crate::store::sandbox::put;

/// A token of a form that nobody may commit.
fn token() -> String {
    ["gh", "p_", "k7Qz2mXw9RbT4vNc8LpJk7Qz2mXw9RbT4vNc"].concat()
}

/// The paths at which findings stand.
fn places(said: &Said) -> Vec<String> {
    let place = |line: &str| line.split(" error ").next().unwrap_or_default().split(':').next().map(str::to_owned);
    let mut places: Vec<String> = said.out.lines().filter(|line| line.contains(" error ")).filter_map(place).collect();
    places.sort();
    places.dedup();
    places
}

fn lint(team: &Team, arguments: &[&str]) -> Vec<String> {
    let said = team.loopx(&[&["lint", "--format", "concise"], arguments].concat());
    assert!(matches!(said.code, Some(0 | 1)), "{arguments:?}: {said:?}");
    places(&said)
}

/// What somebody may add beside the documents, and where its finding stands.
fn beside(team: &Team) -> Vec<String> {
    let text = format!("the key is {}\n", token());
    let names = [
        "notes.txt",
        "README.md",
        ".hidden",
        ".cache/x",
        "runs/x.jsonl",
        "goals/ledger/.goal.yaml.swp",
        "goals/ledger/todos/notes.md",
        "projections/ledger/codex-main.json",
        "attention.md",
    ];
    for name in names {
        team.put(name, &text);
    }
    let mut found: Vec<String> = names.iter().map(|name| format!("loopx/{name}")).collect();
    let named = format!("plans/{}/fine.txt", token());
    team.put(&named, "fine\n");
    found.push("loopx/plans/‹hidden".to_owned());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(format!("/tmp/{}", token()), team.repo.join("loopx/link")).expect("a link");
        found.push("loopx/link".to_owned());
    }
    team.put(".gitignore", "");
    found.sort();
    found
}

#[test]
fn what_git_tracks_beside_the_documents_is_judged_everywhere() {
    let team = Team::new();
    team.branch("topic", "main");
    let wanted = beside(&team);
    team.git(&["add", "--all", "--force"]);
    assert_eq!(lint(&team, &["--staged"]), wanted, "--staged");
    assert_eq!(lint(&team, &[]), wanted, "the work tree");
    assert_eq!(lint(&team, &["loopx/.cache"]), ["loopx/.cache/x"], "a folder that was named");
    team.git(&["commit", "--quiet", "--message=beside"]);
    assert_eq!(lint(&team, &["--rev", "HEAD"]), wanted, "--rev");
    assert_eq!(lint(&team, &["--since", "main"]), wanted, "--since");
    assert_eq!(lint(&team, &["--staged"]), Vec::<String>::new(), "what HEAD holds is not new");
    let said = team.loopx(&["review", "main..topic", "--format", "concise"]);
    let refused = said.out.lines().filter(|line| line.starts_with("refused ")).count();
    assert_eq!((said.code, refused), (Some(1), wanted.len()), "{said:?}");
    assert!(!said.out.contains(&token()) && !said.err.contains(&token()));
}

#[test]
fn what_git_does_not_track_is_nobodys_business() {
    let team = Team::new();
    beside(&team);
    std::fs::remove_file(team.repo.join("loopx/goals/ledger/todos/notes.md")).expect("a file in the layout");
    assert_eq!(lint(&team, &[]), Vec::<String>::new());
    assert_eq!(lint(&team, &["--staged"]), Vec::<String>::new());
}

#[test]
fn binary_and_deep_files_are_named_and_refused() {
    let team = Team::new();
    std::fs::write(team.repo.join("loopx/picture.bin"), [0u8, 1, 2, 255, 254]).expect("written");
    let deep = format!("{}x.txt", "d/".repeat(40));
    team.put(&deep, "fine\n");
    team.put(&format!("goals/{deep}"), "fine\n");
    team.git(&["add", "--all"]);
    assert_eq!(lint(&team, &["--staged"]), ["loopx/picture.bin"]);
    team.git(&["commit", "--quiet", "--message=deep"]);
    let found = lint(&team, &["--rev", "HEAD"]);
    let named = |start: &str| found.iter().any(|path| path.starts_with(start));
    assert!(
        found.len() == 3 && named("loopx/picture.bin") && named("loopx/d/d/") && named("loopx/goals/d/"),
        "{found:?}"
    );
}

/// The token stands in the middle of the branch alone; merging publishes it.
#[test]
fn what_a_later_commit_removed_is_refused_with_its_commit() {
    let team = Team::new();
    team.branch("topic", "main");
    let text = format!("see {}\n", token());
    team.put("notes.txt", &text);
    let todo = "goals/ledger/todos/bench-7k2m.yaml";
    let clean = std::fs::read_to_string(team.repo.join("loopx").join(todo)).expect("a todo");
    team.put(todo, &format!("{clean}evidence: [\"{}\"]\n", token()));
    team.git(&["add", "--all"]);
    team.git(&["commit", "--quiet", "--message=add"]);
    let held = team.git(&["rev-parse", "--short", "HEAD"]).trim().to_owned();
    team.put(todo, &clean);
    std::fs::remove_file(team.repo.join("loopx/notes.txt")).expect("a file");
    team.git(&["add", "--all"]);
    team.git(&["commit", "--quiet", "--message=remove"]);
    let said = team.loopx(&["review", "main..topic"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for path in ["notes.txt", todo] {
        let line = said.out.lines().find(|line| line.contains(path)).unwrap_or_else(|| panic!("{path}: {said:?}"));
        assert!(line.contains(&format!("commit {held} holds")), "{line}");
    }
    assert!(!said.out.contains(&token()));
    // What the base holds already is nothing new.
    let said = team.loopx(&["review", "topic~1..topic"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// Commits with a header that their makers chose.
#[test]
fn headers_of_commits_pass_the_wall_and_addresses_do_not_count() {
    let clean = ["Maya Roe", "dependabot[bot]", "maya"];
    let addresses = ["maya@corp-mail.io", "1234567+maya@users.noreply.example", "maya@host.local"];
    for (name, address, is_clean) in
        clean.iter().zip(addresses).map(|(name, address)| ((*name).to_owned(), address.to_owned(), true)).chain([
            (token(), "maya@users.noreply.example".to_owned(), false),
            ("maya".to_owned(), format!("{}@users.noreply.example", token()), false),
        ])
    {
        for variable in ["AUTHOR", "COMMITTER"] {
            let team = Team::new();
            team.branch("topic", "main");
            put(&team.repo, "app.txt", "1\n");
            team.git(&["add", "--all"]);
            let mut commit = std::process::Command::new("git");
            team.sandbox.scrub(&mut commit);
            commit.env(format!("GIT_{variable}_NAME"), &name).env(format!("GIT_{variable}_EMAIL"), &address);
            let output =
                commit.current_dir(&team.repo).args(["commit", "--quiet", "--message=app"]).output().expect("git");
            assert!(output.status.success(), "{output:?}");
            let said = team.loopx(&["review", "main..topic"]);
            assert_eq!(said.code, Some(i32::from(!is_clean)), "{variable}: {said:?}");
            assert!(!said.out.contains(&token()));
        }
    }
}

#[test]
fn other_headers_of_commits_pass_the_wall_and_signatures_do_not_count() {
    let signature = "gpgsig -----BEGIN SSH SIGNATURE-----\n U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgJKxoHV3B8y0oJY2W8Q\n \
                     -----END SSH SIGNATURE-----";
    for (header, code) in [(format!("note {}", token()), 1), (signature.to_owned(), 0)] {
        let team = Team::new();
        team.branch("topic", "main");
        let tree = team.git(&["rev-parse", "HEAD^{tree}"]);
        let parent = team.git(&["rev-parse", "HEAD"]);
        let who = "maya <maya@users.noreply.example> 1772884800 +0000";
        let text = format!(
            "tree {}\nparent {}\nauthor {who}\ncommitter {who}\n{header}\n\nnothing\n",
            tree.trim(),
            parent.trim()
        );
        put(&team.repo, ".git/raw", &text);
        let commit = team.git(&["hash-object", "-t", "commit", "-w", ".git/raw"]);
        team.git(&["reset", "--quiet", "--hard", commit.trim()]);
        let said = team.loopx(&["review", "main..topic"]);
        assert_eq!(said.code, Some(code), "{said:?}");
    }
}

/// A list of private hosts names them; it does not find itself, in `lint`, `scan` and `review`, and finds all else.
#[test]
fn a_policy_may_list_what_is_private() {
    let team = Team::new();
    let host = ["vault.", "ledger", ".internal"].concat();
    let policy = "policies/team.yaml";
    let text = std::fs::read_to_string(team.repo.join("loopx").join(policy)).expect("a policy");
    let section = format!("privacy:\n  ticket_prefixes: [LED]\n  private_hosts: [{host}]\n");
    team.branch("topic", "main");
    team.commit(&Step {
        author: "maya".into(),
        message: "Hosts".into(),
        put: [(policy.to_owned(), format!("{text}{section}"))].into(),
        ..Step::default()
    });
    assert_eq!(lint(&team, &[]), Vec::<String>::new());
    assert_eq!(team.loopx(&["scan", "loopx/policies"]).code, Some(0));
    let said = team.loopx(&["review", "main..topic"]);
    assert!(!said.out.contains("privacy/"), "{said:?}");
    // Elsewhere, and what is no host, is refused as ever.
    team.put("notes.txt", &format!("see https://{host}/x and LED-12\n"));
    team.put(policy, &format!("{text}{section}").replace("[LED]", &format!("[LED, {}]", token())));
    team.git(&["add", "--all"]);
    assert_eq!(lint(&team, &[]), ["loopx/notes.txt", "loopx/policies/team.yaml"]);
    assert_eq!(team.loopx(&["scan", "loopx/policies"]).code, Some(1));
}

/// Field case: a typing error in a row.
#[test]
fn a_row_that_matches_nothing_is_refused_with_what_was_meant() {
    let team = Team::new();
    let policy = "policies/team.yaml";
    let text = std::fs::read_to_string(team.repo.join("loopx").join(policy)).expect("a policy");
    let cases = [
        ("transitions:\n  - { kind: gaet, verdict: refuse }\n", "did you mean `gate`?"),
        ("transitions:\n  - { kind: gate, field: expires, verdict: refuse }\n", "did you mean `expires_at`?"),
        (
            "transitions:\n  - { kind: gate, field: decision.label, to: aprove, verdict: refuse }\n",
            "did you mean `approve`?",
        ),
        ("privacy:\n  ticket_prefixes: ['-']\n", "no ticket begins with this"),
        ("privacy:\n  private_hosts: ['*']\n", "no host is called this"),
    ];
    // What is added to the rows that the team has.
    let with = |section: &str| match section.strip_prefix("transitions:\n") {
        Some(rows) => text.replace("transitions:\n", &format!("transitions:\n{rows}")),
        None => format!("{text}{section}"),
    };
    for (section, said) in cases {
        team.put(policy, &with(section));
        let lint = team.loopx(&["lint"]);
        assert!(lint.code == Some(1) && lint.out.contains(said), "{section}: {lint:?}");
        assert!(lint.out.contains("policy/never-matches"), "{section}: {lint:?}");
    }
    let rows = "transitions:\n  - { kind: gate, field: decision.label, from: none, to: approve, verdict: refuse }\n  \
                - { kind: operator_gate_v0, field: expires_at, verdict: allow }\n  - { field: agents.codex-main, verdict: refuse }\n";
    team.put(policy, &format!("{}privacy:\n  private_hosts: [bücher.sample.io]\n", with(rows)));
    let lint = team.loopx(&["lint"]);
    assert_eq!(lint.code, Some(0), "{lint:?}");
}

/// `scan DIR` looks at what git holds of it, ignored or not, and at names and targets of links.
#[test]
fn scan_looks_at_what_git_tracks() {
    let team = Team::new();
    let place = &team.repo;
    put(place, "logs/.gitignore", "*\n");
    put(place, "logs/kept.txt", &format!("{}\n", token()));
    put(place, "logs/free.txt", &format!("{}\n", token()));
    team.git(&["add", "--force", "logs/kept.txt"]);
    let found = |arguments: &[&str]| places(&team.loopx(&[&["scan", "--format", "concise"], arguments].concat()));
    assert_eq!(found(&["logs"]), ["logs/kept.txt"]);
    assert_eq!(found(&["."]), ["logs/kept.txt"]);
    assert_eq!(team.loopx_in(&place.join("logs"), &["scan", "."]).code, Some(1));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(format!("/tmp/{}", token()), place.join("away")).expect("a link");
        assert_eq!(found(&["away"]), ["away"]);
        assert_eq!(found(&["."]), ["away", "logs/kept.txt"]);
        // Git holds the link: what stands behind it is nobody's commit.
        put(&team.sandbox.path("outside"), "x.txt", &token());
        std::os::unix::fs::symlink("../outside/x.txt", place.join("plain")).expect("a link");
        assert_eq!(team.loopx(&["scan", "plain"]).code, Some(0));
    }
}

#[test]
fn nothing_new_is_not_clean() {
    let team = Team::new();
    let todo = "goals/ledger/todos/bench-7k2m.yaml";
    let text = std::fs::read_to_string(team.repo.join("loopx").join(todo)).expect("a todo");
    team.put(todo, &format!("{text}after: [nowhere-1a2b]\n"));
    team.git(&["add", "--all"]);
    team.git(&["commit", "--quiet", "--message=wrong"]);
    for arguments in [&["lint", "--staged"][..], &["lint", "--since", "HEAD"]] {
        let said = team.loopx(arguments);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.starts_with("Nothing new is wrong in ") && !said.out.contains("clean"), "{said:?}");
        assert!(said.out.contains("1 finding stood there before"), "{said:?}");
    }
    let report: serde_json::Value =
        serde_json::from_str(&team.does(&["lint", "--staged", "--format", "json"])).expect("JSON");
    assert_eq!(report["summary"]["old_findings"], 1);
}

/// `git commit` with an index of its own runs its hooks with the name of that index.
#[test]
fn an_index_that_stands_elsewhere_is_judged_and_a_missing_one_refused() {
    let team = Team::new();
    let index = team.sandbox.path("own-index");
    let staged = |index: &Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_loopx"));
        team.sandbox.scrub(&mut command);
        command.current_dir(&team.repo).env("GIT_INDEX_FILE", index).args(["lint", "--staged"]);
        command.output().expect("it runs")
    };
    std::fs::copy(team.repo.join(".git/index"), &index).expect("a copy");
    assert_eq!(staged(&index).status.code(), Some(0));
    put(&team.repo, "wrong.yaml", "schema_version: loopx_todo_v0\n");
    let blob = team.git(&["hash-object", "-w", "wrong.yaml"]);
    let mut git = std::process::Command::new("git");
    team.sandbox.scrub(&mut git);
    let entry = format!("100644,{},loopx/goals/ledger/todos/wrong.yaml", blob.trim());
    let added = git.current_dir(&team.repo).env("GIT_INDEX_FILE", &index);
    let added = added.args(["update-index", "--add", "--cacheinfo", &entry]).status().expect("git");
    assert!(added.success());
    assert_eq!(staged(&index).status.code(), Some(1), "what the other index holds is judged");
    assert_eq!(team.loopx(&["lint", "--staged"]).code, Some(0), "the repository's own is fine");
    let missing = staged(&team.sandbox.path("none"));
    assert_eq!(missing.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("`unset GIT_INDEX_FILE`"), "{missing:?}");
}
