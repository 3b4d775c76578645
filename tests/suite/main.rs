//! One test binary.

mod contracts;
mod document;
mod example;
mod fixture;
mod generator;
mod laws;
mod layers;
mod project;
mod receipts;
mod report;
mod rules;
mod store;
mod vectors;
