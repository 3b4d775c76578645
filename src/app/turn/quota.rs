//! What is left of quotas, the guard of contract 5, and what hosts acknowledge of their timers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value as Json, json};

use super::next::NextRequest;
use super::scope::TurnScope;
use crate::app::error::{Error, ErrorCode};
use crate::app::lookup::actor_here;
use crate::app::plan::PATIENCE;
use crate::document::to_yaml;
use crate::git::Repository;
use crate::privacy::Text;
use crate::reconcile::AgentView;
use crate::store::{Durability, LocalFiles, Store, Wanted};
use crate::turn::{
    Ack, AckState, BackoffHint, DecidedTurn, Situation, Timer, TurnInput, acknowledge, after_limit, failed,
    normalized_rrule, pending_steps, situation, spend_receipt, timer, void_receipt,
};
use crate::vocabulary::{
    ActorClass, ClosedWords, Effect, HostSurface, Id, Instant, Receipt, TaskClass, TurnDecision, TurnMode, TurnResult,
    receipt_path,
};

/// What the guard of contract 5 is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GuardRequest {
    /// The agent.
    pub agent: String,
    /// One of its goals; `None`: the first one to turn to.
    pub goal: Option<String>,
    /// The host; `None`: it is not known.
    pub host: Option<HostSurface>,
    /// The rule that the host was seen to have.
    pub observed_rrule: Option<String>,
}

/// What a host says of its timer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimerReport {
    /// The rule that it applied, or should have.
    pub rrule: Option<String>,
    /// The token of the hint.
    pub reset_token: Option<String>,
    /// The key of the hint.
    pub state_key: Option<String>,
    /// Why it could not change its timer; `None`: it did.
    pub failure: Option<String>,
}

/// What the guard says, and whether the agent is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// For programs.
    pub json: Json,
    /// Whether the answer is yes.
    pub is_ok: bool,
}

/// One agent's turn with everything that its timer is decided from.
struct Guard<'s> {
    scope: &'s TurnScope,
    view: &'s AgentView,
    situation: Situation,
    decided: DecidedTurn,
    turn_id: Option<Id>,
    timer: Timer,
    state: Option<AckState>,
    hint: BackoffHint,
    host: Option<HostSurface>,
}

/// Says what is left of the quota of one goal or of all, and where it stands for each agent.
///
/// # Errors
/// There is no state directory or no such goal, or git cannot be read.
pub fn quota_status(place: &Path, goal: Option<&str>, as_of: Instant) -> Result<Json, Error> {
    let scope = TurnScope::of_all(place, goal, as_of)?;
    let mut goals = BTreeMap::new();
    for goal in &scope.goals {
        let mut agents = Vec::new();
        let mut quota = Json::Null;
        for agent in scope.agents_of(goal) {
            let (views, _) = scope.views(agent.as_str());
            let Some(view) = views.iter().find(|view| view.goal_id == *goal.as_str()) else { continue };
            let (situation, decided) = scope.decide(view);
            quota = view.quota.map_or(Json::Null, |quota| {
                json!({
                    "allowed": quota.allowed,
                    "spent": quota.spent,
                    "left": quota.left(),
                    "window_hours": quota.window.as_seconds() / 3600,
                    "frees_at": quota.turns_at.filter(|_| quota.is_exhausted()),
                })
            });
            agents.push(json!({
                "agent_id": scope.wall().text(&agent),
                "decision": decided.decision,
                "state": situation.state(),
                "pause_cause": situation.pause_cause(),
            }));
        }
        goals.insert(scope.wall().text(goal).to_string(), json!({ "quota": quota, "agents": agents }));
    }
    Ok(json!({ "schema_version": "loopx_quota_status_v0", "as_of": as_of, "goals": goals }))
}

