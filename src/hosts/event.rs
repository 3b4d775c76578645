//! One event of a host, read by its allow-listed keys.

use super::patch::patched_paths;
use super::payload::WantedValue::{Flag, Items, Number, Object, Presence, Text};
use super::payload::{AllowedKey, Picked, pick};
use super::table::{EventMeaning, EventRow, Host, PathSource, event_row};

/// The longest id of a session that is taken from a host, in bytes.
const LONGEST_ID: usize = 256;

/// The longest path that a tool call may name, in bytes.
const LONGEST_PATH: usize = 4096;

/// What one payload of a host says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayloadReading {
    /// An event.
    Event(HostEvent),
    /// A tool call of this session that cannot be read; the tool, where its name can.
    Unreadable {
        /// The host's own id of the session.
        session: String,
        /// The name of the tool.
        tool: Option<String>,
    },
    /// Nothing that concerns loopx.
    Nothing,
}

/// One event of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostEvent {
    /// The host.
    pub host: Host,
    /// What it means; of the events that mean several things, what this one does.
    pub meaning: EventMeaning,
    /// The host's own id of the session.
    pub session: String,
    /// The session that this one works for, where the host says so.
    pub parent: Option<String>,
    /// The folder that relative paths start from.
    pub folder: Option<String>,
    /// Whether a session was forked from the one that is named.
    pub is_fork: bool,
    /// Whether a stop hook has already continued this host turn.
    pub is_continued: bool,
    /// Whether a sub-agent of the session speaks.
    pub is_subagent: bool,
    /// The tool of the event.
    pub tool: Tool,
    /// How the command of the event ended.
    pub exit: ReportedExit,
    /// The answer to an approval.
    pub is_granted: bool,
}

/// The tool of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tool {
    /// It writes these files; `None`: its input cannot be read.
    Write(Option<Vec<String>>),
    /// It runs this command line; `None`: its input cannot be read.
    Shell(Option<String>),
    /// It does neither.
    Other,
}

/// How a command ended, as far as the host says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportedExit {
    /// With exit status 0.
    Passed,
    /// With another one.
    Failed,
    /// Nobody says.
    Unknown,
}

const INPUT: &[AllowedKey] =
    &[("file_path", Text), ("notebook_path", Text), ("filePath", Text), ("patchText", Text), ("command", Text)];

/// The keys that are read of a payload of Claude Code, Codex CLI and Gemini CLI.
const HOOK_KEYS: &[AllowedKey] = &[
    ("hook_event_name", Text),
    ("session_id", Text),
    ("cwd", Text),
    ("source", Text),
    ("agent_id", Presence),
    ("stop_hook_active", Flag),
    ("background_tasks", Items),
    ("is_interrupt", Flag),
    ("notification_type", Text),
    ("tool_name", Text),
    ("tool_input", Object(INPUT)),
    (
        "tool_response",
        Object(&[("interrupted", Flag), ("backgroundTaskId", Presence), ("returnCodeInterpretation", Presence)]),
    ),
];

/// The keys that are read when a payload cannot be read by [`HOOK_KEYS`].
const HOOK_HEAD: &[AllowedKey] = &[("hook_event_name", Text), ("session_id", Text), ("tool_name", Text)];

/// The keys that are read of what the OpenCode plugin hands on.
const PLUGIN_KEYS: &[AllowedKey] = &[
    ("hook", Text),
    (
        "input",
        Object(&[
            ("tool", Text),
            ("sessionID", Text),
            ("directory", Text),
            ("args", Object(INPUT)),
            ("input", Object(INPUT)),
            (
                "event",
                Object(&[
                    ("type", Text),
                    (
                        "properties",
                        Object(&[
                            ("sessionID", Text),
                            ("reply", Text),
                            ("status", Object(&[("type", Text)])),
                            ("info", Object(&[("parentID", Text)])),
                        ]),
                    ),
                ]),
            ),
        ]),
    ),
    ("output", Object(&[("args", Object(INPUT)), ("metadata", Object(&[("exit", Number)]))])),
];

