//! The first screen for people: who is waiting on what and why (`loopx status`).

use super::age::age;
use super::table::{quote, table};
use crate::document::to_json_pretty;
use crate::privacy::Text;
use crate::reconcile::{GoalSummary, LastRun, Plan, QuotaReading};
use crate::vocabulary::{
    ActorClass, AttentionOwner, AttentionRow, GoalStatus, Id, Instant, Kind, MayContinue, Projection, Reason, Severity,
    WaitingOn, counted,
};

/// Whose rows a screen shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowFilter {
    /// Only this goal, in full.
    pub goal: Option<String>,
    /// Only what concerns this agent.
    pub agent: Option<String>,
    /// Only what this person can clear.
    pub owner: Option<String>,
    /// Only rows of these reasons; empty: of all.
    pub reasons: &'static [Reason],
    /// Only rows of this severity.
    pub severity: Option<Severity>,
    /// Only rows that began at this instant or later, or at none.
    pub since: Option<Instant>,
    /// What other branches ask of this person.
    pub elsewhere: Vec<GateElsewhere>,
}

/// A question that stands on another branch only: proposed, and nobody waits for it here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateElsewhere {
    /// The branch.
    pub branch: Text,
    /// The goal.
    pub goal_id: Text,
    /// Whether it is a gate or a todo.
    pub kind: Kind,
    /// Its id.
    pub id: Text,
    /// What is asked.
    pub asks: Text,
    /// The command that answers it on the authority branch.
    pub command: Text,
}

/// Draws the screen that a view asks for.
#[must_use]
pub fn status(plan: &Plan, view: &RowFilter, as_of: Instant) -> String {
    match &view.goal {
        Some(goal) => match plan.goals.get(goal.as_str()) {
            Some(summary) => one_goal(plan, view, (goal, summary), as_of),
            None => String::new(),
        },
        None => all_goals(plan, view, as_of),
    }
}

/// One line for each projection: what an agent needs to decide whether to go on.
#[must_use]
pub fn concise(plan: &Plan, view: &RowFilter) -> String {
    let lines = plan.projections.iter().filter(|((goal, agent), _)| is_wanted(view, goal, agent));
    lines.map(|((goal, agent), projection)| concise_line(goal, agent, projection)).collect()
}

/// The screen for programs: the queue and the first screen of every goal and agent that a view asks for.
#[must_use]
pub fn status_json(plan: &Plan, view: &RowFilter, as_of: Instant) -> String {
    let rows: Vec<_> = plan.attention.rows.iter().filter(|row| is_shown(row, view)).collect();
    let rows: Vec<_> =
        rows.into_iter().filter(|row| view.goal.as_ref().is_none_or(|goal| of_goal(row, goal))).collect();
    let screens: Vec<_> =
        plan.projections.iter().filter(|((goal, agent), _)| is_wanted(view, goal, agent)).map(|(_, it)| it).collect();
    let goals: Vec<_> = plan
        .attention
        .goals
        .iter()
        .filter(|goal| view.goal.as_ref().is_none_or(|id| goal.goal_id.as_ref() == id))
        .collect();
    let proposed: Vec<_> = view
        .elsewhere
        .iter()
        .map(|asked| {
            serde_json::json!({
                "branch": asked.branch, "goal_id": asked.goal_id, "kind": asked.kind.row().name, "id": asked.id,
                "asks": asked.asks, "command": asked.command,
            })
        })
        .collect();
    let changes: Vec<_> = plan
        .goals
        .iter()
        .filter(|(goal, _)| view.goal.as_ref().is_none_or(|id| goal.as_str() == id))
        .flat_map(|(goal, summary)| summary.proposed.iter().map(move |it| (goal, it)))
        .map(|(goal, it)| serde_json::json!({ "goal_id": goal, "change": it.what, "command": it.command }))
        .collect();
    to_json_pretty(&serde_json::json!({
        "schema_version": "loopx_status_v0",
        "as_of": as_of,
        "rows": rows,
        "goals": goals,
        "projections": screens,
        "proposed": proposed,
        "proposed_changes": changes,
        "notes": plan.notes,
        "valid_until": plan.valid_until,
    }))
}

fn is_wanted(view: &RowFilter, goal: &Id, agent: &Id) -> bool {
    view.goal.as_ref().is_none_or(|id| goal.as_str() == id) && view.agent.as_ref().is_none_or(|id| agent.as_str() == id)
}

