//! Reads what a host's own session file or export says of a session: its reports with their times, by allow-listed keys.

use crate::vocabulary::{HostSurface, Instant};

use super::payload::WantedValue::{Items, Number, Object, Presence, Text};
use super::payload::{AllowedKey, Picked, pick};
use super::report::HostReport;

/// The longest line that is read, in bytes; a longer one is counted as unreadable.
const LONGEST_LINE: usize = 32 << 20;

/// What an export says of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Export {
    /// The host's own id of the session.
    pub session: Option<String>,
    /// What is reported, in the order of the file.
    pub reports: Vec<(HostReport, Instant)>,
    /// How many lines could not be read.
    pub unreadable_lines: usize,
}

/// The formats that can be read, by their surface.
pub const EXPORT_SURFACES: &[HostSurface] =
    &[HostSurface::ClaudeCode, HostSurface::CodexCli, HostSurface::GeminiCli, HostSurface::Opencode, HostSurface::Acp];

const CLAUDE: &[AllowedKey] = &[
    ("type", Text),
    ("sessionId", Text),
    ("timestamp", Text),
    ("isSidechain", super::payload::WantedValue::Flag),
    ("message", Object(&[("role", Text), ("stop_reason", Text), ("content", Items)])),
];

const CODEX: &[AllowedKey] =
    &[("timestamp", Text), ("type", Text), ("payload", Object(&[("type", Text), ("id", Text)]))];

const GEMINI: &[AllowedKey] = &[("sessionId", Text), ("id", Text), ("timestamp", Text), ("type", Text)];

const ACP: &[AllowedKey] = &[
    ("method", Text),
    ("id", Number),
    ("params", Object(&[("sessionId", Text), ("options", Items)])),
    (
        "result",
        Object(&[
            ("sessionId", Text),
            ("stopReason", Text),
            ("outcome", Object(&[("outcome", Text), ("optionId", Text)])),
        ]),
    ),
];

/// Reads an export. `at` dates what the format does not date.
#[must_use]
pub fn read_export(surface: HostSurface, bytes: &[u8], at: Instant) -> Export {
    match surface {
        HostSurface::Opencode => opencode(bytes),
        HostSurface::ClaudeCode => lines(bytes, CLAUDE, claude),
        HostSurface::CodexCli => lines(bytes, CODEX, codex),
        HostSurface::GeminiCli => lines(bytes, GEMINI, gemini),
        HostSurface::Acp => lines(bytes, ACP, |line, export| acp(line, export, at)),
        _ => Export::default(),
    }
}

/// Reads each line by itself; a torn last line is left out.
fn lines(bytes: &[u8], keys: &'static [AllowedKey], mut take: impl FnMut(&Picked, &mut Export)) -> Export {
    let mut export = Export::default();
    let is_whole = bytes.ends_with(b"\n");
    let all: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let last = all.len().saturating_sub(1);
    for (number, line) in all.iter().enumerate().filter(|(_, line)| !line.trim_ascii().is_empty()) {
        match (line.len() <= LONGEST_LINE).then(|| pick(line, keys)).flatten() {
            Some(picked) => take(&picked, &mut export),
            None if number == last && !is_whole => {}
            None => export.unreadable_lines += 1,
        }
    }
    export
}

impl Export {
    fn says(&mut self, report: HostReport, at: Option<Instant>) {
        self.reports.extend(at.map(|at| (report, at)));
    }

    fn is_of(&mut self, session: Option<&str>) {
        if self.session.is_none() {
            self.session = session.map(str::to_owned);
        }
    }
}

fn dated(line: &Picked) -> Option<Instant> {
    Instant::parse(line.text(&["timestamp"])?)
}

