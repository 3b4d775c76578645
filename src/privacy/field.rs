//! Field names, judged by whole words.

/// Words and phrases that a field name must not hold.
const REFUSED: &[&[&str]] = &[
    &["transcript"],
    &["transcripts"],
    &["messages"],
    &["raw"],
    &["rawlog"],
    &["stdout"],
    &["stderr"],
    &["token"],
    &["secret"],
    &["secrets"],
    &["password"],
    &["passwords"],
    &["passwd"],
    &["passphrase"],
    &["credential"],
    &["credentials"],
    &["cookie"],
    &["cookies"],
    &["api", "key"],
    &["api", "keys"],
    &["access", "key"],
    &["private", "key"],
    &["local", "path"],
    &["file", "path"],
    &["request", "body"],
    &["response", "body"],
];

/// Last words that turn a name into a fact about the material instead of the material.
const HARMLESS: &[&str] = &[
    "copied", "recorded", "redacted", "count", "id", "ids", "ref", "refs", "at", "policy", "budget", "state", "status",
    "scan", "used",
];

/// Whether a field of this name must not exist.
pub(super) fn is_forbidden(name: &str) -> bool {
    let words = words(name);
    let harmless = words.last().is_some_and(|last| HARMLESS.contains(&last.as_str()));
    !harmless && REFUSED.iter().any(|phrase| words.windows(phrase.len()).any(|window| window == *phrase))
}

/// Splits a name into lower-case words at punctuation and at changes of case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let characters: Vec<char> = name.chars().collect();
    for (at, &character) in characters.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| characters[at]);
        let next = characters.get(at + 1);
        let opens = character.is_uppercase()
            && previous.is_some_and(|previous| {
                previous.is_lowercase() || (previous.is_uppercase() && next.is_some_and(|next| next.is_lowercase()))
            });
        if opens || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if character.is_alphanumeric() {
            words.last_mut().expect("there is always a word").extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::is_forbidden;

    #[test]
    fn names_are_refused_by_whole_words() {
        for name in ["transcript", "rawLog", "APIKey", "access-token", "local_path", "stderr", "DB_PASSWORD"] {
            assert!(is_forbidden(name), "{name}");
        }
        for name in ["catalog", "draw", "secretary", "token_count", "raw_transcripts_copied", "goal_id", "withdrawn"] {
            assert!(!is_forbidden(name), "{name}");
        }
    }
}
