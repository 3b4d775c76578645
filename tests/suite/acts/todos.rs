//! Todos: claimed, put off, replaced, added and finished.

use super::place::Place;

const HANDOFF: &str = "schema_version: handoff_packet_v0\ngoal_id: ledger\nhandoff_id: hand-5abc\nfrom_agent: claude-review\n\
                       to_agent: codex-main\ntodo_id: free-1abc\nnext_action: Do it\nstop_condition: Stop\n\
                       expires_at: 2026-03-10T12:00:00Z\n";

#[test]
fn a_claim_is_one_line_and_counts_once() {
    let place = Place::new();
    let claim = ["todo", "claim", "free-1abc", "--agent", "codex-main"];
    assert_eq!(place.does(&claim), "+claimed_by: codex-main\n");
    let other = ["todo", "claim", "free-1abc", "--agent", "claude-review"];
    place.refuses(&other, "claude-review cannot claim free-1abc: it is codex-main's");
    place.refuses(&[&other[..], &["--release"]].concat(), "free-1abc is claimed by codex-main");
    assert_eq!(place.does(&[&claim[..], &["--release"]].concat()), "-claimed_by: codex-main\n");
    assert!(place.read_todo("free-1abc").ends_with("task_class: advancement_task\n# by friday\n"));
    assert_eq!(place.does(&other), "+claimed_by: claude-review\n");
}

#[test]
fn a_claim_is_refused_where_the_todo_is_not_the_agents_to_take() {
    let place = Place::new();
    let claim = |todo, agent| ["todo", "claim", todo, "--agent", agent];
    place.refuses(&claim("ask-3abc", "codex-main"), "ask-3abc is a todo of a person");
    place.refuses(&claim("free-1abc", "nobody-here"), "nobody-here is no agent of ledger");
    place.refuses(&claim("free-1abc", "maya"), "maya is no agent of ledger");
    place.todo("done-4abc", "advancement_task", "status: done\ndone_at: 2026-03-06T12:00:00Z\n");
    place.todo("held-4abc", "advancement_task", "status: blocked\n");
    place.0.commit("more todos");
    place.refuses(&claim("done-4abc", "codex-main"), "done-4abc is done, not open");
    place.refuses(&claim("held-4abc", "codex-main"), "loopx todo resume held-4abc");
    place.as_agent();
    place.refuses(&claim("free-1abc", "claude-review"), "an agent acts for itself alone");
    // Without a name the agent of the clone's git identity claims.
    assert_eq!(place.does(&["todo", "claim", "free-1abc"]), "+claimed_by: codex-main\n");
}

/// Two branches: what the authority ref says counts although the copy here is older.
#[test]
fn a_claim_of_another_agent_at_the_authority_ref_counts() {
    let place = Place::new();
    place.0.git(&["switch", "--quiet", "--create", "topic"]);
    place.0.git(&["switch", "--quiet", "main"]);
    place.does(&["todo", "claim", "free-1abc", "--agent", "codex-main"]);
    place.0.git(&["switch", "--quiet", "topic"]);
    assert!(!place.read_todo("free-1abc").contains("claimed_by"));
    place.refuses(&["todo", "claim", "free-1abc", "--agent", "claude-review"], "it is codex-main's");
    place.0.git(&["switch", "--quiet", "main"]);
    place.does(&["todo", "block", "free-1abc"]);
    place.0.git(&["switch", "--quiet", "topic"]);
    place.refuses(&["todo", "claim", "free-1abc", "--agent", "codex-main"], "it is blocked at the authority ref");
}

#[test]
fn a_claim_of_what_is_handed_over_accepts_the_handoff_with_its_receipt() {
    let place = Place::new();
    place.0.put("goals/ledger/handoffs/hand-5abc.yaml", HANDOFF);
    place.0.commit("draft");
    let claim = ["todo", "claim", "free-1abc", "--agent", "codex-main"];
    place.refuses(&claim, "no approval of hand-5abc counts yet");
    place.refuses(&["handoff", "accept", "hand-5abc", "--by", "codex-main"], "no approval of hand-5abc counts yet");
    place.0.does(&[
        "handoff",
        "approve",
        "hand-5abc",
        "--by",
        "maya",
        "--reason",
        "fine",
        "--at",
        "2026-03-07T11:00:00Z",
        "--execute",
    ]);
    place.0.commit("approve");
    place.refuses(&["todo", "claim", "free-1abc", "--agent", "claude-review"], "it is codex-main's");
    let changed = place.does(&claim);
    assert!(changed.contains("+accepted:\n+  by: codex-main\n"), "{changed}");
    assert!(changed.contains("handoff_accepted"), "its receipt: {changed}");
    assert!(!place.read_todo("free-1abc").contains("claimed_by"), "the handoff says whose it is");
    place.refuses(&["todo", "supersede", "free-1abc", "Another"], "loopx handoff withdraw hand-5abc");
}

