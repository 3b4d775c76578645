//! `loopx review`: pull requests as stories, each with what a reviewer must and must not read.

mod comment;
mod merges;
mod policies;
mod repository;
mod stories;
mod team;
mod vouched;
