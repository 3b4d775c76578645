//! Runs the commands of calls, each in a thread of its own; a call that comes again joins the run that it began.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch::{self, Receiver};

use super::result::Ended;
use crate::cli::context::{Context, RunWords};
use crate::vocabulary::Instant;

/// Where commands run, when, and how.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) place: PathBuf,
    pub(super) now: Option<Instant>,
    pub(super) run_words: RunWords,
}

impl Caller {
    /// Runs one command line.
    fn run(&self, words: &[String]) -> Ended {
        let called = catch_unwind(AssertUnwindSafe(|| {
            let (mut context, written) = Context::captured(self.place.clone(), self.now);
            let result = (self.run_words)(&mut context, words);
            (result, written.text())
        }));
        match called {
            Ok((Ok(Ok(_)), (out, _))) if !out.is_empty() => Ended::Answered(out),
            Ok((Ok(Ok(_)), (_, err))) => Ended::Misused(err),
            Ok((Ok(Err(error)), _)) => Ended::Failed(error),
            Ok((Err(mistake), _)) => Ended::Misused(mistake),
            Err(_) => Ended::Broken,
        }
    }
}

/// The commands that run now.
pub(super) struct Runs {
    caller: Caller,
    running: Mutex<BTreeMap<String, Receiver<Option<Ended>>>>,
    limit: Duration,
}

impl Runs {
    /// Nothing runs yet; a call waits for its command for `limit`.
    pub(super) fn new(caller: Caller, limit: Duration) -> Self {
        Self { caller, running: Mutex::default(), limit }
    }

    /// Runs a command, or joins the run of the same one; `None`: it goes on.
    pub(super) async fn run(&self, words: Vec<String>, is_joined: bool) -> Option<Ended> {
        let key = words.join("\0");
        let mut run = match is_joined {
            true => self.joined(&key, words),
            false => start(self.caller.clone(), words),
        };
        let ended = tokio::time::timeout(self.limit, ended(&mut run)).await.ok()?;
        if is_joined {
            self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
        }
        Some(ended)
    }

    fn joined(&self, key: &str, words: Vec<String>) -> Receiver<Option<Ended>> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.entry(key.to_owned()).or_insert_with(|| start(self.caller.clone(), words)).clone()
    }

    /// Waits for the runs that nobody has waited for to the end.
    pub(super) async fn finish(&self) {
        let left = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        for mut run in left.into_values() {
            ended(&mut run).await;
        }
    }
}

fn start(caller: Caller, words: Vec<String>) -> Receiver<Option<Ended>> {
    let (sender, receiver) = watch::channel(None);
    std::thread::spawn(move || sender.send_replace(Some(caller.run(&words))));
    receiver
}

async fn ended(run: &mut Receiver<Option<Ended>>) -> Ended {
    let ended = run.wait_for(Option::is_some).await.ok().and_then(|ended| ended.clone());
    ended.unwrap_or(Ended::Broken)
}

/// Runs that many calls share.
pub(super) type SharedRuns = Arc<Runs>;
