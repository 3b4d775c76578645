//! Writes a small state directory with everything that a team needs around it, and overwrites nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::authority::settings_of;
use super::checkout::{held, not_checked_out};
use super::ci::{CiHost, workflows};
use super::error::{Error, ErrorCode};
use super::plan::PATIENCE;
use super::shipped::ShippedPolicy;
use crate::change::{POLICY_FILE, name_of, new_id, new_salt};
use crate::document::to_json_pretty;
use crate::git::{Head, Repository};
use crate::store::{Durability, Store, Wanted, name_authority};
use crate::vocabulary::{GitIdentity, Instant, Kind, Plane, schema_of_all};
use crate::workspace::{Files, Folder, MARK, display_prefix, is_state_directory};

/// Where the schema for editors stands, below the folder that they are started in.
const SCHEMA: &str = ".vscode/loopx.schema.json";

/// What became of a state directory that was asked for.
#[derive(Debug)]
pub struct Initialized {
    /// Whether the documents were written, and not only the files around them.
    pub is_new: bool,
    /// Whether the policies know whoever ran it; else `loopx actor add` is what comes next.
    pub has_owner: bool,
    /// The files that were written, each as a path from the working directory.
    pub written: Vec<String>,
    /// The authority ref that this clone's configuration names from now on, so that no branch can name another one.
    pub authority: Option<String>,
    /// The files that were there and are left as they are, each with what would have been written when that differs.
    pub left: Vec<(String, Option<String>)>,
}

/// Writes a state directory with one goal, one todo and one gate at `directory`, seen from `place`.
///
/// In a state directory only what stands around the documents is added; with `ci`, the workflows of a host of code too, with
/// `policy` a shipped policy.
///
/// # Errors
/// The place lies inside another state directory, git cannot be read, workflows have no repository to stand in, or the
/// files cannot be written.
pub fn init(
    place: &Path,
    directory: &Path,
    ci: Option<CiHost>,
    policy: Option<ShippedPolicy>,
    now: Instant,
    entropy: u64,
) -> Result<Initialized, Error> {
    refuse_links_out(&place.join(directory))?;
    let (existing, directory) = resolve(&place.join(directory))?;
    if directory.ancestors().skip(1).any(is_state_directory) {
        return Err(Error::of(ErrorCode::NestedStateDirectory));
    }
    let repository = Repository::discover(&existing)?;
    if repository.as_ref().is_some_and(|repository| repository.work_tree().is_none()) {
        return Err(Error::of(ErrorCode::BareRepository));
    }
    let branch = repository.as_ref().map(Repository::default_branch).transpose()?.flatten();
    // Editors are started at the root of a repository.
    let base = match repository.as_ref().and_then(Repository::work_tree) {
        Some(root) => root.canonicalize().unwrap_or(existing),
        None => directory.clone(),
    };
    let below = display_prefix(&base, &directory);
    let mut files = around(&below);
    if let Some(host) = ci {
        let repository = repository.as_ref().ok_or_else(|| Error::of(ErrorCode::NoGit))?;
        // Before there is a remote, the branch that is checked out is the one that will be pushed.
        let checked_out = match repository.head()? {
            Head::Branch { name, .. } => name,
            Head::Detached(_) => "main".to_owned(),
        };
        files.extend(workflows(host, branch.as_deref().unwrap_or(&checked_out)));
    }
    let is_new = !is_state_directory(&directory);
    let owner = repository.as_ref().and_then(GitUser::here);
    let mut documents = match is_new {
        true => documents(branch.as_deref().unwrap_or("HEAD"), owner.as_ref(), now, entropy),
        false => BTreeMap::new(),
    };
    // A directory that was there has its actors, or `loopx actor add` adds them.
    documents.extend(policies(policy, owner.as_ref().filter(|_| is_new), entropy));
    files.extend(documents.into_iter().map(|(path, text)| (format!("{below}{path}"), text)));
    if let Some(repository) = &repository {
        refuse_what_git_holds(place, repository, &base, (&below, &files))?;
    }
    let there = Folder::of(&base, Vec::new());
    let is_taken = |path: &str, text: &str| there.read(path).is_ok_and(|bytes| bytes != text.as_bytes());
    let (taken, wanted): (BTreeMap<_, _>, BTreeMap<_, _>) =
        files.into_iter().partition(|(path, text)| is_taken(path, text));
    let wanted: BTreeMap<_, _> =
        wanted.into_iter().map(|(path, text)| (path, Wanted::Content(text.into_bytes()))).collect();
    let store = Store::create(&base, repository.clone(), PATIENCE)?;
    // Whatever appeared at one of these paths since it was looked at belongs to somebody else.
    let written = store.write(&wanted, &|_, _| false, Durability::Kept)?.written;
    let shown = |path: &str| format!("{}{path}", display_prefix(place, &base));
    let same = wanted.keys().filter(|path| !written.contains(path)).map(|path| (shown(path), None));
    let mut left: Vec<_> = taken.into_iter().map(|(path, text)| (shown(&path), Some(text))).chain(same).collect();
    left.sort();
    let authority = match &repository {
        Some(repository) => named(repository, &directory)?,
        None => None,
    };
    Ok(Initialized {
        is_new,
        authority,
        has_owner: owner.is_some(),
        written: written.iter().map(|path| shown(path)).collect(),
        left,
    })
}

