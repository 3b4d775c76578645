//! One run at a time. The operating system releases the lock when its holder ends, however it ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::error::{StoreError, io};

/// The lock file's name.
pub(super) const NAME: &str = "lock";

/// Waits at most `wait` for the lock in `folder` and holds it until the returned file is dropped.
pub(super) fn acquire(folder: &Path, wait: Duration) -> Result<File, StoreError> {
    let name = "loopx/lock";
    fs::create_dir_all(folder).map_err(io("create the folder of", name))?;
    // The file stays: were it removed, two runs could each lock a file of that name.
    let open = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(NAME));
    let file = open.map_err(io("open", name))?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(io("lock", name)(error)),
    }
    // The system lets those who wait in a queue take turns, and those who ask again and again starve; but its queue
    // has no bound in time. A thread that got the lock too late drops it at once.
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(file.lock().map(|()| file)));
    match receiver.recv_timeout(wait) {
        Ok(locked) => locked.map_err(io("lock", name)),
        Err(_) => Err(StoreError::Busy { seconds: wait.as_secs() }),
    }
}

/// A bounded wait of growing rests, for locks that nobody queues for.
pub(super) struct Patience {
    end: Instant,
    rest: Duration,
}

impl Patience {
    const LONGEST: Duration = Duration::from_millis(20);

    pub(super) fn new(wait: Duration) -> Self {
        Self { end: Instant::now() + wait, rest: Duration::from_millis(1) }
    }

    /// Rests, unless the time is up. Rests differ between processes, which would else come back all at once.
    pub(super) fn rest(&mut self) -> bool {
        if Instant::now() >= self.end {
            return false;
        }
        let jitter = Duration::from_micros(u64::from(std::process::id()) % 997);
        thread::sleep(self.rest + jitter);
        self.rest = (self.rest * 2).min(Self::LONGEST);
        true
    }
}
