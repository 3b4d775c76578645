//! `loopx mcp`: the commands as tools, spoken over standard input and output.

mod official;
mod plain;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::turn::{Example, NOW};

/// A client that writes the protocol by hand, one line a message.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    sent: u64,
}

impl Client {
    /// Starts the server in an example, and shakes hands as clients of 2025 do.
    pub(crate) fn greeted(example: &Example, more: &[&str]) -> Self {
        let mut client = Self::new(example, more);
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = client.ask("initialize", hello);
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub(crate) fn new(example: &Example, more: &[&str]) -> Self {
        let mut command = example.command(NOW, &[&["mcp"], more].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a server");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("output"));
        Self { child, input, output: BufReader::new(output), sent: 0 }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{message}").expect("it listens");
        input.flush().expect("it listens");
    }

    fn request(&mut self, method: &str, parameters: Value) -> u64 {
        self.sent += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.sent, "method": method, "params": parameters }));
        self.sent
    }

    /// Asks, and gives the whole answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.request(method, parameters);
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "the server left: {method}");
            let answer: Value = serde_json::from_str(&line).expect("one message a line");
            if answer["id"] == json!(id) {
                return answer;
            }
        }
    }

    /// Calls a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Calls a tool, which must answer.
    pub(crate) fn gets(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert_eq!(answer["result"]["isError"], json!(false), "{tool}: {answer}");
        answer["result"]["structuredContent"].clone()
    }

    /// Closes the streams; the server ends by itself.
    pub(crate) fn leave(mut self) {
        self.input = None;
        let status = self.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0));
    }
}
