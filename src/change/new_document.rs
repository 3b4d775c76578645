//! Documents that somebody starts.

use std::collections::BTreeMap;

use super::editor::page_of;
use super::id::{new_id, slug};
use super::{Actor, Refusal};
use crate::vocabulary::{
    Binding, Blocks, Boundary, Capability, Gate, Glob, Goal, GoalStatus, Handoff, HostSurface, Id, Instant, Kind,
    Label, Line, Paragraph, Priority, Proposal, ProposalType, ReasonedAct, Record, RequiredActor, Reward, RewardLabel,
    SessionMode, TaskClass, Todo, TodoStatus, WorkspaceSettings,
};

/// What a new document says, beside its goal, its id and who starts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewDocument {
    /// A question that a person has to decide.
    Gate {
        /// What is asked.
        question: Line,
        /// The class that has to decide.
        required_actor: RequiredActor,
        /// What it blocks.
        blocks: Blocks,
        /// What supports the request.
        evidence: Vec<Id>,
        /// When the answer comes too late.
        expires_at: Option<Instant>,
    },
    /// A piece of work.
    Todo {
        /// What is to be done.
        title: Label,
        /// What kind of work it is.
        task_class: TaskClass,
        /// How important it is within the goal.
        priority: Priority,
        /// What has to be done first.
        after: Vec<Id>,
        /// Who has to do it.
        assignee: Option<Id>,
    },
    /// An agent's next action, for somebody to approve.
    Handoff {
        /// The agent that hands over; `None`: whoever drafts it.
        from_agent: Option<Id>,
        /// The agent that takes over.
        to_agent: Id,
        /// The todo that is handed over.
        todo_id: Id,
        /// The gate whose approval approves it.
        gate_id: Option<Id>,
        /// What to do next.
        next_action: Line,
        /// When to stop.
        stop_condition: Line,
        /// What may be written; empty: what the goal allows.
        write_scope: Vec<Glob>,
        /// What supports it.
        evidence: Vec<Id>,
        /// When it can no longer be accepted; `None`: after what the workspace gives handoffs.
        expires_at: Option<Instant>,
    },
    /// What a team wants reached; it starts as a draft.
    Goal {
        /// What is true when the goal is reached.
        objective: Line,
        /// A short name.
        title: Option<Label>,
        /// The person who owns it; `None`: whoever starts it.
        owner: Option<Id>,
        /// The agents that may work on it, each with its scope.
        agents: BTreeMap<Id, Line>,
        /// What may be written.
        write_scope: Vec<Glob>,
        /// When to stop.
        stop_condition: Line,
        /// How important it is.
        priority: Priority,
        /// The command that validates it, as separate words.
        validation_command: Vec<Line>,
    },
    /// An idea for a person to decide on.
    Proposal {
        /// What it is about.
        proposal_type: ProposalType,
        /// The idea.
        summary: Paragraph,
        /// What supports it, at most five ids.
        evidence: Vec<Id>,
    },
    /// What ties an agent to a goal through a host.
    Binding {
        /// The agent.
        agent_id: Id,
        /// What executes it.
        executor_endpoint_id: Id,
        /// The surface of an attached host; `None`: a session that loopx manages.
        host_surface: Option<HostSurface>,
        /// What the host can do.
        capabilities: Vec<Capability>,
        /// The command of a managed session.
        command: Vec<Line>,
    },
    /// A person's judgment.
    Reward {
        /// The run, outcome or handoff that is judged.
        judges: Id,
        /// The judgment.
        reward: RewardLabel,
        /// Why.
        reason: Line,
        /// What to learn from it.
        lesson: Option<Paragraph>,
    },
}

impl NewDocument {
    /// The kind of document that it becomes.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Gate { .. } => Kind::Gate,
            Self::Todo { .. } => Kind::Todo,
            Self::Handoff { .. } => Kind::Handoff,
            Self::Goal { .. } => Kind::Goal,
            Self::Proposal { .. } => Kind::Proposal,
            Self::Binding { .. } => Kind::Binding,
            Self::Reward { .. } => Kind::Reward,
        }
    }

    /// The ids of documents of the goal that it names, each with its kind.
    pub fn references_mut(&mut self) -> Vec<(Kind, &mut Id)> {
        match self {
            Self::Gate { blocks: Blocks::Todos(todos), .. } | Self::Todo { after: todos, .. } => {
                todos.iter_mut().map(|id| (Kind::Todo, id)).collect()
            }
            Self::Handoff { todo_id, gate_id, .. } => {
                let gate = gate_id.as_mut().map(|id| (Kind::Gate, id));
                gate.into_iter().chain([(Kind::Todo, todo_id)]).collect()
            }
            Self::Gate { .. }
            | Self::Goal { .. }
            | Self::Proposal { .. }
            | Self::Binding { .. }
            | Self::Reward { .. } => Vec::new(),
        }
    }

    /// An id that says what it is about; equal entropy gives equal ids.
    #[must_use]
    pub fn new_id(&self, entropy: u64) -> Id {
        let says = match self {
            Self::Gate { question, .. } => question.as_str(),
            Self::Todo { title, .. } => title.as_str(),
            Self::Handoff { todo_id, .. } => todo_id.as_str(),
            Self::Goal { objective, title, .. } => title.as_ref().map_or(objective.as_str(), Label::as_str),
            Self::Proposal { summary, .. } => summary.as_str(),
            Self::Binding { agent_id, .. } => agent_id.as_str(),
            Self::Reward { judges, .. } => judges.as_str(),
        };
        Id::new(new_id(&slug(says, self.kind().row().name), entropy))
    }
}

