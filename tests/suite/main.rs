//! One test binary.

mod document;
