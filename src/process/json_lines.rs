//! Asks a program that answers requests in JSON, one a line, over its standard streams.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A program that was started to be asked; it ends when it is dropped.
struct Asked(Child);

impl Drop for Asked {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program in a folder and asks it one request after the other, each by a method and its parameters; gives the
/// result of the last one. `None`: it cannot be started, says something else, or takes longer than `deadline`.
#[must_use]
pub fn ask_in_json(words: &[&str], folder: &Path, requests: &[(&str, Value)], deadline: Duration) -> Option<Value> {
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut asked = Asked(command.spawn().ok()?);
    let mut input = asked.0.stdin.take()?;
    let output = BufReader::new(asked.0.stdout.take()?);
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
    let end = Instant::now() + deadline;
    let mut result = None;
    for (number, (method, parameters)) in requests.iter().enumerate() {
        let request = match parameters {
            // What has no parameters is told, and nothing answers it.
            Value::Null => json!({ "method": method }),
            parameters => json!({ "id": number, "method": method, "params": parameters }),
        };
        writeln!(input, "{request}").and_then(|()| input.flush()).ok()?;
        if parameters.is_null() {
            continue;
        }
        loop {
            let line = lines.recv_timeout(end.saturating_duration_since(Instant::now())).ok()?;
            let Ok(mut answer) = serde_json::from_str::<Value>(&line) else { continue };
            if answer["id"] == json!(number) {
                result = answer.get_mut("result").map(Value::take);
                break;
            }
        }
    }
    result
}