/// Writes the authority ref of a state directory into the configuration of this clone; `None`: one is there, or none is named.
fn named(repository: &Repository, directory: &Path) -> Result<Option<String>, Error> {
    let name = Folder::of(directory, Vec::new()).read(MARK).ok().and_then(|bytes| settings_of(&bytes));
    let name = name.map(|settings| settings.authority.reference.to_string()).filter(|name| name != "HEAD");
    let Some(name) = name else { return Ok(None) };
    Ok(name_authority(repository, &name)?.then_some(name))
}

/// Refuses a place behind a symbolic link that leads out of the work tree that holds the link: git holds only the link.
fn refuse_links_out(place: &Path) -> Result<(), Error> {
    for link in place.ancestors().filter(|part| part.symlink_metadata().is_ok_and(|data| data.is_symlink())) {
        let Some(Ok(folder)) = link.parent().map(Path::canonicalize) else { continue };
        let Some(repository) = Repository::discover(&folder)? else { continue };
        let Some(Ok(root)) = repository.work_tree().map(Path::canonicalize) else { continue };
        if !link.canonicalize().is_ok_and(|target| target.starts_with(root)) {
            let name = link.file_name().map(|name| name.to_string_lossy().into_owned());
            return Err(Error::about(ErrorCode::LinkLeadsOut, name.unwrap_or_default()));
        }
    }
    Ok(())
}

/// Refuses to write what git holds and the work tree lacks, as in a sparse checkout: that would replace it in the next
/// commit.
fn refuse_what_git_holds(
    place: &Path,
    repository: &Repository,
    base: &Path,
    (below, files): (&str, &BTreeMap<String, String>),
) -> Result<(), Error> {
    let mark = format!("{below}{MARK}");
    let held = held(&repository.at_top(), &|path| path == mark || files.contains_key(path))?;
    let is_missing = |path: &&String| held.contains_key(*path) && base.join(path).symlink_metadata().is_err();
    // A missing state directory has to be checked out as a whole.
    match std::iter::once(&mark).chain(files.keys()).find(is_missing) {
        Some(path) if *path == mark => Err(not_checked_out(place, repository, below)),
        Some(path) => Err(not_checked_out(place, repository, path.rsplit_once('/').map_or("", |(folder, _)| folder))),
        None => Ok(()),
    }
}

/// The nearest folder above a place that exists, and the place itself without links and dots.
fn resolve(place: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let fault = || Error::about(ErrorCode::CannotRead, "the folder that is to be written");
    let existing = place.ancestors().find(|folder| folder.exists()).ok_or_else(fault)?;
    let rest = place.strip_prefix(existing).unwrap_or(Path::new(""));
    let existing = existing.canonicalize().map_err(|_| fault())?;
    let whole = if rest.as_os_str().is_empty() { existing.clone() } else { existing.join(rest) };
    Ok((existing, whole))
}

/// Whoever runs it, as git knows them.
struct GitUser {
    name: String,
    address: String,
}

impl GitUser {
    /// The person whose commits are made here, where git has a name and an address.
    fn here(repository: &Repository) -> Option<Self> {
        let address = repository.identity().filter(|address| !address.is_empty())?;
        Some(Self { name: name_of(&repository.identity_name()?)?, address })
    }

    /// The sections of a policy that know the owner, and by what.
    fn sections(&self, entropy: u64) -> String {
        let salt = new_salt(entropy);
        let identity = GitIdentity::of_address(&self.address, &salt).0;
        OWNER.replace("{salt}", &salt).replace("{owner}", &self.name).replace("{identity}", &identity)
    }
}

