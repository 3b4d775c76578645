//! Files as they are once some of them hold something else.

use std::collections::BTreeMap;

use super::files::{Files, ReadFault};

/// Files with some of them written anew, which nobody has stored yet.
pub struct Overlay<'a> {
    under: &'a dyn Files,
    written: &'a BTreeMap<String, String>,
    names: Vec<String>,
}

impl<'a> Overlay<'a> {
    /// Lays texts, by path, over other files.
    #[must_use]
    pub fn new(under: &'a dyn Files, written: &'a BTreeMap<String, String>) -> Self {
        let mut names: Vec<String> = under.list().iter().chain(written.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        Self { under, written, names }
    }
}

impl Files for Overlay<'_> {
    fn list(&self) -> &[String] {
        &self.names
    }

    fn links(&self) -> &[String] {
        self.under.links()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadFault> {
        match self.written.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.under.read(path),
        }
    }
}
