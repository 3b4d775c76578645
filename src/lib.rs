//! Git-reviewed state for long-running agent goals.
//!
//! The order of the `pub mod` lines is the import order: a module may use the modules above it, never one below.
//! The API is unstable; the program is the product.

pub mod document;
pub mod privacy;
pub mod vocabulary;
pub mod finding;
pub mod workspace;
pub mod effective;
pub mod change;
pub mod rules;
pub mod git;
pub mod reconcile;
pub mod turn;
pub mod hosts;
pub mod project;
pub mod review;
pub mod render;
pub mod host_commands;
pub mod report;
pub mod process;
pub mod store;
pub mod watch;
pub mod app;
pub mod cli;