/// The keys that are read when a plugin's envelope cannot be read by [`PLUGIN_KEYS`].
const PLUGIN_HEAD: &[AllowedKey] = &[("hook", Text), ("input", Object(&[("tool", Text), ("sessionID", Text)]))];

/// Reads one payload of the event that the command line names.
///
/// Another event than that, another host's payload, and whatever is no single JSON object is nothing.
#[must_use]
pub fn read_event(host: Host, name: &str, bytes: &[u8]) -> PayloadReading {
    let Some(row) = event_row(host, name) else { return PayloadReading::Nothing };
    match host {
        Host::Opencode => read_plugin(row, bytes),
        _ => read_hook(row, bytes),
    }
}

fn session(payload: &Picked, route: &[&str]) -> Option<String> {
    let is_id = |id: &&str| {
        !id.is_empty() && id.len() <= LONGEST_ID && !id.chars().any(|it| it.is_control() || it.is_whitespace())
    };
    payload.text(route).filter(is_id).map(str::to_owned)
}

fn read_hook(row: &EventRow, bytes: &[u8]) -> PayloadReading {
    let Some(payload) = pick(bytes, HOOK_KEYS) else {
        return unreadable(row, pick(bytes, HOOK_HEAD).as_ref(), &["session_id"], &["tool_name"], &["hook_event_name"]);
    };
    if payload.text(&["hook_event_name"]) != Some(row.name) {
        return PayloadReading::Nothing;
    }
    let Some(session) = session(&payload, &["session_id"]) else { return PayloadReading::Nothing };
    let is_true = |route: &[&str]| matches!(payload.at(route), Some(Picked::Flag(true)));
    let is_set = |route: &[&str]| payload.has(route) && !matches!(payload.at(route), Some(Picked::Flag(false)));
    let meaning = match row.meaning {
        // A turn with background tasks goes on by itself.
        EventMeaning::TurnEnded if matches!(payload.at(&["background_tasks"]), Some(Picked::List(true))) => {
            EventMeaning::None
        }
        EventMeaning::ApprovalAsked
            if row.host == Host::GeminiCli && payload.text(&["notification_type"]) != Some("ToolPermission") =>
        {
            EventMeaning::None
        }
        meaning => meaning,
    };
    let tool =
        payload.text(&["tool_name"]).map_or(Tool::Other, |name| tool(row.host, name, payload.at(&["tool_input"])));
    let is_told = row.host.row().tells_exit;
    let exit = match row.meaning {
        EventMeaning::AfterTool if is_told => {
            let is_uncertain = is_set(&["tool_response", "interrupted"])
                || payload.has(&["tool_response", "backgroundTaskId"])
                || payload.has(&["tool_response", "returnCodeInterpretation"])
                || !matches!(payload.at(&["tool_response"]), Some(Picked::Object(_)));
            if is_uncertain { ReportedExit::Unknown } else { ReportedExit::Passed }
        }
        EventMeaning::AfterFailedTool if is_told && !is_set(&["is_interrupt"]) => ReportedExit::Failed,
        _ => ReportedExit::Unknown,
    };
    PayloadReading::Event(HostEvent {
        host: row.host,
        meaning,
        session,
        parent: None,
        folder: payload.text(&["cwd"]).filter(|folder| is_path(folder)).map(str::to_owned),
        is_fork: payload.text(&["source"]) == Some("fork"),
        is_continued: is_true(&["stop_hook_active"]) || is_set(&["stop_hook_active"]),
        is_subagent: payload.has(&["agent_id"]),
        tool,
        exit,
        is_granted: false,
    })
}