/// The guard of contract 5: whether an agent should run now, and what its host does with its timer.
///
/// # Errors
/// As for [`quota_status`].
pub fn should_run(place: &Path, request: &GuardRequest, as_of: Instant) -> Result<Answered, Error> {
    let scope = TurnScope::of_agent(place, &request.agent, request.goal.as_deref(), as_of)?;
    let (views, _) = scope.views(&request.agent);
    match scope.guard(&views, request) {
        Some(guard) => Ok(Answered { json: guard.to_json(), is_ok: true }),
        None => Ok(Answered { json: not_registered(&scope, &request.agent), is_ok: false }),
    }
}

/// Takes what a host says of its timer: that it applied what it was told, or that it could not. Nothing is spent.
///
/// # Errors
/// As for [`should_run`], there is no repository to keep it beside, or it cannot be written.
pub fn acknowledge_timer(
    place: &Path,
    request: &GuardRequest,
    report: &TimerReport,
    as_of: Instant,
) -> Result<Answered, Error> {
    let scope = TurnScope::of_agent(place, &request.agent, request.goal.as_deref(), as_of)?;
    let (views, _) = scope.views(&request.agent);
    let Some(guard) = scope.guard(&views, request) else {
        return Ok(Answered { json: not_registered(&scope, &request.agent), is_ok: false });
    };
    let files = scope.scheduler_files().ok_or(Error::of(ErrorCode::NoGit))?;
    let key = guard.state_key();
    let answer = |json: Json, is_ok| Ok(Answered { json, is_ok });
    if let Some(kind) = &report.failure {
        let told = (report.rrule.as_deref().or(request.observed_rrule.as_deref()), kind.as_str());
        let state = failed(&guard.timer, &guard.hint, guard.state.clone(), told, as_of);
        scope.remember(&files, &key, &state)?;
        return answer(json!({ "ok": true, "recorded": true, "spends_quota": false, "state_key": key }), true);
    }
    let ack = Ack {
        applied_rrule: report.rrule.as_deref(),
        reset_token: report.reset_token.as_deref(),
        state_key: report.state_key.as_deref(),
    };
    match acknowledge(&guard.timer, &guard.hint, ack, &key, as_of) {
        Ok(state) => {
            let already = state.is_none();
            state.iter().try_for_each(|state| scope.remember(&files, &key, state))?;
            let applied = report.rrule.as_deref().map(normalized_rrule).map(|rule| scope.wall().text(rule));
            let json = json!({
                "ok": true,
                "already_applied": already,
                "applied_rrule": applied,
                "spends_quota": false,
                "state_key": key,
            });
            answer(json, true)
        }
        Err(refusal) => answer(json!({ "ok": false, "reason": refusal.to_string() }), false),
    }
}

/// Writes the spend of a settled turn that lacks it; a turn that has it already is no change.
///
/// # Errors
/// The turn is unknown or did not pass, a monitor's, or of a goal without quota or that is not active.
pub fn quota_spend(place: &Path, turn: &Id, as_of: Instant) -> Result<Json, Error> {
    let (scope, goal, receipt) = settled_turn(place, turn, as_of)?;
    let history = scope.history(&goal);
    let refuse = |why: &str| Err(Error::about(ErrorCode::Refused, format!("{turn}: {why}")));
    let spend = spend_receipt(&receipt, turn);
    if history.spent.contains(turn.as_str()) {
        return Ok(spent_json(&scope, &spend, false));
    }
    let todo = receipt.todo_id.as_ref().and_then(|todo| scope.todo(&goal, todo.as_str()));
    let agent = receipt.agent_id.clone().unwrap_or_else(|| Id::new(""));
    let (views, _) = scope.views(agent.as_str());
    let view = views.iter().find(|view| view.goal_id == *goal.as_str());
    let result = TurnResult::of(receipt.result.word());
    if !matches!(result, Some(TurnResult::Passed | TurnResult::Done)) {
        return refuse("it did not pass, and only what passed spends a slot");
    }
    if todo.is_some_and(|todo| todo.task_class == TaskClass::ContinuousMonitor) {
        return refuse("a monitor's turn spends no slot");
    }
    if !view.is_some_and(AgentView::is_active) {
        return refuse("the goal is not active");
    }
    if view.and_then(|view| view.goal.as_ref()).is_none_or(|goal| goal.quota.is_none()) {
        return refuse("the goal states no quota, so there is nothing to spend");
    }
    scope.write(&spend)?;
    Ok(spent_json(&scope, &spend, true))
}

