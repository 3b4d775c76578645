//! The edge to the file system's events: they become hints, or one says why none will come.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use notify::{Config, ErrorKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::hints::{GitFolders, hint};
use super::mount;
use super::schedule::Hint;
use crate::workspace::{Emitted, LAYOUT};

/// How changes come to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchBackend {
    /// By events of the system.
    Native,
    /// By looking again and again, as was asked for.
    Asked,
    /// By looking: the file system is shared, and tells nothing of what is changed elsewhere.
    Shared(&'static str),
    /// By looking: the system has no watch left to give.
    Exhausted,
    /// By looking: no event came when one had to.
    Silent,
    /// By looking: the system gives no events at all.
    Unavailable,
}

impl WatchBackend {
    /// Returns the word that `watch` prints for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            _ => "polling",
        }
    }
}

/// What came.
#[derive(Debug)]
enum Seen {
    /// Something about this path.
    Path(PathBuf),
    /// Some events were lost.
    Lost,
    /// There are no more watches.
    Exhausted,
    /// Nothing; somebody wants to be heard.
    Woken,
}

/// How many events wait at most; more are lost, and then everything is looked at.
const QUEUE: usize = 1 << 16;

/// Watches a state directory and its repository.
pub struct EventSource {
    root: PathBuf,
    git: Option<GitFolders>,
    watcher: Option<RecommendedWatcher>,
    means: WatchBackend,
    sender: SyncSender<Seen>,
    queue: Receiver<Seen>,
    lost: Arc<AtomicBool>,
    heard: Arc<AtomicBool>,
}

impl EventSource {
    /// Opens the eyes on a canonical `root`; `poll` asks for no events at all.
    #[must_use]
    pub fn open(root: &Path, git: Option<GitFolders>, poll: bool) -> Self {
        let (sender, queue) = sync_channel(QUEUE);
        let (lost, heard) = (Arc::default(), Arc::default());
        let root = root.to_owned();
        let mut events = Self { root, git, watcher: None, means: WatchBackend::Asked, sender, queue, lost, heard };
        if poll {
            return events;
        }
        events.means = WatchBackend::Native;
        events.watcher = events.watcher();
        if events.watcher.is_none() {
            events.means = WatchBackend::Unavailable;
        }
        events.arm();
        if events.means == WatchBackend::Native {
            events.means = match mount::shared(&events.root) {
                Some(kind) => WatchBackend::Shared(kind),
                None if events.is_silent() => WatchBackend::Silent,
                None => WatchBackend::Native,
            };
        }
        events
    }

    /// How changes come to be seen, by now.
    #[must_use]
    pub fn means(&self) -> WatchBackend {
        self.means
    }

    /// What wakes up whoever waits.
    pub fn waker(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        // When the queue is full nobody sleeps.
        move || drop(sender.try_send(Seen::Woken))
    }

    /// Makes sure that every folder is watched that is there by now.
    pub fn arm(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        let mut places = vec![(self.root.clone(), RecursiveMode::NonRecursive)];
        let folders = LAYOUT.iter().chain(&Emitted::FOLDERS).map(|name| self.root.join(name));
        places.extend(folders.map(|folder| (folder, RecursiveMode::Recursive)));
        if let Some(git) = &self.git {
            places.extend([&git.own, &git.common].map(|folder| (folder.clone(), RecursiveMode::NonRecursive)));
            let refs = ["refs/heads", "refs/remotes"].map(|name| git.common.join(name));
            places.extend(refs.map(|folder| (folder, RecursiveMode::Recursive)));
            places.push((git.common.join("loopx"), RecursiveMode::NonRecursive));
            places.push((git.common.join("loopx/facts"), RecursiveMode::Recursive));
        }
        for (place, mode) in places {
            // A link is not followed: what it shows belongs to somebody else.
            if !place.symlink_metadata().is_ok_and(|found| found.is_dir()) {
                continue;
            }
            match watcher.watch(&place, mode).map_err(|error| error.kind) {
                // A folder that has just gone is told of by the one above it.
                Ok(()) | Err(ErrorKind::PathNotFound | ErrorKind::Io(_)) => {}
                Err(kind) => {
                    self.means = if is_exhausted(&kind) { WatchBackend::Exhausted } else { WatchBackend::Unavailable };
                    self.watcher = None;
                    return;
                }
            }
        }
    }

