//! One test binary.

mod cli;
mod contracts;
mod counts;
mod document;
mod example;
mod fieldcases;
mod fixture;
mod generator;
mod laws;
mod layers;
mod privacy;
mod project;
mod reference;
mod reconcile;
mod receipts;
mod report;
mod rules;
mod scan;
mod store;
mod vectors;
mod writeback_page;
