//! One test binary.

mod document;
mod layers;
mod project;
mod vectors;
