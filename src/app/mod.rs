//! The use cases: one function for each thing that a person or an agent asks for.
//!
//! Comes in: a request as plain data, with the time where a verdict depends on it. Goes out: plain data to report, or
//! an [`Error`] when the job could not be done. Must not know: arguments, streams, exit codes. The only room that
//! joins rooms.

mod error;
mod explain;
mod lint;
mod schema;

pub use error::{Error, ErrorCode, ErrorRow};
pub use explain::{explain, topics};
pub use lint::{Input, Linted, lint};
pub use schema::{kind_of, kinds, nearest_kind, schema};
