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

/// What a branch merged from the authority ref is not judged again, however old the base is that is named.
#[test]
fn commits_of_the_authority_are_not_judged_again() {
    let place = Place::new(Some(POLICY));
    place.git(&["branch", "old"]);
    // On the authority branch an act stands that the rules of today would refuse.
    place.append(GATE, &decision("maya"));
    place.commit(CODEX, CODEX, "Long ago");
    place.branch("topic", "main");
    place.put("goals/ledger/todos/more-1a1a.yaml", &place.read(TODO).replace("switch-9d4m", "more-1a1a"));
    place.commit(CODEX, CODEX, "More work");
    place.reviews("old..topic", 0, &["transition/new-work"]);
    // Where the head itself is on the ref, all of it is.
    place.reviews("old..main", 1, &["transition/agent-decides"]);
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
