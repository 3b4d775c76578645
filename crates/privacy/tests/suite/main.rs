//! The privacy scanner against corpora of its own making and against hostile input.

mod chance;
mod clean;
mod corpora;
mod corpus;
mod forms;
mod hostile;
mod layers;
mod shapes;
mod unseen;
mod vendor_forms;
mod wrappers;
