//! `loopx review`: pull requests as stories, each with what a reviewer must and must not read.

mod stories;
mod team;
