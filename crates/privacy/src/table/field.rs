//! What the structure of a document gives away.

use crate::class::Class;
use crate::row::{Find, Row};

pub(super) const ROWS: &[Row] = &[FORBIDDEN, CONTRADICTED];

/// The row of every refused field name.
pub(crate) const FORBIDDEN: Row = Row {
    id: "field-name",
    class: Class::ForbiddenField,
    what: "a field whose name promises raw or secret material",
    source: "the boundary flags of the contracts, turned into names",
    find: Find::FieldName,
    refused: &[],
    clean: &[],
};

/// The row of flags that say that nothing was copied where something was.
pub(crate) const CONTRADICTED: Row = Row {
    id: "copied-flag",
    class: Class::FlagContradicted,
    what: "a flag that says no such material was copied, in a document that holds some",
    source: "the boundary flags of the contracts",
    find: Find::Elsewhere,
    refused: &[],
    clean: &[],
};
