//! One test binary.

mod contracts;
mod document;
mod layers;
mod project;
mod reconcile;
mod vectors;
mod store;
