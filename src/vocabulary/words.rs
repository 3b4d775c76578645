//! Every closed vocabulary of the documents, each declared once.

use super::closed::{ClosedWords, Vocabulary, vocabulary};

vocabulary! {
    /// Whether a kind of file is committed.
    Storage, "storage", "a storage choice" {
        Ignored = "ignored": "git ignores these files; each clone has its own",
        Committed = "committed": "these files are committed and reviewed",
    }
}
vocabulary! {
    /// Who makes receipt commits.
    CommitVia, "commit_via", "a way to commit" {
        Gix = "gix": "loopx writes the commit itself; hooks and signatures do not run",
        Git = "git": "loopx runs `git commit`, so hooks and signatures run",
    }
}
vocabulary! {
    /// When the next host session may take the place of the one that holds a binding.
    Rotation, "rotation", "a rotation choice" {
        AfterEnd = "after_end": "once its holder ended, or was idle for ten minutes without an open turn",
        Never = "never": "only by `loopx session restore` or `replace`",
    }
}
vocabulary! {
    /// Where a goal stands by its owner's word.
    GoalStatus, "goal_status", "a goal status" {
        Draft = "draft": "not started; only document and privacy conditions are reported",
        Active = "active": "agents may work on it",
        Paused = "paused": "no agent may work on it for now",
        Completed = "completed": "the owner says it is reached",
    }
}
vocabulary! {
    /// How important a goal or todo is; P0 comes first.
    Priority, "priority", "a priority" {
        P0 = "P0": "before everything else",
        P1 = "P1": "the normal priority",
        P2 = "P2": "when nothing more important is runnable",
        P3 = "P3": "some day",
    }
}
vocabulary! {
    /// What kind of work a todo is.
    TaskClass, "task_class", "a task class" {
        AdvancementTask = "advancement_task": "an agent moves the goal forward",
        ContinuousMonitor = "continuous_monitor": "an agent looks again at a cadence",
        Blocker = "blocker": "an agent removes what is in the way",
        UserGate = "user_gate": "a person answers before work goes on",
        UserAction = "user_action": "a person does something that agents cannot",
    }
}
vocabulary! {
    /// Where a todo stands.
    TodoStatus, "todo_status", "a todo status" {
        Open = "open": "to be done",
        Done = "done": "finished; needs `done_at`",
        Blocked = "blocked": "cannot go on and nobody is named yet",
        Deferred = "deferred": "put off until `resume_when`",
    }
}
vocabulary! {
    /// The class of an actor. Classes are kept apart: no agent or host decides for a person.
    ActorClass, "actor_class", "an actor class" {
        User = "user": "a person the work is for",
        Operator = "operator": "a person who runs sessions",
        Controller = "controller": "a person who answers for the process",
        Owner = "owner": "the person who owns the goal; may decide any gate of it",
        Agent = "agent": "an automated agent; may ask, never decide",
        Host = "host": "an agent host; its approvals are never a person's",
    }
}
vocabulary! {
    /// The class that has to decide a gate.
    RequiredActor, "required_actor", "a class that can decide a gate" {
        User = "user": "a user decides",
        Operator = "operator": "an operator decides",
        Controller = "controller": "a controller decides",
        Owner = "owner": "the goal's owner decides",
    }
}
vocabulary! {
    /// What a gate's decision says.
    GateDecision, "gate_decision", "a gate decision" {
        Approve = "approve": "the gate opens when this is recorded",
        Reject = "reject": "the gate stays closed; the plan has to change",
        Defer = "defer": "asked again at `until`",
    }
}
vocabulary! {
    /// A gate's derived state; never stored.
    GateStanding, "gate_standing", "a gate's derived state" {
        Requested = "requested": "asked, and not decided in a way that counts",
        Approved = "approved": "approved and recorded",
        Rejected = "rejected": "rejected and recorded",
        Deferred = "deferred": "put off until an instant that is not reached",
        Consumed = "consumed": "approved, and every todo it blocked is done",
        Expired = "expired": "not decided before `expires_at`, or past it",
        Withdrawn = "withdrawn": "taken back, and that is recorded",
    }
}
vocabulary! {
    /// A handoff's derived state; never stored.
    HandoffStanding, "handoff_standing", "a handoff's derived state" {
        Drafted = "drafted": "written, not approved",
        Approved = "approved": "approved, the agent has not accepted",
        Accepted = "accepted": "the agent took it",
        Expired = "expired": "`expires_at` passed before it was accepted",
        Withdrawn = "withdrawn": "taken back",
    }
}
vocabulary! {
    /// What a person thinks of a run.
    RewardLabel, "reward", "a reward" {
        Positive = "positive": "do this again",
        Negative = "negative": "do not do this again",
        Mixed = "mixed": "good and bad",
        Neutral = "neutral": "seen, no judgment",
    }
}
vocabulary! {
    /// Who owns a session's process.
    SessionMode, "session_mode", "a session mode" {
        ManagedRuntime = "managed_runtime": "a LoopX-owned host creates and supervises the session",
        AttachedHost = "attached_host": "an external host session is bound; its host keeps the process",
    }
}
vocabulary! {
    /// What an attached host can do for its binding.
    Capability, "capability", "an attached capability" {
        LiveSteering = "live_steering": "takes input during a turn",
        SessionQueue = "session_queue": "takes messages from the ordered queue",
        ClaimWait = "claim_wait": "waits for a message with a bound",
        ReplyReadback = "reply_readback": "returns its reply through readback",
    }
}
vocabulary! {
    /// Where an attached session lives.
    HostSurface, "host_surface", "a host surface" {
        CodexCli = "codex_cli": "Codex CLI",
        CodexApp = "codex_app": "Codex App",
        CodexAppSsh = "codex_app_ssh": "Codex App over SSH",
        ClaudeCode = "claude_code": "Claude Code",
        Cursor = "cursor": "Cursor",
        Opencode = "opencode": "opencode",
        GeminiCli = "gemini_cli": "Gemini CLI",
        Acp = "acp": "any Agent Client Protocol host",
        GenericCli = "generic_cli": "any command-line host",
        Kunluncode = "kunluncode": "KunlunCode",
        LocalScheduler = "local_scheduler": "a scheduler on this machine",
        ArkManagedAgent = "ark_managed_agent": "Ark managed agent",
    }
}
vocabulary! {
    /// The runtime family that a fact names.
    RuntimeId, "runtime_id", "a runtime id" {
        CodexCliTui = "codex_cli_tui": "Codex CLI's terminal interface",
        CodexApp = "codex_app": "Codex App",
        CodexAppSsh = "codex_app_ssh": "Codex App over SSH",
        ClaudeCode = "claude_code": "Claude Code",
        Cursor = "cursor": "Cursor",
        Opencode = "opencode": "opencode",
        GeminiCli = "gemini_cli": "Gemini CLI",
        Acp = "acp": "any Agent Client Protocol host",
        GenericCli = "generic_cli": "any command-line host",
        Kunluncode = "kunluncode": "KunlunCode",
        LocalScheduler = "local_scheduler": "a scheduler on this machine",
        ArkManagedAgent = "ark_managed_agent": "Ark managed agent",
        CustomWorker = "custom_worker": "a session that LoopX manages",
    }
}
vocabulary! {
    /// The kind of host a fact or plugin names.
    HostKind, "host_kind", "a host kind" {
        CodexCli = "codex_cli": "Codex CLI",
        CodexApp = "codex_app": "Codex App",
        CodexAppSsh = "codex_app_ssh": "Codex App over SSH",
        ClaudeCode = "claude_code": "Claude Code",
        Cursor = "cursor": "Cursor",
        Opencode = "opencode": "opencode",
        GeminiCli = "gemini_cli": "Gemini CLI",
        Acp = "acp": "any Agent Client Protocol host",
        GenericCli = "generic_cli": "any command-line host",
        Kunluncode = "kunluncode": "KunlunCode",
        LocalScheduler = "local_scheduler": "a scheduler on this machine",
        ArkManagedAgent = "ark_managed_agent": "Ark managed agent",
    }
}
vocabulary! {
    /// Whether a writeback is shown or carried out.
    WritebackMode, "writeback_mode", "a writeback mode" {
        DryRun = "dry_run": "only a preview is made",
        Apply = "apply": "the previewed writeback is carried out",
    }
}
vocabulary! {
    /// What a background proposal is about.
    ProposalType, "proposal_type", "a proposal type" {
        Exploration = "exploration": "something worth trying",
        RefactorWarning = "refactor_warning": "something that will hurt later",
        MemoryConsolidation = "memory_consolidation": "memories that belong together",
        ArchiveSuggestion = "archive_suggestion": "something that can go",
    }
}
vocabulary! {
    /// Where a host says a session stands.
    SessionStatus, "session_status", "a session status" {
        Starting = "starting": "not ready yet",
        Running = "running": "at work",
        Idle = "idle": "ready, nothing to do",
        Waiting = "waiting": "waits for input",
        Blocked = "blocked": "cannot go on",
        Completed = "completed": "ended, the host calls it a success",
        Failed = "failed": "ended, the host calls it a failure",
        Stopped = "stopped": "ended by somebody",
        Unknown = "unknown": "the host cannot say",
    }
}
vocabulary! {
    /// What an outcome is of.
    OutcomeKind, "outcome_kind", "an outcome kind" {
        Work = "work": "a piece of work ended",
        Validation = "validation": "work was checked",
    }
}
vocabulary! {
    /// How an outcome ended.
    OutcomeStatus, "outcome_status", "an outcome status" {
        Passed = "passed": "it did what it should",
        Failed = "failed": "it did not",
        Blocked = "blocked": "it could not be finished",
        Unknown = "unknown": "nobody can say",
    }
}
vocabulary! {
    /// What an event is of.
    EventKind, "event_kind", "an event kind" {
        Turn = "turn": "one turn of the session",
        Executor = "executor": "the process that runs the session",
        Delivery = "delivery": "a message to the session",
    }
}
vocabulary! {
    /// What an event says; which words go with which kind is one table.
    EventStatus, "event_status", "an event status" {
        Queued = "queued": "a turn waits its turn",
        Claimed = "claimed": "a turn was taken",
        Started = "started": "a turn or an executor began",
        Completed = "completed": "a turn ended with a completion",
        Unresolved = "unresolved": "a turn ended and nobody knows how",
        Refused = "refused": "an executor or a delivery was refused",
        Stopped = "stopped": "an executor ended",
        Accepted = "accepted": "a delivery arrived",
    }
}
vocabulary! {
    /// Where a host's own approval stands; never a person's decision.
    ApprovalStatus, "approval_status", "an approval status" {
        Pending = "pending": "the host waits for it",
        Granted = "granted": "the host was told yes",
        Denied = "denied": "the host was told no",
        Expired = "expired": "nobody answered in time",
    }
}
vocabulary! {
    /// Whether an artifact still stands.
    ArtifactStatus, "artifact_status", "an artifact status" {
        Current = "current": "the newest of its kind",
        Withdrawn = "withdrawn": "no longer to be used",
    }
}
vocabulary! {
    /// How loudly a finding speaks.
    Level, "level", "a level" {
        Error = "error": "the run exits 1",
        Warning = "warning": "shown; the run exits as it would have",
        Note = "note": "shown in lists, said once",
        Off = "off": "not looked for",
    }
}
vocabulary! {
    /// What a transition rule says.
    TransitionVerdict, "transition_verdict", "a transition verdict" {
        Allow = "allow": "the change may be made",
        Refuse = "refuse": "the change is refused in review",
    }
}
vocabulary! {
    /// What a receipt records.
    EventClass, "event_class", "an event class" {
        OperatorGate = "operator_gate": "a gate was decided or withdrawn",
        HandoffPacket = "handoff_packet": "a handoff was approved or accepted",
        HumanReward = "human_reward": "a person judged a run",
        QuotaSpend = "quota_spend": "slots of the window were spent",
        QuotaVoid = "quota_void": "a spend was taken back",
        Turn = "turn": "one settled turn",
        Writeback = "writeback": "a host was told, and said what came of it",
        ArtifactPointer = "artifact_pointer": "an artifact was named",
        RunProjection = "run_projection": "a run was summarised",
    }
}
vocabulary! {
    /// The verdict of one row of a host's admission.
    AdmissionVerdict, "admission_verdict", "an admission verdict" {
        Pass = "pass": "shown to hold",
        Fail = "fail": "shown not to hold",
        Unverified = "unverified": "nobody looked",
    }
}
vocabulary! {
    /// Who or what a goal waits for (contract 2).
    WaitingOn, "waiting_on", "a waiting_on word" {
        User = "user": "a person has to act",
        Controller = "controller": "whoever answers for the process has to act",
        Runtime = "runtime": "a host or its session has to report or recover",
        ExternalEvidence = "external_evidence": "something outside has to happen",
        Agent = "agent": "the agent can or must act",
        None = "none": "nothing is waited for",
    }
}
vocabulary! {
    /// The gate of a first screen (contract 2).
    GateState, "gate_state", "a gate state" {
        Blocked = "blocked": "something is wrong; nothing may run",
        OperatorGate = "operator_gate": "a person has to decide",
        UserTodo = "user_todo": "a person has to do something",
        Deferred = "deferred": "a decision was put off",
        Approved = "approved": "the gate of the next todo is approved",
        Clear = "clear": "nothing is in the way",
    }
}
vocabulary! {
    /// Whether the next automatic turn may be spent (contract 2).
    QuotaState, "quota_state", "a quota state" {
        Blocked = "blocked": "no turn may be spent",
        OperatorGate = "operator_gate": "not before a person decides",
        Throttled = "throttled": "the window is used up",
        MonitorQuietSkip = "monitor_quiet_skip": "only monitors are left and none is due",
        Eligible = "eligible": "a turn may be spent",
    }
}
vocabulary! {
    /// Whether the agent may go on now.
    MayContinue, "may_continue", "a may_continue word" {
        Yes = "yes": "there is a runnable todo and nothing in the way",
        No = "no": "something is in the way",
        Unknown = "unknown": "only missing or stale facts are in the way",
    }
}
vocabulary! {
    /// How loudly a condition speaks; the order is the order of the queue.
    Severity, "severity", "a severity" {
        High = "high": "work stands still or trust is broken",
        Action = "action": "somebody has to act",
        Watch = "watch": "worth knowing; time or a host may clear it",
        Consequence = "consequence": "follows from another condition and is listed under it",
    }
}

