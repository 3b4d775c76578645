//! A review for programs; the shape is versioned.

use serde_json::{Value as Json, json};

use super::ReviewComment;
use super::human::{kind, phrase, word};
use crate::document::to_json_pretty;
use crate::finding::Finding;
use crate::privacy::Text;
use crate::review::{Opening, Phrase, ReviewItem, ScreenChange};
use crate::vocabulary::Level;

/// Writes a review for programs.
#[must_use]
pub fn review_json(comment: &ReviewComment<'_>) -> String {
    let review = comment.review;
    let wall = comment.wall;
    let phrases = |phrases: &[Phrase]| phrases.iter().map(|one| wall.text(phrase(one))).collect::<Vec<_>>();
    let finding = |finding: &Finding| -> Json {
        json!({
            "rule": finding.rule,
            "level": finding.level,
            "message": finding.message,
            "place": wall.text(comment.place(finding)),
            "help": finding.help,
        })
    };
    let item = |item: &ReviewItem| -> Json {
        json!({
            "verdict": word(item.sign()),
            "kind": kind(item),
            "goal_id": item.goal_id,
            "id": item.id,
            "path": wall.text(format!("{}{}", comment.prefix, item.path)),
            "what": phrases(&item.what),
            "details": phrases(&item.details),
            "breaks": item.breaches.iter().map(&finding).collect::<Vec<_>>(),
        })
    };
    to_json_pretty(&json!({
        "schema_version": "loopx_review_v0",
        "base": wall.text(comment.commits.0),
        "head": wall.text(comment.commits.1),
        "refused": review.is_refused(),
        "counts": {
            "commits": review.commits,
            "refused": review.count(Level::Error),
            "to_look_at": review.count(Level::Warning),
            "opens": review.opens.len(),
            "closes": review.closes.len(),
            "same_meaning": review.same.len(),
        },
        "authors": phrases(&review.authors),
        "verified": review.is_verified,
        "commits": review.of_commits.iter().map(&finding).collect::<Vec<_>>(),
        "widenings": review.widenings.iter().map(&item).collect::<Vec<_>>(),
        "opens": review.opens.iter().map(|it| opening(it, &phrases(&it.because))).collect::<Vec<_>>(),
        "closes": review.closes.iter().map(|it| opening(it, &[])).collect::<Vec<_>>(),
        "items": review.items.iter().map(&item).collect::<Vec<_>>(),
        "same_meaning": review.same,
        "screens": review.screens.iter().map(screen).collect::<Vec<_>>(),
        "not_touched": review.untouched.iter().map(|topic| topic.word()).collect::<Vec<_>>(),
        "receipts": { "brought": review.receipts, "lacking": review.unrecorded },
        "turns": phrases(&review.turns),
        "notes": review.notes,
    }))
}

fn opening(opening: &Opening, because: &[Text]) -> Json {
    json!({
        "goal_id": opening.goal_id,
        "todo_id": opening.todo_id,
        "title": opening.title,
        "agent_id": opening.agent_id,
        "write_scope": opening.write_scope,
        "stop_condition": opening.stop_condition,
        "ends": opening.ends,
        "accepts": opening.accepts,
        "goes_further": opening.is_further,
        "because": because,
    })
}

fn screen(change: &ScreenChange) -> Json {
    json!({
        "goal_id": change.goal_id,
        "agent_id": change.agent_id,
        "before": change.before,
        "after": change.after,
    })
}
