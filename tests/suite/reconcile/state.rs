//! A state directory of the fixtures as a world: its `receipts/` count as recorded, and so does what `recorded.txt`
//! names, one id a line.

use std::path::Path;

use loopx::privacy::Wall;
use loopx::reconcile::{Recorded, World, reconcile};
use loopx::rules::{Judged, judge};
use loopx::vocabulary::{Instant, Kind, Receipt, Record};
use loopx::workspace::{Files, Folder};

/// A judged state directory with what is recorded of it.
pub(crate) struct State {
    judged: Judged,
    recorded: Vec<Receipt>,
}

impl State {
    /// Reads a folder of the project.
    pub(crate) fn open(folder: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let recorded = std::fs::read_to_string(root.join("recorded.txt")).unwrap_or_default();
        Self::read(&Folder::open(&root), &recorded.lines().collect::<Vec<_>>())
    }

    /// Reads files; decisions of `recorded` ids count as recorded.
    pub(crate) fn read(files: &dyn Files, recorded: &[&str]) -> Self {
        let any = Instant::parse("2026-03-07T12:00:00Z").expect("an instant");
        let mut state = Self { judged: judge(files, any), recorded: Vec::new() };
        let plan = reconcile(&state.world(), state.wall(), any);
        state.recorded = plan.unrecorded;
        state.recorded.retain(|receipt| recorded.contains(&receipt.source.id.as_str()));
        state
    }

    /// The team's wall.
    pub(crate) fn wall(&self) -> &Wall {
        &self.judged.workspace.wall
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
