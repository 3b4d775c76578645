//! The signals that ask this program to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};

/// The signals that ask this program to end, remembered while a command runs.
pub(crate) struct Signals {
    came: Arc<AtomicBool>,
    ids: Vec<SigId>,
}

impl Signals {
    /// Remembers signals from now on, until it is dropped.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        let ids = [SIGINT, SIGTERM].map(|signal| signal_hook::flag::register(signal, Arc::clone(&came)));
        Ok(Self { came, ids: ids.into_iter().collect::<Result<_, _>>()? })
    }

    /// Whether one came.
    pub(crate) fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for id in self.ids.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}