/// Takes a spend back: a person's act, shown first and written with `execute`.
///
/// # Errors
/// Nothing was spent for the turn, or no person asks.
pub fn quota_void(place: &Path, turn: &Id, by: Option<&str>, execute: bool, as_of: Instant) -> Result<Json, Error> {
    let (scope, goal, receipt) = settled_turn(place, turn, as_of)?;
    let by = match by {
        Some(by) => by.to_owned(),
        None => actor_here(&scope.root, &scope.workspace.policies)?,
    };
    let class = class_of(&scope, &goal, &by).ok_or_else(|| Error::about(ErrorCode::UnknownClass, &by))?;
    let refuse = |why: String| Err(Error::about(ErrorCode::Refused, format!("{turn}: {why}")));
    if !class.is_person() {
        return refuse(format!("{by} is {class}, and only a person takes a spend back"));
    }
    if !scope.history(&goal).spent.contains(turn.as_str()) {
        return refuse("no slot was spent for it".to_owned());
    }
    let void = void_receipt(&receipt, turn, class, as_of);
    let known = scope.root.join(receipt_path(&goal, Effect::QuotaVoid(&goal, turn.as_str()).run_id().as_str()));
    let is_new = !known.is_file() && !scope.records.has(void.run_id.as_str());
    if execute && is_new {
        scope.write(&void)?;
    }
    Ok(json!({
        "schema_version": "loopx_quota_void_v0",
        "ok": true,
        "changed": is_new,
        "written": execute && is_new,
        "path": scope.wall().text(format!("{}{}", scope.prefix, void.path())),
    }))
}

/// The class of somebody: by policy, else by the goal.
fn class_of(scope: &TurnScope, goal: &str, by: &str) -> Option<ActorClass> {
    if scope.agents_of(goal).iter().any(|agent| agent.is_same(by)) {
        return Some(ActorClass::Agent);
    }
    let owner = scope.owner_of(goal).is_some_and(|owner| owner.is_same(by));
    if owner {
        return Some(ActorClass::Owner);
    }
    scope.workspace.policies.actor(by).map(|(_, actor)| actor.class.first())
}

/// The receipt of a settled turn, its goal, and what has to be known of it.
fn settled_turn(place: &Path, turn: &Id, as_of: Instant) -> Result<(TurnScope, String, Receipt), Error> {
    let root = crate::app::state_directory(place)?;
    let repository = Repository::discover(&root)?;
    let goals: BTreeSet<String> = super::scope::goals_of_turn(&root, repository.as_ref(), "", turn)
        .map_err(|_| Error::about(ErrorCode::UnknownReceipt, format!("of {turn}")))?;
    let scope = TurnScope::of_goals(place, root, repository, goals, as_of)?;
    for goal in &scope.goals {
        if let Some(receipt) = scope.turn_receipt(goal, turn)? {
            let goal = goal.clone();
            return Ok((scope, goal, receipt));
        }
    }
    Err(Error::about(ErrorCode::UnknownReceipt, format!("of {turn}")))
}

fn spent_json(scope: &TurnScope, spend: &Receipt, is_new: bool) -> Json {
    json!({
        "schema_version": "loopx_quota_spend_v0",
        "ok": true,
        "idempotent_replay": !is_new,
        "appended": is_new,
        "path": scope.wall().text(format!("{}{}", scope.prefix, spend.path())),
    })
}

fn not_registered(scope: &TurnScope, agent: &str) -> Json {
    json!({
        "schema_version": "loopx_should_run_v0",
        "ok": false,
        "error_code": "quota_agent_not_registered",
        "agent_id": scope.wall().text(agent),
        "should_run": false,
        "state": "blocked_health",
        "next_action": scope.wall().text(scope.unknown_agent(agent).to_string()),
    })
}

