//! One test binary.

mod contracts;
mod document;
mod layers;
mod project;
mod report;
mod vectors;
mod store;
