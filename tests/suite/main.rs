//! One test binary.

mod ci;
mod cli;
mod contracts;
mod counts;
mod document;
mod example;
mod exceptions;
mod fieldcases;
mod fixture;
mod generator;
mod guides;
mod laws;
mod layers;
mod privacy;
mod project;
mod reference;
mod reconcile;
mod receipts;
mod report;
mod review;
mod rules;
mod scan;
mod store;
mod vectors;
mod watch;
mod writeback_page;
