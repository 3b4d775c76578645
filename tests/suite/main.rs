//! One test binary.

mod cli;
mod contracts;
mod document;
mod example;
mod fixture;
mod layers;
mod project;
mod report;
mod rules;
mod store;
mod vectors;