impl TurnScope {
    /// The situation of an agent of one goal, and the decision.
    fn decide(&self, view: &AgentView) -> (Situation, DecidedTurn) {
        let history = self.history(view.goal_id.as_str());
        let request = NextRequest { agent: view.agent_id.to_string(), ..NextRequest::default() };
        self.with_input(view, &history, &request, &[], &[], |input| {
            let situation = situation(input, &pending_steps(input));
            (situation, DecidedTurn::of(&situation))
        })
    }

    /// The guard of the first goal to turn to.
    fn guard<'s>(&'s self, views: &'s [AgentView], request: &GuardRequest) -> Option<Guard<'s>> {
        let asked = NextRequest { agent: request.agent.clone(), ..NextRequest::default() };
        let packet = self.next(&asked).ok()?;
        let view = views.iter().find(|view| view.goal_id == *packet.goal_id.as_ref())?;
        let (situation, decided) = self.decide(view);
        let history = self.history(view.goal_id.as_str());
        let timer = self.with_input(view, &history, &asked, &[], &[], |input: &TurnInput<'_>| {
            timer(&input.host_schedule(&situation, decided, request.host))
        });
        let mut guard = Guard {
            scope: self,
            view,
            situation,
            decided,
            turn_id: packet.turn_id.map(|turn| Id::new(turn.as_ref())),
            hint: BackoffHint::of(&timer, None, None, self.as_of),
            timer,
            state: None,
            host: request.host,
        };
        guard.state = self.acknowledged(&guard.state_key());
        guard.hint = BackoffHint::of(&guard.timer, guard.state.as_ref(), request.observed_rrule.as_deref(), self.as_of);
        Some(guard)
    }

    fn scheduler_files(&self) -> Option<LocalFiles> {
        self.repository.as_ref().map(|repository| LocalFiles::of(repository.common_dir()))
    }

    fn acknowledged(&self, key: &str) -> Option<AckState> {
        serde_json::from_slice(&self.scheduler_files()?.read(&scheduler_file(key)).ok()??).ok()
    }

    fn remember(&self, files: &LocalFiles, key: &str, state: &AckState) -> Result<(), Error> {
        let bytes = serde_json::to_vec(state).expect("a state is a tree with text keys");
        let fault = |error: std::io::Error| Error::about(ErrorCode::CannotWrite, error.kind().to_string());
        files.write(&scheduler_file(key), &bytes).map_err(fault)
    }

    fn write(&self, receipt: &Receipt) -> Result<(), Error> {
        let store = Store::open(&self.root, self.repository.clone(), PATIENCE)?;
        let wanted = BTreeMap::from([(receipt.path(), Wanted::Content(to_yaml(receipt).into_bytes()))]);
        store.write(&wanted, &|_, _| false, Durability::Kept)?;
        Ok(())
    }
}

/// Where the acknowledgements under a key stand.
fn scheduler_file(key: &str) -> String {
    format!("scheduler/{key}.json")
}