    /// Waits for hints, at most so long.
    pub fn wait(&mut self, longest: Duration) -> Vec<Hint> {
        let mut hints = Vec::new();
        let mut must_arm = false;
        match self.queue.recv_timeout(longest) {
            Ok(first) => {
                let more: Vec<Seen> = self.queue.try_iter().collect();
                for seen in std::iter::once(first).chain(more) {
                    must_arm |= self.take(seen, &mut hints);
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if self.lost.swap(false, Ordering::Relaxed) {
            hints.push(Hint::Anything);
            must_arm = true;
        }
        if must_arm {
            self.arm();
        }
        hints
    }

    /// Turns what came into a hint, and tells whether a folder of the layout may be new.
    fn take(&mut self, seen: Seen, hints: &mut Vec<Hint>) -> bool {
        match seen {
            Seen::Path(path) => {
                let Some(hint) = hint(&self.root, self.git.as_ref(), &path) else { return false };
                let is_top = !matches!(&hint, Hint::Path(path) if path.contains('/')) && hint != Hint::Git;
                hints.push(hint);
                is_top
            }
            Seen::Lost => {
                hints.push(Hint::Anything);
                true
            }
            Seen::Exhausted => {
                (self.watcher, self.means) = (None, WatchBackend::Exhausted);
                hints.push(Hint::Anything);
                false
            }
            Seen::Woken => false,
        }
    }

    fn watcher(&self) -> Option<RecommendedWatcher> {
        let (sender, lost, heard) = (self.sender.clone(), Arc::clone(&self.lost), Arc::clone(&self.heard));
        let handler = move |event: notify::Result<notify::Event>| {
            heard.store(true, Ordering::Relaxed);
            let seen: Vec<Seen> = match event {
                Ok(event) if event.need_rescan() => vec![Seen::Lost],
                // Who reads changes nothing.
                Ok(event) if event.kind.is_access() => return,
                Ok(event) => event.paths.into_iter().map(Seen::Path).collect(),
                Err(error) if is_exhausted(&error.kind) => vec![Seen::Exhausted],
                Err(_) => vec![Seen::Lost],
            };
            if !seen.into_iter().all(|seen| sender.try_send(seen).is_ok()) {
                lost.store(true, Ordering::Relaxed);
            }
        };
        RecommendedWatcher::new(handler, Config::default().with_follow_symlinks(false)).ok()
    }

    /// Whether no event comes of something that must give one. On Linux, opening a file does.
    fn is_silent(&self) -> bool {
        if !cfg!(target_os = "linux") {
            return false;
        }
        !PROBES.into_iter().any(|rest| {
            let _ = File::open(self.root.join("loopx.yaml")).and_then(|mut file| file.read(&mut [0]));
            std::thread::sleep(Duration::from_millis(rest));
            self.heard.load(Ordering::Relaxed)
        })
    }
}

/// How long to wait for the event of each probe, in milliseconds.
const PROBES: [u64; 8] = [1, 2, 5, 10, 20, 50, 100, 200];

fn is_exhausted(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::MaxFilesWatch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eyes_without_events_say_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let events = EventSource::open(folder.path(), None, true);
        assert_eq!(events.means(), WatchBackend::Asked);
        assert!(events.is_silent() || !cfg!(target_os = "linux"), "nothing was heard");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_queue_and_lost_events_are_one_hint_at_anything() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        std::fs::write(root.join("loopx.yaml"), "").expect("a file");
        let mut events = EventSource::open(&root, None, false);
        assert_eq!(events.means(), WatchBackend::Native);
        for _ in 0..QUEUE + 1 {
            if events.sender.try_send(Seen::Woken).is_err() {
                events.lost.store(true, Ordering::Relaxed);
            }
        }
        assert_eq!(events.wait(Duration::ZERO), [Hint::Anything]);
        events.sender.try_send(Seen::Lost).expect("room");
        assert_eq!(events.wait(Duration::ZERO), [Hint::Anything]);
        events.sender.try_send(Seen::Exhausted).expect("room");
        assert_eq!(events.wait(Duration::ZERO), [Hint::Anything]);
        assert_eq!(events.means(), WatchBackend::Exhausted);
    }
}
