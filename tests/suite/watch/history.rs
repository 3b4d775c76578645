//! Histories of a state directory: what people, editors and git do to it, and the hints that come of it.

use std::collections::BTreeMap;

use loopx::git::UnfinishedOperation;
use loopx::vocabulary::{Duration, Instant, Receipt};
use loopx::watch::{Hint, WatchLimit};
use loopx::workspace::PathClass;

use super::memory::Soil;
use crate::effective::trees::{Trees, readable};
use crate::exceptions::{POLICY, excepting};
use crate::generator::{Dice, Generated, generate, steady};

/// What one act took, in the watch's time and in that of verdicts.
pub(super) struct Act {
    /// What the system tells of it.
    pub(super) hints: Vec<Hint>,
    /// How long it is until the next one, in milliseconds.
    pub(super) rest: u64,
    /// How long the machine sleeps besides, in seconds: verdicts end meanwhile.
    pub(super) sleep: u64,
}

/// A state directory that somebody works in.
pub(super) struct History {
    pub(super) soil: Soil,
    pub(super) dice: Dice,
    /// What is in the way of a look.
    pub(super) outlook: WatchLimit,
    /// Documents as they were drawn, to mend broken ones with.
    drawn: BTreeMap<String, Vec<u8>>,
    /// The other branch: its documents and what is recorded there.
    other: (BTreeMap<String, Vec<u8>>, Vec<Receipt>),
    commits: u64,
    /// How long it lasts by now, in milliseconds.
    passed: u64,
}

/// Something that happens; gives the paths that it concerns.
type Deed = fn(&mut History) -> Vec<String>;

/// What happens, and how often.
const ACTS: [(Deed, usize); 19] = [
    (History::edit, 22),
    (History::comment, 8),
    (History::break_one, 8),
    (History::mend, 30),
    (History::save_by_rename, 12),
    (History::rename, 5),
    (History::delete, 5),
    (History::other_format, 4),
    (History::add_goal, 2),
    (History::remove_goal, 2),
    (History::rename_goal, 2),
    (History::change_policy, 1),
    (History::except, 1),
    (History::change_settings, 3),
    (History::touch_output, 5),
    (History::record, 5),
    (History::switch, 3),
    (History::lock, 2),
    (History::fetch, 2),
];

impl History {
    pub(super) fn new(seed: u64) -> Self {
        let generated = if seed.is_multiple_of(2) { steady(seed, 1) } else { generate(seed, 1) };
        let mut dice = Dice::new(seed ^ 0x1a44);
        // Small, so that many histories are tried.
        let mut drawn = generated.files;
        drawn.retain(|path, _| path.ends_with("/goal.yaml") || dice.percent(33));
        if seed.is_multiple_of(3) {
            drawn.insert(POLICY.to_owned(), excepting(&drawn, &mut dice, Self::start()));
        }
        let mut soil = Soil::default();
        for (path, bytes) in &drawn {
            soil.put(path, bytes.clone());
        }
        soil.record(generated.recorded.clone());
        let mut files = drawn.clone();
        files.retain(|_, _| dice.percent(85));
        for bytes in files.values_mut() {
            if dice.percent(40) {
                *bytes = other_words(&String::from_utf8_lossy(bytes), &mut dice).into_bytes();
            }
        }
        let recorded = generated.recorded.into_iter().filter(|_| dice.percent(60)).collect();
        Self { soil, dice, outlook: WatchLimit::Clear, drawn, other: (files, recorded), commits: 0, passed: 0 }
    }

    /// The same beside commits: everything as it was drawn is on the authority ref and checked out.
    pub(super) fn beside_commits(seed: u64) -> Self {
        let mut history = Self::new(seed);
        history.soil.commits = Some(Trees::committed(&history.drawn, Vec::new()));
        history
    }

    /// The instant at which it begins.
    pub(super) fn start() -> Instant {
        Generated::now()
    }

    /// Something happens.
    pub(super) fn act(&mut self) -> Act {
        let rest = match self.dice.below(100) {
            0..45 => self.dice.below(20) as u64,
            45..80 => 20 + self.dice.below(400) as u64,
            _ => 1_000 + self.dice.below(2_000) as u64,
        };
        let sleep = if self.dice.percent(6) { self.dice.below(40 * 3600) as u64 } else { 0 };
        let mut hints = match self.dice.below(100) {
            0..4 => self.begin_or_end(),
            _ => {
                let act = self.draw();
                let paths = act(self);
                hints(&paths)
            }
        };
        if self.dice.percent(3) {
            // The queue ran over.
            hints = vec![Hint::Anything];
        }
        self.passed += rest + 1_000 * sleep;
        Act { hints, rest, sleep }
    }