/// The policy, by its path in the state directory: the shipped one that was asked for, with the owner where there is one.
fn policies(shipped: Option<ShippedPolicy>, owner: Option<&GitUser>, entropy: u64) -> Option<(String, String)> {
    let sections = owner.map(|owner| owner.sections(entropy));
    match (shipped, sections) {
        (Some(shipped), Some(sections)) => Some((shipped.path(), format!("{}\n{WHO}{sections}", shipped.text()))),
        (Some(shipped), None) => Some((shipped.path(), shipped.text().to_owned())),
        (None, Some(sections)) => {
            Some((POLICY_FILE.to_owned(), format!("{WHO}schema_version: loopx_policy_v0\n{sections}")))
        }
        (None, None) => None,
    }
}

/// The documents beside policies, by their paths in the state directory.
fn documents(branch: &str, owner: Option<&GitUser>, now: Instant, entropy: u64) -> BTreeMap<String, String> {
    let goal = new_id("first-goal", entropy);
    let todo = new_id("first-step", entropy >> 20);
    let gate = new_id("may-start", entropy >> 40);
    let folder = format!("goals/{goal}");
    let fill = |template: &str| {
        template
            .replace("{branch}", branch)
            .replace("{goal}", &goal)
            .replace("{todo}", &todo)
            .replace("{gate}", &gate)
            .replace("{now}", &now.to_string())
            .replace("{owner}", owner.map_or("you", |owner| &owner.name))
    };
    BTreeMap::from([
        ("loopx.yaml".to_owned(), fill(WORKSPACE)),
        (format!("{folder}/goal.yaml"), fill(GOAL)),
        (format!("{folder}/todos/{todo}.yaml"), fill(TODO)),
        (format!("{folder}/gates/{gate}.yaml"), fill(GATE)),
    ])
}

const WORKSPACE: &str = "\
# The mark of a state directory, and its settings. All of them: loopx explain workspace
schema_version: loopx_workspace_v0
# A decision counts once its receipt is on this branch.
authority: { ref: {branch} }
";

/// What stands before the actors, in any policy.
const WHO: &str = "\
# Who is who in git, so that a review can tell people from agents. The next one: loopx actor add
";

const OWNER: &str = "\
# What addresses are hashed with; it is no secret.
identity_salt: \"{salt}\"
actors:
  {owner}: { class: owner, git: [\"{identity}\"] }
";

const GOAL: &str = "\
# What shall be reached, who owns it, and who may work on it. All fields: loopx explain goal
schema_version: loopx_goal_v0
goal_id: {goal}
objective: \"One line: what is true when this goal is done.\"
# The person who owns it.
owner: {owner}
# Each agent that may work on it, with its scope in one line.
agents:
  agent-one: say what this agent may do
boundary:
  write_scope: [docs/**]
  stop_condition: stop for a gate, missing authority or an unsafe write
";

const TODO: &str = "\
# One piece of work. All fields: loopx explain todo
schema_version: loopx_todo_v0
goal_id: {goal}
todo_id: {todo}
title: Say in a few words what is done first
task_class: advancement_task
";

const GATE: &str = "\
# A question that a person decides before work goes on; agents may ask. All fields: loopx explain gate
schema_version: operator_gate_v0
goal_id: {goal}
gate_id: {gate}
question: May agent-one begin with {todo}?
required_actor: owner
blocks: [{todo}]
requested: { by: agent-one, at: {now} }
# To decide it, add the decision and commit it:
# decision: { label: approve, actor_class: owner, by: {owner}, at: TIME, reason: say why }
";

/// The files around the documents; `below` is the path to them.
fn around(below: &str) -> BTreeMap<String, String> {
    BTreeMap::from([
        (format!("{below}.gitignore"), IGNORED.to_owned()),
        (format!("{below}.gitattributes"), ATTRIBUTES.to_owned()),
        (".vscode/settings.json".to_owned(), to_json_pretty(&settings(below))),
        (SCHEMA.to_owned(), to_json_pretty(&schema_of_all())),
    ])
}

const IGNORED: &str = "\
# What hosts report and what loopx derives again at will; `facts` and `outputs` in loopx.yaml say whether git holds it.
/facts/
/projections/
/previews/
/blockers/
/attention.*
";

const ATTRIBUTES: &str = "\
# One spelling of line ends, so that digests agree everywhere.
*.yaml text eol=lf
";

/// Tells editors which files the schema is for: every folder of the layout that people write in.
fn settings(below: &str) -> Value {
    let written = Kind::ALL.iter().map(|kind| kind.row()).filter(|row| row.plane != Plane::Emitted);
    let globs: BTreeSet<String> = written
        .map(|row| match row.place.split_once('/') {
            Some((folder, _)) => format!("{below}{folder}/**/*.yaml"),
            None => format!("{below}{}", row.place),
        })
        .collect();
    json!({ "yaml.schemas": { format!("./{SCHEMA}"): globs } })
}
