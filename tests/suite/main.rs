//! One test binary.

mod document;
mod project;
mod vectors;
