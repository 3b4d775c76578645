//! One test binary.

mod contracts;
mod document;
mod fixture;
mod layers;
mod project;
mod rules;
mod vectors;
mod store;
