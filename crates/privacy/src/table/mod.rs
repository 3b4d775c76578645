//! The table: every class, pattern and example is declared here once.

mod address;
mod argument;
mod assigned;
mod blob;
mod chat;
mod field;
mod generated;
mod numeric_ids;
mod header;
mod invisible;
mod key_block;
mod link;
mod log;
mod network;
mod output;
mod path;
mod person;
mod session;
mod shaped;
mod speaker;
mod trace;
mod transcript;
mod turn;
mod vendor;

use super::class::Class;
use super::row::Row;

pub(super) use blob::PACKED;
pub(super) use field::{CONTRADICTED, FORBIDDEN};

/// Every row, in the order of the reference.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    [
        vendor::ROWS,
        assigned::ROWS,
        generated::ROWS,
        argument::ROWS,
        header::ROWS,
        address::ROWS,
        shaped::ROWS,
        key_block::ROWS,
        path::ROWS,
        session::ROWS,
        transcript::ROWS,
        chat::ROWS,
        trace::ROWS,
        output::ROWS,
        log::ROWS,
        network::ROWS,
        person::ROWS,
        link::ROWS,
        blob::ROWS,
        invisible::ROWS,
        field::ROWS,
    ]
    .into_iter()
    .flatten()
}

impl Class {
    /// The rows of the table that refuse this kind of material.
    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        rows().filter(move |row| row.class == self)
    }
}
