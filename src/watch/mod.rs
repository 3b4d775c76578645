//! When to look at a state directory again, and at what.
//!
//! Comes in: events of the file system, signals, moments. Goes out: what to look at, and when. Events are hints, never
//! truth: whatever they miss, a walk finds. [`Schedule`] decides and is pure; [`Eyes`] is the thin edge to the system.
//! Must not know: what any document means, nor what is done about a change.

mod eyes;
mod hints;
mod mount;
mod schedule;
mod stop;

pub use eyes::{Eyes, Means};
pub use hints::GitFolders;
pub use schedule::{Extent, Hint, Limits, Outlook, Schedule, Step};
pub use stop::Stop;
