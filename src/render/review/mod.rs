//! A review for people, for a comment, for lines and for programs.

mod human;
mod json;
mod markdown;

pub use human::{review, review_concise};
pub use json::review_json;
pub use markdown::{COMMENT_LIMIT, comment};

use crate::privacy::Wall;
use crate::review::Review;

/// A review, and how its parts are called.
#[derive(Debug, Clone, Copy)]
pub struct ReviewComment<'a> {
    /// The review.
    pub review: &'a Review,
    /// The base, as it was called.
    pub base: &'a str,
    /// The head, as it was called.
    pub head: &'a str,
    /// The short ids of both.
    pub commits: (&'a str, &'a str),
    /// The name of the state directory.
    pub name: &'a str,
    /// What stands before a path so that it leads there from the working directory.
    pub prefix: &'a str,
    /// Only the documents of this id, in full.
    pub show: Option<&'a str>,
    /// What may be shown.
    pub wall: &'a Wall,
}

impl ReviewComment<'_> {
    /// The place of a finding: its path from the working directory, and its line.
    fn place(&self, finding: &crate::finding::Finding) -> String {
        let path = &finding.primary.path;
        match (finding.line(), path.starts_with("commit ")) {
            (_, true) => path.to_string(),
            (0, _) => format!("{}{path}", self.prefix),
            (line, _) => format!("{}{path}:{line}", self.prefix),
        }
    }
}
