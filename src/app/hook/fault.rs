//! Why a hook could not look, and how long it waits.

use std::time::Duration;

/// The longest wait for another hook.
pub(super) const HOOK_PATIENCE: Duration = Duration::from_millis(50);

/// Something that a hook rests on cannot be read or written.
#[derive(Debug)]
pub(crate) struct Unreadable;

impl<E: std::error::Error> From<E> for Unreadable {
    fn from(_: E) -> Self {
        Self
    }
}
