//! What tells without reading it that a file is still the one that was read.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What the file system says of a file: another one, or another content, has another stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    size: u64,
    /// When the content was written, in nanoseconds since 1970.
    written: u128,
    /// When anything about the file last changed, and which file it is; zero where the system does not say.
    changed: u128,
    device: u64,
    number: u64,
}

/// A file may change again within one tick of the file system's clock, and keep its stamp. Ticks of a few milliseconds
/// are usual, two seconds the longest known.
const TICK: Duration = Duration::from_secs(2);

impl Stamp {
    /// The stamp of a file in memory: another number for another content.
    #[must_use]
    pub const fn numbered(number: u64) -> Self {
        Self { size: 0, written: 0, changed: 0, device: 0, number }
    }

    /// Takes the stamp of a file that is about to be read; `None` when it changed just now, so that the stamp of its
    /// next content might be the same.
    pub(super) fn of(data: &Metadata) -> Option<Self> {
        let written = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let (changed, device, number) = identity(data);
        let newest = written.max(changed);
        let is_settled = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.checked_sub(newest)? > TICK;
        let (written, changed) = (written.as_nanos(), changed.as_nanos());
        is_settled.then_some(Self { size: data.len(), written, changed, device, number })
    }
}

#[cfg(unix)]
fn identity(data: &Metadata) -> (Duration, u64, u64) {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(data.ctime()).unwrap_or_default();
    let rest = u32::try_from(data.ctime_nsec()).unwrap_or_default();
    (Duration::new(seconds, rest), data.dev(), data.ino())
}

#[cfg(not(unix))]
fn identity(_data: &Metadata) -> (Duration, u64, u64) {
    (Duration::ZERO, 0, 0)
}
