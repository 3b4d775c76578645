//! `loopx receipts verify`: what it catches, how each is mended, and what it cannot know.

use std::collections::BTreeSet;
use std::fs;

use loopx::rules::ALL;
use serde_json::Value;

use super::team::{Team, decided};
use crate::store::sandbox::put;

/// A team whose one decision is recorded, and the path of its receipt in the repository.
fn recorded() -> (Team, String) {
    let team = Team::new();
    team.decide("approve");
    team.commit("decide");
    team.does(&["reconcile", "--commit"]);
    let receipt = team.receipts().remove(0);
    (team, receipt)
}

/// Writes a file and commits it as somebody with a name.
fn commit_as(team: &Team, name: &str, subject: &str) {
    team.git(&["add", "--all"]);
    let author = format!("--author={name} <{name}@users.noreply.example>");
    team.git(&["commit", "--quiet", &author, "--message", subject]);
}

/// What is found, which must be of one rule alone; then pastes how to mend it, commits that, and verifies again.
fn found_and_mended(team: &Team, rule: &str) -> String {
    let said = team.loopx(&["receipts", "verify"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.starts_with(&format!("error[{rule}]: ")), "{}", said.out);
    assert_eq!(said.out.matches("error[").count(), 1, "{}", said.out);
    let json = team.loopx(&["receipts", "verify", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["faults"][0]["rule"], rule);
    let mend = json["faults"][0]["mend"].as_str().expect("a command");
    assert!(said.out.contains(&format!("   = mend: {mend}\n")), "{}", said.out);
    assert!(team.sandbox.paste(&team.repo, mend).status.success(), "{mend}");
    team.commit("mend");
    let mended = team.loopx(&["receipts", "verify"]);
    assert_eq!(mended.code, Some(0), "{}", mended.out);
    said.out
}

#[test]
fn what_nobody_touched_is_good_and_what_that_proves_is_said() {
    let (team, _) = recorded();
    let tip = team.git(&["rev-parse", "--short", "HEAD"]);
    let expected = format!(
        "1 receipt in 1 commit, 2026-03-07: all unchanged, all names match, all sources existed.\n\
         Proves: nobody edited or removed a receipt in this history.\n\
         Cannot prove: that this history was never rewritten. Pin a commit you trust: --since {}\n\
         Cannot prove: who may write a receipt: `loopx review` compares authors, before a merge.\n",
        tip.trim()
    );
    assert_eq!(team.does(&["receipts", "verify"]), expected);
    let pinned = team.does(&["receipts", "verify", "--since", tip.trim()]);
    assert!(pinned.starts_with(&format!("1 receipt: all unchanged since {}, all names match.\n", tip.trim())));
    let json: Value = serde_json::from_str(&team.does(&["receipts", "verify", "--format", "json"])).expect("JSON");
    assert_eq!((&json["schema_version"], &json["good"]), (&"loopx_receipts_verification_v0".into(), &1.into()));

    let fresh = Team::new();
    assert_eq!(fresh.does(&["receipts", "verify"]).lines().next(), Some("No receipts in this history."));
}

/// What was edited or removed and put back is good again, and it is not said that nobody touched it.
#[test]
fn what_was_put_back_is_told() {
    for remove in [false, true] {
        let (team, receipt) = recorded();
        let before = team.git(&["rev-parse", "HEAD"]);
        let text = fs::read_to_string(team.repo.join(&receipt)).expect("a receipt");
        match remove {
            true => fs::remove_file(team.repo.join(&receipt)).expect("a receipt"),
            false => put(&team.repo, &receipt, &text.replace("approve", "reject")),
        }
        commit_as(&team, "tomas", "tidy");
        put(&team.repo, &receipt, &text);
        commit_as(&team, "tomas", "untidy");
        for since in [None, Some(before.trim())] {
            let arguments: Vec<&str> =
                ["receipts", "verify"].into_iter().chain(since.map(|_| "--since")).chain(since).collect();
            let said = team.does(&arguments);
            assert!(!said.contains("nobody edited or removed"), "{said}");
            let what = if remove { "was removed in" } else { "was changed in" };
            assert!(said.contains(what) && said.contains("by tomas, and was put back"), "{said}");
            assert!(
                said.contains("all unchanged or put back") && said.contains("Proves: every receipt says"),
                "{said}"
            );
            let json = team.does(&[&arguments[..], &["--format", "json"]].concat());
            let json: Value = serde_json::from_str(&json).expect("JSON");
            assert_eq!(json["restored"].as_array().expect("a list").len(), 1);
        }
        let clean = team.does(&["receipts", "verify", "--since", "HEAD"]);
        assert!(clean.contains("nobody edited or removed a receipt since"), "{clean}");
    }
}

/// Each receipt is counted once: the good ones, and each that somebody touched.
#[test]
fn the_counts_add_up() {
    let (team, receipt) = recorded();
    for number in 1..3 {
        let reward = format!("held-{number}a2b");
        let give = ["reward", "give", "out-1", "positive", "--reason", "it held", "--goal", "ledger", "--id"];
        team.does(&[&give[..], &[&reward, "--by", "maya", "--execute"]].concat());
        team.commit("reward");
    }
    let counts = |team: &Team| {
        let said = team.loopx(&["receipts", "verify"]).out;
        said.lines().find(|line| line.contains(" good, ")).unwrap_or_default().to_owned()
    };
    fs::remove_file(team.repo.join(&receipt)).expect("a receipt");
    commit_as(&team, "tomas", "tidy");
    assert_eq!(counts(&team), "3 receipts: 2 good, 1 deleted.");
    team.put("receipts/ledger/00/run-0000000000000000.yaml", "no: receipt\n");
    let kept = team.receipts().into_iter().find(|path| *path != receipt && !path.contains("/00/")).expect("a receipt");
    let text = fs::read_to_string(team.repo.join(&kept)).expect("a receipt");
    fs::write(team.repo.join(&kept), text.replace("positive", "negative")).expect("a receipt");
    commit_as(&team, "tomas", "tidy more");
    assert_eq!(counts(&team), "4 receipts: 1 good, 1 deleted, 1 edited, 1 unreadable.");
    let json = team.loopx(&["receipts", "verify", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    let faults = json["faults"].as_array().expect("a list").len();
    assert_eq!((&json["receipts"], &json["good"], faults), (&4.into(), &1.into(), 3));
}

/// A trusted commit says that what it holds is unchanged; that each is a receipt with its own name is looked at.
#[test]
fn names_are_looked_at_also_behind_a_trusted_commit() {
    let (team, _) = recorded();
    team.put("receipts/ledger/00/run-0000000000000000.yaml", "no: receipt\n");
    team.put("receipts/README.md", "What is recorded.\n");
    commit_as(&team, "tomas", "tidy");
    let said = team.loopx(&["receipts", "verify", "--since", "HEAD"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.starts_with("error[receipt/unreadable]: run-0000000000000000 is no receipt\n"), "{said:?}");
    assert!(said.out.ends_with("2 receipts: 1 good, 1 unreadable.\n"), "{said:?}");
}

/// What became of receipts where the state directory stood before was not read, and it is said so.
#[test]
fn nothing_is_proved_of_a_place_where_the_state_directory_stood_before() {
    let (team, receipt) = recorded();
    let text = fs::read_to_string(team.repo.join(&receipt)).expect("a receipt");
    put(&team.repo, &receipt, &text.replace("approve", "reject"));
    commit_as(&team, "tomas", "tidy");
    put(&team.repo, &receipt, &text);
    commit_as(&team, "tomas", "untidy");
    team.git(&["mv", "loopx", "state"]);
    commit_as(&team, "tomas", "move");
    let moved = team.git(&["rev-parse", "--short", "HEAD"]);
    let said = team.does(&["receipts", "verify"]);
    let line =
        format!("Cannot prove: what was done to receipts before {} moved the state directory here.", moved.trim());
    assert!(said.lines().any(|said| said == line), "{said}");
}

/// A history that a clone shows in place of the real one proves nothing, and is not read.
#[test]
fn a_replaced_commit_hides_no_edit() {
    let (team, receipt) = recorded();
    let text = fs::read_to_string(team.repo.join(&receipt)).expect("a receipt");
    put(&team.repo, &receipt, &text.replace("approve", "reject"));
    commit_as(&team, "tomas", "tidy");
    let clean = team.git(&["commit-tree", "HEAD~1^{tree}", "-p", "HEAD~1", "-m", "nothing happened"]);
    team.git(&["replace", "HEAD", clean.trim()]);
    assert_eq!(team.git(&["show", &format!("HEAD:{receipt}")]), text, "git itself shows the first one");
    let said = team.loopx(&["receipts", "verify"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.starts_with("error[receipt/edited]"), "{said:?}");
}

#[test]
fn an_edited_receipt_is_found() {
    let (team, receipt) = recorded();
    let text = fs::read_to_string(team.repo.join(&receipt)).expect("a receipt");
    put(&team.repo, &receipt, &text.replace("approve", "reject"));
    commit_as(&team, "tomas", "tidy");
    let (first, edit) = (team.git(&["rev-parse", "--short", "HEAD~1"]), team.git(&["rev-parse", "--short", "HEAD"]));
    let said = found_and_mended(&team, "receipt/edited");
    let lines: Vec<String> =
        said.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines[0], format!("--> {receipt}:11"));
    let committed =
        format!("first committed {} A User 2026-03-07 12:00 gate switch-2f8q approved by owner", first.trim());
    assert_eq!(lines[1], committed);
    let changed = "tomas 2023-11-14 22:13 result.label \"approve\" -> \"reject\"";
    assert_eq!(lines[2], format!("changed in {} {changed}", edit.trim()));
    assert_eq!(lines[3], "= now: switch-2f8q is conflicting_decisions and stays closed");
    assert!(said.contains(&format!("git checkout {} -- {receipt}", first.trim())), "{said}");
    assert!(said.ends_with("1 receipt: 0 good, 1 edited.\n"), "{said}");
}

#[test]
fn a_deleted_receipt_is_found() {
    let (team, receipt) = recorded();
    fs::remove_file(team.repo.join(&receipt)).expect("a receipt");
    commit_as(&team, "tomas", "tidy");
    let said = found_and_mended(&team, "receipt/deleted");
    assert!(said.contains("removed in") && said.contains("tomas"), "{said}");
    assert!(said.contains("switch-2f8q is decision_not_recorded and stays closed"), "{said}");
}

#[test]
fn a_renamed_receipt_is_found() {
    for to in ["loopx/receipts/ledger/00/run-0000000000000000.yaml", "loopx/receipts/ledger/put-away.txt"] {
        let (team, receipt) = recorded();
        fs::create_dir_all(team.repo.join(to).parent().expect("a folder")).expect("a folder");
        team.git(&["mv", &receipt, to]);
        commit_as(&team, "tomas", "tidy");
        let said = found_and_mended(&team, "receipt/renamed");
        assert!(said.contains("moved in") && said.contains("tomas"), "{said}");
    }
}

#[test]
fn an_invented_receipt_is_found() {
    let (team, receipt) = recorded();
    let text = fs::read_to_string(team.repo.join(&receipt)).expect("a receipt");
    // Of a gate that never was, and of a revision that nobody decided, each under its right name.
    for (gate, revision) in [("gate-0000", 1), ("switch-2f8q", 2)] {
        let effect = loopx::vocabulary::Effect::Gate("ledger", gate, revision);
        let path = loopx::vocabulary::receipt_path("ledger", effect.run_id().as_str());
        let own = receipt.rsplit('/').next().expect("a name").trim_end_matches(".yaml");
        let text = text
            .replace(own, effect.run_id().as_str())
            .replace("\\\"switch-2f8q\\\",1", &format!("\\\"{gate}\\\",{revision}"))
            .replace("id: switch-2f8q", &format!("id: {gate}"));
        team.put(&path, &text);
        commit_as(&team, "tomas", "we agreed on the phone");
        let said = found_and_mended(&team, "receipt/invented");
        assert!(said.contains("added in") && said.contains("tomas") && said.contains("approved by owner"), "{said}");
    }
}

#[test]
fn a_misplaced_receipt_is_found() {
    // Never in its own place at all.
    let team = Team::new();
    team.decide("approve");
    team.does(&["record"]);
    let status = team.sandbox.status(&team.repo);
    let own = status.lines().find_map(|line| line.strip_prefix("?? ")).expect("a new file").to_owned();
    let name = own.rsplit('/').next().expect("a name");
    let other = format!("loopx/receipts/ledger/00/{name}");
    fs::create_dir_all(team.repo.join("loopx/receipts/ledger/00")).expect("a folder");
    fs::rename(team.repo.join(&own), team.repo.join(&other)).expect("a rename");
    commit_as(&team, "tomas", "decide");
    let (_, gate, reasons) = team.screen();
    assert_eq!((gate.as_str(), reasons[0].as_str()), ("blocked", "conflicting_decisions"), "it does not count");
    let said = found_and_mended(&team, "receipt/misnamed");
    assert!(said.contains(&format!("git mv {other} {own}")), "{said}");
    assert_eq!(team.screen().1, "approved");

    // A copy beside the right one.
    fs::create_dir_all(team.repo.join("loopx/receipts/ledger/00")).expect("a folder");
    fs::copy(team.repo.join(&own), team.repo.join(&other)).expect("a copy");
    commit_as(&team, "tomas", "copy");
    assert_eq!(team.screen().1, "blocked", "of two files nobody can say which counts");
    let said = found_and_mended(&team, "receipt/misnamed");
    assert!(said.contains(&format!("git rm {other}")), "{said}");
    assert_eq!(team.screen().1, "approved");
}

#[test]
fn what_is_no_receipt_is_found_and_what_is_no_document_is_not_asked() {
    let (team, _) = recorded();
    team.put("receipts/README.md", "Do not touch.\n");
    team.put("receipts/.gitkeep", "");
    team.put("receipts/ledger/11/run-1111111111111111.yaml", "not: [a, receipt\n");
    commit_as(&team, "tomas", "notes");
    found_and_mended(&team, "receipt/unreadable");
    std::os::unix::fs::symlink("ledger", team.repo.join("loopx/receipts/other")).expect("a link");
    commit_as(&team, "tomas", "link");
    found_and_mended(&team, "receipt/unreadable");
}

#[test]
fn a_receipt_that_is_taken_back_and_written_anew_is_edited_whatever_its_date_claims() {
    let (team, receipt) = recorded();
    let text = fs::read_to_string(team.repo.join(&receipt)).expect("a receipt");
    // The document and the receipt both say otherwise now, and fit each other.
    fs::remove_file(team.repo.join(&receipt)).expect("a receipt");
    team.put("goals/ledger/gates/switch-2f8q.yaml", &super::team::ASKED.replace("2026-03-05", "2026-03-04"));
    commit_as(&team, "tomas", "take back");
    team.decide("reject");
    team.does(&["record"]);
    assert_ne!(fs::read_to_string(team.repo.join(&receipt)).expect("a receipt"), text);
    team.git(&["add", "--all"]);
    let forged = "GIT_COMMITTER_DATE='2001-01-01T00:00:00Z' git commit --quiet --message 'decide'";
    assert!(team.sandbox.paste(&team.repo, forged).status.success());
    let said = team.loopx(&["receipts", "verify"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.starts_with("error[receipt/edited]"), "{}", said.out);
    assert!(said.out.contains("result.label  \"approve\" -> \"reject\""), "{}", said.out);
}

#[test]
fn a_pinned_commit_must_be_part_of_the_history() {
    let (team, receipt) = recorded();
    let pinned = team.git(&["rev-parse", "HEAD"]);
    team.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    team.does(&["reconcile", "--commit", "--now", "2026-03-07T13:00:00Z"]);
    assert_eq!(team.receipts(), [receipt]);
    let said = team.loopx(&["receipts", "verify", "--since", pinned.trim()]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.starts_with("error[receipt/unpinned]"), "{}", said.out);
    let unknown = team.loopx(&["receipts", "verify", "--since", "0123456789"]);
    assert_eq!(unknown.code, Some(3));
    assert!(unknown.err.starts_with("error[unknown_revision]"), "{unknown:?}");
}

#[test]
fn a_shallow_clone_says_what_it_cannot_know() {
    let (team, _) = recorded();
    put(&team.repo, "later.txt", "later\n");
    team.commit("later");
    let source = format!("file://{}", team.repo.display());
    team.git(&["clone", "--quiet", "--depth=1", &source, "../shallow"]);
    let clone = Team { repo: team.sandbox.path("shallow"), ..team };
    assert_eq!(clone.screen().1, "approved", "the tree is enough for what counts");
    let said = clone.loopx(&["receipts", "verify"]);
    assert_eq!(said.code, Some(3), "neither good nor bad: {said:?}");
    let cut = "The clone is shallow: 1 receipt is older than its history, and nobody can see here when they were \
               committed: git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'\n";
    assert!(said.out.contains(cut), "{}", said.out);
    assert!(clone.sandbox.paste(&clone.repo, "git fetch --quiet --unshallow origin").status.success());
    assert_eq!(clone.loopx(&["receipts", "verify"]).code, Some(0));
}

#[test]
fn every_rule_of_the_history_is_tested_here() {
    let own = include_str!("verifying.rs");
    let rules: BTreeSet<&str> = ALL.iter().filter(|rule| rule.is_of_history()).map(|rule| rule.id).collect();
    assert_eq!(rules.len(), 6);
    for rule in rules {
        assert!(own.contains(&format!("\"{rule}\"")) || own.contains(&format!("error[{rule}]")), "{rule}");
    }
}

#[test]
fn a_receipt_is_shown_by_its_id_or_by_what_it_records() {
    let (team, receipt) = recorded();
    let run = receipt.rsplit('/').next().expect("a name").trim_end_matches(".yaml");
    let shown = team.does(&["receipts", "show", "switch"]);
    assert!(shown.starts_with(&format!("{run}  recorded  gate switch-2f8q approved by owner\n")), "{shown}");
    let short = team.git(&["rev-parse", "--short", "HEAD"]);
    assert!(shown.contains(&format!("committed  {} by A User, 2026-03-07 12:00\n", short.trim())), "{shown}");
    assert!(shown.contains("document   says the same\n"), "{shown}");
    let json: Value = serde_json::from_str(&team.does(&["receipts", "show", run, "--format", "json"])).expect("JSON");
    assert_eq!((&json["schema_version"], &json["state"]), (&"loopx_receipt_v0".into(), &"recorded".into()));
    team.put("goals/ledger/gates/switch-2f8q.yaml", &decided("reject"));
    assert!(team.does(&["receipts", "show", run]).contains("says something else by now\n"));
    let unknown = team.loopx(&["receipts", "show", "nothing"]);
    assert!(unknown.code == Some(3) && unknown.err.starts_with("error[unknown_receipt]"), "{unknown:?}");
    let unknown = team.loopx(&["receipts", "list", "--goal", "nothing"]);
    assert!(unknown.code == Some(3) && unknown.err.starts_with("error[unknown_goal]"), "{unknown:?}");
}
