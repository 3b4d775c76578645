//! Whose commit a commit is (product.md 8), in repositories of one goal: teams without a policy, hashed and shared
//! identities, merges, rebases and squashes.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::team::NOW;
use crate::store::sandbox::{Sandbox, put};

const GATE: &str = "goals/ledger/gates/switch-2f8q.yaml";
const TODO: &str = "goals/ledger/todos/switch-9d4m.yaml";
const MAYA: &str = "maya@users.noreply.example";
const CODEX: &str = "codex-main@users.noreply.example";
const POLICY: &str = "schema_version: loopx_policy_v0\nactors:\n  \
    maya: { class: owner, git: [maya@users.noreply.example] }\n  \
    codex-main: { class: agent, git: [codex-main@users.noreply.example] }\n";

/// A repository with one goal, one todo and one open gate on `main`.
struct Place {
    sandbox: Sandbox,
    repo: PathBuf,
}

fn decision(by: &str) -> String {
    format!(
        "decision: {{ label: approve, actor_class: owner, by: {by}, at: 2026-03-06T16:12:00Z, reason: two days of reads agree }}\n"
    )
}

impl Place {
    fn new(policy: Option<&str>) -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.init("repo", &[]);
        let place = Self { sandbox, repo };
        place.put("loopx.yaml", "schema_version: loopx_workspace_v0\nauthority: { ref: main }\n");
        place.put(
            "goals/ledger/goal.yaml",
            "schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store\nowner: maya\n\
             agents: { codex-main: writes the switch }\nboundary:\n  write_scope: [services/ledger/**]\n  \
             stop_condition: Stop at the first failed check\n",
        );
        place.put(
            TODO,
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: switch-9d4m\ntitle: Switch the read flag\n\
             task_class: advancement_task\nassignee: codex-main\n",
        );
        place.put(
            GATE,
            "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: switch-2f8q\n\
             question: May codex-main switch the staging read flag?\nrequired_actor: owner\nblocks: [switch-9d4m]\n\
             requested: { by: codex-main, at: 2026-03-05T09:10:00Z }\n",
        );
        if let Some(policy) = policy {
            place.put("policies/team.yaml", policy);
        }
        place.commit(MAYA, MAYA, "Ask for the switch");
        place
    }

    fn put(&self, path: &str, text: &str) {
        put(&self.repo, path, text);
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.repo.join(path)).expect("a file")
    }

    fn append(&self, path: &str, text: &str) {
        self.put(path, &(self.read(path) + text));
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.sandbox.git(&self.repo, arguments)
    }

    /// Commits everything, of an author by a committer.
    fn commit(&self, author: &str, committer: &str, message: &str) {
        self.git(&["add", "--all"]);
        let (email, author) = (format!("user.email={committer}"), format!("--author=Somebody <{author}>"));
        self.git(&["-c", "user.name=Somebody", "-c", &email, "commit", "--quiet", &author, "--message", message]);
    }

    fn branch(&self, name: &str, from: &str) {
        self.git(&["switch", "--quiet", "--create", name, from]);
    }

    fn loopx(&self, arguments: &[&str]) -> (Option<i32>, String) {
        self.loopx_in(&self.repo, arguments)
    }

    fn loopx_in(&self, place: &Path, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        let output = command.current_dir(place).args(["--now", NOW]).args(arguments).output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).expect("Unicode"))
    }

    /// The review of a branch has this exit code and says this.
    fn reviews(&self, range: &str, code: i32, says: &[&str]) -> String {
        self.reviews_with(&[], range, code, says)
    }

    fn reviews_with(&self, options: &[&str], range: &str, code: i32, says: &[&str]) -> String {
        let (exit, said) = self.loopx(&[&["review", range], options].concat());
        assert_eq!(exit, Some(code), "{range}: {said}");
        let json = self.loopx(&[&["review", range, "--format", "json"], options].concat()).1;
        for text in says {
            assert!(said.contains(text) || json.contains(text), "{range} does not say {text:?}\n{said}\n{json}");
        }
        said
    }
}

/// fieldcases/turn2/04: what an approval was given for is reworded.
#[test]
fn approved_work_is_not_reworded_by_an_agent() {
    let place = Place::new(Some(POLICY));
    place.append(GATE, &decision("maya"));
    place.loopx(&["record"]);
    place.commit(MAYA, MAYA, "Approve");
    place.branch("t", "main");
    let reworded = place.read(TODO).replace("Switch the read flag", "Drop the production store and its backups");
    place.put(TODO, &(reworded + "priority: P0\n"));
    place.commit(CODEX, CODEX, "Wording");
    place.reviews("main..t", 1, &["transition/approved-work-changed"]);
    // Its twin: how urgent it is, an agent may say.
    place.branch("urgent", "main");
    place.append(TODO, "priority: P0\n");
    place.commit(CODEX, CODEX, "Urgent");
    place.reviews("main..urgent", 0, &["priority"]);
}