fn claude(line: &Picked, export: &mut Export) {
    export.is_of(line.text(&["sessionId"]));
    // A sub-agent's turns are not the session's.
    if matches!(line.at(&["isSidechain"]), Some(Picked::Flag(true))) {
        return;
    }
    let report = match (line.text(&["type"]), line.text(&["message", "stop_reason"])) {
        // What a tool returned is a list; what a person typed is one text.
        (Some("user"), _) if matches!(line.at(&["message", "content"]), Some(Picked::List(_))) => HostReport::Working,
        (Some("user"), _) => HostReport::Started,
        (Some("assistant"), Some("end_turn" | "stop_sequence")) => HostReport::Idle,
        (Some("assistant"), Some("refusal" | "max_tokens")) => HostReport::Failed,
        (Some("assistant"), _) => HostReport::Working,
        _ => return,
    };
    export.says(report, dated(line));
}

fn codex(line: &Picked, export: &mut Export) {
    if line.text(&["type"]) == Some("session_meta") {
        export.is_of(line.text(&["payload", "id"]));
    }
    let report = match (line.text(&["type"]), line.text(&["payload", "type"])) {
        (Some("event_msg"), Some("task_started")) => HostReport::Started,
        (Some("event_msg"), Some("task_complete")) => HostReport::Idle,
        (Some("event_msg"), Some("turn_aborted")) => HostReport::Interrupted,
        (Some("event_msg"), Some("error" | "stream_error")) => HostReport::Failed,
        (Some("response_item"), Some("function_call")) => HostReport::Working,
        _ => return,
    };
    export.says(report, dated(line));
}

fn gemini(line: &Picked, export: &mut Export) {
    export.is_of(line.text(&["sessionId"]));
    let report = match line.text(&["type"]) {
        Some("user") => HostReport::Started,
        Some("gemini") => HostReport::Working,
        Some("error") => HostReport::Failed,
        _ => return,
    };
    export.says(report, dated(line));
}

fn acp(line: &Picked, export: &mut Export, at: Instant) {
    export.is_of(line.text(&["params", "sessionId"]).or_else(|| line.text(&["result", "sessionId"])));
    let stopped = line.text(&["result", "stopReason"]);
    let outcome = line.text(&["result", "outcome", "outcome"]);
    let report = match (line.text(&["method"]), stopped, outcome) {
        (Some("session/prompt"), ..) => HostReport::Started,
        (Some("session/request_permission"), ..) => HostReport::Waiting,
        (Some("session/update"), ..) => HostReport::Working,
        (_, Some("end_turn"), _) => HostReport::Idle,
        (_, Some("cancelled"), _) => HostReport::Interrupted,
        (_, Some(_), _) => HostReport::Failed,
        (_, _, Some("selected")) => {
            let option = line.text(&["result", "outcome", "optionId"]).unwrap_or_default();
            HostReport::Answered { is_granted: option.starts_with("allow") }
        }
        (_, _, Some(_)) => HostReport::Answered { is_granted: false },
        _ => return,
    };
    export.says(report, Some(at));
}

/// The parts of an OpenCode export; its messages are read one by one, so that each is judged by the same keys.
fn opencode(bytes: &[u8]) -> Export {
    const MESSAGE: &[AllowedKey] = &[(
        "info",
        Object(&[
            ("role", Text),
            ("finish", Text),
            ("error", Presence),
            ("time", Object(&[("created", Number), ("completed", Number)])),
        ]),
    )];
    let mut export = Export::default();
    let Some(top) =
        pick(bytes, &[("info", Object(&[("id", Text)])), ("messages", super::payload::WantedValue::Each(MESSAGE))])
    else {
        export.unreadable_lines = 1;
        return export;
    };
    export.is_of(top.text(&["info", "id"]));
    let Some(Picked::Each(messages)) = top.at(&["messages"]) else { return export };
    for message in messages {
        let time = |key: &str| match message.at(&["info", "time", key]) {
            Some(Picked::Number(milliseconds)) => {
                jiff::Timestamp::from_millisecond(*milliseconds).ok().map(Instant::new)
            }
            _ => None,
        };
        match message.text(&["info", "role"]) {
            Some("user") => export.says(HostReport::Started, time("created")),
            Some("assistant") if message.has(&["info", "error"]) => export.says(HostReport::Failed, time("created")),
            Some("assistant") if message.text(&["info", "finish"]) == Some("stop") => {
                export.says(HostReport::Idle, time("completed"));
            }
            _ => {}
        }
    }
    export
}
