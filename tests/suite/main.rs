//! One test binary.

mod contracts;
mod document;
mod example;
mod fixture;
mod layers;
mod project;
mod rules;
mod vectors;
mod store;