/// Where the base knows no actor, decisions are refused, whoever they name; other openings are looked at.
#[test]
fn without_a_policy_nobody_decides() {
    let place = Place::new(None);
    for (branch, by) in [("as-you", "you"), ("as-owner", "maya"), ("as-asker", "Codex-Main")] {
        place.branch(branch, "main");
        place.append(GATE, &decision(by));
        place.commit(CODEX, CODEX, "Approve");
        let said = place.reviews(&format!("main..{branch}"), 1, &["transition/other-author", "loopx actor add"]);
        assert!(said.contains("REFUSED"), "{said}");
    }
    place.branch("wider", "main");
    let goal = place.read("goals/ledger/goal.yaml").replace("[services/ledger/**]", "[services/**]");
    place.put("goals/ledger/goal.yaml", &goal);
    place.commit(MAYA, MAYA, "More room");
    place.reviews("main..wider", 0, &["transition/agent-widens", "warning"]);
    // The first policy that knows somebody is looked at, and protects from then on.
    place.branch("policy", "main");
    place.put("policies/team.yaml", POLICY);
    place.commit(MAYA, MAYA, "Who is who");
    place.reviews("main..policy", 0, &["transition/policy-changed"]);
    place.branch("later", "policy");
    place.append(GATE, &decision("maya"));
    place.commit(MAYA, MAYA, "Approve");
    place.reviews("policy..later", 0, &["OPENS  codex-main may start switch-9d4m"]);
}

/// A new directory is protected from its first commit: whoever ran `init` decides, by the address that git knows. A shipped
/// policy that was asked for lists them too.
#[test]
fn init_protects_from_the_first_commit() {
    init_protects(&["init", "."], "policies/team.yaml", 0);
    init_protects(&["init", ".", "--policy", "default"], "policies/default.yaml", 0);
    init_protects(&["init", ".", "--policy", "solo"], "policies/solo.yaml", 0);
    // Strict wants a signature too.
    init_protects(&["init", ".", "--policy", "strict"], "policies/strict.yaml", 1);
}

fn init_protects(init: &[&str], file: &str, own: i32) {
    let sandbox = Sandbox::new();
    let repo = sandbox.init("repo", &[]);
    let place = Place { sandbox, repo };
    place.git(&["config", "user.name", "Maya Ito"]);
    place.git(&["config", "user.email", "maya@mail.example"]);
    let (code, said) = place.loopx(init);
    assert_eq!(code, Some(0), "{said}");
    let policy = place.read(file);
    assert!(
        policy.contains("maya-ito: { class: owner, git: [\"sha256:") && !policy.contains("mail.example"),
        "{policy}"
    );
    assert_eq!(place.loopx(&["lint"]), (Some(0), "5 documents clean (1 goal, 1 agent).\n".to_owned()), "{init:?}");
    let me = "maya@mail.example";
    place.commit(me, me, "A state directory");
    assert_eq!(place.git(&["ls-files", "policies"]).trim(), file, "one policy says it all");
    let gate = place.git(&["ls-files", "goals/*/gates/*"]).trim().to_owned();
    for (branch, address, by, code) in
        [("own", me, "maya-ito", own), ("agents", CODEX, "maya-ito", 1), ("unknown", CODEX, "you", 1)]
    {
        place.branch(branch, "main");
        place.append(&gate, &decision(by).replace("2026-03-06T16:12:00Z", "2026-03-07T12:03:00Z"));
        place.commit(address, address, "Approve");
        let (exit, said) = place.loopx(&["review", &format!("main..{branch}")]);
        assert_eq!(exit, Some(code), "{init:?} {branch}: {said}");
        let is_known = !said.contains("transition/other-author");
        assert_eq!(is_known, branch == "own", "{init:?} {branch}: {said}");
    }
    // What is there is not written over, with a policy or without.
    let (code, said) = place.loopx(init);
    assert_eq!((code, place.read(file)), (Some(0), policy), "{said}");
}

