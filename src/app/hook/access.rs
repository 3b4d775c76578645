//! What the goals of an agent permit now. The verdict is kept beside the routes with a digest of all that it rests on:
//! while neither a file, nor a ref, nor time changes it, nothing is reconciled again.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::fault::Unreadable;
use super::routes::{BoundGoal, HostRoute};
use crate::app::Error;
use crate::app::checkout::CheckedOut;
use crate::app::world::{Records, world_around};
use crate::git::{GitPlace, Repository};
use crate::hosts::GoalAccess;
use crate::privacy::{Text, Wall};
use crate::reconcile::{Plan, World, reconcile};
use crate::rules::open_under;
use crate::store::{LocalFiles, shared_facts_folder};
use crate::vocabulary::{Id, Instant, Projection, Rotation};

/// How long a verdict is kept at most: what no digest sees, such as a user's own git configuration, counts then.
const KEPT: crate::vocabulary::Duration = crate::vocabulary::Duration::seconds(300);

/// A file that changed so shortly ago may change again without another time of change.
const TICK: Duration = Duration::from_millis(50);

/// The same on file systems that know whole seconds only.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// What the goals of an agent permit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Access {
    /// Each goal.
    pub(super) goals: Vec<GoalAccess>,
    /// When the next host session may take a binding over.
    pub(super) rotation: Rotation,
}

impl Default for Access {
    fn default() -> Self {
        Self { goals: Vec::new(), rotation: Rotation::Never }
    }
}

/// A verdict with what it rests on.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// This program's version: another one may judge otherwise.
    version: String,
    /// The name of the authority ref.
    reference: String,
    digest: String,
    valid_until: Instant,
    access: Access,
}

/// Reads what goals permit an agent at an instant.
pub(super) fn read(
    place: &GitPlace,
    files: &LocalFiles,
    route: &HostRoute,
    goals: &[BoundGoal],
    as_of: Instant,
) -> Result<Access, Unreadable> {
    let name = cache_name(route, goals);
    let cached = files.read(&name).ok().flatten().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    if let Some(kept) = cached.filter(|kept| kept.version == env!("CARGO_PKG_VERSION") && as_of < kept.valid_until) {
        let digest = Inputs::of(place, files, route, goals, &kept.reference).digest();
        if digest.is_some_and(|digest| digest == kept.digest) {
            return Ok(kept.access);
        }
    }
    let before = |reference: &str| Inputs::of(place, files, route, goals, reference).digest();
    let guess = before("");
    let judged = judge(place, route, goals, as_of)?;
    // What changed while it was read may have been read half.
    if guess.is_some()
        && guess == before("")
        && let Some(digest) = before(&judged.reference)
    {
        let valid_until = judged.valid_until.into_iter().chain([as_of.after(KEPT)]).min().unwrap_or(as_of);
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let access = judged.access.clone();
        let kept = Kept { version, reference: judged.reference, digest, valid_until, access };
        // Without it the next hook judges again.
        let _ = files.write(&name, serde_json::to_string(&kept)?.as_bytes());
    }
    Ok(judged.access)
}

