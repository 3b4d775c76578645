//! One test binary.

mod project;
mod vectors;
