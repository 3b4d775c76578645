//! Reads the conformance vectors under `fixtures/vectors`.

use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// Reads a file of cases; `{{a|b}}` in it stands for `ab`, so that no refused shape stands in the repository.
pub(crate) fn load<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/vectors").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&joined(&text)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A text with each `{{a|b}}` joined.
fn joined(text: &str) -> String {
    let mut parts = text.split("{{");
    let mut joined = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (split, rest) = part.split_once("}}").expect("`{{` is closed by `}}`");
        joined.extend(split.split('|'));
        joined.push_str(rest);
    }
    joined
}
