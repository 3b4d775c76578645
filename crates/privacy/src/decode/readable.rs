//! The text within decoded bytes.

/// The shortest stretch of text worth a look within decoded bytes.
pub(super) const SHORTEST_STRETCH: usize = 8;

/// Reads bytes as UTF-16 when they are, by their mark or by the zeros of Latin text.
pub(crate) fn wide_text(bytes: &[u8]) -> Option<String> {
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|&&byte| byte == 0).count();
    let mostly = |count: usize| count > 4 && count * 5 >= (bytes.len() / 2) * 4;
    let little = match bytes {
        [0xff, 0xfe, ..] => true,
        [0xfe, 0xff, ..] => false,
        _ if mostly(zeros(1)) => true,
        _ if mostly(zeros(0)) => false,
        _ => return None,
    };
    let units = bytes.chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    });
    Some(char::decode_utf16(units).map(|character| character.unwrap_or('\u{fffd}')).collect())
}

/// Whether nearly all bytes are text, so that nothing in them stays unseen.
pub(super) fn is_text_throughout(bytes: &[u8]) -> bool {
    let text: usize = stretches(bytes).map(|part| part.len()).sum();
    text * 10 >= bytes.len() * 9
}

pub(super) fn is_text(byte: u8) -> bool {
    byte >= b' ' && byte != 0x7f || matches!(byte, b'\n' | b'\r' | b'\t' | 0x1b)
}

/// The stretches of text within bytes; UTF-16 counts as text.
pub(super) fn stretches(bytes: &[u8]) -> impl Iterator<Item = String> {
    let wide = wide_text(bytes);
    let narrow = if wide.is_some() { &[][..] } else { bytes };
    let parts = narrow
        .utf8_chunks()
        .flat_map(|chunk| chunk.valid().split(|character: char| character.is_ascii() && !is_text(character as u8)));
    let parts: Vec<String> = parts.filter(|part| part.len() >= SHORTEST_STRETCH).map(str::to_owned).collect();
    wide.into_iter().chain(parts)
}
