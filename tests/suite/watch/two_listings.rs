//! Facts stand in the work tree and, for all work trees, below the git common directory: what a watch makes of any history
//! of both is what a cold run makes of it, and every work tree comes to one verdict.

use std::path::{Path, PathBuf};

use loopx::app::{IncrementalPlan, ReconciledDirectory, open_watch_io};
use loopx::render::outputs;
use loopx::vocabulary::Instant;
use loopx::watch::Extent;

use crate::receipts::team::{NOW, Team};
use crate::store::sandbox::put;

const BINDING: &str = "schema_version: loopx_agent_session_binding_v0\ngoal_id: ledger\nsession_id: codex-q4\n\
                       agent_id: codex-main\nsession_mode: attached_host\nhost_surface: codex_cli\n\
                       executor_endpoint_id: codex-exec\nattached_capabilities: [session_queue]\noperator: maya\n";

const FACTS: &str = "facts/codex_cli_tui/codex-q4";

const STATUSES: [&str; 5] = ["running", "idle", "waiting", "failed", "stopped"];

/// A team with a second work tree at the same commit.
struct Trees {
    team: Team,
    other: PathBuf,
}

impl Trees {
    fn new() -> Self {
        let team = Team::new();
        team.put("goals/ledger/bindings/codex-q4.yaml", BINDING);
        team.commit("bind");
        let other = team.sandbox.path("other");
        team.git(&["worktree", "add", "--quiet", "--detach", other.to_str().expect("Unicode")]);
        Self { team, other }
    }

    fn root(&self) -> PathBuf {
        self.team.repo.join("loopx").canonicalize().expect("the state directory")
    }

    fn shared(&self) -> PathBuf {
        self.team.repo.join(".git/loopx/facts/loopx/codex_cli_tui/codex-q4.yaml")
    }

    /// Does one thing to the facts; gives the path that a watch hears of.
    fn act(&self, dice: &mut dyn FnMut(usize) -> usize) -> String {
        let (status, minute) = (STATUSES[dice(STATUSES.len())], dice(60));
        let at = format!("2026-03-07T11:{minute:02}:00Z");
        let yaml = format!(
            "schema_version: session_runtime_facts_v0\nruntime_id: codex_cli_tui\nsession_id: codex-q4\n\
             status: {status}\nupdated_at: {at}\n"
        );
        let json = format!(
            r#"{{"schema_version": "session_runtime_facts_v0", "runtime_id": "codex_cli_tui", "session_id": "codex-q4", "status": "{status}", "updated_at": "{at}"}}"#
        );
        let (here, shared) = (self.team.repo.join("loopx"), self.shared());
        let remove = |path: &Path| drop(std::fs::remove_file(path));
        let ending = match dice(7) {
            0 => {
                put(&here, &format!("{FACTS}.yaml"), &yaml);
                "yaml"
            }
            1 => {
                remove(&here.join(format!("{FACTS}.yaml")));
                "yaml"
            }
            2 => {
                put(&here, &format!("{FACTS}.json"), &json);
                "json"
            }
            3 => {
                remove(&here.join(format!("{FACTS}.json")));
                "json"
            }
            4 => {
                put(shared.parent().expect("a folder"), "codex-q4.yaml", &yaml);
                "yaml"
            }
            5 => {
                remove(&shared);
                "yaml"
            }
            _ => {
                let refresh = ["refresh-state", "--session", "codex-q4", "--status", status];
                let said = self.team.command(&refresh).current_dir(self.other.join("loopx")).output();
                assert!(said.as_ref().is_ok_and(|said| said.status.success()), "{said:?}");
                "yaml"
            }
        };
        format!("{FACTS}.{ending}")
    }
}

#[test]
fn a_watch_and_a_second_work_tree_see_the_same_facts() {
    let as_of = Instant::parse(NOW).expect("an instant");
    let (mut seed, mut told, mut compared) = (11_u64, 0, 0);
    let mut dice = move |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % limit as u64).expect("small")
    };
    for _ in 0..4 {
        let trees = Trees::new();
        let mut io = open_watch_io(&trees.root()).expect("a state directory");
        let opened = IncrementalPlan::open(&mut *io, as_of).expect("a plan");
        let (mut keeper, _) = opened.expect("nothing overtakes the first look");
        for number in 0..40 {
            let path = trees.act(&mut dice);
            let extent = Extent { paths: [path.clone()].into(), ..Extent::default() };
            keeper.look(&mut *io, &extent, as_of).expect("a look");
            let cold = ReconciledDirectory::read(&trees.root(), as_of).expect("a plan").plan;
            assert_eq!(outputs(keeper.plan()), outputs(&cold), "after {number}: {path}");
            told += usize::from(!cold.attention.rows.is_empty());
            if trees.shared().exists() {
                let other = ReconciledDirectory::read(&trees.other.join("loopx"), as_of).expect("a plan").plan;
                assert_eq!(outputs(&other), outputs(&cold), "after {number}: {path}");
                compared += 1;
            }
        }
    }
    assert!(told > 40 && compared > 40, "{told} with rows, {compared} compared");
}
