//! One test binary.

mod contracts;
mod document;
mod layers;
mod project;
mod vectors;
mod store;
