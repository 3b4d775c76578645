//! The tables of hosts and of their events.

use std::fmt;

use crate::vocabulary::HostSurface;

/// A host that loopx connects to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    CodexCli,
    /// Gemini CLI.
    GeminiCli,
    /// OpenCode.
    Opencode,
}

/// What is known of a host beside its events.
#[derive(Debug, Clone, Copy)]
pub struct HostRow {
    /// The host.
    pub host: Host,
    /// Its word in commands, routes and answers.
    pub word: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its surface in bindings.
    pub surface: HostSurface,
    /// The variable with the project's folder in the environment of its hooks.
    pub project_variable: Option<&'static str>,
    /// The variable with the id of its session in the environment of its tools.
    pub session_variable: Option<&'static str>,
    /// The variables that are set only inside its tool environment.
    pub tool_variables: &'static [&'static str],
    /// The address in the commit trailer that it writes.
    pub trailer: Option<&'static str>,
    /// What its hooks answer when there is nothing to say.
    pub silence: &'static str,
    /// The tools that write files, and the keys of the paths that they write.
    pub writers: &'static [(&'static str, PathSource)],
    /// The tools that run a command line, which stands under `command`.
    pub shells: &'static [&'static str],
    /// Whether it can ask the person before a tool runs.
    pub can_ask: bool,
    /// Whether its hooks are told how a command ended.
    pub tells_exit: bool,
    /// The step that a person takes before it runs the hooks of a project.
    pub trust: &'static str,
}

/// Where the input of a writing tool says what it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathSource {
    /// One path, under this key.
    Key(&'static str),
    /// The headers of a patch, under this key.
    Patch(&'static str),
}

use PathSource::{Key, Patch};

/// Every host that loopx connects to.
pub const HOSTS: &[HostRow] = &[
    HostRow {
        host: Host::ClaudeCode,
        word: "claude_code",
        name: "Claude Code",
        surface: HostSurface::ClaudeCode,
        project_variable: Some("CLAUDE_PROJECT_DIR"),
        session_variable: Some("CLAUDE_CODE_SESSION_ID"),
        tool_variables: &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"],
        trailer: Some("noreply@anthropic.com"),
        silence: "",
        writers: &[
            ("Edit", Key("file_path")),
            ("MultiEdit", Key("file_path")),
            ("Write", Key("file_path")),
            ("NotebookEdit", Key("notebook_path")),
        ],
        shells: &["Bash"],
        can_ask: true,
        tells_exit: true,
        trust: "start `claude` in this folder once and accept the folder dialog",
    },
    HostRow {
        host: Host::CodexCli,
        word: "codex_cli",
        name: "Codex CLI",
        surface: HostSurface::CodexCli,
        project_variable: None,
        session_variable: Some("CODEX_THREAD_ID"),
        tool_variables: &["CODEX_THREAD_ID", "CODEX_SANDBOX"],
        trailer: Some("noreply@openai.com"),
        silence: "",
        writers: &[("apply_patch", Patch("command")), ("Edit", Key("file_path")), ("Write", Key("file_path"))],
        shells: &["Bash"],
        can_ask: false,
        tells_exit: false,
        trust: "start `codex` in this folder, trust the folder, and trust the hooks with /hooks",
    },
    HostRow {
        host: Host::GeminiCli,
        word: "gemini_cli",
        name: "Gemini CLI",
        surface: HostSurface::GeminiCli,
        project_variable: Some("GEMINI_PROJECT_DIR"),
        session_variable: Some("GEMINI_SESSION_ID"),
        tool_variables: &["GEMINI_CLI", "GEMINI_SESSION_ID"],
        trailer: None,
        silence: "{}\n",
        writers: &[("write_file", Key("file_path")), ("replace", Key("file_path"))],
        shells: &["run_shell_command"],
        can_ask: false,
        tells_exit: false,
        trust: "start `gemini` in this folder once and trust the folder",
    },
    HostRow {
        host: Host::Opencode,
        word: "opencode",
        name: "OpenCode",
        surface: HostSurface::Opencode,
        project_variable: None,
        session_variable: None,
        tool_variables: &["OPENCODE", "OPENCODE_PID"],
        trailer: None,
        silence: "",
        writers: &[
            ("edit", Key("filePath")),
            ("multiedit", Key("filePath")),
            ("write", Key("filePath")),
            ("patch", Patch("patchText")),
            ("apply_patch", Patch("patchText")),
        ],
        shells: &["bash"],
        can_ask: false,
        tells_exit: true,
        trust: "nothing; OpenCode loads the plugin at its next start",
    },
];

impl Host {
    /// Finds a host by its word; its folder's spelling with hyphens and its name in lower case are accepted too.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let word = word.replace('-', "_");
        HOSTS.iter().find(|row| row.word == word).map(|row| row.host)
    }

    /// Finds its row in the table.
    #[must_use]
    pub fn row(self) -> &'static HostRow {
        HOSTS.iter().find(|row| row.host == self).expect("each host has its row")
    }

    /// Its word in commands and routes.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.row().word
    }
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// What an event of a host means to loopx.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventMeaning {
    /// A session started or was resumed: it is announced, and reports nothing.
    SessionStarted,
    /// A host turn started.
    TurnStarted,
    /// A tool is about to run: the guard decides.
    BeforeTool,
    /// The host asks its person for an approval.
    ApprovalAsked,
    /// The person answered.
    ApprovalAnswered,
    /// A tool ran, and the host calls it a success.
    AfterTool,
    /// A tool ran, and the host calls it a failure.
    AfterFailedTool,
    /// A host turn ended.
    TurnEnded,
    /// The status of an OpenCode session; its payload says which.
    StatusChanged,
    /// A host turn ended on an error of the model or the service.
    TurnFailed,
    /// The person stopped a host turn.
    Interrupted,
    /// The session ended.
    SessionEnded,
    /// The host asks for text to add to the context.
    ContextAsked,
    /// Nothing.
    None,
}

