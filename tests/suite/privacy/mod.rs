//! The privacy wall: against the vectors, against corpora of its own making, and against hostile input.

mod chance;
mod clean;
mod corpus;
mod field_cases;
mod hostile;
mod metamorphic;
mod shapes;
mod unseen;
mod vectors;
mod wrappers;
