//! `loopx watch` as a process: what it says, line by line.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::receipts::team::Team;

/// No event takes as long as this, however busy the machine.
const WAIT: Duration = Duration::from_secs(60);

/// A watch that runs; it ends with its test.
pub(super) struct Running {
    child: Child,
    events: Receiver<Value>,
    /// What it said so far.
    pub(super) said: Vec<Value>,
}

impl Running {
    /// Starts a watch and waits until it has begun.
    pub(super) fn start(team: &Team, arguments: &[&str]) -> Self {
        let mut running = Self::spawn(team.command(&[&["watch", "--format", "json"], arguments].concat()));
        running.until("began");
        running
    }

    pub(super) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (sender, events) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let event = serde_json::from_str(&line).unwrap_or(Value::String(line));
                if sender.send(event).is_err() {
                    break;
                }
            }
        });
        Self { child, events, said: Vec::new() }
    }

    /// Waits for an event of a kind.
    pub(super) fn until(&mut self, kind: &str) -> Value {
        let end = Instant::now() + WAIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let event = self.events.recv_timeout(left);
            let event = event.unwrap_or_else(|_| panic!("no event {kind}, but {:#?}", self.said));
            self.said.push(event.clone());
            if event["event"] == kind {
                return event;
            }
        }
    }

    /// What is said within a time.
    pub(super) fn within(&mut self, time: Duration) -> Vec<Value> {
        let end = Instant::now() + time;
        let mut heard = Vec::new();
        while let Ok(event) = self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
            heard.push(event);
        }
        self.said.extend(heard.clone());
        heard
    }

    /// Waits until everything that was done is followed: a document of its own is added, and its change is told of.
    pub(super) fn settle(&mut self, team: &Team, number: usize) {
        let id = format!("settled-{number}");
        team.put(
            &format!("goals/ledger/todos/{id}.yaml"),
            &format!(
                "schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: {id}\ntitle: Settled\n\
                 task_class: advancement_task\nassignee: codex-main\n"
            ),
        );
        while self.until("changed")["about"] != *id {}
        self.until("ran");
    }

    /// Sends SIGTERM, and waits for the end.
    pub(super) fn stop(&mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        (self.child.wait().expect("a child"), begun.elapsed())
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The changes of meaning so far, each as its sign, its subject and its text.
    pub(super) fn changes(&self) -> Vec<String> {
        let word = |event: &Value, name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let changed = self.said.iter().filter(|event| event["event"] == "changed");
        changed.map(|event| ["sign", "about", "text"].map(|name| word(event, name)).join(" ")).collect()
    }

    pub(super) fn count(&self, kind: &str) -> usize {
        self.said.iter().filter(|event| event["event"] == kind).count()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks that the outputs are what a cold run gives, which then writes nothing.
pub(super) fn is_cold(team: &Team) {
    let said = team.does(&["reconcile"]);
    assert!(said.starts_with("Nothing written:"), "{said}");
}
