//! `loopx review`: pull requests as stories, each with what a reviewer must and must not read.

mod comment;
mod merges;
mod other_files;
mod places;
mod policies;
mod property;
mod remedies;
mod repository;
mod staged;
mod starting;
mod stories;
mod team;
mod vouched;
mod whose;
