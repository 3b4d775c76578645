//! When to look at a state directory again, and at what.
//!
//! Comes in: events of the file system, signals, moments. Goes out: what to look at, and when. Events are hints, never
//! truth: whatever they miss, a walk finds. [`Schedule`] decides and is pure; [`EventSource`] is the thin edge to the system.
//! Must not know: what any document means, nor what is done about a change.

mod event_source;
mod hints;
mod mount;
mod schedule;
mod stop;

pub use event_source::{EventSource, WatchBackend};
pub use hints::GitFolders;
pub use schedule::{Extent, Hint, Limits, Schedule, ScheduleStep, WatchLimit};
pub use stop::StopRequest;
