//! Text in, a located tree out.
//!
//! Comes in: the bytes of one YAML or JSON file. Goes out: one tree in which every key and value knows its
//! byte span, the comments, and every [`Problem`] of the file. Must not know: what any key means.

mod build;
mod decode;
mod edit;
mod fast;
mod fault;
mod json;
mod lines;
mod parse;
mod quotes;
mod resolve;
mod tree;
mod write;
mod yaml;

pub use decode::{DecodeFault, decode};
pub use edit::{Edit, apply, quoted, scalar};
pub use fault::{Fault, MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_PROBLEMS, Problem};
pub use lines::{LineColumn, LineIndex};
pub use parse::{Parsed, is_read_fast, parse, parse_in_full};
pub use resolve::{Ambiguity, Resolved, fits};
pub use tree::{Comment, Document, Entry, Format, Key, Node, Route, Scalar, Span, Step, Style, Value};
pub use write::{to_json_pretty, to_yaml};
