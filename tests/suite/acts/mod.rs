//! The commands that change one document: what each writes, what it refuses, and that repeating it changes nothing.

mod facts;
mod goals;
pub(crate) mod place;
mod todos;