/// One event of one host.
#[derive(Debug, Clone, Copy)]
pub struct EventRow {
    /// The host.
    pub host: Host,
    /// The host's own name of the event.
    pub name: &'static str,
    /// What it means.
    pub meaning: EventMeaning,
    /// The form of an answer that adds text to the context.
    pub inject: Option<AnswerForm>,
    /// The form of an answer that denies a tool, or that continues a stop.
    pub refuse: Option<AnswerForm>,
    /// Whether `connect` registers the hook.
    pub is_registered: bool,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// `hookSpecificOutput` with `additionalContext`.
    Context,
    /// `{"decision":"block","reason":…}`.
    Block,
    /// `{"decision":"deny","reason":…}`.
    Decision,
    /// `hookSpecificOutput` with `permissionDecision`.
    Permission,
    /// `hookSpecificOutput` with `decision.behavior`.
    PermissionRequest,
    /// loopx's own answer to its own plugin.
    Plugin,
}

const fn row(
    host: Host,
    name: &'static str,
    meaning: EventMeaning,
    inject: Option<AnswerForm>,
    refuse: Option<AnswerForm>,
    is_registered: bool,
) -> EventRow {
    EventRow { host, name, meaning, inject, refuse, is_registered }
}

use AnswerForm::{Block, Context, Decision, Permission, PermissionRequest, Plugin};
use EventMeaning as M;
use Host::{ClaudeCode, CodexCli, GeminiCli, Opencode};