/// Without an identity of git nobody is written, and the next step is named.
#[test]
fn init_without_an_identity_names_the_next_step() {
    let sandbox = Sandbox::new();
    let repo = sandbox.init("repo", &[]);
    let place = Place { sandbox, repo };
    let bare = place.sandbox.path("nowhere");
    std::fs::create_dir_all(&bare).expect("a folder");
    let (code, said) = place.loopx_in(&bare, &["init"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("loopx actor add NAME --class owner"), "{said}");
    assert!(!bare.join("loopx/policies").exists());
}

/// `actor add` writes an actor, one more identity of it, and hashes that every clone can check.
#[test]
fn actor_add_writes_who_is_who() {
    let place = Place::new(Some(POLICY));
    let add = |arguments: &[&str]| place.loopx(&[&["actor", "add"], arguments].concat());
    let (code, said) = add(&["ravi", "--class", "controller", "--class", "user", "--email", "Ravi@Mail.Example"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(place.read("policies/team.yaml"), POLICY, "it is only shown");
    let ravi = ["ravi", "--class", "controller", "--class", "user", "--email", "Ravi@Mail.Example", "--execute"];
    assert_eq!(add(&ravi).0, Some(0));
    let (code, said) = add(&ravi);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("ravi has a `git` already"), "{said}");
    let key = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU";
    assert_eq!(add(&["maya", "--class", "owner", "--key", key, "--execute"]).0, Some(0));
    let (code, said) = add(&["maya", "--class", "user", "--email", "m@users.noreply.example"]);
    assert!(code == Some(1) && said.contains("maya has a `class` already"), "{said}");
    let policy = place.read("policies/team.yaml");
    assert!(!policy.contains("Mail.Example") && policy.contains(key), "{policy}");
    assert_eq!(place.loopx(&["lint"]).0, Some(0), "{}\n{policy}", place.loopx(&["lint"]).1);
    place.commit(MAYA, MAYA, "Who is who");
    // A user may decide what asks for a user, under the hashed address.
    place.put(GATE, &place.read(GATE).replace("required_actor: owner", "required_actor: user"));
    place.commit(MAYA, MAYA, "A user decides");
    place.branch("hashed", "main");
    place.append(GATE, &decision("ravi").replace("actor_class: owner", "actor_class: user"));
    place.commit("ravi@mail.example", "ravi@mail.example", "Approve");
    place.reviews("main..hashed", 0, &["OPENS  codex-main may start switch-9d4m", "ravi (controller, user)"]);
}

/// An identity that several agents share stands for each; one agent among the actors makes it an agent's.
#[test]
fn a_shared_identity_stands_for_each() {
    let policy = POLICY.replace("class: owner, git: [", "class: owner, git: [team@users.noreply.example, ")
        + "  bench: { class: agent, git: [team@users.noreply.example] }\n";
    let place = Place::new(Some(&policy));
    let shared = "team@users.noreply.example";
    place.branch("t", "main");
    place.append(GATE, &decision("maya"));
    place.commit(shared, shared, "Approve");
    place.reviews("main..t", 1, &["transition/agent-decides"]);
}

/// A merge counts only for what it resolves, whoever makes it; what it drops of one side it has written.
#[test]
fn a_merge_counts_for_what_it_resolves() {
    let place = Place::new(Some(POLICY));
    place.branch("topic", "main");
    place.append(GATE, &decision("maya"));
    place.commit(MAYA, MAYA, "Approve");
    place.git(&["switch", "--quiet", "main"]);
    place.put("notes.txt", "main goes on\n");
    place.commit(MAYA, MAYA, "Go on");
    // An agent, or a merge queue, updates the branch.
    place.git(&["switch", "--quiet", "topic"]);
    let email = format!("user.email={CODEX}");
    place.git(&["-c", &email, "-c", "user.name=codex", "merge", "--quiet", "--no-edit", "main"]);
    place.reviews("main..topic", 0, &["OPENS  codex-main may start switch-9d4m"]);
    // A merge that brings a decision of its own is the agent's.
    place.branch("evil", "main~1");
    place.put("evil.txt", "x\n");
    place.commit(CODEX, CODEX, "A change");
    place.git(&["-c", &email, "-c", "user.name=codex", "merge", "--quiet", "--no-commit", "--no-ff", "main"]);
    place.append(GATE, &decision("maya"));
    place.git(&["add", "--all"]);
    place.git(&["-c", &email, "-c", "user.name=codex", "commit", "--quiet", "--no-edit"]);
    place.reviews("main..evil", 1, &["transition/agent-decides"]);
}

/// A rebase by somebody else, a squash by a hosting service, and a review that CI knows of.
#[test]
fn rebased_and_squashed_decisions() {
    let policy = format!("{POLICY}  ravi: {{ class: controller, git: [ravi@users.noreply.example] }}\n");
    let place = Place::new(Some(&policy));
    let ravi = "ravi@users.noreply.example";
    let decide = |branch: &str, author: &str, committer: &str, message: &str| {
        place.branch(branch, "main");
        place.append(GATE, &decision("maya"));
        place.commit(author, committer, message);
    };
    let approvals = place.sandbox.path("approvals").display().to_string();
    put(&place.sandbox.path(""), "approvals", "maya\n");
    let reviewed = ["--reviewers", approvals.as_str()];
    decide("rebased", MAYA, ravi, "Approve");
    place.reviews("main..rebased", 1, &["transition/other-author", "`ravi` made the commit"]);
    place.reviews_with(&reviewed, "main..rebased", 0, &["OPENS  codex-main may start switch-9d4m"]);
    decide("squashed", MAYA, "noreply@github.com", "Approve (#12)");
    place.reviews("main..squashed", 0, &["OPENS  codex-main may start switch-9d4m"]);
    // A squash that an agent had a part in is the agent's, and no review lifts that.
    let message = format!("Approve (#12)\n\nCo-authored-by: Codex <{CODEX}>");
    decide("squashed-with-an-agent", MAYA, "noreply@github.com", &message);
    place.reviews_with(&reviewed, "main..squashed-with-an-agent", 1, &["transition/agent-decides"]);
    decide("by-an-unknown-service", MAYA, "queue@noreply.example", "Approve");
    place.reviews("main..by-an-unknown-service", 1, &["transition/other-author"]);
    place.git(&["switch", "--quiet", "main"]);
    place.append("policies/team.yaml", "services: [queue@noreply.example]\n");
    place.commit(MAYA, MAYA, "Our merge queue");
    decide("by-a-known-service", MAYA, "queue@noreply.example", "Approve");
    place.reviews("main..by-a-known-service", 0, &["OPENS  codex-main may start switch-9d4m"]);
}

/// What a branch merged from its base is not judged again; only what the base reaches was judged.
#[test]
fn commits_of_the_base_are_not_judged_again() {
    let place = Place::new(Some(POLICY));
    place.git(&["branch", "old"]);
    // On the authority branch an act stands that the rules of today would refuse.
    place.append(GATE, &decision("maya"));
    place.commit(CODEX, CODEX, "Long ago");
    place.branch("topic", "main");
    place.put("goals/ledger/todos/more-1a1a.yaml", &place.read(TODO).replace("switch-9d4m", "more-1a1a"));
    place.commit(CODEX, CODEX, "More work");
    place.reviews("main..topic", 0, &["transition/new-work"]);
    // Any other ref of this clone may hold what nobody reviewed, also one that is called as the authority ref is.
    place.reviews("old..topic", 1, &["transition/agent-decides"]);
    place.reviews("old..main", 1, &["transition/agent-decides"]);
}

/// A fork's own branch, or the local one, has the name of the authority ref and has judged nothing.
#[test]
fn only_what_the_base_reaches_was_judged() {
    let place = Place::new(Some(POLICY));
    place.git(&["init", "--quiet", "--bare", "../host.git"]);
    place.git(&["remote", "add", "origin", "../host.git"]);
    place.git(&["push", "--quiet", "origin", "main"]);
    let base = place.git(&["rev-parse", "main"]).trim().to_owned();
    place.append(GATE, &decision("maya"));
    place.commit(CODEX, CODEX, "Tidy");
    place.branch("topic", "main");
    place.put("notes.txt", "harmless\n");
    place.commit(CODEX, CODEX, "Notes");
    place.git(&["update-ref", "refs/loopx/base", &base]);
    for name in ["origin/main", "refs/remotes/origin/main", "refs/loopx/base", &base] {
        place.reviews(&format!("{name}...topic"), 1, &["transition/agent-decides"]);
    }
    // The same where what was forged stands on the fork's own branch, as `origin` has it.
    place.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    place.reviews("refs/loopx/base...topic", 1, &["transition/agent-decides"]);
    // Its twin: the notes alone.
    place.branch("twin", &base);
    place.put("notes.txt", "harmless\n");
    place.commit(CODEX, CODEX, "Notes");
    place.reviews("refs/loopx/base...twin", 0, &[]);
}

/// A tag or a branch of the base's name is not the base, and a name of several meanings is refused, each named in full.
#[test]
fn no_other_name_stands_in_for_the_base() {
    let place = Place::new(Some(POLICY));
    place.git(&["init", "--quiet", "--bare", "../host.git"]);
    place.git(&["remote", "add", "origin", "../host.git"]);
    place.git(&["push", "--quiet", "origin", "main"]);
    let base = place.git(&["rev-parse", "main"]).trim().to_owned();
    place.branch("topic", "main");
    place.append(GATE, &decision("codex-main"));
    place.commit(CODEX, CODEX, "Tidy");
    let caught = || {
        place.reviews("origin/main...HEAD", 1, &["transition/agent-decides"]);
        place.reviews("origin/main~0..HEAD", 1, &["transition/agent-decides"]);
        place.reviews(&format!("{base}..HEAD"), 1, &["transition/agent-decides"]);
        let (code, said) = place.loopx(&["lint", "--since", "origin/main"]);
        assert_eq!(code, Some(1), "{said}");
    };
    caught();
    for shadow in ["refs/tags/origin/main", "refs/heads/origin/main", "refs/origin/main"] {
        place.git(&["update-ref", shadow, "topic"]);
        caught();
    }
    for shadow in [format!("refs/heads/{base}"), format!("refs/tags/{base}"), format!("refs/remotes/origin/{base}")] {
        place.git(&["update-ref", &shadow, "topic"]);
        caught();
    }
    // The short name of the branch itself.
    place.reviews("main..HEAD", 1, &["transition/agent-decides"]);
    place.git(&["tag", "main", "topic"]);
    for arguments in [&["review", "main..HEAD"][..], &["review", "main~0..HEAD"], &["lint", "--since", "main"]] {
        let (code, said) = place.loopx(arguments);
        assert_eq!(code, Some(3), "{arguments:?}: {said}");
        let names = ["refs/heads/main", "refs/tags/main"];
        assert!(said.contains("ambiguous_revision") && names.iter().all(|name| said.contains(name)), "{said}");
    }
    place.reviews("refs/heads/main..HEAD", 1, &["transition/agent-decides"]);
    // A tag of a full name that nothing has is not that ref.
    place.git(&["update-ref", "refs/tags/refs/remotes/origin/gone", "topic"]);
    let (code, said) = place.loopx(&["review", "refs/remotes/origin/gone..HEAD"]);
    assert!(code == Some(3) && said.contains("unknown_revision"), "{said}");
    // Nor does a tag stand in for a branch of `origin` that was not fetched.
    place.git(&["update-ref", "refs/tags/origin/gone", "topic"]);
    let (code, said) = place.loopx(&["review", "origin/gone..HEAD"]);
    assert!(code == Some(3) && said.contains("origin/gone was not fetched"), "{said}");
    // Its twin: a tag of the same commit is no other meaning.
    place.git(&["tag", "--force", "main", "main^{commit}"]);
    place.git(&["update-ref", "refs/tags/main", "refs/heads/main"]);
    place.reviews("main..HEAD", 1, &["transition/agent-decides"]);
}

/// However many parents a merge names, an older state is not a person's word for it.
#[test]
fn a_merge_of_many_parents_brings_no_older_state_back() {
    let place = Place::new(Some(POLICY));
    let goal = "goals/ledger/goal.yaml";
    place.git(&["rm", "--quiet", GATE]);
    place.append(goal, "quota: { allowed_slots: 99 }\n");
    place.commit(MAYA, MAYA, "Room for all");
    let old = place.git(&["rev-parse", "HEAD"]).trim().to_owned();
    place.put(goal, &place.read(goal).replace("99", "1"));
    place.commit(MAYA, MAYA, "Room for one");
    place.branch("one", "main");
    place.put("one.txt", "one\n");
    place.commit(CODEX, CODEX, "One");
    place.branch("two", &old);
    place.put("two.txt", "two\n");
    place.commit(CODEX, CODEX, "Two");
    // The tree of the merge: both notes, and the goal as it was.
    place.branch("tree", "one");
    place.put("two.txt", "two\n");
    place.git(&["checkout", "--quiet", &old, "--", goal]);
    place.commit(CODEX, CODEX, "A tree");
    let merge = |branch: &str, tree: &str, parents: &[&str]| {
        let parents: Vec<&str> = parents.iter().flat_map(|parent| ["-p", parent]).collect();
        let identity = ["-c", "user.name=codex", "-c", &format!("user.email={CODEX}")].map(str::to_owned);
        let identity: Vec<&str> = identity.iter().map(String::as_str).collect();
        let made = place
            .git(&[&identity[..], &["commit-tree", &format!("{tree}^{{tree}}"), "-m", "Merge"], &parents].concat());
        place.git(&["branch", branch, made.trim()]);
    };
    merge("octopus", "tree", &["main", "one", "two"]);
    merge("turned", "tree", &["two", "one", "main"]);
    merge("pair", "tree", &["one", "two"]);
    for branch in ["octopus", "turned", "pair"] {
        place.reviews(&format!("main..{branch}"), 1, &["transition/agent-widens"]);
    }
    // Its twin: what a person changed beside is that person's, in whichever parent it stands.
    place.branch("wider", "main");
    place.put(goal, &place.read(goal).replace("allowed_slots: 1", "allowed_slots: 7"));
    place.commit(MAYA, MAYA, "More room");
    place.git(&["checkout", "--quiet", "one", "--", "one.txt"]);
    place.branch("twin-tree", "wider");
    place.commit(MAYA, MAYA, "A tree");
    merge("twin", "twin-tree", &["main", "one", "wider"]);
    place.reviews("main..twin", 0, &["transition/wider"]);
}

/// A hold in any form is of everybody who gave it one, also where branches met.
#[test]
fn a_hold_stays_whose_it_was() {
    let place = Place::new(Some(POLICY));
    place.git(&["rm", "--quiet", GATE]);
    place.commit(MAYA, MAYA, "No gate");
    place.branch("blocks", "main");
    place.append(TODO, "status: blocked\n");
    place.commit(MAYA, MAYA, "Not now");
    place.branch("words", "main");
    place.append(TODO, "priority: P2\n");
    place.commit(CODEX, CODEX, "Less urgent");
    let email = format!("user.email={CODEX}");
    place.git(&[
        "-c",
        &email,
        "-c",
        "user.name=codex",
        "merge",
        "--quiet",
        "--no-edit",
        "--strategy-option=ours",
        "blocks",
    ]);
    place.put(TODO, &(place.read(TODO).replace("status: blocked\n", "") + "status: blocked\n"));
    place.git(&["add", "--all"]);
    place.git(&["-c", &email, "-c", "user.name=codex", "commit", "--quiet", "--amend", "--no-edit"]);
    place.git(&["switch", "--quiet", "main"]);
    place.git(&["merge", "--quiet", "--ff-only", "words"]);
    place.branch("opens", "main");
    place.put(TODO, &place.read(TODO).replace("status: blocked\n", ""));
    place.commit(CODEX, CODEX, "Go on");
    place.reviews("main..opens", 1, &["transition/opens-by-itself"]);
    // Its twin: a person goes on with it.
    place.branch("twin", "main");
    place.put(TODO, &place.read(TODO).replace("status: blocked\n", ""));
    place.commit(MAYA, MAYA, "Go on");
    place.reviews("main..twin", 0, &["OPENS  codex-main may start switch-9d4m"]);
}

/// Names may be of any length: the first line says the verdict whole.
#[test]
fn the_verdict_is_never_cut() {
    let place = Place::new(Some(POLICY));
    place.branch("t", "main");
    for name in
        ["A very long name of somebody who", "Another quite long name of a person", "Third long name of a person here"]
    {
        place.append(TODO, "# more\n");
        place.git(&["add", "--all"]);
        let author = format!("--author={name} <{}@mail.example>", name.replace(' ', "-"));
        let identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@mail.example"];
        place.git(&[&identity[..], &["commit", "--quiet", &author, "--message", "More"]].concat());
    }
    place.append(GATE, &decision("maya"));
    place.commit(CODEX, CODEX, "Tidy");
    let said = place.reviews("main..t", 1, &[]);
    let first = said.lines().next().unwrap_or_default();
    assert!(first.starts_with("4 commits by A very long name of somebody") && first.chars().count() <= 100, "{first}");
    assert!(first.ends_with(" in meaning, REFUSED by policy"), "{first}");
}

/// What only people do is refused where commits would be of an agent or a service, whomever `--by` names.
#[test]
fn nobody_decides_under_an_agents_identity() {
    let place = Place::new(Some(POLICY));
    let decide = ["gate", "decide", "switch-2f8q", "approve", "--reason", "fine", "--by", "maya"];
    let withdraw = ["gate", "withdraw", "switch-2f8q", "--by", "maya", "--as", "owner"];
    let reward = ["reward", "give", "out-1", "positive", "--reason", "held", "--goal", "ledger", "--by", "maya"];
    for (address, says) in [(CODEX, "codex-main, which is no person"), ("noreply@github.com", "a hosting service")] {
        place.git(&["config", "user.email", address]);
        for command in [&decide[..], &withdraw, &reward] {
            for execute in [&[][..], &["--execute"]] {
                let (code, said) = place.loopx(&[command, execute].concat());
                assert_eq!(code, Some(1), "{address} {command:?}: {said}");
                assert!(said.contains(says), "{address} {command:?}: {said}");
            }
        }
    }
    assert_eq!(place.git(&["status", "--porcelain"]), "", "nothing was written");
    // An agent asks, also under that identity; and a person decides.
    place.git(&["config", "user.email", CODEX]);
    let ask = ["gate", "request", "May I?", "--goal", "ledger", "--by", "codex-main"];
    let (code, said) = place.loopx(&ask);
    assert_eq!(code, Some(0), "{said}");
    place.git(&["config", "user.email", MAYA]);
    for command in [&decide[..], &reward] {
        assert_eq!(place.loopx(command).0, Some(0), "{:?}", place.loopx(command));
    }
}

/// One identity is one person's; agents may share one.
#[test]
fn an_identity_of_a_person_is_not_given_away() {
    let place = Place::new(Some(POLICY));
    let add = |name: &str, class: &str, address: &str| {
        place.loopx(&["actor", "add", name, "--class", class, "--email", address, "--execute"])
    };
    assert_eq!(add("ravi", "controller", "Ravi@Mail.Example").0, Some(0));
    for (name, class, address, other) in [
        ("maya2", "agent", MAYA, "maya"),
        ("lena", "user", "ravi@mail.example", "ravi"),
        ("ravi-bot", "agent", "RAVI@mail.example", "ravi"),
        ("lena", "user", CODEX, "codex-main"),
    ] {
        let (code, said) = add(name, class, address);
        assert_eq!(code, Some(1), "{name}: {said}");
        assert!(said.contains(&format!("an identity of {other} already")), "{name}: {said}");
    }
    assert_eq!(add("bench", "agent", CODEX).0, Some(0), "agents may share one");
    assert_eq!(place.loopx(&["lint"]).0, Some(0), "{}", place.loopx(&["lint"]).1);
    // By hand it is a finding.
    let policy = place.read("policies/team.yaml");
    place.put("policies/team.yaml", &policy.replace("class: agent, git: [", &format!("class: agent, git: [{MAYA}, ")));
    let (code, said) = place.loopx(&["lint"]);
    assert!(code == Some(1) && said.contains("policy/identity-shared") && said.contains("`maya`"), "{said}");
}

/// A comment sets aside what stands where it stands, and nothing else of the file.
#[test]
fn a_comment_excuses_its_own_place_only() {
    let place = Place::new(Some(POLICY));
    let todo = |after: &str| {
        format!(
            "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: late-2b2b\ntitle: Later\ntask_class: advancement_task\n\
             after:\n{after}"
        )
    };
    let one = "  - gone-3c3c # loopx: ignore[reference/dangling] it comes next week\n";
    place.put("goals/ledger/todos/late-2b2b.yaml", &todo(one));
    place.commit(MAYA, MAYA, "Later");
    assert_eq!(place.loopx(&["lint"]).0, Some(0), "{}", place.loopx(&["lint"]).1);
    place.branch("moved", "main");
    place.put("goals/ledger/todos/late-2b2b.yaml", &todo(&format!("  - switch-9d4m\n{one}")));
    place.commit(MAYA, MAYA, "One more");
    place.reviews("main..moved", 0, &[]);
    place.branch("another", "main");
    let two = one.replace("gone-3c3c", "gone-4d4d");
    place.put("goals/ledger/todos/late-2b2b.yaml", &todo(&format!("{one}{two}")));
    place.commit(CODEX, CODEX, "One more");
    place.reviews("main..another", 1, &["no todo `gone-4d4d`", "sets `reference/dangling` aside"]);
}

/// A known agent finishes nothing of a person or of another agent, and accepts nothing before its approval counts.
#[test]
fn commands_refuse_what_a_review_would() {
    let policy = format!("{POLICY}  bench: {{ class: agent, git: [bench@users.noreply.example] }}\n");
    let place = Place::new(Some(&policy));
    let user = place.read(TODO).replace("switch-9d4m", "tell-5e5e").replace("advancement_task", "user_action");
    place.put("goals/ledger/todos/tell-5e5e.yaml", &user.replace("assignee: codex-main\n", ""));
    place.put("goals/ledger/todos/free-6f6f.yaml", &place.read(TODO).replace("switch-9d4m", "free-6f6f"));
    let handoff = "schema_version: handoff_packet_v0\ngoal_id: ledger\nhandoff_id: free-7g7g\nfrom_agent: bench\n\
                   to_agent: codex-main\ntodo_id: free-6f6f\nnext_action: Do it\nstop_condition: Stop then\n\
                   expires_at: 2026-03-10T09:30:00Z\n";
    place.put("goals/ledger/handoffs/free-7g7g.yaml", handoff);
    place.commit(MAYA, MAYA, "More");
    let says = |address: &str, arguments: &[&str], code: i32, text: &str| {
        place.git(&["config", "user.email", address]);
        let (exit, said) = place.loopx(arguments);
        assert_eq!(exit, Some(code), "{address} {arguments:?}: {said}");
        assert!(said.contains(text), "{address} {arguments:?}: {said}");
    };
    says(CODEX, &["todo", "done", "tell-5e5e"], 1, "tell-5e5e is not codex-main's to finish: a person has to do it");
    says(CODEX, &["todo", "done", "switch-9d4m"], 1, "something else comes first");
    says(CODEX, &["todo", "done", "free-6f6f"], 1, "something else comes first");
    says(CODEX, &["handoff", "accept", "free-7g7g"], 1, "no approval of free-7g7g counts yet");
    says(MAYA, &["todo", "done", "tell-5e5e"], 0, "done_at");
    says(MAYA, &["handoff", "approve", "free-7g7g", "--at", "2026-03-07T11:00:00Z", "--execute"], 0, "");
    says(CODEX, &["handoff", "accept", "free-7g7g"], 1, "no approval of free-7g7g counts yet");
    place.commit(MAYA, MAYA, "Approve");
    says(CODEX, &["handoff", "accept", "free-7g7g"], 0, "accepted");
    says("bench@users.noreply.example", &["todo", "done", "free-6f6f"], 1, "it is for codex-main");
    says(CODEX, &["todo", "done", "free-6f6f"], 0, "done_at");
}

/// `status --me` tells what other branches ask, with the command that answers it here; an unknown name is an error.
#[test]
fn questions_of_other_branches_are_shown() {
    let place = Place::new(Some(POLICY));
    place.branch("topic", "main");
    let gate = place.read(GATE).replace("switch-2f8q", "drop-8h8h").replace("switch the staging read flag", "drop it");
    place.put("goals/ledger/gates/drop-8h8h.yaml", &gate);
    let user = place.read(TODO).replace("switch-9d4m", "tell-5e5e").replace("advancement_task", "user_action");
    place.put("goals/ledger/todos/tell-5e5e.yaml", &user.replace("assignee: codex-main", "assignee: maya"));
    place.commit(CODEX, CODEX, "Ask more");
    place.git(&["switch", "--quiet", "main"]);
    let (code, said) = place.loopx(&["status", "--me", "maya"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("PROPOSED ON") && said.contains("gate drop-8h8h"), "{said}");
    let commands: Vec<&str> = said.lines().filter_map(|line| line.trim().strip_prefix("do: git ")).collect();
    assert_eq!(commands.len(), 2, "{said}");
    let other = place.loopx(&["status", "--me", "codex-main"]).1;
    assert!(!other.contains("PROPOSED ON"), "{other}");
    // The command brings the question and answers it.
    let command = commands.iter().find(|command| command.contains("drop-8h8h")).expect("the gate's");
    let command = command
        .replace("approve|reject|defer", "approve")
        .replace("loopx", concat!("'", env!("CARGO_BIN_EXE_loopx"), "' --now 2026-03-07T12:00:00Z"));
    let command = format!("git {}", command.replace("--execute", "--by maya --execute"));
    let mut shell = Command::new("sh");
    place.sandbox.scrub(&mut shell);
    let ran = shell.current_dir(&place.repo).args(["-ec", &command]).output().expect("a shell");
    assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    assert!(place.read("goals/ledger/gates/drop-8h8h.yaml").contains("label: approve"));
    let left = place.loopx(&["status", "--me", "maya"]).1;
    assert!(!left.contains("gate drop-8h8h  ") && left.contains("todo tell-5e5e"), "{left}");
    let (code, said) = place.loopx(&["status", "--me", "mayo"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("unknown_person") && said.contains("did you mean maya?"), "{said}");
}
