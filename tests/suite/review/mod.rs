//! `loopx review`: pull requests as stories, each with what a reviewer must and must not read.

mod comment;
mod repository;
mod stories;
mod team;
mod vouched;

#[test]
fn the_guide_to_reviewing_runs_as_it_is_written() {
    crate::guides::runs_as_written("review.md", 5);
}