#[test]
fn a_todo_is_put_off_and_resumed_by_its_status_alone() {
    let place = Place::new();
    assert_eq!(place.does(&["todo", "block", "free-1abc", "--agent", "codex-main"]), "+status: blocked\n");
    let defer = ["todo", "defer", "free-1abc", "--resume"];
    let deferred = place.does(&[&defer[..], &["todo_done:ask-3abc"]].concat());
    assert_eq!(deferred, "-status: blocked\n+status: deferred\n+resume_when: 'todo_done:ask-3abc'\n");
    let waits = place.does(&[&defer[..], &["pr_merged:#41"]].concat());
    assert_eq!(waits, "-resume_when: 'todo_done:ask-3abc'\n+resume_when: 'pr_merged:#41'\n");
    let resumed = place.does(&["todo", "resume", "free-1abc"]);
    assert_eq!(resumed, "-status: deferred\n-resume_when: 'pr_merged:#41'\n+status: open\n");
    place.refuses(&[&defer[..], &["pr_merged:41"]].concat(), "resume_when");
    place.does(&["todo", "done", "free-1abc"]);
    for act in [&["block"][..], &["defer", "--resume", "pr_merged:#41"], &["resume"], &["supersede", "Another"]] {
        let words = [&["todo", act[0], "free-1abc"], &act[1..]].concat();
        place.refuses(&words, "free-1abc is done, not open");
    }
    place.does(&["todo", "block", "ask-3abc", "--by", "maya"]);
    for agent in [&["--agent", "codex-main"][..], &[]] {
        if agent.is_empty() {
            place.as_agent();
        }
        for act in [&["block"][..], &["defer", "--resume", "pr_merged:#41"], &["resume"], &["supersede", "Another"]] {
            let words = [&["todo", act[0], "ask-3abc"], &act[1..], agent].concat();
            place.refuses(&words, "ask-3abc is a todo of a person");
        }
    }
}

#[test]
fn a_todo_is_superseded_by_one_that_takes_its_place() {
    let place = Place::new();
    let supersede = ["todo", "supersede", "free-1abc", "Do it in two steps"];
    let changed = place.does(&[&supersede[..], &["--id", "two-6abc"]].concat());
    for line in [
        "+status: deferred\n+resume_when: 'todo_done:two-6abc'\n",
        "-after: [free-1abc] # then\n+after: [two-6abc] # then\n",
        "+title: Do it in two steps\n",
    ] {
        assert!(changed.contains(line), "{line}: {changed}");
    }
    // The same without an id is the same again.
    let again = place.0.does(&[&supersede[..], &["--execute"]].concat());
    assert_eq!(again, "Nothing to do: the documents say so already.\n");
    place.refuses(&["todo", "supersede", "switch-9d4m", "Another"], "gate switch-2f8q names switch-9d4m");
    // What an approved gate names waits for `before-7abc`.
    place.todo("before-7abc", "advancement_task", "");
    place.todo("switch-9d4m", "advancement_task", "assignee: codex-main\nafter: [before-7abc]\n");
    place.0.decide("approve");
    place.0.does(&["record"]);
    place.0.commit("approve");
    let says = "approved gate switch-2f8q names a todo that waits for before-7abc";
    place.refuses(&["todo", "supersede", "before-7abc", "Another"], says);
}

#[test]
fn agents_add_and_finish_their_own_todos_alone() {
    let place = Place::new();
    let add = |more: &[&'static str]| [&["todo", "add", "Look again", "--goal", "ledger"], more].concat();
    for (agent, is_clone) in [(&["--agent", "codex-main"][..], false), (&[], true)] {
        if is_clone {
            place.as_agent();
        }
        let with = |words: Vec<&'static str>| [&words[..], agent].concat();
        place.refuses(&with(add(&["--class", "user_action"])), "codex-main adds no todo of a person");
        place.refuses(&with(add(&["--assignee", "claude-review"])), "codex-main assigns no todo to claude-review");
        place.refuses(&with(vec!["todo", "done", "ask-3abc"]), "a person has to do it");
        place.refuses(&with(vec!["todo", "done", "later-2abc"]), "something else comes first");
    }
    place.as_person();
    place.todo("theirs-8abc", "advancement_task", "assignee: claude-review\n");
    place.refuses(&["todo", "done", "theirs-8abc", "--agent", "codex-main"], "it is for claude-review");
    place.as_agent();
    place.does(&add(&["--assignee", "codex-main", "--id", "look-9abc"]));
    // Without an id the same work is not added twice.
    let again = place.0.does(&add(&["--assignee", "codex-main", "--execute"]));
    assert_eq!(again, "Nothing to do: the documents say so already.\n");
    let done = place.does(&["todo", "done", "free-1abc", "--evidence", "out-1"]);
    assert_eq!(done, "+status: done\n+done_at: 2026-03-07T12:00:00Z\n+evidence:\n+  - out-1\n");
    place.refuses(&["todo", "done", "free-1abc", "--evidence", "out-2"], "free-1abc has a `done_at` already");
}
