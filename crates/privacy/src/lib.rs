//! The privacy scanner: text and documents in, places that must not be committed or shown out.
//!
//! Comes in: text, bytes or a located document, and what a team adds by policy. Goes out: [`Hit`]s that carry place
//! and row, never the value, and [`Text`], the one type of text that may leave the program. Must not know: what a
//! document means, what findings look like, or where anything is written.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod byte_class;
mod class;
mod shape;
mod tree;
mod view;
mod piece;
mod randomness;
mod value;
mod match_context;
mod decode;
mod field;
mod field_prefilter;
mod policy;
mod row;
mod hit;
mod found;
mod exception;
mod table;
mod prefilter;
mod detector;
mod compiled;
mod scan;
mod wall;
mod stream;
mod text;
mod document;
mod payload;
mod reference;
#[cfg(test)]
mod property;
#[cfg(test)]
mod examples;

pub use class::Class;
pub use document::{Fields, Grammar};
pub use exception::Exception;
pub use found::{Found, Part};
pub use hit::Hit;
pub use policy::Policy;
pub use reference::reference;
pub use row::Row;
pub use stream::{Streamed, is_binary};
pub use text::Text;
pub use tree::{Entry, FieldPath, FieldStep, Node};
pub use view::Decoder;
pub use wall::Wall;
