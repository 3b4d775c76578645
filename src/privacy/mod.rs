//! The privacy wall: text and documents in, places that must not be committed or shown out.
//!
//! Comes in: text, bytes or a located document, and what a team adds by policy. Goes out: [`Hit`]s that carry place
//! and row, never the value, and [`Text`], the one type of text that may leave the program. Must not know: the kinds
//! of documents, findings, or where anything is written.

mod class;
mod detector;
mod document;
mod exception;
mod field;
mod gates;
mod glance;
mod lens;
mod letter;
mod payload;
mod reference;
mod row;
mod scan;
mod shape;
mod sight;
mod table;
mod text;
mod value;
mod view;
mod wall;

pub use class::Class;
pub use document::{Fields, Found, Grammar, Part};
pub use exception::Exception;
pub use reference::reference;
pub use row::Row;
pub use text::Text;
pub use view::Lens;
pub use wall::{Hit, Policy, Wall};