fn concise_line(goal: &Id, agent: &Id, projection: &Projection) -> String {
    let screen = &projection.first_screen;
    let mut line = format!(
        "{goal} {agent} may_continue={} waiting_on={} gate_state={}",
        screen.may_continue, screen.waiting_on, screen.gate_state
    );
    for (name, value) in [("gate", &screen.first_gate_id), ("todo", &screen.first_executable_agent_todo)] {
        if let Some(value) = value {
            line.push_str(&format!(" {name}={value}"));
        }
    }
    line.push('\n');
    line
}

fn all_goals(plan: &Plan, view: &RowFilter, as_of: Instant) -> String {
    let rows: Vec<_> = plan.attention.rows.iter().filter(|row| is_shown(row, view)).collect();
    let mut goals = vec![heading(&["GOAL", "PRI", "WAITING ON", "FOR", "AGENT NOW", "LAST RUN", "NEEDED FIRST"])];
    for listed in &plan.attention.goals {
        let Some((id, summary)) = plan.goals.get_key_value(listed.goal_id.as_ref()) else { continue };
        let mine = rows.iter().any(|row| row.goal_id.as_ref().is_some_and(|goal| goal.as_ref() == id.as_str()));
        if mine || (view.agent.is_none() && view.owner.is_none()) {
            goals.push(goal_row(id, summary, as_of));
        }
    }
    let mut screen = String::new();
    if goals.len() > 1 {
        screen.push_str(&table(&goals));
    }
    if !rows.is_empty() {
        let mut lines = vec![heading(&["#", "SEV", "WAITED", "WHO", "REASON", "ABOUT"])];
        lines.extend(rows.iter().map(|row| queue_row(plan, row, as_of)));
        screen.push('\n');
        screen.push_str(&table(&lines));
    }
    screen.push_str(&proposed_changes(
        plan.goals.iter().filter(|(id, _)| view.goal.as_ref().is_none_or(|goal| id.as_str() == goal)),
    ));
    screen.push_str(&proposed(&view.elsewhere));
    for note in &plan.notes {
        screen.push_str(&format!("{note}\n"));
    }
    let scope = view.agent.as_ref().filter(|_| view.owner.is_none());
    let scope = scope.map_or_else(String::new, |agent| format!(" --agent {agent}"));
    screen.push_str(&count(&rows, plan.attention.rows.len() - rows.len(), &scope));
    screen
}

/// Changes that stand here and open nothing before they are at the authority ref, each with the command.
fn proposed_changes<'p>(goals: impl Iterator<Item = (&'p Id, &'p GoalSummary)>) -> String {
    let mut lines = vec![heading(&["PROPOSED", "CHANGE", "COUNTS AFTER"])];
    for (id, goal) in goals {
        let changes = goal.proposed.iter();
        lines.extend(changes.map(|it| vec![id.to_string(), it.what.to_string(), it.command.to_string()]));
    }
    if lines.len() == 1 { String::new() } else { format!("\n{}", table(&lines)) }
}

/// What other branches ask, each with the command that answers it on the authority branch.
fn proposed(elsewhere: &[GateElsewhere]) -> String {
    if elsewhere.is_empty() {
        return String::new();
    }
    let mut lines = vec![heading(&["PROPOSED ON", "GOAL", "WHAT", "ASKS"])];
    lines.extend(elsewhere.iter().map(|asked| {
        let what = format!("{} {}", asked.kind.row().name, asked.id);
        vec![asked.branch.to_string(), asked.goal_id.to_string(), what, quote(asked.asks.as_ref())]
    }));
    let drawn = table(&lines);
    let mut drawn = drawn.lines();
    let mut text = format!("\n{}\n", drawn.next().unwrap_or_default());
    for (line, asked) in drawn.zip(elsewhere) {
        text.push_str(&format!("{line}\n   do: {}\n", asked.command));
    }
    text
}

fn is_shown(row: &AttentionRow, view: &RowFilter) -> bool {
    view.agent.as_ref().is_none_or(|agent| row.agents.iter().any(|name| name.as_ref() == agent))
        && view.owner.as_ref().is_none_or(|owner| row.owner.name.as_ref() == owner)
        && (view.reasons.is_empty() || view.reasons.contains(&row.reason))
        && view.severity.is_none_or(|severity| row.severity == severity)
        && view.since.is_none_or(|since| row.since.is_none_or(|began| began >= since))
}

