//! New ids: a slug that says what it is, and four characters that keep two clones apart.

/// Crockford's base32, lower case: no letter that reads like a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Makes an id of a slug; equal entropy gives equal ids.
#[must_use]
pub fn new_id(slug: &str, entropy: u64) -> String {
    let character = |position: u32| char::from(ALPHABET[(entropy >> (5 * position) & 31) as usize]);
    let end: String = (0..4).map(character).collect();
    format!("{slug}-{end}")
}

/// How many words of a sentence name it.
const WORDS: usize = 3;

/// A slug of the first words of a text; `otherwise` where it has none in letters that an id can hold.
#[must_use]
pub(super) fn slug(text: &str, otherwise: &str) -> String {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.take(WORDS).map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    if slug.is_empty() { otherwise.replace(' ', "-") } else { slug }
}

/// The id of a new todo, from its title; equal entropy gives equal ids.
#[must_use]
pub fn new_todo_id(title: &str, entropy: u64) -> String {
    new_id(&slug(title, "todo"), entropy)
}

/// The name that an actor gets after a person's name; `None` where that has no letters that an id can hold.
#[must_use]
pub fn name_of(person: &str) -> Option<String> {
    Some(slug(person, "")).filter(|name| !name.is_empty())
}

/// The slug of an id that was made here; any other id is its own slug.
#[must_use]
pub fn slug_of(id: &str) -> &str {
    let made = |end: &str| end.len() == 4 && end.bytes().all(|byte| ALPHABET.contains(&byte));
    id.rsplit_once('-').filter(|(slug, end)| !slug.is_empty() && made(end)).map_or(id, |(slug, _)| slug)
}
