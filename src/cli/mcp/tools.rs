//! The one table of tools: each is a command, with the arguments that a caller may give.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as WireTool, ToolAnnotations};
use serde_json::{Value as Json, json};

use crate::app::AnswerShape;

/// How an argument of a tool becomes words of its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentForm {
    /// A text behind an option.
    Option(&'static str),
    /// Several texts, each behind an option.
    Options(&'static str),
    /// An option without a value.
    Flag(&'static str),
    /// A text or, where it is empty, the option alone.
    OptionOrFlag(&'static str),
    /// A text without an option.
    Positional,
    /// Several texts without an option.
    Positionals,
}

/// An argument of a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Argument {
    /// Its name.
    pub(super) name: &'static str,
    /// What it says.
    about: &'static str,
    /// Whether a call needs it.
    pub(super) is_required: bool,
    /// How it becomes words of the command.
    pub(super) form: ArgumentForm,
}

/// A tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServedTool {
    /// Its name.
    pub(super) name: &'static str,
    /// What it does: fixed words, never text of a document.
    about: &'static str,
    /// Whether it changes files.
    pub(super) writes: bool,
    /// The command that it runs.
    pub(super) command: &'static [&'static str],
    /// What a caller may give.
    pub(super) arguments: &'static [Argument],
    /// The version word of its answer.
    answer: &'static str,
}

const fn needs(name: &'static str, form: ArgumentForm, about: &'static str) -> Argument {
    Argument { name, about, is_required: true, form }
}

const fn takes(name: &'static str, form: ArgumentForm, about: &'static str) -> Argument {
    Argument { name, about, is_required: false, form }
}

const AGENT: Argument = needs("agent", ArgumentForm::Option("--agent"), "The agent's whole id");
const GOAL: Argument = takes("goal", ArgumentForm::Option("--goal"), "The goal's id");

/// The tool whose run may outlast a call.
pub(super) const SETTLE: &str = "settle";

/// Every tool, those that read first.
pub(super) const TOOLS: [ServedTool; 7] = [
    ServedTool {
        name: "next",
        about: "Say what the agent may do now, as one bounded packet. Start every turn with it. Nothing is written.",
        writes: false,
        command: &["next"],
        arguments: &[
            AGENT,
            GOAL,
            takes("session", ArgumentForm::Option("--session"), "The session that works for the agent"),
            takes("host", ArgumentForm::Option("--host"), "The host whose timer is asked about, such as claude_code"),
            takes("cursor", ArgumentForm::Option("--cursor"), "The cursor of the packet before"),
        ],
        answer: "loopx_turn_v0",
    },
    ServedTool {
        name: "status",
        about: "Show who waits on what and why: the queue, and the first screen of each agent. Nothing is written.",
        writes: false,
        command: &["status"],
        arguments: &[
            GOAL,
            takes("agent", ArgumentForm::Option("--agent"), "Only what concerns this agent"),
            takes(
                "me",
                ArgumentForm::OptionOrFlag("--me"),
                "Only what this person can clear; empty: this clone's git identity",
            ),
        ],
        answer: "loopx_status_v0",
    },
    ServedTool {
        name: "lint",
        about: "Check the documents of the state directory, or those at paths, and list every finding.",
        writes: false,
        command: &["lint"],
        arguments: &[takes("paths", ArgumentForm::Positionals, "Files and folders; none: the whole state directory")],
        answer: "loopx_lint_report_v0",
    },
    ServedTool {
        name: "explain",
        about: "Say what a word means: a rule, a reason, a kind of document, a vocabulary, or a row of status.",
        writes: false,
        command: &["explain"],
        arguments: &[needs("word", ArgumentForm::Positional, "The word, or the number of a row of status")],
        answer: "loopx_explanation_v0",
    },
    ServedTool {
        name: SETTLE,
        about: "Check a turn by the goal's own command and record it once. The next packet comes with the answer. \
                While the command runs on, the answer is running: call again with the same arguments.",
        writes: true,
        command: &["settle"],
        arguments: &[
            needs("turn", ArgumentForm::Option("--turn"), "The turn_id of the packet"),
            needs("todo", ArgumentForm::Option("--todo"), "The todo_id of the packet"),
            AGENT,
            takes("outcome", ArgumentForm::Option("--outcome"), "What you say of the work: passed, failed or blocked"),
            takes("done", ArgumentForm::Flag("--done"), "The work passed and the todo is finished"),
            takes("summary", ArgumentForm::Option("--summary"), "One line about it, without private material"),
        ],
        answer: "loopx_settle_v0",
    },
    ServedTool {
        name: "claim",
        about: "Claim an open todo for an agent, or give the claim back; an approved handoff to the agent is accepted.",
        writes: true,
        command: &["todo", "claim", "--execute"],
        arguments: &[
            needs("todo", ArgumentForm::Positional, "The todo's id"),
            AGENT,
            GOAL,
            takes("release", ArgumentForm::Flag("--release"), "Give the claim back instead"),
        ],
        answer: "loopx_change_v0",
    },
    ServedTool {
        name: "request_gate",
        about: "Ask something that a person has to decide. Nobody decides a gate by a tool.",
        writes: true,
        command: &["gate", "request", "--execute"],
        arguments: &[
            needs("goal", ArgumentForm::Option("--goal"), "The goal's id"),
            needs("question", ArgumentForm::Positional, "The question, in one line"),
            AGENT,
            takes(
                "blocks",
                ArgumentForm::Options("--blocks"),
                "The todos that wait for the answer; none: the whole goal",
            ),
            takes(
                "from",
                ArgumentForm::Option("--from"),
                "The class that decides: user, operator, controller or owner",
            ),
            takes("evidence", ArgumentForm::Options("--evidence"), "Ids of what supports the request"),
        ],
        answer: "loopx_change_v0",
    },
];

