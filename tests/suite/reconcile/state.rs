//! A state directory of the fixtures as a world: its `receipts/` count as recorded, and so do the decisions of the ids
//! that `recorded.txt` names, one a line.

use std::path::{Path, PathBuf};

use loopx::privacy::Wall;
use loopx::reconcile::{Plan, Recorded, World, reconcile};
use loopx::rules::{Judged, judge};
use loopx::vocabulary::{Instant, Kind, Receipt, Record};
use loopx::workspace::{Files, Folder, Memory};

/// A judged state directory with what is recorded of it.
pub(crate) struct State {
    judged: Judged,
    recorded: Vec<Receipt>,
}

/// A folder of the project.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// An instant that a test names.
pub(crate) fn instant(text: &str) -> Instant {
    Instant::parse(text.trim()).expect("an instant")
}

impl State {
    /// Reads a folder of the project. `{{local path}}` stands for a path that must not be committed.
    pub(crate) fn open(name: &str) -> Self {
        let root = folder(name);
        let files = Folder::open(&root);
        let private = ["/ho", "me/lena/report"].concat();
        let files = files.list().iter().map(|path| {
            let text = std::fs::read_to_string(root.join(path)).expect("fixtures are text");
            (path.clone(), text.replace("{{local path}}", &private).into_bytes())
        });
        let recorded = std::fs::read_to_string(root.join("recorded.txt")).unwrap_or_default();
        Self::read(&Memory::from_iter(files), &recorded.lines().collect::<Vec<_>>())
    }

    /// Reads files; the decisions of `recorded` ids count as recorded.
    pub(crate) fn read(files: &dyn Files, recorded: &[&str]) -> Self {
        let any = instant("2026-03-07T12:00:00Z");
        let mut state = Self { judged: judge(files, any), recorded: Vec::new() };
        state.recorded = state.plan(any).unrecorded;
        state.recorded.retain(|receipt| recorded.contains(&receipt.source.id.as_str()));
        state
    }

    /// The team's wall.
    pub(crate) fn wall(&self) -> &Wall {
        &self.judged.workspace.wall
    }

    /// What follows at an instant.
    pub(crate) fn plan(&self, as_of: Instant) -> Plan {
        reconcile(&self.world(), self.wall(), as_of)
    }

    /// What reconcile looks at.
    pub(crate) fn world(&self) -> World<'_> {
        let mut world = World::of(&self.judged.workspace);
        for entry in &self.judged.workspace.entries {
            let Some((Kind::Receipt, _)) = entry.place else { continue };
            let field = |name| entry.field(name).expect("a receipt's place names it");
            let recorded = match &entry.record {
                Some(Record::Receipt(receipt)) => Recorded::Receipt(receipt),
                _ => Recorded::Unreadable { goal_id: field("goal_id") },
            };
            world.receipts.insert(field("run_id"), recorded);
        }
        world.record(&self.recorded);
        world
    }
}