/// Every closed vocabulary declared here, in the order of declaration.
pub(super) const DOCUMENT_WORDS: &[Vocabulary] = &[
    Storage::VOCABULARY,
    CommitVia::VOCABULARY,
    Rotation::VOCABULARY,
    GoalStatus::VOCABULARY,
    Priority::VOCABULARY,
    TaskClass::VOCABULARY,
    TodoStatus::VOCABULARY,
    ActorClass::VOCABULARY,
    RequiredActor::VOCABULARY,
    GateDecision::VOCABULARY,
    GateStanding::VOCABULARY,
    HandoffStanding::VOCABULARY,
    RewardLabel::VOCABULARY,
    SessionMode::VOCABULARY,
    Capability::VOCABULARY,
    HostSurface::VOCABULARY,
    RuntimeId::VOCABULARY,
    HostKind::VOCABULARY,
    WritebackMode::VOCABULARY,
    ProposalType::VOCABULARY,
    SessionStatus::VOCABULARY,
    OutcomeKind::VOCABULARY,
    OutcomeStatus::VOCABULARY,
    EventKind::VOCABULARY,
    EventStatus::VOCABULARY,
    ApprovalStatus::VOCABULARY,
    ArtifactStatus::VOCABULARY,
    Level::VOCABULARY,
    TransitionVerdict::VOCABULARY,
    EventClass::VOCABULARY,
    AdmissionVerdict::VOCABULARY,
    WaitingOn::VOCABULARY,
    GateState::VOCABULARY,
    QuotaState::VOCABULARY,
    MayContinue::VOCABULARY,
    Severity::VOCABULARY,
];

