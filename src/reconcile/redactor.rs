//! The one place where what reconcile says becomes text that may leave: every word passes the wall here.

use super::conditions::{Concern, ConditionOwner, ConditionScope, FoundCondition};
use super::screen::Screen;
use crate::privacy::{Text, Wall};
use crate::vocabulary::contract::False;
use crate::vocabulary::memory::ProjectionMode;
use crate::vocabulary::{
    AttentionOwner, ClosedWords, FirstScreen, GateState, Id, Instant, LoopxRefs, ProjectedBoundary, ProjectedRuntime,
    Projection, QuotaState, Reason, Severity, WaitingOn,
};

/// A condition, in words that may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Why.
    pub reason: Reason,
    /// How loudly it speaks.
    pub severity: Severity,
    /// Whose screen it closes.
    pub reach: ConditionScope,
    /// The agents it concerns, sorted.
    pub agents: Vec<Text>,
    /// Who can clear it.
    pub owner: AttentionOwner,
    /// Who or what is waited for.
    pub waiting_on: WaitingOn,
    /// What it makes of the first screen's gate; clear when nothing.
    pub gate_state: GateState,
    /// What it makes of the quota, if anything.
    pub quota_state: Option<QuotaState>,
    /// Since when.
    pub since: Option<Instant>,
    /// What it is about, the thing itself first.
    pub about: Vec<Text>,
    /// The todos it holds up, sorted.
    pub blocks: Vec<Text>,
    /// One safe action for whoever is waited for.
    pub next_action: Text,
    /// The command that clears it.
    pub command: Text,
    /// The condition that explains it, by reason and thing.
    pub explained_by: Option<(Reason, Text)>,
}

/// Speaks through a wall.
#[derive(Debug, Clone, Copy)]
pub(super) struct Redactor<'w>(pub(super) &'w Wall);

impl Redactor<'_> {
    pub(super) fn text(self, text: impl AsRef<str>) -> Text {
        self.0.text(text)
    }

    pub(super) fn texts<T: AsRef<str>>(self, texts: impl IntoIterator<Item = T>) -> Vec<Text> {
        texts.into_iter().map(|text| self.text(text)).collect()
    }

    pub(super) fn maybe(self, text: Option<impl AsRef<str>>) -> Option<Text> {
        text.map(|text| self.text(text))
    }

    pub(super) fn owner(self, owner: ConditionOwner<'_>) -> AttentionOwner {
        AttentionOwner { name: self.text(owner.name), actor_class: owner.class }
    }

    /// Speaks a condition of a goal with these agents.
    pub(super) fn condition(self, found: &FoundCondition<'_>, all: &[Text]) -> Condition {
        Condition {
            reason: found.reason,
            severity: found.severity,
            reach: found.reach,
            agents: match &found.agents {
                Concern::All => all.to_vec(),
                Concern::These(agents) => self.texts(agents),
            },
            owner: self.owner(found.owner),
            waiting_on: found.waiting_on,
            gate_state: found.gate_state,
            quota_state: found.quota_state,
            since: found.since,
            about: self.texts(&found.about),
            blocks: self.texts(&found.blocks),
            next_action: self.text(found.next_action()),
            command: self.text(found.command()),
            explained_by: found.explained_by.as_ref().map(|(reason, thing)| (*reason, self.text(thing))),
        }
    }

    /// Speaks a screen.
    pub(super) fn projection(
        self,
        goal_id: &str,
        agent_id: &str,
        screen: &Screen<'_>,
        valid_until: Option<Instant>,
    ) -> Projection {
        Projection {
            schema_version: Default::default(),
            goal_id: self.text(goal_id),
            agent_id: self.text(agent_id),
            runtime: ProjectedRuntime {
                runtime_id: screen.runtime.map_or(Text::fixed("none"), |runtime| Text::fixed(runtime.word())),
                session_id: self.maybe(screen.session),
                source_ids_redacted: true,
            },
            loopx_refs: LoopxRefs {
                run_id: self.maybe(screen.run),
                todo_id: self.maybe(screen.todo),
                event_id: self.maybe(screen.event),
                outcome_id: self.maybe(screen.outcome),
            },
            first_screen: self.first_screen(screen),
            valid_until,
        }
    }

    fn first_screen(self, screen: &Screen<'_>) -> FirstScreen {
        FirstScreen {
            waiting_on: screen.waiting.on,
            waiting_on_actor_class: screen.waiting.class,
            next_action: self.text(&screen.waiting.next_action),
            open_user_todo: self.maybe(screen.user_todo.map(|todo| &todo.todo_id)),
            open_user_todo_title: self.maybe(screen.user_todo.map(|todo| &todo.title)),
            first_executable_agent_todo: self.maybe(screen.executable.map(|todo| &todo.todo_id)),
            first_executable_agent_todo_title: self.maybe(screen.executable.map(|todo| &todo.title)),
            latest_validation: self.text(&screen.latest_validation),
            gate_state: screen.gate_state,
            first_gate_id: self.maybe(screen.gate.map(|gate| &gate.gate_id)),
            first_gate_question: self.maybe(screen.gate.map(|gate| &gate.question)),
            quota_state: screen.quota_state,
            may_continue: screen.may_continue,
            reasons: screen.reasons.clone(),
            boundary: ProjectedBoundary {
                mode: ProjectionMode::ReadOnlyProjection,
                raw_transcripts_copied: False,
                credentials_copied: False,
                private_paths_copied: False,
                read_scope: self.texts(&screen.boundary.read_scope),
                write_scope: self.texts(&screen.boundary.write_scope),
                stop_condition: self.text(screen.boundary.stop_condition),
            },
        }
    }
}

/// The key of a map whose values leave.
pub(super) fn key(id: &str) -> Id {
    Id::new(id)
}