/// Writes a new document; gives its path and its text.
///
/// # Errors
/// Its id makes no path of a state directory.
pub fn start(
    new_document: &NewDocument,
    goal_id: &Id,
    id: &Id,
    actor: &Actor,
    settings: &WorkspaceSettings,
) -> Result<(String, String), Refusal> {
    let record = record(new_document.clone(), goal_id.clone(), id.clone(), actor, settings);
    page_of(&record, goal_id, id).ok_or_else(|| Refusal::Unwritable { path: format!("the document of {id}") })
}

/// Whether a document says what a new one would say, under an id of its own: asking for it again changes nothing. What
/// happened to a todo since does not matter, unless it is done.
#[must_use]
pub fn says_the_same(new_document: &NewDocument, known: &Record, actor: &Actor, settings: &WorkspaceSettings) -> bool {
    let new = |id: &Id| {
        record(new_document.clone(), Id::new(known.goal_id().unwrap_or_default()), id.clone(), actor, settings)
    };
    match known {
        Record::Goal(goal) => {
            let Record::Goal(new) = new(&goal.goal_id) else { return false };
            *goal == Goal { status: goal.status, ..new }
        }
        Record::Proposal(proposal) => match new(&proposal.proposal_id) {
            Record::Proposal(new) => {
                let (decision, promoted_todo_id) = (proposal.decision.clone(), proposal.promoted_todo_id.clone());
                *proposal == Proposal { decision, promoted_todo_id, ..new }
            }
            _ => false,
        },
        Record::Todo(todo) if todo.status != TodoStatus::Done => match new(&todo.todo_id) {
            Record::Todo(new) => {
                let (claimed_by, evidence) = (todo.claimed_by.clone(), todo.evidence.clone());
                let (status, resume_when) = (todo.status, todo.resume_when.clone());
                *todo == Todo { status, claimed_by, evidence, resume_when, ..new }
            }
            _ => false,
        },
        _ => false,
    }
}

#[expect(clippy::too_many_lines, reason = "a table: every field of each record once")]
fn record(new_document: NewDocument, goal_id: Id, id: Id, actor: &Actor, settings: &WorkspaceSettings) -> Record {
    match new_document {
        NewDocument::Gate { question, required_actor, blocks, evidence, expires_at } => Record::Gate(Gate {
            schema_version: Default::default(),
            goal_id,
            gate_id: id,
            question,
            required_actor,
            blocks,
            revision: 1,
            requested: actor.act(None),
            evidence,
            expires_at,
            decision: None,
            withdrawn: None,
        }),
        NewDocument::Todo { title, task_class, priority, after, assignee } => Record::Todo(Todo {
            schema_version: Default::default(),
            goal_id,
            todo_id: id,
            title,
            task_class,
            status: TodoStatus::Open,
            priority,
            after,
            claimed_by: None,
            assignee,
            evidence: Vec::new(),
            done_at: None,
            resume_when: None,
            cadence: None,
            next_due_at: None,
            expires_at: None,
            watch_only: false,
        }),
        NewDocument::Handoff {
            from_agent,
            to_agent,
            todo_id,
            gate_id,
            next_action,
            stop_condition,
            write_scope,
            evidence,
            expires_at,
        } => Record::Handoff(Handoff {
            schema_version: Default::default(),
            goal_id,
            handoff_id: id,
            from_agent: from_agent.unwrap_or(actor.by.clone()),
            to_agent,
            todo_id,
            gate_id,
            next_action,
            stop_condition,
            write_scope,
            expires_at: expires_at.unwrap_or(actor.at.after(settings.handoff_ttl)),
            evidence,
            approved: None,
            accepted: None,
            withdrawn: None,
        }),
        NewDocument::Goal {
            objective,
            title,
            owner,
            agents,
            write_scope,
            stop_condition,
            priority,
            validation_command,
        } => Record::Goal(Goal {
            schema_version: Default::default(),
            goal_id,
            title,
            objective,
            owner: owner.unwrap_or(actor.by.clone()),
            agents,
            boundary: Boundary { read_scope: Vec::new(), write_scope, stop_condition },
            status: GoalStatus::Draft,
            priority,
            non_goals: Vec::new(),
            authority_sources: Vec::new(),
            quota: None,
            validation_command,
        }),
        NewDocument::Proposal { proposal_type, summary, evidence } => Record::Proposal(Proposal {
            schema_version: Default::default(),
            goal_id,
            proposal_id: id,
            proposal_type,
            summary,
            evidence,
            decision: None,
            promoted_todo_id: None,
        }),
        NewDocument::Binding { agent_id, executor_endpoint_id, host_surface, capabilities, command } => {
            let is_attached = host_surface.is_some();
            Record::Binding(Binding {
                schema_version: Default::default(),
                goal_id,
                session_id: id,
                agent_id,
                session_mode: Some(if is_attached { SessionMode::AttachedHost } else { SessionMode::ManagedRuntime }),
                host_surface,
                executor_endpoint_id,
                attached_capabilities: if is_attached { capabilities } else { Vec::new() },
                channel_id: Id::new("main"),
                operator: Some(actor.by.clone()),
                command,
                closed: None,
                replaced: None,
            })
        }
        NewDocument::Reward { judges, reward, reason, lesson } => {
            let given = ReasonedAct { by: actor.by.clone(), actor_class: actor.actor_class, at: actor.at, reason };
            Record::Reward(Reward {
                schema_version: Default::default(),
                goal_id,
                reward_id: id,
                judges,
                reward,
                given,
                lesson,
            })
        }
    }
}
