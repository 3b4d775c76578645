//! No todo waits for itself.

use std::collections::HashMap;

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, listed};
use crate::document::Route;
use crate::finding::Label;
use crate::privacy::Text;
use crate::vocabulary::{Level, Todo, TodoStatus};
use crate::workspace::LoadedFile;

pub(super) const RULE: Rule = Rule {
    id: "reference/cycle",
    level: Level::Error,
    summary: "todos wait for one another in a circle",
    why: "None of them ever becomes runnable, and no screen would say why.",
    check: RuleCheck::Directory(check),
};

/// Todos that are pointed at beside the first of a circle.
const POINTED_AT: usize = 4;

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for goal in context.workspace.index.goals.keys() {
        let waiting = waiting(context, goal);
        findings.extend(circles(&waiting).iter().map(|circle| finding(rule, context, &waiting, circle)));
    }
}

/// A todo that is not done, with the places in `after` of others like it.
#[derive(Debug)]
struct WaitingTodo<'a> {
    file: &'a LoadedFile,
    todo: &'a Todo,
    /// For each of them its place among the waiting, and its place in `after`.
    after: Vec<(usize, usize)>,
}

/// The todos of a goal that are not done, with their edges among each other.
fn waiting<'a>(context: &RuleContext<'a>, goal: &str) -> Vec<WaitingTodo<'a>> {
    let todos = context.workspace.documents::<Todo>(goal).filter(|(_, todo)| todo.status != TodoStatus::Done);
    let todos: Vec<(&LoadedFile, &Todo)> = todos.collect();
    let numbered = todos.iter().enumerate();
    let places: HashMap<&str, usize> = numbered.map(|(place, (_, todo))| (todo.todo_id.as_str(), place)).collect();
    let edges = |todo: &Todo| {
        let after = todo.after.iter().enumerate();
        after.filter_map(|(item, id)| Some((*places.get(id.as_str())?, item))).collect()
    };
    todos.iter().map(|(file, todo)| WaitingTodo { file, todo, after: edges(todo) }).collect()
}

/// One circle for each knot of todos that wait for one another; each from its first todo on.
///
/// A todo that waits for nothing waiting is let go, again and again; every todo that is left leads into a circle, which
/// a walk along first edges finds. Each todo is walked over once.
fn circles(waiting: &[WaitingTodo<'_>]) -> Vec<Vec<usize>> {
    let mut open: Vec<usize> = waiting.iter().map(|todo| todo.after.len()).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); waiting.len()];
    for (place, todo) in waiting.iter().enumerate() {
        for (other, _) in &todo.after {
            followers[*other].push(place);
        }
    }
    let mut free: Vec<usize> = (0..waiting.len()).filter(|place| open[*place] == 0).collect();
    while let Some(place) = free.pop() {
        for follower in &followers[place] {
            open[*follower] -= 1;
            if open[*follower] == 0 {
                free.push(*follower);
            }
        }
    }
    let next = |place: usize| waiting[place].after.iter().map(|(other, _)| *other).find(|other| open[*other] > 0);
    let mut walked_from: Vec<Option<usize>> = vec![None; waiting.len()];
    let mut circles = Vec::new();
    for start in (0..waiting.len()).filter(|place| open[*place] > 0) {
        let mut way = Vec::new();
        let mut place = start;
        while walked_from[place].is_none() {
            walked_from[place] = Some(start);
            way.push(place);
            place = next(place).expect("a todo that is not let go waits for another one");
        }
        if walked_from[place] == Some(start) {
            let first = way.iter().position(|other| *other == place).expect("this walk passed the place");
            let mut circle = way.split_off(first);
            let least = (0..circle.len()).min_by_key(|at| circle[*at]).unwrap_or(0);
            circle.rotate_left(least);
            circles.push(circle);
        }
    }
    circles
}

fn finding(rule: &Rule, context: &RuleContext<'_>, waiting: &[WaitingTodo<'_>], circle: &[usize]) -> Finding {
    let edge = |at: usize| {
        let (from, to) = (&waiting[circle[at]], circle[(at + 1) % circle.len()]);
        let item = from.after.iter().find(|(other, _)| *other == to).map_or(0, |(_, item)| *item);
        (&from.file.path, Anchor::Value(Route::of("after").index(item)))
    };
    let first = waiting[circle[0]].todo.todo_id.as_str();
    let others: Vec<&str> = circle[1..].iter().map(|place| waiting[*place].todo.todo_id.as_str()).collect();
    let message = match others.is_empty() {
        true => format!("`{first}` waits for itself"),
        false => format!("`{first}` waits for itself through {}", listed(&others)),
    };
    let (path, anchor) = edge(0);
    let mut found = rule.at(path, anchor, context.text(message));
    for at in 1..circle.len().min(POINTED_AT + 1) {
        let (path, anchor) = edge(at);
        found = found.also(Label::new(path, anchor).note(Text::fixed("and this one waits on")));
    }
    found.help(Text::fixed("take one of them out of `after`")).now(Text::fixed("none of them is runnable"))
}
