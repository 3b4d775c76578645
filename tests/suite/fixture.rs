//! Folders of documents as the rules read them, with what no repository can hold written as a placeholder.
//!
//! In a file, `{{a|b}}` stands for `ab` (so that no refused shape stands in the repository), `{{3*ab}}` for `ababab`
//! and `{{\xff}}` for that byte. In a name, `%41` stands for `A`: a name that some system refuses or folds together
//! with its neighbour. A file `x.link` is the symbolic link `x`; a file `x.refused` is a file `x` that the system does
//! not let us read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loopx::workspace::{Files, ReadFault};

/// A folder of documents in memory.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    files: BTreeMap<String, Option<Vec<u8>>>,
    names: Vec<String>,
    links: Vec<String>,
}

impl Folder {
    /// Reads a folder below `fixtures/`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut read = Self::default();
        for path in files_below(folder) {
            let name = unescaped(&path.strip_prefix(folder).expect("below").to_string_lossy().replace('\\', "/"));
            let text = std::fs::read_to_string(&path).expect("a fixture is text");
            if let Some(link) = name.strip_suffix(".link") {
                read.links.push(link.to_owned());
            } else if let Some(name) = name.strip_suffix(".refused") {
                read.files.insert(name.to_owned(), None);
            } else {
                read.files.insert(name, Some(filled(&text)));
            }
        }
        read.names = read.files.keys().cloned().collect();
        read.links.sort();
        read
    }

    /// Whether this is a state directory, not only documents.
    pub(crate) fn is_state_directory(&self) -> bool {
        self.files.contains_key("loopx.yaml")
    }

    /// Writes the files that a disk can hold; those that may not be read stay away.
    pub(crate) fn written(&self) -> tempfile::TempDir {
        let place = tempfile::tempdir().expect("a place to write");
        for (name, bytes) in &self.files {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a file stands in a folder")).expect("writable");
            if let Some(bytes) = bytes {
                std::fs::write(path, bytes).expect("writable");
            }
        }
        place
    }
}

impl Files for Folder {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn links(&self) -> &[String] {
        &self.links
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        match self.files.get(path) {
            Some(Some(bytes)) => Ok(bytes.clone()),
            _ => Err(ReadFault { reason: "permission denied".to_owned() }),
        }
    }
}

/// Every file below a folder.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() { waiting.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// A text with its placeholders filled in.
pub(crate) fn filled(text: &str) -> Vec<u8> {
    let mut parts = text.split("{{");
    let mut filled = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (placeholder, rest) = part.split_once("}}").expect("`{{` is closed by `}}`");
        if let Some(bytes) = placeholder.strip_prefix("\\x") {
            filled.extend(bytes.split("\\x").map(|hex| u8::from_str_radix(hex, 16).expect("two hex digits")));
        } else if let Some((count, text)) = placeholder.split_once('*') {
            filled.extend(text.repeat(count.parse().expect("a number")).into_bytes());
        } else {
            filled.extend(placeholder.split('|').flat_map(str::bytes));
        }
        filled.extend(rest.bytes());
    }
    filled
}

pub(crate) fn unescaped(name: &str) -> String {
    let mut parts = name.split('%');
    let mut unescaped = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (hex, rest) = part.split_at(2);
        unescaped.push(u8::from_str_radix(hex, 16).expect("two hex digits"));
        unescaped.extend(rest.bytes());
    }
    String::from_utf8(unescaped).expect("a name is UTF-8")
}
