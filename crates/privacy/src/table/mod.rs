//! The table: `rows/*.toml` says what is refused, and the modules here hold the detectors and checks that it names.

mod address;
mod argument;
mod assigned;
mod blob;
mod check;
mod generated;
mod header;
mod invisible;
mod key_block;
mod link;
mod log;
mod network;
mod numeric_ids;
mod output;
mod path;
mod person;
mod session;
mod shaped;
mod speaker;
mod transcript;
mod turn;

use super::class::Class;
use super::piece::Piece::{Lit, Run};
use super::piece::{ALNUM, BASE64, DIGITS, HEX, HEXANY, LETTERS, LOWER, UPPER, URL64};
use super::row::{Find, Row, Trigger};

include!(concat!(env!("OUT_DIR"), "/rows.rs"));

/// Every row, in the order of the reference.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter()
}

/// Whether a token begins as those of a known vendor do: whether it is one, its own row tells by its length.
fn is_of_vendor(token: &[u8]) -> bool {
    let begins = |heads: &[&str]| heads.iter().any(|head| token.starts_with(head.as_bytes()));
    ROWS.iter().any(|row| matches!(row.find, Find::Token { heads, .. } if begins(heads)))
}

impl Class {
    /// The rows of the table that refuse this kind of material.
    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        rows().filter(move |row| row.class == self)
    }
}