fn read_plugin(row: &EventRow, bytes: &[u8]) -> PayloadReading {
    let Some(payload) = pick(bytes, PLUGIN_KEYS) else {
        return unreadable(
            row,
            pick(bytes, PLUGIN_HEAD).as_ref(),
            &["input", "sessionID"],
            &["input", "tool"],
            &["hook"],
        );
    };
    let hook = payload.text(&["hook"]).unwrap_or_default();
    let is_event = hook == "event";
    let name = if is_event { payload.text(&["input", "event", "type"]) } else { Some(plain(hook)) };
    if name != Some(row.name) {
        return PayloadReading::Nothing;
    }
    let properties = |key: &'static str| ["input", "event", "properties", key];
    let of_event = properties("sessionID");
    let route: &[&str] = if is_event { &of_event } else { &["input", "sessionID"] };
    let Some(session) = session(&payload, route) else { return PayloadReading::Nothing };
    let meaning = match (row.meaning, payload.text(&["input", "event", "properties", "status", "type"])) {
        (EventMeaning::StatusChanged, Some("busy" | "retry")) => EventMeaning::TurnStarted,
        (EventMeaning::StatusChanged, Some("idle")) => EventMeaning::TurnEnded,
        (EventMeaning::StatusChanged, _) => EventMeaning::None,
        (meaning, _) => meaning,
    };
    let arguments = [&["output", "args"][..], &["input", "args"], &["input", "input"]];
    let arguments = arguments.iter().find_map(|route| payload.at(route));
    let tool = payload.text(&["input", "tool"]).map_or(Tool::Other, |name| tool(row.host, name, arguments));
    let exit = match payload.at(&["output", "metadata", "exit"]) {
        Some(Picked::Number(0)) => ReportedExit::Passed,
        Some(Picked::Number(_)) => ReportedExit::Failed,
        _ => ReportedExit::Unknown,
    };
    let parent = payload.text(&["input", "event", "properties", "info", "parentID"]).map(str::to_owned);
    PayloadReading::Event(HostEvent {
        host: row.host,
        meaning,
        session,
        parent: parent.filter(|_| row.meaning == EventMeaning::SessionStarted),
        folder: payload.text(&["input", "directory"]).filter(|folder| is_path(folder)).map(str::to_owned),
        is_fork: false,
        is_continued: true,
        is_subagent: false,
        tool,
        exit,
        is_granted: matches!(payload.text(&properties("reply")), Some("once" | "always")),
    })
}

/// The name of a hook without the plugin's version.
fn plain(hook: &str) -> &str {
    hook.strip_prefix("v2:").unwrap_or(hook)
}

/// A payload of which only the head can be read matters where a tool waits for an answer.
fn unreadable(row: &EventRow, head: Option<&Picked>, id: &[&str], tool: &[&str], name: &[&str]) -> PayloadReading {
    let Some(head) = head.filter(|head| head.text(name).map(plain) == Some(row.name)) else {
        return PayloadReading::Nothing;
    };
    match session(head, id) {
        Some(session) if row.meaning == EventMeaning::BeforeTool => {
            PayloadReading::Unreadable { session, tool: head.text(tool).map(str::to_owned) }
        }
        _ => PayloadReading::Nothing,
    }
}

/// What a tool does, by the table of its host.
fn tool(host: Host, name: &str, input: Option<&Picked>) -> Tool {
    let row = host.row();
    let text = |key: &str| input.and_then(|input| input.text(&[key]));
    if row.shells.contains(&name) {
        return Tool::Shell(text("command").map(str::to_owned));
    }
    let Some((_, source)) = row.writers.iter().find(|(writer, _)| *writer == name) else { return Tool::Other };
    Tool::Write(match source {
        PathSource::Key(key) => text(key).filter(|path| is_path(path)).map(|path| vec![path.to_owned()]),
        PathSource::Patch(key) => {
            text(key).and_then(patched_paths).filter(|paths| paths.iter().all(|path| is_path(path)))
        }
    })
}

/// Whether a text can be the path of a file.
fn is_path(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST_PATH && !text.contains('\0')
}

impl Tool {
    /// Whether a tool of this name writes or runs a command.
    #[must_use]
    pub fn is_guarded(host: Host, name: &str) -> bool {
        !matches!(tool(host, name, None), Self::Other)
    }
}
