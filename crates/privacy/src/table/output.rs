//! Output of tools.

/// Whether three places in files may stand in a text: the last letter of an ending, then the number of a line.
pub(super) fn may_list_places(text: &[u8]) -> bool {
    let is_place =
        |[ending, colon, line]: &&[u8; 3]| ending.is_ascii_lowercase() && *colon == b':' && line.is_ascii_digit();
    text.array_windows().filter(is_place).count() >= 3
}
