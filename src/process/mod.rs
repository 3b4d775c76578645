//! Runs commands of other people: for so long and no longer, in a group of their own, and ended with this program.
//!
//! Comes in: the words of a command, a folder, a deadline. Goes out: how it ended, never what it wrote. Must not know:
//! what a command is for, or anything about documents.

mod json_lines;
mod signals;
mod validation;

pub use json_lines::ask_in_json;
pub(crate) use signals::Signals;
pub use validation::{CommandEnd, CommandError, run_command};
