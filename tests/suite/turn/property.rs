//! Over generated workspaces and branches: a turn never works where the effective tree says no.

use std::collections::BTreeSet;

use loopx::app::world;
use loopx::reconcile::agent_views;
use loopx::turn::{PACKET_LIMIT, TurnHistory, TurnInput, TurnPacket, fit, line, packet};
use loopx::vocabulary::{Facts, MayContinue, Todo, TurnDecision};
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