fn heading(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn goal_row(id: &Id, summary: &GoalSummary, as_of: Instant) -> Vec<String> {
    vec![
        id.to_string(),
        summary.priority.to_string(),
        waiting(summary),
        summary.waiting_since.map_or_else(|| "-".to_owned(), |since| age(as_of.since(since))),
        now(summary),
        summary.last_run.as_ref().map_or_else(|| "none".to_owned(), |run| last_run(run, as_of)),
        summary.needed_first.to_string(),
    ]
}

fn now(summary: &GoalSummary) -> String {
    match summary.status {
        Some(GoalStatus::Active) | None => summary.may_continue.to_string(),
        Some(status) => status.to_string(),
    }
}

fn waiting(summary: &GoalSummary) -> String {
    match (&summary.waiting_for, summary.waiting_on) {
        (_, WaitingOn::None) => "nobody".to_owned(),
        (Some(owner), WaitingOn::User | WaitingOn::Controller) => who(owner),
        (Some(owner), WaitingOn::Agent) if owner.actor_class == ActorClass::Agent => owner.name.to_string(),
        (_, word) => word.to_string(),
    }
}

/// A name with its class, or the bare class when nobody is named.
fn who(owner: &AttentionOwner) -> String {
    let class = owner.actor_class.to_string();
    if owner.name.as_ref() == class || owner.actor_class == ActorClass::Agent {
        return owner.name.to_string();
    }
    format!("{} ({class})", owner.name)
}

fn last_run(run: &LastRun, as_of: Instant) -> String {
    format!("{} {}", run.status, age(as_of.since(run.at)))
}

fn queue_row(plan: &Plan, row: &AttentionRow, as_of: Instant) -> Vec<String> {
    vec![
        number(plan, row).to_string(),
        row.severity.to_string(),
        row.since.map_or_else(|| "-".to_owned(), |since| age(as_of.since(since))),
        who(&row.owner),
        row.reason.to_string(),
        about(row),
    ]
}

/// The rank of a row in the queue of all goals, or of those that were asked about; `explain` takes it with the same
/// options.
fn number(plan: &Plan, row: &AttentionRow) -> usize {
    plan.attention.rows.iter().position(|other| std::ptr::eq(other, row)).map_or(0, |position| position + 1)
}

fn about(row: &AttentionRow) -> String {
    let mut text = row.about.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match row.consequences.len() {
        0 => {}
        more => text.push_str(&format!(" (+{})", counted(more, "consequence"))),
    }
    text
}

fn count(rows: &[&AttentionRow], others: usize, scope: &str) -> String {
    match (rows.is_empty(), others) {
        (true, 0) => return "Nothing waits for anybody.\n".to_owned(),
        (true, _) => return format!("Nothing of this waits; {others} open for others: loopx status\n"),
        _ => {}
    }
    let of = |words: &[WaitingOn]| rows.iter().filter(|row| words.contains(&row.waiting_on)).count();
    let parts = [
        (of(&[WaitingOn::User, WaitingOn::Controller]), "on people"),
        (of(&[WaitingOn::Agent]), "on agents"),
        (of(&[WaitingOn::Runtime]), "on hosts"),
        (of(&[WaitingOn::ExternalEvidence]), "on events outside"),
    ];
    let waits: Vec<_> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, on)| format!("{number} {on}")).collect();
    let waits = if waits.is_empty() { String::new() } else { format!(": {}", waits.join(", ")) };
    format!("{} open{waits}. One goal: loopx status --goal ID. One row: loopx explain 1{scope}\n", rows.len())
}

fn one_goal(plan: &Plan, view: &RowFilter, (id, summary): (&str, &GoalSummary), as_of: Instant) -> String {
    let mut screen = format!("{id}  {}  {}", summary.priority, first_line(summary, as_of));
    if let Some(title) = &summary.title {
        screen.push_str(&format!("    {}", quote(title.as_ref())));
    }
    screen.push('\n');
    let mut facts = vec![pair("agent now", agent_now(summary)), pair("needed first", summary.needed_first.to_string())];
    facts.push(pair(
        "last run",
        summary.last_run.as_ref().map_or_else(|| "none".to_owned(), |run| run_line(run, as_of)),
    ));
    facts.push(pair("quota", summary.quota.as_ref().map_or_else(|| "no limit".to_owned(), quota)));
    screen.push_str(&table(&facts));
    let rows: Vec<_> = plan.attention.rows.iter().filter(|row| of_goal(row, id)).collect();
    if !rows.is_empty() {
        screen.push('\n');
        screen.push_str(&queue_of_goal(plan, &rows, as_of));
        // Whoever asks about a person has all goals looked at.
        let scope = if view.owner.is_none() { format!(" --goal {id}") } else { String::new() };
        screen.push_str(&format!("One row: loopx explain {}{scope}\n", number(plan, rows[0])));
    }
    screen.push_str(&proposed_changes(plan.goals.iter().filter(|(goal, _)| goal.as_str() == id)));
    for note in &plan.notes {
        screen.push_str(&format!("{note}\n"));
    }
    screen.push_str(&facts_line(summary, as_of));
    screen
}