    fn draw(&mut self) -> Deed {
        let all: usize = ACTS.iter().map(|(_, weight)| weight).sum();
        let mut left = self.dice.below(all);
        for (act, weight) in ACTS {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return act,
            }
        }
        Self::edit
    }

    fn path(&mut self) -> String {
        let paths = self.soil.paths();
        let documents: Vec<&String> = paths.iter().filter(|path| *path != "loopx.yaml").collect();
        match documents.is_empty() {
            true => "goals/none/goal.yaml".to_owned(),
            false => documents[self.dice.below(documents.len())].clone(),
        }
    }

    fn goal(&mut self) -> Option<String> {
        let paths = self.soil.paths();
        let goals: Vec<&str> =
            paths.iter().filter_map(|path| path.strip_prefix("goals/")?.strip_suffix("/goal.yaml")).collect();
        (!goals.is_empty()).then(|| goals[self.dice.below(goals.len())].to_owned())
    }

    fn below(&self, folder: &str) -> Vec<String> {
        let below = format!("{folder}/");
        self.soil.paths().into_iter().filter(|path| path.starts_with(&below)).collect()
    }

    /// Changes what a document says.
    fn edit(&mut self) -> Vec<String> {
        let path = self.path();
        let Some(bytes) = self.soil.get(&path) else { return Vec::new() };
        let text = String::from_utf8_lossy(bytes).into_owned();
        let text = other_words(&text, &mut self.dice);
        self.soil.put(&path, text.into_bytes());
        vec![path]
    }

    /// Changes nothing of what it says.
    fn comment(&mut self) -> Vec<String> {
        let path = self.path();
        let Some(bytes) = self.soil.get(&path) else { return Vec::new() };
        let bytes = [bytes, &b"# looked at\n"[..]].concat();
        self.soil.put(&path, bytes);
        vec![path]
    }

    fn break_one(&mut self) -> Vec<String> {
        let path = self.path();
        let Some(bytes) = self.soil.get(&path) else { return Vec::new() };
        let broken = match self.dice.below(3) {
            0 => bytes[..bytes.len() / 2].to_vec(),
            1 => [bytes, &b"]\n"[..]].concat(),
            _ => Vec::new(),
        };
        self.soil.put(&path, broken);
        vec![path]
    }

    /// Puts one document back to what was drawn.
    fn mend(&mut self) -> Vec<String> {
        let now = self.soil.all();
        let strays = now.keys().filter(|path| !self.drawn.contains_key(*path));
        let broken = self.drawn.iter().filter(|(path, bytes)| now.get(*path) != Some(bytes)).map(|(path, _)| path);
        let all: Vec<String> = strays.chain(broken).cloned().collect();
        if all.is_empty() {
            return self.comment();
        }
        let path = all[self.dice.below(all.len())].clone();
        match self.drawn.get(&path).cloned() {
            Some(bytes) => self.soil.put(&path, bytes),
            None => drop(self.soil.take(&path)),
        }
        vec![path]
    }

    /// As editors do: the new text beside the old one, then in its place.
    fn save_by_rename(&mut self) -> Vec<String> {
        let path = self.edit().pop();
        let Some(path) = path else { return Vec::new() };
        let beside = format!("{path}.tmp{}", self.dice.below(100));
        vec![beside.clone(), beside.clone(), beside, path]
    }

    fn rename(&mut self) -> Vec<String> {
        let path = self.path();
        let Some(bytes) = self.soil.take(&path) else { return Vec::new() };
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let to = match self.dice.below(3) {
            0 => format!("{folder}/other-{name}"),
            1 => format!("goals/elsewhere/{name}"),
            _ => format!("{folder}/{}", name.replace(".yaml", ".yml")),
        };
        self.soil.put(&to, bytes);
        vec![path, to]
    }

    fn delete(&mut self) -> Vec<String> {
        let path = self.path();
        self.soil.take(&path);
        vec![path]
    }

    /// The same document in both formats, or one of the two gone again.
    fn other_format(&mut self) -> Vec<String> {
        let json: Vec<String> = self.soil.paths().into_iter().filter(|path| path.ends_with(".json")).collect();
        if let Some(path) = json.first().filter(|_| self.dice.percent(60)) {
            let path = if self.dice.percent(70) { path.clone() } else { path.replace(".json", ".yaml") };
            self.soil.take(&path);
            return vec![path];
        }
        let path = self.path();
        let Some(bytes) = self.soil.get(&path).cloned() else { return Vec::new() };
        let path = path.replace(".yaml", ".json");
        self.soil.put(&path, bytes);
        vec![path]
    }

    /// A whole folder at once: the system tells of its top alone.
    fn add_goal(&mut self) -> Vec<String> {
        let other = steady(self.dice.below(500) as u64 + 20_000, 1);
        let mut folders = Vec::new();
        for (path, bytes) in
            other.files.iter().filter(|(path, _)| path.ends_with("/goal.yaml") || path.contains("/todos/"))
        {
            let folder = path.split('/').take(2).collect::<Vec<_>>().join("/");
            self.soil.put(path, bytes.clone());
            folders.push(folder);
        }
        folders.dedup();
        folders
    }

    fn remove_goal(&mut self) -> Vec<String> {
        let Some(goal) = self.goal() else { return Vec::new() };
        let folder = format!("goals/{goal}");
        for path in self.below(&folder) {
            self.soil.take(&path);
        }
        vec![folder]
    }

    fn rename_goal(&mut self) -> Vec<String> {
        let Some(goal) = self.goal() else { return Vec::new() };
        let (from, to) = (format!("goals/{goal}"), format!("goals/{goal}-new"));
        for path in self.below(&from) {
            if let Some(bytes) = self.soil.take(&path) {
                self.soil.put(&path.replacen(&from, &to, 1), bytes);
            }
        }
        vec![from, to]
    }

    fn change_policy(&mut self) -> Vec<String> {
        match self.dice.below(4) {
            0 => drop(self.soil.take(POLICY)),
            1 => self.soil.put(POLICY, b"schema_version: loopx_policy_v0\nprivacy: [\n".to_vec()),
            2 => self.soil.put(
                POLICY,
                b"schema_version: loopx_policy_v0\nprivacy: { ticket_prefixes: [LEDGER] }\n".to_vec(),
            ),
            _ => self.soil.put(
                POLICY,
                b"schema_version: loopx_policy_v0\nactors:\n  zoe: { class: operator }\nprivacy: { private_hosts: [window] }\n".to_vec(),
            ),
        }
        vec![POLICY.to_owned()]
    }

    /// What was always written is refused from now on, but reviewed and excused for a time.
    fn except(&mut self) -> Vec<String> {
        let now = Self::start().after(Duration::seconds(self.passed / 1_000));
        let policy = excepting(&self.soil.all(), &mut self.dice, now);
        self.drawn.insert(POLICY.to_owned(), policy.clone());
        self.soil.put(POLICY, policy);
        vec![POLICY.to_owned()]
    }

    fn change_settings(&mut self) -> Vec<String> {
        let settings = [
            "stale_after: 6h\n",
            "stale_after: 200h\n",
            "facts: committed\n",
            "authority: { ref: main }\n",
            "nonsense: 1\n",
        ];
        let settings = settings[self.dice.below(settings.len())];
        self.soil.put("loopx.yaml", format!("schema_version: loopx_workspace_v0\n{settings}").into_bytes());
        vec!["loopx.yaml".to_owned()]
    }

    /// Somebody edits or removes what reconcile wrote, or puts something of their own there.
    fn touch_output(&mut self) -> Vec<String> {
        let paths: Vec<String> = self.soil.outputs.keys().cloned().collect();
        let path = match paths.is_empty() || self.dice.percent(15) {
            true => "projections/old/agent.json".to_owned(),
            false => paths[self.dice.below(paths.len())].clone(),
        };
        match self.dice.below(3) {
            0 => drop(self.soil.outputs.remove(&path)),
            1 => drop(self.soil.outputs.insert(path.clone(), b"theirs\n".to_vec())),
            _ => drop(
                self.soil
                    .outputs
                    .insert(path.clone(), b"{\"schema_version\": \"session_runtime_loopx_projection_v0\"}\n".to_vec()),
            ),
        }
        vec![path]
    }

    /// The authority ref moves: receipts come or go, here by a commit, there by a fetch.
    fn record(&mut self) -> Vec<String> {
        let mut recorded = self.soil.recorded.clone();
        match recorded.is_empty() || self.dice.percent(50) {
            true => recorded.extend(self.other.1.iter().take(2).cloned()),
            false => drop(recorded.remove(self.dice.below(recorded.len()))),
        }
        self.soil.record(recorded);
        if self.dice.percent(50) {
            self.commit("main");
        }
        vec![GIT.to_owned()]
    }

    /// Somebody takes the right to read a document away, or gives it back.
    fn lock(&mut self) -> Vec<String> {
        let path = self.path();
        self.soil.toggle_lock(&path);
        vec![path]
    }

    /// The authority ref moves on, by somebody else's work or by what is here.
    fn fetch(&mut self) -> Vec<String> {
        let mut reference = self.drawn.clone();
        reference.retain(|_, _| self.dice.percent(90));
        for bytes in reference.values_mut() {
            if self.dice.percent(15) {
                *bytes = other_words(&String::from_utf8_lossy(bytes), &mut self.dice).into_bytes();
            }
        }
        let is_merged = self.dice.percent(30);
        self.soil.commit(|commits| {
            commits.reference = if is_merged { commits.head.clone() } else { readable(&reference) };
            if is_merged {
                commits.base = Some(commits.head.clone());
            }
        });
        vec![GIT.to_owned()]
    }

    fn commit(&mut self, branch: &str) {
        let here = readable(&self.soil.all());
        self.soil.commit(|commits| commits.head = here);
        self.commits += 1;
        self.soil.checkout.branch = Some(branch.to_owned());
        self.soil.checkout.commit = Some(format!("{:040x}", self.commits));
    }

    /// Another branch is checked out: many files at once, then `HEAD`.
    fn switch(&mut self) -> Vec<String> {
        let now = self.soil.all();
        let (files, recorded) = std::mem::replace(&mut self.other, (now.clone(), self.soil.recorded.clone()));
        let mut paths = Vec::new();
        for path in now.keys().filter(|path| !files.contains_key(*path)) {
            self.soil.take(path);
            paths.push(path.clone());
        }
        for (path, bytes) in files {
            if now.get(&path) != Some(&bytes) {
                self.soil.put(&path, bytes);
                paths.push(path);
            }
        }
        self.soil.record(recorded);
        let branch = if self.soil.checkout.branch.as_deref() == Some("main") { "side" } else { "main" };
        self.commit(branch);
        self.soil.is_overtaking = self.dice.percent(40);
        paths.push(GIT.to_owned());
        paths
    }

    /// A merge begins and leaves conflicts, or git locks its index; or that ends.
    fn begin_or_end(&mut self) -> Vec<Hint> {
        self.outlook = match (self.outlook, self.dice.below(3)) {
            (WatchLimit::Clear, 0) => WatchLimit::Unfinished(UnfinishedOperation::Rebase),
            (WatchLimit::Clear, 1) => WatchLimit::Locked,
            (WatchLimit::Clear, _) => WatchLimit::Unfinished(UnfinishedOperation::Merge),
            _ => WatchLimit::Clear,
        };
        vec![Hint::Git]
    }
}

/// The same document with another word in it, if it has one of these.
fn other_words(text: &str, dice: &mut Dice) -> String {
    let swaps = [
        ("P1", "P0"),
        ("open", "done"),
        ("status: active", "status: paused"),
        ("approve", "reject"),
        ("passed", "failed"),
        ("running", "completed"),
        ("2026-03-10", "2026-03-08"),
        ("2026-03-07", "2026-03-06"),
        ("codex-main", "worker-bench"),
        ("owner", "operator"),
    ];
    let (from, to) = swaps[dice.below(swaps.len())];
    if text.contains(from) { text.replacen(from, to, 1) } else { text.replace(to, from) }
}

/// Stands for git's own files among paths.
const GIT: &str = ".git";

/// What the system tells of paths.
fn hints(paths: &[String]) -> Vec<Hint> {
    let hint = |path: &String| match PathClass::of(path) {
        _ if path == GIT => Some(Hint::Git),
        PathClass::Document | PathClass::Output => Some(Hint::Path(path.clone())),
        PathClass::Everything => Some(Hint::Anything),
        PathClass::Nothing => None,
    };
    paths.iter().filter_map(hint).collect()
}
