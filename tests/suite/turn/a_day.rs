//! The day of `docs/guide/a-day.md`, worked by a small program that follows only the text of the skill.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fixture::files_below;
use crate::guides::{blocks, run, with_loopx};
use crate::store::sandbox::Sandbox;

/// The folder of the story, and `PATH` with a `loopx` of its time.
struct Story {
    sandbox: Sandbox,
    folder: PathBuf,
    path: String,
}

impl Story {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let folder = sandbox.path("ledger");
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = with_loopx(&sandbox);
        Self { sandbox, folder, path }
    }

    fn text(&self, path: &Path) -> String {
        std::fs::read_to_string(path).expect("a file")
    }

    /// How often each agent settled a todo, by title, with a result.
    fn turns(&self) -> BTreeMap<(String, String, String), usize> {
        let field = |text: &str, name: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(&format!("{name}: ")));
            line.unwrap_or_default().to_owned()
        };
        let mut turns = BTreeMap::new();
        for path in files_below(&self.folder.join("receipts")) {
            let receipt = self.text(&path);
            if field(&receipt, "event_class") != "turn" {
                continue;
            }
            let todo = self.folder.join(format!("goals/ledger/todos/{}.yaml", field(&receipt, "todo_id")));
            let result = field(&receipt, "label") + &field(&receipt, "status");
            *turns.entry((field(&receipt, "agent_id"), field(&self.text(&todo), "title"), result)).or_default() += 1;
        }
        turns
    }

    /// Runs the agent; gives the last line, which it tells its person.
    fn agent(&self, name: &str, now: Option<&str>) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/turn/agent.py");
        let mut command = Command::new("python3");
        self.sandbox.scrub(&mut command);
        command.env("PATH", &self.path).envs(now.map(|now| ("NOW", now)));
        let output = command.current_dir(&self.folder).arg(script).arg(name).output().expect("Python runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{name}: {said}{}", String::from_utf8_lossy(&output.stderr));
        said.trim().to_owned()
    }
}

/// Whose block it is: an agent's begins with its name, and the time where that is another one.
fn agent_of(text: &str) -> Option<(&str, Option<&str>)> {
    let mut words = text.lines().next()?.strip_prefix("# ")?.split(' ');
    Some((words.next()?, words.next()))
}

#[test]
fn an_agent_that_knows_only_the_skill_completes_the_day() {
    if Command::new("python3").arg("--version").output().is_err() {
        crate::store::report("SKIPPED: there is no python3, so no agent worked the day of the guide");
        return;
    }
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/a-day.md"));
    let page = page.expect("the guide");
    let (by_hand, by_agents) = (Story::new(), Story::new());
    let (mut told, mut before) = (Vec::new(), None);
    for block in blocks(&page).iter().filter(|block| block.kind == "sh") {
        run(&by_hand.sandbox, &by_hand.folder, &by_hand.path, &block.text);
        match agent_of(&block.text) {
            // What an agent does in several blocks it does in one go.
            Some(agent) if before == Some(agent) => {}
            Some((name, now)) => told.push(by_agents.agent(name, now)),
            None => drop(run(&by_agents.sandbox, &by_agents.folder, &by_agents.path, &block.text)),
        }
        before = agent_of(&block.text);
    }
    let decisions: Vec<&str> = told.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(decisions, ["ask", "wait", "wait", "wait"], "{told:?}");
    let turns = by_agents.turns();
    assert_eq!(turns, by_hand.turns(), "both days are settled alike");
    let passed: usize = turns.iter().filter(|((_, _, result), _)| result == "done").map(|(_, count)| count).sum();
    let failed: usize = turns.iter().filter(|((_, _, result), _)| result == "failed").map(|(_, count)| count).sum();
    assert_eq!((passed, failed), (4, 3), "{turns:?}");
    let goal = by_agents.text(&by_agents.folder.join("goals/ledger/goal.yaml"));
    assert!(goal.contains("status: completed"), "{goal}");
}
