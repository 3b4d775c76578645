//! Files as they are once some of them hold something else.

use std::collections::BTreeMap;

use super::content::Identify;
use super::files::{Files, ReadFault};
use super::stamp::Stamp;

/// Files with some of them laid over others: written anew and not stored yet, or read from elsewhere.
pub struct Overlay<'a> {
    under: &'a dyn Files,
    laid: BTreeMap<String, Result<Vec<u8>, ReadFault>>,
    names: Vec<String>,
}

impl<'a> Overlay<'a> {
    /// Lays texts, by path, over other files.
    #[must_use]
    pub fn new(under: &'a dyn Files, written: &BTreeMap<String, String>) -> Self {
        let laid = written.iter().map(|(path, text)| (path.clone(), Ok(text.clone().into_bytes())));
        Self::with(under, laid.collect())
    }

    /// Lays contents, by path, over other files; one that could not be read keeps the reason.
    #[must_use]
    pub fn with(under: &'a dyn Files, laid: BTreeMap<String, Result<Vec<u8>, ReadFault>>) -> Self {
        let mut names: Vec<String> = under.list().iter().chain(laid.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        Self { under, laid, names }
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
        self.laid.get(path).map_or_else(|| self.under.read(path), Clone::clone)
    }

    fn identify(&self) -> Option<Identify> {
        self.under.identify()
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        if self.laid.contains_key(path) { None } else { self.under.stamp(path) }
    }
}
