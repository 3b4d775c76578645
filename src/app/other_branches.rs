//! What is asked of a person on other branches: nobody on the authority branch sees an agent's question before its pull
//! request.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::Error;
use super::plan::ReconciledDirectory;
use crate::document::MAX_BYTES;
use crate::git::{Branch, CommitId, Head, Repository, quoted};
use crate::render::GateElsewhere;
use crate::vocabulary::{ActorClass, Gate, Id, Kind, Record, RequiredActor, Todo, TodoStatus};
use crate::workspace::{Workspace, display_prefix, read};

/// How many branches are looked at: the newest.
const BRANCHES: usize = 50;

/// Lists the undecided gates and the open todos that other branches ask of a person and that are not here, the newest
/// branch first, each once.
pub(super) fn asked_elsewhere(
    place: &Path,
    state: &ReconciledDirectory,
    person: &str,
) -> Result<Vec<GateElsewhere>, Error> {
    let Some(repository) = Repository::discover(&state.root)? else { return Ok(Vec::new()) };
    let here = match repository.head()? {
        Head::Branch { commit: Some(commit), .. } | Head::Detached(commit) => commit,
        Head::Branch { commit: None, .. } => return Ok(Vec::new()),
    };
    let (mut asked, mut seen) = (Vec::new(), BTreeSet::new());
    for branch in repository.branches()?.into_iter().take(BRANCHES).filter(|branch| branch.commit != here) {
        for (path, record) in asked_by(&repository, here, &branch, &state.workspace)? {
            if is_asked_of(&record, person, &state.workspace) && seen.insert(path.clone()) {
                asked.extend(row(place, &branch, &path, &record, state));
            }
        }
    }
    Ok(asked)
}

/// The gates and todos that a branch changed since it left what is checked out, and that the latter does not have.
fn asked_by(
    repository: &Repository,
    here: CommitId,
    branch: &Branch,
    workspace: &Workspace,
) -> Result<Vec<(Arc<str>, Record)>, Error> {
    // Where the histories have nothing in common here, as in a shallow clone, everything of the branch is its own.
    let start = repository.merge_base(here, branch.commit).ok().flatten();
    let changed = match start {
        Some(start) if start == branch.commit => return Ok(Vec::new()),
        start => repository.compare(start.unwrap_or(here), branch.commit)?,
    };
    let mut asked = Vec::new();
    for one in changed {
        let (Some(blob), Some((kind, _))) = (one.after, Kind::at(&one.path)) else { continue };
        if !matches!(kind, Kind::Gate | Kind::Todo) {
            continue;
        }
        let path: Arc<str> = Arc::from(one.path.as_str());
        let Some(bytes) = repository.blob(blob, MAX_BYTES as u64)? else { continue };
        let Some(record) = read(&path, &bytes, &workspace.wall).record else { continue };
        let known = workspace.file_at(&path).and_then(|file| file.record.as_ref());
        if is_open(&record) && !is_known(&record, known) {
            asked.push((path, record));
        }
    }
    Ok(asked)
}

/// Whether a document waits for a person.
fn is_open(record: &Record) -> bool {
    match record {
        Record::Gate(gate) => gate.decision.is_none() && gate.withdrawn.is_none(),
        Record::Todo(todo) => todo.task_class.is_user() && todo.status == TodoStatus::Open,
        _ => false,
    }
}

/// Whether what is here asks the same, or was asked it already.
fn is_known(record: &Record, here: Option<&Record>) -> bool {
    match (record, here) {
        (Record::Gate(gate), Some(Record::Gate(here))) => here.revision >= gate.revision,
        (Record::Todo(_), Some(Record::Todo(_))) => true,
        _ => false,
    }
}

/// Whether a person is the one who is asked: by class or as the owner, or as the assignee of a todo.
fn is_asked_of(record: &Record, person: &str, workspace: &Workspace) -> bool {
    let owner = record.goal_id().and_then(|goal| workspace.owner(goal));
    let owns = owner.is_some_and(|owner| owner.is_same(person));
    let classes = workspace.policies.actor(person).map(|(_, actor)| &actor.class);
    let is_of = |class: ActorClass| classes.is_some_and(|classes| classes.has(class));
    let has_any = |class: ActorClass| workspace.policies.actors.values().any(|actor| actor.class.has(class));
    match record {
        Record::Gate(Gate { required_actor: RequiredActor::Owner, .. }) => owns || is_of(ActorClass::Owner),
        Record::Gate(gate) => {
            let class = gate.required_actor.class();
            // Of a class that nobody has, the owner may decide for it.
            is_of(class) || owns && !has_any(class)
        }
        Record::Todo(Todo { assignee: Some(assignee), .. }) => assignee.is_same(person),
        Record::Todo(_) => owns,
        _ => false,
    }
}

/// A row: the question, and the command that answers it where decisions count.
fn row(
    place: &Path,
    branch: &Branch,
    path: &Arc<str>,
    record: &Record,
    state: &ReconciledDirectory,
) -> Option<GateElsewhere> {
    let text = |text: &str| state.workspace.wall.text(text);
    let goal = record.goal_id()?;
    let (id, asks, act): (&Id, &str, String) = match record {
        Record::Gate(gate) => {
            let id = &gate.gate_id;
            let decide =
                format!("loopx gate decide {id} approve|reject|defer --goal {goal} --reason \"...\" --execute");
            (id, gate.question.as_str(), decide)
        }
        Record::Todo(todo) => {
            let id = &todo.todo_id;
            (id, todo.title.as_str(), format!("loopx todo done {id} --goal {goal} --execute"))
        }
        _ => return None,
    };
    let file = quoted(&format!("{}{path}", display_prefix(place, &state.root)));
    let command = format!("git checkout {} -- {file} && {act}", quoted(&branch.name));
    Some(GateElsewhere {
        branch: text(&branch.name),
        goal_id: text(goal),
        kind: record.kind(),
        id: text(id.as_str()),
        asks: text(asks),
        command: text(&command),
    })
}