impl TaskClass {
    /// Whether a person does this, not an agent.
    #[must_use]
    pub fn is_user(self) -> bool {
        matches!(self, Self::UserGate | Self::UserAction)
    }
}

impl ActorClass {
    /// Whether this is a class of people; agents and hosts ask and never decide.
    #[must_use]
    pub fn is_person(self) -> bool {
        !matches!(self, Self::Agent | Self::Host)
    }
}

impl SessionStatus {
    /// Whether the session has ended; its facts never become stale.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Stopped)
    }
}

impl EventKind {
    /// The words that an event of this kind may carry (semantics.md 3).
    #[must_use]
    pub fn statuses(self) -> &'static [EventStatus] {
        use EventStatus as S;
        match self {
            Self::Turn => &[S::Queued, S::Claimed, S::Started, S::Completed, S::Unresolved],
            Self::Executor => &[S::Started, S::Refused, S::Stopped],
            Self::Delivery => &[S::Accepted, S::Refused],
        }
    }
}

impl RequiredActor {
    /// The same class among all actor classes.
    #[must_use]
    pub fn class(self) -> ActorClass {
        match self {
            Self::User => ActorClass::User,
            Self::Operator => ActorClass::Operator,
            Self::Controller => ActorClass::Controller,
            Self::Owner => ActorClass::Owner,
        }
    }
}

