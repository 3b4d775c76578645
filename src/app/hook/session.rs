//! Host sessions: whom they were announced for, and which of them holds a binding.

use std::io;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::fault::{HOOK_PATIENCE, Unreadable};
use super::routes::{BoundGoal, HostRoute};
use crate::app::shared_facts::session_lock;
use crate::hosts::{EventMeaning, Host, HostEvent};
use crate::store::LocalFiles;
use crate::vocabulary::{Duration, Instant, Rotation, SessionStatus};

/// How long a holder without an open turn is waited for.
const IDLE: Duration = Duration::seconds(600);

/// A host session that was announced for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostSession {
    /// A handle of this clone for the host's own id, which is never stored.
    pub handle: String,
    /// The host's word.
    pub host: String,
    /// The work tree's name.
    pub work_tree: String,
    /// The state directory below the root of the work tree.
    pub dir: String,
    /// The agent.
    pub agent: String,
    /// Whether another session started this one.
    #[serde(default)]
    pub is_child: bool,
    /// What a person chose for this session.
    #[serde(default)]
    pub choice: Option<GoalChoice>,
    /// The digest of what the agent was told last.
    #[serde(default)]
    pub briefed: Option<String>,
    /// The receipts of its goals when the host turn started.
    #[serde(default)]
    pub receipts: Option<String>,
    /// Whether this host turn was continued already.
    #[serde(default)]
    pub is_continued: bool,
}

/// The owner-local choice for one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalChoice {
    /// A person's own session: hooks say nothing, deny nothing and report nothing.
    None,
    /// Only this goal.
    Goal(String),
}

/// Which host session holds a binding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The handle of the host session.
    pub handle: String,
    /// How often the binding has had a holder.
    pub epoch: u64,
    /// The status that was told last.
    pub status: SessionStatus,
    /// When it was told.
    pub at: Instant,
}

/// The handle of a host session: what tells it from others in this clone, and does not tell its id.
pub(crate) fn handle_of(host: &str, session: &str) -> String {
    let digest = Sha256::digest(format!("{host}\0{session}"));
    let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("hs-{hex}")
}

fn handle(host: Host, session: &str) -> String {
    handle_of(host.word(), session)
}

fn session_file(handle: &str) -> String {
    format!("hosts/sessions/{handle}.json")
}

pub(crate) fn holder_file(session_id: &str) -> String {
    format!("hosts/holders/{session_id}.json")
}

/// Notes that an event of a host arrived; what `connect --check` reads.
pub(super) fn note_seen(files: &LocalFiles, host: Host, event: &str) {
    let name = format!("hosts/seen/{}.{event}", host.word());
    let is_recent = std::fs::metadata(files.path(&name))
        .and_then(|data| data.modified())
        .is_ok_and(|written| written.elapsed().is_ok_and(|age| age < std::time::Duration::from_secs(60)));
    if !is_recent {
        // Nothing depends on it but a line for people.
        let _ = files.write(&name, b"");
    }
}

/// Notes a session that nobody announced.
pub(super) fn note_silent(files: &LocalFiles, event: &HostEvent) {
    let name = format!("hosts/silent/{}", handle(event.host, &event.session));
    if !files.path(&name).exists() {
        let _ = files.write(&name, b"");
    }
}

impl HostSession {
    /// Reads what is known of a host session.
    pub(crate) fn find(files: &LocalFiles, host: Host, session: &str) -> Result<Option<Self>, Unreadable> {
        Self::at(files, &handle(host, session))
    }

    /// Reads what is known of a handle.
    pub(crate) fn at(files: &LocalFiles, handle: &str) -> Result<Option<Self>, Unreadable> {
        let Some(bytes) = files.read(&session_file(handle))? else { return Ok(None) };
        Ok(Some(serde_json::from_slice(&bytes)?))
    }

    /// Writes it down.
    pub(crate) fn write(&self, files: &LocalFiles) -> io::Result<()> {
        files.write(&session_file(&self.handle), crate::document::to_json_pretty(self).as_bytes())
    }

    /// Announces a host session for the agent of a route.
    pub(super) fn announce(files: &LocalFiles, event: &HostEvent, route: &HostRoute) -> io::Result<Self> {
        // What a killed hook left half written is of no use to anybody.
        for folder in ["sessions", "holders", "access", "reports"] {
            files.sweep(&format!("hosts/{folder}"));
        }
        let session = Self::of(handle(event.host, &event.session), route);
        session.write(files)?;
        Ok(session)
    }

    /// A session of a route.
    pub(crate) fn of(handle: String, route: &HostRoute) -> Self {
        Self {
            handle,
            host: route.host.clone(),
            work_tree: route.work_tree.clone(),
            dir: route.dir.clone(),
            agent: route.agent.clone(),
            is_child: false,
            choice: None,
            briefed: None,
            receipts: None,
            is_continued: false,
        }
    }

    /// Announces a session that another one started, for the same agent; `None` where that one is unknown.
    pub(super) fn adopt(files: &LocalFiles, event: &HostEvent, parent: &str) -> Result<Option<Self>, Unreadable> {
        let Some(parent) = Self::find(files, event.host, parent)? else { return Ok(None) };
        // It acts under the handle of its parent, so that it holds what the parent holds.
        let child = Self { is_child: true, briefed: None, ..parent };
        files.write(
            &session_file(&handle(event.host, &event.session)),
            crate::document::to_json_pretty(&child).as_bytes(),
        )?;
        Ok(Some(child))
    }

