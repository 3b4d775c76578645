//! SIGINT and SIGTERM: the first ends the watch after the run in hand, a second one at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether an end is wanted.
#[derive(Debug, Clone, Default)]
pub struct StopRequest(Arc<AtomicBool>);

impl StopRequest {
    /// Listens for the signals from now on; each calls `wake`.
    ///
    /// # Errors
    /// The system refuses to tell of signals.
    pub fn listen(wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first one is not yet wanted when it comes.
            flag::register_conditional_default(signal, Arc::clone(&stop.0))?;
            flag::register(signal, Arc::clone(&stop.0))?;
        }
        wake_on_signals(wake)?;
        Ok(stop)
    }

    /// Requests that the watch ends soon.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the end is wanted.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(unix)]
fn wake_on_signals(wake: impl Fn() + Send + 'static) -> std::io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            wake();
        }
    })?;
    Ok(())
}

/// Elsewhere whoever waits asks now and then.
#[cfg(not(unix))]
fn wake_on_signals(_wake: impl Fn() + Send + 'static) -> std::io::Result<()> {
    Ok(())
}
