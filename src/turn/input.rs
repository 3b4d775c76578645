//! What a packet is made of, and the parts of one that it gives.

use super::decide::DecidedTurn;
use super::history::{TurnHistory, TurnRow};
use super::packet::{
    LastTurn, OtherGoal, PendingStep, TurnBoundary, TurnCommands, TurnGate, TurnHandoff, TurnQuota, TurnTodo,
    TurnUserTodo,
};
use super::schedule::{Cursor, HostSchedule, TurnSchedule, schedule};
use super::situation::Situation;
use crate::privacy::{Text, Wall};
use crate::reconcile::AgentView;
use crate::vocabulary::{CLOCK_TOLERANCE, Facts, HostSurface, Id, Instant, Todo, TurnDecision};

/// So many other goals are listed.
const OTHERS: usize = 8;
/// So many sentences are listed.
const NOTES: usize = 4;

/// What a packet is made of.
#[derive(Clone, Copy)]
pub struct TurnInput<'a> {
    /// The agent and what its screen points at.
    pub view: &'a AgentView,
    /// The settled turns of the goal.
    pub history: &'a TurnHistory,
    /// Says what may leave.
    pub wall: &'a Wall,
    /// The instant of the verdict.
    pub as_of: Instant,
    /// The session that was asked for.
    pub session: Option<&'a Id>,
    /// A todo of the goal as it stands in the work tree.
    pub todo_here: &'a dyn Fn(&str) -> Option<&'a Todo>,
    /// The facts of a session as they stand here.
    pub facts_here: &'a dyn Fn(&str) -> Option<&'a Facts>,
    /// Whether there is a repository.
    pub has_repository: bool,
    /// What stands before a path of the state directory so that it leads there.
    pub prefix: &'a str,
    /// The host whose timer is asked about; `Some(None)` where it is not known.
    pub host: Option<Option<HostSurface>>,
    /// What that host gave back.
    pub cursor: Option<&'a Cursor>,
    /// The other goals of the agent.
    pub others: &'a [(Id, TurnDecision)],
    /// Sentences about the repository.
    pub notes: &'a [Text],
}