fn cache_name(route: &HostRoute, goals: &[BoundGoal]) -> String {
    let mut hash = Sha256::new();
    for part in [&route.work_tree, &route.dir, &route.agent] {
        hash.update(part);
        hash.update([0]);
    }
    for goal in goals {
        hash.update(&goal.goal_id);
        hash.update([0]);
    }
    format!("hosts/access/{}.json", hex(&hash.finalize()[..8]))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A verdict as it was judged.
struct Judged {
    access: Access,
    reference: String,
    valid_until: Option<Instant>,
}

fn judge(place: &GitPlace, route: &HostRoute, goals: &[BoundGoal], as_of: Instant) -> Result<Judged, Error> {
    let root = place.work_tree.join(&route.dir);
    let repository = Repository::discover(&root)?;
    let names: BTreeSet<String> = goals.iter().map(|goal| goal.goal_id.clone()).collect();
    let mut records = Records::read_goals(repository.as_ref(), &root, &names)?;
    let files = CheckedOut::of_goals(&root, &names, repository.as_ref())?;
    let workspace = open_under(&files, records.judge(), as_of);
    records.join(repository.as_ref(), &workspace, Some(&names), as_of)?;
    let world = world_around(&workspace, &records, &names);
    let plan = reconcile(&world, &workspace.wall, as_of);
    let access = goals.iter().map(|goal| goal_access(&plan, &world, &workspace.wall, goal, &route.agent));
    let valid_until = goals.iter().filter_map(|goal| {
        plan.projections.get(&(Id::new(goal.goal_id.as_str()), Id::new(route.agent.as_str())))?.valid_until
    });
    let valid_until = valid_until.chain(plan.valid_until).min();
    let access = Access { goals: access.collect(), rotation: workspace.settings.rotation };
    Ok(Judged { access, reference: records.reference_name().to_owned(), valid_until })
}

/// What one goal permits; a goal that does not list the agent permits nothing.
fn goal_access(plan: &Plan, world: &World<'_>, wall: &Wall, bound: &BoundGoal, agent: &str) -> GoalAccess {
    let goal_id = bound.goal_id.as_str();
    let key = (Id::new(goal_id), Id::new(agent));
    let documents = world.goals.get(goal_id);
    let goal = documents.and_then(|documents| documents.goal);
    let owner = goal.map_or_else(|| "its owner".to_owned(), |goal| wall.text(goal.owner.as_str()).to_string());
    let validation = goal.map(|goal| goal.validation_command.iter().map(|word| word.as_str().to_owned()).collect());
    let binding = documents.and_then(|documents| documents.bindings.get(bound.session_id.as_str()));
    // A live route goes on without a document here; one that is closed or replaced ends it.
    if binding.is_some_and(|binding| binding.closed.is_some() || binding.replaced.is_some()) {
        let why = format!("the binding {} is closed", wall.text(bound.session_id.as_str()));
        return closed_goal(goal_id, agent, owner, why);
    }
    let Some(projection) = plan.projections.get(&key) else {
        return closed_goal(goal_id, agent, owner, format!("the goal does not list {}", wall.text(agent)));
    };
    let screen = &projection.first_screen;
    let todo_id = projection.first_screen.first_executable_agent_todo.as_ref().map(Text::to_string);
    let todo = todo_id.as_deref().and_then(|id| documents?.todos.get(id).copied());
    let gate = screen.first_gate_id.as_ref().zip(screen.first_gate_question.as_ref());
    GoalAccess {
        goal_id: projection.goal_id.to_string(),
        agent_id: projection.agent_id.to_string(),
        may_continue: screen.may_continue,
        write_scope: screen.boundary.write_scope.iter().map(Text::to_string).collect(),
        owner,
        next_action: screen.next_action.to_string(),
        command: command(plan, projection),
        validation_command: validation.unwrap_or_default(),
        stop_condition: screen.boundary.stop_condition.to_string(),
        waiting_on: screen.waiting_on,
        is_claimed: todo.is_some_and(|todo| todo.claimed_by.as_ref().is_some_and(|by| *by == *agent)),
        todo_title: screen.first_executable_agent_todo_title.as_ref().map(Text::to_string),
        todo_id,
        gate: gate.map(|(id, question)| (id.to_string(), question.to_string())),
        reasons: screen.reasons.clone(),
    }
}

/// A goal that permits nothing, whatever its documents say.
fn closed_goal(goal_id: &str, agent: &str, owner: String, next_action: String) -> GoalAccess {
    let wall = Wall::shipped();
    GoalAccess {
        goal_id: wall.text(goal_id).to_string(),
        agent_id: wall.text(agent).to_string(),
        may_continue: crate::vocabulary::MayContinue::No,
        write_scope: Vec::new(),
        owner,
        next_action,
        command: Some("loopx status".to_owned()),
        validation_command: Vec::new(),
        stop_condition: String::new(),
        waiting_on: crate::vocabulary::WaitingOn::Controller,
        todo_id: None,
        todo_title: None,
        is_claimed: false,
        gate: None,
        reasons: Vec::new(),
    }
}

/// The command of the first row of the queue that concerns the agent's screen.
fn command(plan: &Plan, projection: &Projection) -> Option<String> {
    let screen = &projection.first_screen;
    let concerns = |row: &&crate::vocabulary::AttentionRow| {
        row.goal_id.as_ref().is_none_or(|goal| *goal == projection.goal_id)
            && (row.agents.is_empty() || row.agents.contains(&projection.agent_id))
    };
    let rows = || plan.attention.rows.iter().filter(concerns);
    let same = rows().find(|row| screen.reasons.contains(&row.reason) && row.waiting_on == screen.waiting_on);
    same.or_else(|| rows().next()).map(|row| row.command.to_string()).filter(|command| !command.is_empty())
}

/// What tells whether a receipt of some goals came to the work tree.
pub(super) fn receipts_of(place: &GitPlace, dir: &str, goals: &[GoalAccess]) -> String {
    let mut names = Vec::new();
    for goal in goals {
        let top = place.work_tree.join(dir).join("receipts").join(&goal.goal_id);
        for shard in std::fs::read_dir(top).into_iter().flatten().flatten() {
            let files = std::fs::read_dir(shard.path()).into_iter().flatten().flatten();
            names.extend(files.map(|file| file.file_name().to_string_lossy().into_owned()));
        }
    }
    names.sort_unstable();
    hex(&Sha256::digest(names.join("\n"))[..8])
}

/// Digests all that a verdict rests on: files by what the system says of them, refs by what they hold.
struct Inputs {
    hash: Sha256,
    newest: SystemTime,
    is_coarse: bool,
}

impl Inputs {
    fn of(place: &GitPlace, files: &LocalFiles, route: &HostRoute, goals: &[BoundGoal], reference: &str) -> Self {
        let mut inputs = Self { hash: Sha256::new(), newest: SystemTime::UNIX_EPOCH, is_coarse: true };
        let root = place.work_tree.join(&route.dir);
        inputs.file(&root.join("loopx.yaml"));
        inputs.tree(&root.join("policies"));
        let shared = files.path(&shared_facts_folder(&route.dir));
        for goal in goals {
            inputs.tree(&root.join("goals").join(&goal.goal_id));
            for facts in [&root.join("facts"), &shared] {
                inputs.sessions(facts, &goal.session_id);
            }
        }
        inputs.refs(place, reference);
        inputs
    }

    /// The refs that the verdict rests on, by what their files hold.
    fn refs(&mut self, place: &GitPlace, reference: &str) {
        let head = std::fs::read(place.git_dir.join("HEAD")).unwrap_or_default();
        self.hash.update(&head);
        let head = String::from_utf8_lossy(&head);
        let names = [
            head.trim().strip_prefix("ref: ").unwrap_or("HEAD").to_owned(),
            format!("refs/heads/{reference}"),
            format!("refs/remotes/origin/{reference}"),
            "refs/remotes/origin/HEAD".to_owned(),
        ];
        for name in names {
            self.hash.update(std::fs::read(place.common_dir.join(name)).unwrap_or_default());
            self.hash.update([0]);
        }
        for name in ["packed-refs", "config", "shallow"] {
            self.file(&place.common_dir.join(name));
        }
        self.file(&place.git_dir.join("config.worktree"));
    }

    /// The facts of a session, of whichever runtime.
    fn sessions(&mut self, facts: &Path, session_id: &str) {
        let mut runtimes: Vec<_> = std::fs::read_dir(facts).into_iter().flatten().flatten().collect();
        runtimes.sort_by_key(std::fs::DirEntry::file_name);
        for runtime in runtimes {
            for ending in ["yaml", "json"] {
                self.file(&runtime.path().join(format!("{session_id}.{ending}")));
            }
        }
    }

    fn tree(&mut self, folder: &Path) {
        self.file(folder);
        let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.tree(&entry.path());
            } else {
                self.file(&entry.path());
            }
        }
    }

    fn file(&mut self, path: &Path) {
        self.hash.update(path.as_os_str().as_encoded_bytes());
        self.hash.update([0]);
        let Ok(data) = std::fs::symlink_metadata(path) else { return };
        let (number, changed) = identity(&data);
        let written = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let nanos = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |age| age.as_nanos());
        for value in [u128::from(data.len()), u128::from(number), nanos(written), nanos(changed)] {
            self.hash.update(value.to_le_bytes());
        }
        self.is_coarse &= nanos(written) % 1_000_000_000 == 0;
        self.newest = self.newest.max(written).max(changed);
    }

    /// The digest; `None` while a file may still change without another time of change.
    fn digest(self) -> Option<String> {
        let tick = if self.is_coarse { COARSE_TICK } else { TICK };
        let is_settled = SystemTime::now().duration_since(self.newest).is_ok_and(|age| age > tick);
        is_settled.then(|| hex(&self.hash.finalize()[..16]))
    }
}

#[cfg(unix)]
fn identity(data: &Metadata) -> (u64, SystemTime) {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(data.ctime()).unwrap_or_default();
    let rest = u32::try_from(data.ctime_nsec()).unwrap_or_default();
    (data.ino(), SystemTime::UNIX_EPOCH + Duration::new(seconds, rest))
}

#[cfg(not(unix))]
fn identity(_data: &Metadata) -> (u64, SystemTime) {
    (0, SystemTime::UNIX_EPOCH)
}
