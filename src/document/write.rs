//! Records to text.

use serde::Serialize;

/// Writes a record as YAML: block style, two spaces a level, a final newline. Text that any reader, also one of
/// YAML 1.1, could take for something else is quoted; text is never folded over lines, so that a later edit of one
/// value is a change of one line.
///
/// # Panics
///
/// When the type is no record: a map whose keys are no text, or a `Serialize` that fails by itself.
#[must_use]
pub fn to_yaml<T: Serialize>(record: &T) -> String {
    let options = serde_saphyr::ser_options! { compact_list_indent: false, prefer_block_scalars: false };
    serde_saphyr::to_string_with_options(record, options).expect("a record is a tree with text keys")
}

/// Writes a record as JSON: fields in the order of the type, two spaces a level, a final newline.
///
/// # Panics
///
/// As [`to_yaml`].
#[must_use]
pub fn to_json_pretty<T: Serialize>(record: &T) -> String {
    let mut text = serde_json::to_string_pretty(record).expect("a record is a tree with text keys");
    text.push('\n');
    text
}