impl TurnInput<'_> {
    /// Whether the newest receipt is so far ahead that the clock here has to be wrong.
    #[must_use]
    pub fn is_clock_behind(&self) -> bool {
        self.history.newest_at.is_some_and(|newest| newest > self.as_of.after(CLOCK_TOLERANCE))
    }

    /// The session that was asked for, else the agent's only live one.
    #[must_use]
    pub fn session(&self) -> Option<&Id> {
        match &self.view.sessions[..] {
            _ if self.session.is_some() => self.session,
            [only] => Some(&only.session_id),
            _ => None,
        }
    }

    pub(super) fn turn_id(&self, decision: TurnDecision, steps: &[PendingStep]) -> Option<Id> {
        let first = steps.first().filter(|_| decision == TurnDecision::Settle);
        if let Some(turn) = first.and_then(|step| step.turn_id.as_ref()) {
            return Some(Id::new(turn.as_ref()));
        }
        let view = self.view;
        let todo = view.todo.as_ref()?;
        Some(self.history.next_turn_id(view.goal_id.as_str(), view.agent_id.as_str(), todo.todo_id.as_str()))
    }

    pub(super) fn todo(&self, todo: &Todo) -> TurnTodo {
        TurnTodo {
            todo_id: self.wall.text(&todo.todo_id),
            title: self.wall.text(&todo.title),
            task_class: todo.task_class,
            priority: todo.priority,
            claimed_by: todo.claimed_by.as_ref().map(|id| self.wall.text(id)),
        }
    }

    pub(super) fn boundary(&self) -> TurnBoundary {
        let of_goal = self.view.goal.as_ref().map(|goal| &goal.boundary);
        let stop = match (&self.view.handoff, of_goal) {
            (Some((handoff, ..)), _) => self.wall.text(&handoff.stop_condition),
            (None, Some(boundary)) => self.wall.text(&boundary.stop_condition),
            (None, None) => self.view.projection.first_screen.boundary.stop_condition.clone(),
        };
        let read = of_goal.iter().flat_map(|boundary| &boundary.read_scope);
        TurnBoundary {
            write_scope: self.view.write_scope.iter().map(|glob| self.wall.text(glob)).collect(),
            read_scope: read.map(|glob| self.wall.text(glob)).collect(),
            stop_condition: stop,
        }
    }

    pub(super) fn gate(&self) -> Option<TurnGate> {
        let (gate, standing) = self.view.gate.as_ref()?;
        Some(TurnGate {
            gate_id: self.wall.text(&gate.gate_id),
            question: self.wall.text(&gate.question),
            required_actor: gate.required_actor,
            state: *standing,
            expires_at: gate.expires_at,
        })
    }

    pub(super) fn user_todo(&self) -> Option<TurnUserTodo> {
        let todo = self.view.user_todo.as_ref()?;
        Some(TurnUserTodo {
            todo_id: self.wall.text(&todo.todo_id),
            title: self.wall.text(&todo.title),
            assignee: todo.assignee.as_ref().map(|id| self.wall.text(id)),
        })
    }

    pub(super) fn handoff(&self) -> Option<TurnHandoff> {
        let (handoff, standing, accept) = self.view.handoff.as_ref()?;
        Some(TurnHandoff {
            handoff_id: self.wall.text(&handoff.handoff_id),
            next_action: self.wall.text(&handoff.next_action),
            state: *standing,
            expires_at: handoff.expires_at,
            accept: *accept,
        })
    }

    pub(super) fn quota(&self) -> Option<TurnQuota> {
        let quota = self.view.quota?;
        Some(TurnQuota {
            allowed: quota.allowed,
            spent: quota.spent,
            left: quota.left(),
            window_hours: quota.window.as_seconds() / 3600,
            frees_at: quota.turns_at.filter(|_| quota.is_exhausted()),
        })
    }

    pub(super) fn last_turn(&self, row: &TurnRow) -> LastTurn {
        LastTurn {
            turn_id: self.wall.text(&row.turn_id),
            todo_id: self.wall.text(&row.todo_id),
            result: row.result,
            at: row.at,
        }
    }

    pub(super) fn schedule(&self, situation: &Situation, decided: DecidedTurn) -> Option<TurnSchedule> {
        let host = self.host_schedule(situation, decided, self.host?);
        Some(schedule(&host, self.cursor, |text| self.wall.text(text)))
    }

    /// What the timer of a host is decided from.
    #[must_use]
    pub fn host_schedule(
        &self,
        situation: &Situation,
        decided: DecidedTurn,
        host: Option<HostSurface>,
    ) -> HostSchedule<'_> {
        HostSchedule {
            host,
            goal_id: self.view.goal_id.as_str(),
            agent_id: self.view.agent_id.as_str(),
            decision: decided.decision,
            mode: decided.mode,
            stop: situation.stop,
            next_action: self.view.projection.first_screen.next_action.as_ref(),
            next_due_at: self.view.next_due_at,
            as_of: self.as_of,
        }
    }

    pub(super) fn other_goals(&self) -> Vec<OtherGoal> {
        let others = self.others.iter().take(OTHERS);
        others.map(|(goal, decision)| OtherGoal { goal_id: self.wall.text(goal), decision: *decision }).collect()
    }

    pub(super) fn notes(&self) -> Vec<Text> {
        let clock = Text::fixed("the clock here is more than five minutes behind the newest receipt: set it");
        let clock = Some(clock).filter(|_| self.is_clock_behind());
        clock.into_iter().chain(self.notes.iter().cloned()).take(NOTES).collect()
    }

    pub(super) fn commands(&self, decision: TurnDecision, turn: Option<&Id>, steps: &[PendingStep]) -> TurnCommands {
        let mut commands = TurnCommands::default();
        let todo = self.view.todo.as_ref();
        match (decision, todo, turn) {
            (TurnDecision::Report, ..) => commands.first.extend(self.refresh()),
            (TurnDecision::Settle, ..) => {
                commands.settle = steps.first().map(|step| step.command.clone());
            }
            (TurnDecision::Work | TurnDecision::Replan, Some(todo), Some(turn)) => {
                if decision == TurnDecision::Work {
                    commands.first.extend(self.take(todo));
                }
                commands.settle = Some(self.settle_command(turn, &todo.todo_id));
                commands.block = Some(self.about(&["todo", "block"], &todo.todo_id, "--agent"));
                commands.ask = Some(self.ask(&todo.todo_id));
            }
            _ => {}
        }
        commands
    }

    /// What makes a todo the agent's own: accepting its handoff, or claiming what several agents could take.
    fn take(&self, todo: &Todo) -> Option<Vec<Text>> {
        let view = self.view;
        match &view.handoff {
            Some((handoff, _, true)) => Some(self.about(&["handoff", "accept"], &handoff.handoff_id, "--by")),
            Some(_) => None,
            None => {
                let several = view.goal.as_ref().is_some_and(|goal| goal.agents.len() > 1);
                let is_nobodys = todo.assignee.is_none() && todo.claimed_by.is_none();
                (several && is_nobodys).then(|| self.about(&["todo", "claim"], &todo.todo_id, "--agent"))
            }
        }
    }

    /// `loopx VERB ID --goal GOAL NAME AGENT --execute`.
    fn about(&self, verb: &[&'static str], id: &Id, name: &'static str) -> Vec<Text> {
        let mut words = vec![Text::fixed("loopx")];
        words.extend(verb.iter().map(|word| Text::fixed(word)));
        words.extend([self.wall.text(id), Text::fixed("--goal"), self.wall.text(&self.view.goal_id)]);
        words.extend([Text::fixed(name), self.wall.text(&self.view.agent_id), Text::fixed("--execute")]);
        words
    }

    fn ask(&self, todo: &Id) -> Vec<Text> {
        let fixed = ["loopx", "gate", "request", "--goal"].map(Text::fixed);
        let goal = self.wall.text(&self.view.goal_id);
        let (todo, agent) = (self.wall.text(todo), self.wall.text(&self.view.agent_id));
        let rest = [Text::fixed("--blocks"), todo, Text::fixed("--by"), agent, Text::fixed("--execute")];
        fixed.into_iter().chain([goal]).chain(rest).collect()
    }

    fn refresh(&self) -> Option<Vec<Text>> {
        let session = self.session()?;
        let words = ["loopx", "refresh-state", "--session"].map(Text::fixed);
        let status = ["--status", "running"].map(Text::fixed);
        Some(words.into_iter().chain([self.wall.text(session)]).chain(status).collect())
    }

    /// The command that settles a turn.
    #[must_use]
    pub fn settle_command(&self, turn: &Id, todo: &Id) -> Vec<Text> {
        let fixed = |word| Text::fixed(word);
        vec![
            fixed("loopx"),
            fixed("settle"),
            fixed("--turn"),
            self.wall.text(turn),
            fixed("--todo"),
            self.wall.text(todo),
            fixed("--agent"),
            self.wall.text(&self.view.agent_id),
        ]
    }
}