fn of_goal(row: &AttentionRow, id: &str) -> bool {
    row.goal_id.as_ref().is_none_or(|goal| goal.as_ref() == id)
}

fn pair(name: &str, value: String) -> Vec<String> {
    vec![format!("  {name}"), value]
}

fn first_line(summary: &GoalSummary, as_of: Instant) -> String {
    if let Some(status @ (GoalStatus::Draft | GoalStatus::Paused | GoalStatus::Completed)) = summary.status {
        return status.to_string();
    }
    let since = summary.waiting_since.map_or_else(String::new, |since| format!(" for {}", age(as_of.since(since))));
    format!("waiting on {}{since}", waiting(summary))
}

fn agent_now(summary: &GoalSummary) -> String {
    match (summary.may_continue, &summary.because) {
        (MayContinue::Yes, _) | (_, None) => summary.may_continue.to_string(),
        (word, Some((reason, thing))) => format!("{word}: {reason} ({thing})"),
    }
}

fn run_line(run: &LastRun, as_of: Instant) -> String {
    let summary = run.summary.as_ref().map_or_else(String::new, |text| format!("  {}", quote(text.as_ref())));
    format!("{} {} ago{summary}  {}, {}", run.status, age(as_of.since(run.at)), run.outcome_id, run.agent_id)
}

fn quota(reading: &QuotaReading) -> String {
    let left = reading.allowed.saturating_sub(reading.spent);
    let word = if left > 0 { "eligible" } else { "throttled" };
    let allowed = usize::try_from(reading.allowed).unwrap_or(usize::MAX);
    format!("{word}, {left} of {} left in {}", counted(allowed, "turn"), reading.window)
}

/// The rows of one goal, each with what it explains and the command that clears it.
fn queue_of_goal(plan: &Plan, rows: &[&AttentionRow], as_of: Instant) -> String {
    let mut lines = vec![heading(&["#", "WAITED", "WHO", "REASON", "ABOUT"])];
    for row in rows {
        let mut cells = queue_row(plan, row, as_of);
        cells.remove(1);
        let blocks = row.blocks.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
        if let (Some(about), false) = (cells.last_mut(), blocks.is_empty()) {
            *about = format!("{} blocks {blocks}", row.about.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "));
        }
        lines.push(cells);
        for consequence in &row.consequences {
            lines.push(vec![
                String::new(),
                String::new(),
                String::new(),
                consequence.reason.to_string(),
                follows(consequence.reason, &consequence.about),
            ]);
        }
        lines.push(vec![String::new(), "do:".to_owned(), row.command.to_string()]);
    }
    columns_with_commands(&lines)
}

fn follows(reason: Reason, about: &[Text]) -> String {
    match (reason, about) {
        (Reason::HostCompletedGoalBlocked, [session, ..]) => {
            format!("{session} says completed; the goal stays open until then")
        }
        (Reason::SourceEventNotRecorded, [request, source]) => format!("{request} waits for {source}"),
        _ => format!("{} follows from it", about.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    }
}

/// Sets the rows in columns; a `do:` line runs across them.
fn columns_with_commands(lines: &[Vec<String>]) -> String {
    let rows: Vec<_> = lines.iter().filter(|line| line.len() == 5).cloned().collect();
    let aligned = table(&rows);
    let mut drawn = aligned.lines();
    let mut text = String::new();
    for line in lines {
        match line.as_slice() {
            [_, mark, command] => text.push_str(&format!("   {mark} {command}\n")),
            _ => text.push_str(&format!("{}\n", drawn.next().unwrap_or_default())),
        }
    }
    text
}

fn facts_line(summary: &GoalSummary, as_of: Instant) -> String {
    let stale = match summary.stale_sessions.as_slice() {
        [] => "none stale".to_owned(),
        sessions => format!("stale: {}", sessions.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    };
    match summary.newest_fact {
        Some(at) => format!("facts: newest {} old, {stale}\n", age(as_of.since(at))),
        None => format!("facts: none of a live session, {stale}\n"),
    }
}
