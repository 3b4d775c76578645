//! Names of fields that must not exist.

use crate::privacy::class::Class;
use crate::privacy::row::{Find, Row};

pub(super) const ROWS: &[Row] = &[FORBIDDEN];

/// The row of every refused field name.
pub(in crate::privacy) const FORBIDDEN: Row = Row {
    id: "field-name",
    class: Class::ForbiddenField,
    what: "a field whose name promises raw or secret material",
    source: "the boundary flags of the contracts, turned into names",
    find: Find::FieldName,
    refused: &[],
    clean: &[],
};
