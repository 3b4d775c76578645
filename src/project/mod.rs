//! Compact host summaries in, contract 1's read-only projection out.
//!
//! Comes in: the text of one JSON object or of JSON lines, and the wall that every text passes. Goes out: one
//! [`Built`](crate::vocabulary::readonly::Built) projection per object. Must not know: the state directory,
//! receipts, clocks; it keeps the builder's own words and the order of its input.

mod build;
mod member;
mod read;

pub use build::{Malformed, readonly_projection};
pub use read::{JsonFault, read};
