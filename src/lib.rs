//! Git-reviewed state for long-running agent goals.
//!
//! The order of the `pub mod document;
pub mod privacy;
pub mod vocabulary;
pub mod finding;
pub mod workspace;
pub mod rules;
pub mod project;
