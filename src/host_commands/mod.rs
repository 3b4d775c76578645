//! A message that somebody types in a host in, the loopx command that it means out; and the packets that such commands
//! print (contract 5, phases 0 to 2).
//!
//! Comes in: a message or a goal text, and what is known of the project. Goes out: a parsed message, a command pack, a
//! guided start, the body of a heartbeat: plain data and fixed text. Pure. Must not know: disk, git, or how it is
//! printed. Nothing here writes, spends or decides anything.

mod catalog;
mod heartbeat;
mod pack;
mod parse;
mod shown;

pub use catalog::{CATALOG, HostCommand, HostCommandKind, catalog_json};
pub use heartbeat::{Heartbeat, HeartbeatFault, heartbeat};
pub use pack::{Project, Unavailable, bootstrap_pack, guided_start};
pub use parse::{ArgumentFault, ParsedMessage, goal_text, parse};
