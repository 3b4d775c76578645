//! "Did you mean": the nearest legal word.

/// Finds the candidate that a person most likely meant; `None` when nothing is near.
///
/// Near is at most a third of the word's length away (counted in edits with swapped neighbours), at least one edit;
/// case and `-`/`_` do not count. Ties go to the first candidate.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(word);
    let limit = (folded.chars().count() / 3).max(1);
    let scored = candidates.into_iter().filter(|candidate| candidate.len().abs_diff(word.len()) <= limit * 4);
    let mut best: Option<(usize, &str)> = None;
    for candidate in scored {
        let distance = strsim::osa_distance(&folded, &fold(candidate));
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn fold(word: &str) -> String {
    word.chars().map(|character| if character == '-' { '_' } else { character.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        let words = ["approve", "reject", "defer"];
        assert_eq!(nearest("aproved", words), Some("approve"));
        assert_eq!(nearest("Defer", words), Some("defer"));
        assert_eq!(nearest("postpone", words), None);
        assert_eq!(nearest("sesion-mode", ["session_mode", "session_id"]), Some("session_mode"));
        assert_eq!(nearest("", words), None);
    }
}