impl ServedTool {
    /// The tool of a name, among those that are served.
    pub(super) fn named(name: &str, allows_writes: bool) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name && (allows_writes || !tool.writes))
    }

    /// The tool as a client sees it.
    pub(super) fn on_the_wire(&self) -> WireTool {
        let hints =
            ToolAnnotations::new().read_only(!self.writes).destructive(false).idempotent(true).open_world(false);
        WireTool::new(self.name, self.about, Arc::new(self.input()))
            .with_raw_output_schema(Arc::new(self.output()))
            .with_annotations(hints)
    }

    /// The JSON Schema of the arguments; it is closed.
    fn input(&self) -> JsonObject {
        let text = json!({ "type": "string" });
        let property = |argument: &Argument| {
            let mut schema = match argument.form {
                ArgumentForm::Flag(_) => json!({ "type": "boolean" }),
                ArgumentForm::Options(_) | ArgumentForm::Positionals => json!({ "type": "array", "items": text }),
                ArgumentForm::Option(_) | ArgumentForm::OptionOrFlag(_) | ArgumentForm::Positional => text.clone(),
            };
            schema["description"] = argument.about.into();
            (argument.name.to_owned(), schema)
        };
        let required: Vec<&str> =
            self.arguments.iter().filter(|argument| argument.is_required).map(|argument| argument.name).collect();
        object(json!({
            "type": "object",
            "properties": self.arguments.iter().map(property).collect::<JsonObject>(),
            "required": required,
            "additionalProperties": false,
        }))
    }

    /// The JSON Schema of the answer.
    fn output(&self) -> JsonObject {
        let mut answer = match AnswerShape::of(self.answer) {
            Some(shape) => object(shape.schema()),
            None => object(json!({
                "type": "object",
                "properties": { "schema_version": { "const": self.answer } },
                "required": ["schema_version"],
            })),
        };
        if self.name != SETTLE {
            return answer;
        }
        let definitions = answer.remove("$defs");
        let running = json!({
            "type": "object",
            "properties": { "running": { "const": true }, "do": { "type": "string" } },
            "required": ["running"],
        });
        let mut either = object(json!({ "type": "object", "anyOf": [answer, running] }));
        either.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
        either
    }
}

fn object(schema: Json) -> JsonObject {
    match schema {
        Json::Object(object) => object,
        other => JsonObject::from_iter([("const".to_owned(), other)]),
    }
}
