//! `loopx lint --staged` on every index that git writes: it judges what `git commit` would take, and nothing else.

use super::team::Team;
use crate::store::sandbox::put;

const TODO: &str = "goals/ledger/todos/bench-7k2m.yaml";
/// A rule that a todo breaks.
const WRONG: &str = "after: [nowhere-1a2b]\n";

fn read(team: &Team, path: &str) -> String {
    std::fs::read_to_string(team.repo.join("loopx").join(path)).expect("a file")
}

/// What is wrong with what would be committed, a line for each.
fn found(team: &Team) -> Vec<String> {
    let said = team.loopx(&["lint", "--staged", "--format", "concise"]);
    assert!(matches!((said.code, said.out.is_empty()), (Some(0), true) | (Some(1), false)), "{said:?}");
    said.out.lines().map(str::to_owned).collect()
}

fn only_the_wrong_one(team: &Team) {
    let found = found(team);
    assert!(found.len() == 1 && found[0].contains("bench-7k2m.yaml") && found[0].contains("nowhere-1a2b"), "{found:?}");
}

/// Field case 05: `git commit` leaves out what somebody only means to add.
#[test]
fn what_is_only_meant_to_be_added_is_not_judged() {
    let team = Team::new();
    let later = "goals/ledger/todos/later-7k2m.yaml";
    team.put(later, &format!("{}{WRONG}", read(&team, TODO).replace("bench-7k2m", "later-7k2m")));
    team.git(&["add", "--intent-to-add", &format!("loopx/{later}")]);
    assert_eq!(found(&team), Vec::<String>::new());
    team.git(&["commit", "--quiet", "--allow-empty", "--message=nothing"]);
    assert_eq!(team.git(&["diff-tree", "--name-only", "-r", "HEAD~1", "HEAD"]), "", "git takes nothing of it");
    team.git(&["add", &format!("loopx/{later}")]);
    let found = found(&team);
    assert!(found.len() == 1 && found[0].contains("later-7k2m.yaml"), "{found:?}");
}

#[test]
fn a_split_index_is_judged_as_a_whole() {
    let team = Team::new();
    team.git(&["update-index", "--split-index"]);
    team.put(TODO, &format!("{}{WRONG}", read(&team, TODO)));
    team.git(&["add", "--all"]);
    let folder = std::fs::read_dir(team.repo.join(".git")).expect("git's folder").flatten();
    assert!(folder.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("sharedindex.")));
    only_the_wrong_one(&team);
    team.git(&["reset", "--quiet", "--hard"]);
    assert_eq!(found(&team), Vec::<String>::new());
}

/// A sparse index names whole folders by their trees, with the state directory in one of them or being one.
#[test]
fn the_folders_that_a_sparse_index_leaves_out_are_judged() {
    let team = Team::new();
    let wrong = format!("{}{WRONG}", read(&team, TODO));
    put(&team.repo, "app/main.txt", "1\n");
    put(&team.repo, "wrong.yaml", &wrong);
    team.git(&["add", "--all"]);
    team.git(&["commit", "--quiet", "--message=app"]);
    let blob = team.git(&["rev-parse", "HEAD:wrong.yaml"]).trim().to_owned();
    team.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "app"]);
    assert!(!team.repo.join("loopx").exists());
    let listed = team.git(&["ls-files", "--sparse"]);
    assert!(listed.lines().any(|line| line == "loopx/"), "{listed}");
    assert_eq!(found(&team), Vec::<String>::new());
    // A change of one file there opens the folders above it, and no others.
    team.git(&["update-index", "--cacheinfo", &format!("100644,{blob},loopx/{TODO}")]);
    only_the_wrong_one(&team);

    team.git(&["reset", "--quiet", "--hard"]);
    team.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "loopx/goals/ledger/todos"]);
    let listed = team.git(&["ls-files", "--sparse"]);
    assert!(listed.lines().any(|line| line == "loopx/goals/ledger/gates/"), "{listed}");
    team.put(TODO, &wrong);
    team.git(&["add", "--all"]);
    only_the_wrong_one(&team);
}

#[test]
fn conflicts_of_a_merge_are_named_with_what_to_do() {
    let team = Team::new();
    let todo = read(&team, TODO);
    team.branch("side", "main");
    team.put(TODO, &format!("{todo}priority: P1\n"));
    team.git(&["commit", "--quiet", "--all", "--message=side"]);
    team.git(&["switch", "--quiet", "main"]);
    team.put(TODO, &format!("{todo}priority: P2\n"));
    team.git(&["commit", "--quiet", "--all", "--message=main"]);
    assert!(!team.sandbox.try_git(&team.repo, &["merge", "side"]).status.success());
    let said = team.loopx(&["lint", "--staged"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("conflicts of a merge") && said.err.contains("`git add`"), "{said:?}");
    team.put(TODO, &format!("{todo}priority: P1\n"));
    team.git(&["add", "--all"]);
    assert_eq!(found(&team), Vec::<String>::new());
}

/// No object stands for another one: what a clone has put in place of a commit or a file is nobody else's history.
#[test]
fn no_object_is_read_in_place_of_another() {
    let team = Team::new();
    let path = format!("HEAD:loopx/{TODO}");
    let good = team.git(&["rev-parse", &path]).trim().to_owned();
    put(&team.repo, "wrong.yaml", &format!("{}{WRONG}", read(&team, TODO)));
    let wrong = team.git(&["hash-object", "-w", "wrong.yaml"]).trim().to_owned();
    let clean = team.loopx(&["lint", "--rev", "HEAD"]);
    team.git(&["replace", &good, &wrong]);
    assert!(team.git(&["cat-file", "blob", &path]).contains("nowhere-1a2b"), "git itself shows the other one");
    let replaced = team.loopx(&["lint", "--rev", "HEAD"]);
    assert_eq!((replaced.code, replaced.out), (clean.code, clean.out));
    assert_eq!(clean.code, Some(0));
}