impl Guard<'_> {
    /// What the acknowledgements of this goal, agent and host are kept under.
    fn state_key(&self) -> String {
        let host = self.host.map_or("none", ClosedWords::word);
        let key = json!([self.scope.prefix_in_repository(), self.view.goal_id, self.view.agent_id, host]).to_string();
        format!("timer-{}", &crate::vocabulary::sha256(key.as_bytes())[..16])
    }

    fn to_json(&self) -> Json {
        let channels = self.decided.channels;
        let asks = self.decided.decision == TurnDecision::Ask || self.decided.mode == TurnMode::ScopedUserGateFallback;
        let text = |text: &str| self.scope.wall().text(text);
        let screen = &self.view.projection.first_screen;
        json!({
            "schema_version": "loopx_should_run_v0",
            "ok": true,
            "goal_id": text(self.view.goal_id.as_str()),
            "agent_id": text(self.view.agent_id.as_str()),
            "should_run": channels.must_attempt,
            "decision": self.decided.decision,
            "state": self.situation.state(),
            "pause_cause": self.situation.pause_cause(),
            "user_action_required": asks,
            "interaction_contract": {
                "schema_version": "loopx_interaction_contract_v0",
                "mode": self.decided.mode,
                "user_channel": { "action_required": asks, "notify": channels.notify() },
                "agent_channel": {
                    "must_attempt": channels.must_attempt,
                    "delivery_allowed": channels.delivery_allowed,
                    "quiet_noop_allowed": channels.quiet_noop,
                },
            },
            "work_lane_contract": {
                "lane": self.decided.lane,
                "obligation": self.decided.obligation,
                "must_attempt_work": channels.must_attempt,
            },
            "todo_id": self.view.todo.as_ref().map(|todo| text(todo.todo_id.as_str())),
            "turn_instance_id": self.turn_id.as_ref().map(|turn| text(turn.as_str())),
            "next_action": screen.next_action,
            "scheduler_hint": self.scheduler_hint(),
        })
    }

    fn scheduler_hint(&self) -> Json {
        let is_app = self.host == Some(HostSurface::CodexApp);
        let hint = &self.hint;
        let (apply, ack) = (hint.apply_needed && is_app, hint.ack_needed && is_app);
        let limit = |host| {
            let word = after_limit(Some(host), self.timer.limit.is_some(), self.timer.progression.is_empty());
            (self.timer.limit, word)
        };
        let limits = [
            ("local_scheduler", limit(HostSurface::LocalScheduler)),
            ("codex_cli_tui", limit(HostSurface::CodexCli)),
            ("claude_code_loop", limit(HostSurface::ClaudeCode)),
            ("codex_app_ssh_goal", limit(HostSurface::CodexAppSsh)),
        ];
        let ack_args = ack.then(|| self.ack_args(&hint.interval.map(crate::turn::rrule).unwrap_or_default()));
        json!({
            "action": self.timer.action,
            "cadence_class": self.timer.class,
            "reason_code": self.timer.reason_code,
            "applicability": match self.host {
                Some(_) if is_app => "applicable",
                Some(_) => "not_applicable",
                None => "blocked_invalid_context",
            },
            "codex_app": {
                "host_action": if is_app { hint.host_action } else { "none" },
                "recommended_rrule": hint.recommended_rrule().filter(|_| is_app),
                "recommended_interval_minutes": hint.interval,
                "stateful_backoff": {
                    "state_key": self.state_key(),
                    "reset_token": self.timer.token,
                    "state_status": hint.state_status,
                    "progression_index": hint.index,
                    "progression_minutes": self.timer.progression,
                    "apply_needed": apply,
                    "ack_needed": ack,
                },
                "ack_hint": { "cli_args": ack_args },
            },
            "unchanged_poll": {
                "limits": limits.iter().map(|(name, (limit, _))| (*name, json!(limit))).collect::<BTreeMap<_, _>>(),
                "after_limits": limits.iter().map(|(name, (_, word))| (*name, json!(word))).collect::<BTreeMap<_, _>>(),
                "final_check": self.timer.limit.is_some(),
            },
        })
    }

    /// The command that acknowledges a rule, as separate words.
    fn ack_args(&self, rrule: &str) -> Vec<Text> {
        let text = |text: &str| self.scope.wall().text(text);
        let host = self.host.map_or("none", ClosedWords::word);
        let fixed = |word| Text::fixed(word);
        vec![
            fixed("quota"),
            fixed("scheduler-ack"),
            fixed("--agent"),
            text(self.view.agent_id.as_str()),
            fixed("--goal"),
            text(self.view.goal_id.as_str()),
            fixed("--host"),
            fixed(host),
            fixed("--applied-rrule"),
            text(rrule),
            fixed("--reset-token"),
            text(&self.timer.token),
        ]
    }
}
