//! Over generated workspaces and branches: a turn never works where the effective tree says no.

use std::collections::BTreeSet;

use loopx::app::world;
use loopx::change::{SourceDocument, record_progress};
use loopx::reconcile::agent_views;
use loopx::turn::{PACKET_LIMIT, TurnHistory, TurnInput, TurnPacket, TurnRow, fit, line, packet, progress};
use loopx::vocabulary::{Facts, Id, Instant, MayContinue, Record, Todo, TurnDecision, TurnResult};
use loopx::workspace::MemoryFiles;
use rayon::prelude::*;

use crate::effective::property::branched;
use crate::generator::Generated;

fn cases() -> u64 {
    std::env::var("LOOPX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

/// What is wrong with the packets of a drawn branch, and how many of them say to work.
fn judge(seed: u64) -> (Vec<String>, usize) {
    let now = Generated::now();
    let (_, trees) = branched(seed);
    let joined = trees.join(now);
    let (permits, plan) = (joined.permits(now), joined.plan(now));
    let world = world(&joined.workspace, &joined.records);
    let agents: BTreeSet<&str> = plan.projections.keys().map(|(_, agent)| agent.as_str()).collect();
    let (mut wrong, mut works) = (Vec::new(), 0);
    for agent in agents {
        for view in agent_views(&world, &joined.workspace.wall, now, agent) {
            let packet = packet_of(&view, &joined.workspace.wall);
            let key = (view.goal_id.clone(), view.agent_id.clone());
            if plan.projections.get(&key) != Some(&view.projection) {
                wrong.push(format!("{seed}: the view of {agent} is not its projection"));
            }
            if line(&packet).len() > PACKET_LIMIT {
                wrong.push(format!("{seed}: {} bytes for {agent}", line(&packet).len()));
            }
            if packet.decision != TurnDecision::Work {
                continue;
            }
            works += 1;
            let todo = packet.todo.as_ref().map_or("", |todo| todo.todo_id.as_ref());
            let permit = permits.iter().find(|permit| {
                permit.goal_id == view.goal_id && permit.todo_id == *todo && permit.agents.contains_key(agent)
            });
            let is_within =
                permit.is_some_and(|permit| view.write_scope.iter().all(|glob| glob.is_within(&permit.write_scope)));
            if !is_within || packet.may_continue != MayContinue::Yes {
                wrong.push(format!("{seed}: {agent} works on {todo}, {}", packet.may_continue));
            }
        }
    }
    (wrong, works)
}

/// What a settled turn writes into its todo.
fn finished(text: &str, path: &str, agent: &str) -> Option<String> {
    let workspace = loopx::rules::open(&MemoryFiles::from_iter([(path.to_owned(), text.as_bytes().to_vec())]), now());
    let record = workspace.entries.iter().find(|entry| *entry.path == *path)?.record.as_ref()?;
    let Record::Todo(todo) = record else { return None };
    let turn = TurnRow {
        run_id: Id::new("run-0000000000000000"),
        turn_id: Id::new("turn-0000000000000000"),
        agent_id: Id::new(agent),
        todo_id: todo.todo_id.clone(),
        session_id: None,
        outcome_id: None,
        result: TurnResult::Done,
        at: now(),
    };
    let is_nobodys = todo.assignee.is_none() && todo.claimed_by.is_none();
    record_progress(SourceDocument { path, text, record }, todo, &progress(todo, &turn, is_nobodys)).ok()
}

/// What a settled turn opens for others beyond the todos that wait for its own, step by step; and how many it settled.
///
/// `is_merged`: what is written stands at the authority ref at once, as nothing that an agent writes does.
fn opened(seed: u64, settle: &dyn Fn(&str, &str, &str) -> Option<String>, is_merged: bool) -> (Vec<String>, usize) {
    let (_, trees) = branched(seed);
    let joined = trees.join(now());
    let before = joined.permits(now());
    let world = world(&joined.workspace, &joined.records);
    let agents: BTreeSet<Id> = before.iter().flat_map(|permit| permit.agents.keys().cloned()).collect();
    let (mut wrong, mut settled) = (Vec::new(), 0);
    for agent in &agents {
        let views = agent_views(&world, &joined.workspace.wall, now(), agent.as_str());
        for view in views {
            let packet = packet_of(&view, &joined.workspace.wall);
            let Some(todo) = packet.todo.filter(|_| packet.decision == TurnDecision::Work) else { continue };
            let path = format!("goals/{}/todos/{}.yaml", view.goal_id, todo.todo_id);
            let text = trees.here.get(&path).and_then(Option::as_ref).and_then(|bytes| std::str::from_utf8(bytes).ok());
            let Some(new) = text.and_then(|text| settle(text, &path, agent.as_str())) else { continue };
            settled += 1;
            let mut after = trees.clone();
            let new = Some(new.into_bytes());
            if is_merged {
                after.head.insert(path.clone(), new.clone());
                after.reference.insert(path.clone(), new.clone());
                after.base.iter_mut().for_each(|base| drop(base.insert(path.clone(), new.clone())));
            }
            after.here.insert(path, new);
            let after = after.join(now());
            for permit in after.permits(now()) {
                let was = before.iter().find(|one| one.goal_id == permit.goal_id && one.todo_id == permit.todo_id);
                let of_others = permit.agents.keys().filter(|other| *other != agent);
                let is_new = |other: &&Id| was.is_none_or(|was| !was.agents.contains_key(*other));
                let path = format!("goals/{}/todos/{}.yaml", permit.goal_id, permit.todo_id);
                let versions = [&trees.here, &trees.head, &trees.reference].into_iter();
                let texts = versions.filter_map(|tree| tree.get(&path)?.as_deref());
                let mut texts = texts.map(String::from_utf8_lossy);
                // `after` is the only edge between todos, in whichever version.
                let is_other = permit.todo_id != *todo.todo_id.as_ref();
                let waited = is_other && texts.any(|text| text.contains(todo.todo_id.as_ref()));
                let opened: Vec<&Id> = of_others.filter(is_new).filter(|_| !waited).collect();
                if !opened.is_empty() {
                    wrong.push(format!(
                        "{seed}: {agent} settled {}, {opened:?} may start {}",
                        todo.todo_id, permit.todo_id
                    ));
                }
            }
        }
    }
    (wrong, settled)
}

fn now() -> Instant {
    Generated::now()
}

#[test]
fn a_settled_turn_opens_nothing_for_others_but_what_waited_for_its_todo() {
    let judged: Vec<(Vec<String>, usize)> =
        (0..cases()).into_par_iter().map(|seed| opened(seed, &finished, false)).collect();
    let settled: usize = judged.iter().map(|(_, settled)| settled).sum();
    let wrong: Vec<&String> = judged.iter().flat_map(|(wrong, _)| wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(settled > 20, "only {settled} turns are settled");
    // A hole: whoever settles gives the todo to everybody, at the authority ref.
    let hole = |text: &str, _: &str, agent: &str| {
        let kept = text.lines().filter(|line| !line.starts_with("assignee:") && !line.starts_with("claimed_by:"));
        let text: String = kept.map(|line| format!("{line}\n")).collect();
        (!agent.is_empty()).then_some(text)
    };
    let found = (0..cases()).into_par_iter().any(|seed| !opened(seed, &hole, true).0.is_empty());
    assert!(found, "a planted hole is not seen");
}

fn packet_of(view: &loopx::reconcile::AgentView, wall: &loopx::privacy::Wall) -> TurnPacket {
    let history = TurnHistory::default();
    let todo_here = |_: &str| -> Option<&Todo> { None };
    let facts_here = |_: &str| -> Option<&Facts> { None };
    let input = TurnInput {
        view,
        history: &history,
        wall,
        as_of: Generated::now(),
        session: None,
        todo_here: &todo_here,
        facts_here: &facts_here,
        has_repository: true,
        prefix: "",
        host: None,
        cursor: None,
        others: &[],
        notes: &[],
    };
    fit(packet(&input), wall)
}

#[test]
fn no_turn_works_where_the_effective_tree_says_no() {
    let judged: Vec<(Vec<String>, usize)> = (0..cases()).into_par_iter().map(judge).collect();
    let works: usize = judged.iter().map(|(_, works)| works).sum();
    let wrong: Vec<&String> = judged.iter().flat_map(|(wrong, _)| wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(works > 20, "only {works} turns work");
}