/// Every event that loopx knows of each host; an event that stands nowhere here is answered with silence.
pub const EVENTS: &[EventRow] = &[
    row(ClaudeCode, "SessionStart", M::SessionStarted, Some(Context), None, true),
    row(ClaudeCode, "UserPromptSubmit", M::TurnStarted, Some(Context), Some(Block), true),
    row(ClaudeCode, "UserPromptExpansion", M::None, None, None, false),
    row(ClaudeCode, "PreToolUse", M::BeforeTool, Some(Context), Some(Permission), true),
    row(ClaudeCode, "PermissionRequest", M::ApprovalAsked, None, Some(PermissionRequest), true),
    row(ClaudeCode, "PostToolUse", M::AfterTool, Some(Context), None, true),
    row(ClaudeCode, "PostToolUseFailure", M::AfterFailedTool, Some(Context), None, true),
    row(ClaudeCode, "Notification", M::None, None, None, false),
    row(ClaudeCode, "SubagentStart", M::None, Some(Context), None, false),
    row(ClaudeCode, "Stop", M::TurnEnded, None, Some(Block), true),
    row(ClaudeCode, "StopFailure", M::TurnFailed, None, None, true),
    row(ClaudeCode, "SubagentStop", M::None, None, Some(Block), false),
    row(ClaudeCode, "PreCompact", M::None, None, None, false),
    row(ClaudeCode, "PostCompact", M::None, None, None, false),
    row(ClaudeCode, "SessionEnd", M::SessionEnded, None, None, true),
    row(CodexCli, "SessionStart", M::SessionStarted, Some(Context), None, true),
    row(CodexCli, "UserPromptSubmit", M::TurnStarted, Some(Context), Some(Block), true),
    row(CodexCli, "PreToolUse", M::BeforeTool, Some(Context), Some(Permission), true),
    row(CodexCli, "PermissionRequest", M::ApprovalAsked, None, Some(PermissionRequest), true),
    row(CodexCli, "PostToolUse", M::AfterTool, Some(Context), None, true),
    row(CodexCli, "SubagentStart", M::None, Some(Context), None, false),
    row(CodexCli, "Stop", M::TurnEnded, None, Some(Block), true),
    row(CodexCli, "SubagentStop", M::None, None, Some(Block), false),
    row(CodexCli, "PreCompact", M::None, None, None, false),
    row(CodexCli, "PostCompact", M::None, None, None, false),
    row(CodexCli, "Interrupt", M::Interrupted, None, None, true),
    row(CodexCli, "SessionEnd", M::SessionEnded, None, None, true),
    row(GeminiCli, "SessionStart", M::SessionStarted, Some(Context), None, true),
    row(GeminiCli, "BeforeAgent", M::TurnStarted, Some(Context), Some(Decision), true),
    row(GeminiCli, "BeforeTool", M::BeforeTool, None, Some(Decision), true),
    row(GeminiCli, "AfterTool", M::AfterTool, Some(Context), None, true),
    row(GeminiCli, "Notification", M::ApprovalAsked, None, None, true),
    row(GeminiCli, "AfterAgent", M::TurnEnded, None, Some(Decision), true),
    row(GeminiCli, "PreCompress", M::None, None, None, false),
    row(GeminiCli, "SessionEnd", M::SessionEnded, None, None, true),
    row(Opencode, "session.created", M::SessionStarted, None, None, true),
    row(Opencode, "session.status", M::StatusChanged, None, None, true),
    row(Opencode, "session.idle", M::TurnEnded, None, None, true),
    row(Opencode, "session.error", M::TurnFailed, None, None, true),
    row(Opencode, "permission.asked", M::ApprovalAsked, None, None, true),
    row(Opencode, "permission.replied", M::ApprovalAnswered, None, None, true),
    row(Opencode, "file.edited", M::None, None, None, false),
    row(Opencode, "chat.message", M::None, None, None, false),
    row(Opencode, "tool.execute.before", M::BeforeTool, None, Some(Plugin), true),
    row(Opencode, "tool.execute.after", M::AfterTool, None, None, true),
    row(Opencode, "experimental.chat.system.transform", M::ContextAsked, Some(Plugin), None, true),
    row(Opencode, "experimental.session.compacting", M::ContextAsked, Some(Plugin), None, true),
];

/// The row of an event; `None` for one that loopx does not know.
#[must_use]
pub fn event_row(host: Host, name: &str) -> Option<&'static EventRow> {
    EVENTS.iter().find(|row| row.host == host && row.name == name)
}
