//! One test binary.

mod contracts;
mod document;
mod project;
mod vectors;