    /// Notes that a fork of a known session will speak with an id of its own.
    pub(super) fn note_fork(files: &LocalFiles, event: &HostEvent) -> io::Result<()> {
        files.write(&format!("hosts/forks/{}", event.host.word()), handle(event.host, &event.session).as_bytes())
    }

    /// Whether an unknown session is the fork that was noted.
    pub(super) fn takes_fork(files: &LocalFiles, event: &HostEvent) -> Result<bool, Unreadable> {
        let name = format!("hosts/forks/{}", event.host.word());
        if files.read(&name)?.is_none() {
            return Ok(false);
        }
        files.remove(&name)?;
        Ok(true)
    }

    /// The goals that the session works for, by the route and the person's choice.
    pub(super) fn goals(&self, route: &HostRoute) -> Vec<BoundGoal> {
        let is_meant = |goal: &&BoundGoal| match &self.choice {
            Some(GoalChoice::Goal(chosen)) => goal.goal_id == *chosen,
            _ => true,
        };
        route.goals.iter().filter(is_meant).cloned().collect()
    }

    /// Makes the session the holder of each binding that has none, or whose holder yields; gives those that it holds.
    pub(super) fn hold(
        &self,
        files: &LocalFiles,
        goals: &[BoundGoal],
        event: &HostEvent,
        (rotation, now): (Rotation, Instant),
    ) -> Result<Vec<(BoundGoal, Holder)>, Unreadable> {
        let mut held = Vec::new();
        for goal in goals {
            let known = Holder::read(files, &goal.session_id)?;
            let holder = match known {
                Some(holder) if holder.handle == self.handle => Some(holder),
                // A session that ends takes nothing over.
                _ if event.meaning == EventMeaning::SessionEnded => None,
                known => self.take(files, goal, known, rotation, now)?,
            };
            held.extend(holder.map(|holder| (goal.clone(), holder)));
        }
        Ok(held)
    }

    fn take(
        &self,
        files: &LocalFiles,
        goal: &BoundGoal,
        known: Option<Holder>,
        rotation: Rotation,
        now: Instant,
    ) -> Result<Option<Holder>, Unreadable> {
        if known.as_ref().is_some_and(|holder| !holder.yields(rotation, now)) {
            return Ok(None);
        }
        let Some(_lock) = files.lock(&session_lock(&goal.session_id), HOOK_PATIENCE)? else { return Err(Unreadable) };
        let standing = Holder::read(files, &goal.session_id)?;
        if standing != known {
            return Ok(standing.filter(|holder| holder.handle == self.handle));
        }
        let epoch = known.map_or(1, |holder| holder.epoch.saturating_add(1));
        let holder = Holder { handle: self.handle.clone(), epoch, status: SessionStatus::Idle, at: now };
        holder.write(files, &goal.session_id)?;
        Ok(Some(holder))
    }

    /// Whether a text differs from what the agent was told last; remembers it.
    pub(super) fn is_new_briefing(&mut self, text: &str) -> bool {
        let digest: String = Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let is_new = self.briefed.as_ref() != Some(&digest);
        self.briefed = Some(digest);
        is_new
    }

    /// A host turn started: it may be continued once.
    pub(super) fn start_turn(&mut self, receipts: String) {
        self.is_continued = false;
        self.receipts = Some(receipts);
    }

    /// Whether the host turn may be continued: once, and only while no receipt came since it started.
    pub(super) fn continues_turn(&mut self, receipts: &str) -> bool {
        let is_settled = self.receipts.as_deref() != Some(receipts);
        let may = !self.is_continued && !is_settled;
        self.is_continued |= may;
        may
    }
}

impl Holder {
    /// Reads the holder of a binding.
    pub(crate) fn read(files: &LocalFiles, session_id: &str) -> Result<Option<Self>, Unreadable> {
        let Some(bytes) = files.read(&holder_file(session_id))? else { return Ok(None) };
        Ok(Some(serde_json::from_slice(&bytes)?))
    }

    /// Writes it down.
    pub(crate) fn write(&self, files: &LocalFiles, session_id: &str) -> io::Result<()> {
        files.write(&holder_file(session_id), crate::document::to_json_pretty(self).as_bytes())
    }

    /// Whether the next session may take the binding over: a person freed it, or the settings let it and the holder is gone.
    fn yields(&self, rotation: Rotation, now: Instant) -> bool {
        self.handle.is_empty() || (rotation == Rotation::AfterEnd && self.may_yield(now))
    }

    /// Whether nothing was heard of the holder for ten minutes.
    pub(crate) fn is_silent(&self, now: Instant) -> bool {
        now >= self.at.after(IDLE)
    }

    /// Whether the holder has ended, or is idle for ten minutes without an open turn.
    pub(crate) fn may_yield(&self, now: Instant) -> bool {
        match self.status {
            SessionStatus::Stopped => true,
            SessionStatus::Running | SessionStatus::Waiting => false,
            _ => self.is_silent(now),
        }
    }
}
