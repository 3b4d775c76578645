//! What a writeback request may reflect: the recorded event that its source names, and what a host would be told of it.
//!
//! A source is the id of a gate, handoff, reward, artifact or run. Documents come first, then receipts by their run id,
//! then artifacts by the receipt that names them. An event counts while its receipt is recorded and what it records
//! still stands; facts have no say.

use super::goal_context::GoalContext;
use super::goal_state::GoalState;
use super::ledger::RecordStatus;
use super::quota::QuotaReading;
use super::receipts;
use super::world::{DocumentFault, Recorded};
use crate::vocabulary::writeback::{QuotaHint, SourceEvent};
use crate::vocabulary::{
    ActorClass, Blocks, ClassedAct, Digest, Effect, EventClass, Gate, GateStanding, Handoff, HandoffStanding, Id,
    Instant, Kind, Receipt, RequiredActor, Reward,
};

/// What a source turns out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResolvedSource<'a> {
    /// A recorded event that stands.
    Event(RecordedEvent<'a>),
    /// Something that is not recorded, or does not stand any more.
    Unrecorded {
        /// The agent that it is for, when it is for one.
        agent: Option<&'a str>,
        /// What a person or an agent has to do about it.
        action: String,
    },
    /// A document that cannot be used, by path.
    Trouble(DocumentFault, &'a str),
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordedEvent<'a> {
    /// Its receipt.
    pub(super) run_id: Id,
    /// The digest of what was decided or done.
    pub(super) digest: Digest,
    /// The agent that it is for; `None`: all of the goal.
    pub(super) agent: Option<Id>,
    /// The one todo it is about.
    pub(super) todo: Option<Id>,
    /// What a host would be told.
    pub(super) reported: WritebackContent<'a>,
}

/// What a host would be told, by class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WritebackContent<'a> {
    Decision { gate: &'a Gate, label: &'static str, class: RequiredActor, reason: &'a str },
    Reward(&'a Reward),
    Quota { hint: QuotaHint, window_id: String, reason_code: &'static str },
    Handoff(&'a Handoff),
    Artifact { artifact_id: &'a Id, receipt: &'a Receipt },
    Run(&'a Receipt),
}

impl WritebackContent<'_> {
    /// What kind of event it is.
    pub(super) fn event_class(&self) -> SourceEvent {
        match self {
            Self::Decision { .. } => SourceEvent::OperatorGate,
            Self::Reward(_) => SourceEvent::HumanReward,
            Self::Quota { .. } => SourceEvent::QuotaDecision,
            Self::Handoff(_) => SourceEvent::HandoffPacket,
            Self::Artifact { .. } => SourceEvent::ArtifactPointer,
            Self::Run(_) => SourceEvent::RunProjection,
        }
    }
}

impl<'a> ResolvedSource<'a> {
    /// Looks a source up.
    pub(super) fn of(state: &GoalState<'_, 'a>, id: &'a str) -> Self {
        let context = state.context;
        of_document(state, id)
            .or_else(|| of_trouble(context, id))
            .or_else(|| of_run(state, id))
            .or_else(|| context.ledger.artifact(id).and_then(|receipt| of_artifact(context, receipt)))
            .unwrap_or_else(|| unrecorded(format!("record {id}: no receipt of this goal is of it")))
    }

    /// The agent that it is for; `None`: all of the goal, or nobody knows.
    pub(super) fn agent(&self) -> Option<&str> {
        match self {
            Self::Event(event) => event.agent.as_ref().map(Id::as_str),
            Self::Unrecorded { agent, .. } => *agent,
            Self::Trouble(..) => None,
        }
    }
}

fn unrecorded<'a>(action: String) -> ResolvedSource<'a> {
    ResolvedSource::Unrecorded { agent: None, action }
}

fn of_document<'a>(state: &GoalState<'_, 'a>, id: &str) -> Option<ResolvedSource<'a>> {
    let documents = state.context.documents;
    if let Some(gate) = documents.gates.get(id) {
        return Some(of_gate(state, gate));
    }
    if let Some(handoff) = documents.handoffs.get(id) {
        return Some(of_handoff(state, handoff));
    }
    documents.rewards.get(id).map(|reward| of_reward(state.context, reward))
}

fn of_trouble<'a>(context: &GoalContext<'a>, id: &str) -> Option<ResolvedSource<'a>> {
    let may_be = |kind| matches!(kind, Some(Kind::Gate | Kind::Handoff | Kind::Reward));
    let document = context.documents.unusable.iter().find(|it| may_be(it.kind) && it.id.as_deref() == Some(id))?;
    Some(ResolvedSource::Trouble(document.fault, &document.path))
}

fn of_gate<'a>(state: &GoalState<'_, 'a>, gate: &'a Gate) -> ResolvedSource<'a> {
    let decision = || gate.decision.as_ref().map(|act| (act.actor_class, act.reason.as_str()));
    let (label, receipt, act) = match state.gate(gate.gate_id.as_str()).standing {
        GateStanding::Approved | GateStanding::Consumed => ("approved", receipts::of_gate(gate), decision()),
        GateStanding::Rejected => ("rejected", receipts::of_gate(gate), decision()),
        GateStanding::Deferred => ("deferred", receipts::of_gate(gate), decision()),
        GateStanding::Withdrawn => {
            ("withdrawn", receipts::of_gate_withdrawal(gate), gate.withdrawn.as_ref().map(withdrawal))
        }
        GateStanding::Requested | GateStanding::Expired => ("", None, None),
    };
    let (Some(receipt), Some((class, reason))) = (receipt, act) else {
        return unrecorded(format!("decide {} and record the decision", gate.gate_id));
    };
    // The gate counts the act, so it is of the class that was asked, or of an owner.
    let class = if class == ActorClass::Owner { RequiredActor::Owner } else { gate.required_actor };
    let todo = match &gate.blocks {
        Blocks::Todos(todos) if todos.len() == 1 => todos.first().cloned(),
        _ => None,
    };
    ResolvedSource::Event(RecordedEvent {
        todo,
        ..event(&receipt, WritebackContent::Decision { gate, label, class, reason })
    })
}

