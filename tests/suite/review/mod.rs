//! `loopx review`: pull requests as stories, each with what a reviewer must and must not read.

mod comment;
mod property;
mod repository;
mod stories;
mod team;
mod vouched;
mod whose;
