//! One test binary.

mod cli;
mod contracts;
mod document;
mod example;
mod fixture;
mod generator;
mod laws;
mod layers;
mod project;
mod report;
mod rules;
mod store;
mod vectors;
