//! The third corpus: kinds of material, ways of writing and harmless texts that nobody looked at while the wall was tuned.
//!
//! Nothing here is a row's example. Who tunes the wall does so on the other two corpora, and reads only the counts of
//! this one; what it teaches goes into new cases of the others.

mod clean;
mod shapes;
mod wrappers;

pub(super) use clean::FAMILIES;
pub(super) use shapes::SHAPES;
pub(super) use wrappers::WRAPPERS;