impl EventClass {
    /// Whether a receipt of this class points at what was made instead of recording what was asked.
    #[must_use]
    pub fn is_pointer(self) -> bool {
        matches!(self, Self::ArtifactPointer | Self::RunProjection)
    }
}

impl HostSurface {
    /// The runtime id and host kind of a session on this surface: the one table of hosts (semantics.md 8).
    #[must_use]
    pub fn row(self) -> (RuntimeId, HostKind) {
        match self {
            Self::CodexCli => (RuntimeId::CodexCliTui, HostKind::CodexCli),
            Self::CodexApp => (RuntimeId::CodexApp, HostKind::CodexApp),
            Self::CodexAppSsh => (RuntimeId::CodexAppSsh, HostKind::CodexAppSsh),
            Self::ClaudeCode => (RuntimeId::ClaudeCode, HostKind::ClaudeCode),
            Self::Cursor => (RuntimeId::Cursor, HostKind::Cursor),
            Self::Opencode => (RuntimeId::Opencode, HostKind::Opencode),
            Self::GeminiCli => (RuntimeId::GeminiCli, HostKind::GeminiCli),
            Self::Acp => (RuntimeId::Acp, HostKind::Acp),
            Self::GenericCli => (RuntimeId::GenericCli, HostKind::GenericCli),
            Self::Kunluncode => (RuntimeId::Kunluncode, HostKind::Kunluncode),
            Self::LocalScheduler => (RuntimeId::LocalScheduler, HostKind::LocalScheduler),
            Self::ArkManagedAgent => (RuntimeId::ArkManagedAgent, HostKind::ArkManagedAgent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_snake_case_or_a_priority_and_stands_once() {
        for vocabulary in DOCUMENT_WORDS {
            let mut words: Vec<_> = vocabulary.words.iter().map(|(word, _)| *word).collect();
            assert!(words.iter().all(|word| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')));
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), vocabulary.words.len(), "{}", vocabulary.name);
        }
    }

    #[test]
    fn every_event_status_belongs_to_some_kind() {
        for status in EventStatus::ALL {
            assert!(EventKind::ALL.iter().any(|kind| kind.statuses().contains(status)), "{status}");
        }
    }
}