/// Who took a request back, and why.
fn withdrawal(act: &ClassedAct) -> (ActorClass, &str) {
    (act.actor_class, act.reason.as_ref().map_or("the request was withdrawn", |reason| reason.as_str()))
}

fn of_handoff<'a>(state: &GoalState<'_, 'a>, handoff: &'a Handoff) -> ResolvedSource<'a> {
    let id = &handoff.handoff_id;
    let action = match state.handoff(id.as_str()).standing {
        HandoffStanding::Accepted => {
            return match receipts::of_handoff_acceptance(handoff) {
                Some(receipt) => ResolvedSource::Event(event(&receipt, WritebackContent::Handoff(handoff))),
                None => unrecorded(format!("record that {id} was accepted")),
            };
        }
        HandoffStanding::Withdrawn => format!("take the request back: {id} is withdrawn"),
        HandoffStanding::Drafted | HandoffStanding::Approved | HandoffStanding::Expired => {
            format!("have {id} accepted, and record it")
        }
    };
    ResolvedSource::Unrecorded { agent: Some(handoff.to_agent.as_str()), action }
}

fn of_reward<'a>(context: &GoalContext<'a>, reward: &'a Reward) -> ResolvedSource<'a> {
    match context.rewards[reward.reward_id.as_str()] {
        RecordStatus::Recorded => {
            ResolvedSource::Event(event(&receipts::of_reward(reward), WritebackContent::Reward(reward)))
        }
        RecordStatus::Nothing | RecordStatus::Proposed | RecordStatus::Conflict => {
            unrecorded(format!("record {}", reward.reward_id))
        }
    }
}

/// The event of a receipt. One of a document counts only while the document stands as it says.
fn of_run<'a>(state: &GoalState<'_, 'a>, run_id: &str) -> Option<ResolvedSource<'a>> {
    let context = state.context;
    let Some(Recorded::Receipt(receipt)) = context.world.receipts.get(run_id) else { return None };
    if receipt.run_id != *run_id || receipt.goal_id != *context.goal_id || !receipt.is_sound() {
        return None;
    }
    if let Some((_, id)) = Effect::read(receipt.effect_key.as_str()).and_then(Effect::document) {
        return Some(match of_document(state, id)? {
            ResolvedSource::Event(event) if event.run_id != receipt.run_id => {
                unrecorded(format!("name {id} instead: {run_id} is not what stands of it"))
            }
            source => source,
        });
    }
    match receipt.event_class {
        EventClass::QuotaSpend | EventClass::QuotaVoid => {
            Some(ResolvedSource::Event(event(receipt, quota(context, receipt.at))))
        }
        EventClass::Turn | EventClass::RunProjection => {
            Some(ResolvedSource::Event(event(receipt, WritebackContent::Run(receipt))))
        }
        EventClass::ArtifactPointer => of_artifact(context, receipt),
        _ => Some(unrecorded(format!("name another source: {run_id} is of no class that a host is told about"))),
    }
}

fn of_artifact<'a>(context: &GoalContext<'a>, receipt: &'a Receipt) -> Option<ResolvedSource<'a>> {
    let artifact_id = receipt.artifact()?;
    // A later receipt may name the same artifact again.
    let receipt = context.ledger.artifact(artifact_id.as_str()).unwrap_or(receipt);
    Some(ResolvedSource::Event(event(receipt, WritebackContent::Artifact { artifact_id, receipt })))
}

/// What the quota was right after a slot was spent or taken back: receipts alone say it, whatever the time.
fn quota<'a>(context: &GoalContext<'a>, at: Instant) -> WritebackContent<'a> {
    let quota = context.goal().and_then(|goal| goal.quota.as_ref());
    let Some(quota) = quota else {
        let window_id = "no-window".to_owned();
        return WritebackContent::Quota { hint: QuotaHint::Eligible, window_id, reason_code: "no_quota" };
    };
    let reading = QuotaReading::new(quota, context.ledger, at);
    let (hint, reason_code) = match reading.is_exhausted() {
        false => (QuotaHint::Eligible, "slots_left"),
        true if quota.compute <= 0.0 => (QuotaHint::Throttled, "compute_quota_zero"),
        true => (QuotaHint::Throttled, "window_used_up"),
    };
    let until = at.to_string().replace(':', "");
    WritebackContent::Quota { hint, window_id: format!("{}h-until-{until}", quota.window_hours), reason_code }
}

fn event<'a>(receipt: &Receipt, reported: WritebackContent<'a>) -> RecordedEvent<'a> {
    RecordedEvent {
        run_id: receipt.run_id.clone(),
        digest: receipt.source.digest.clone(),
        agent: receipt.agent_id.clone(),
        todo: receipt.todo_id.clone(),
        reported,
    }
}
