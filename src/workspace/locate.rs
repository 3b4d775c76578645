//! Gives findings their lines: each file with findings is read once more, and only those.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::files::Files;
use super::reading::format_of;
use crate::document::{LineIndex, parse};
use crate::finding::{Finding, Label, Source};
use crate::privacy::Wall;

/// Gives every label of every finding its place.
pub fn locate(files: &dyn Files, wall: &Wall, findings: &mut [Finding]) {
    let mut by_path: BTreeMap<Arc<str>, Vec<&mut Label>> = BTreeMap::new();
    for label in findings.iter_mut().flat_map(Finding::labels_mut) {
        by_path.entry(Arc::clone(&label.path)).or_default().push(label);
    }
    let mut groups: Vec<_> = by_path.into_iter().collect();
    groups.par_iter_mut().for_each(|(path, labels)| {
        let Ok(bytes) = files.read(path) else { return };
        let text = std::str::from_utf8(&bytes).ok();
        let lines = text.map(LineIndex::new);
        let document = format_of(path).and_then(|format| parse(&bytes, format).document);
        let source = Source { text, document: document.as_ref(), lines: lines.as_ref(), wall };
        for label in labels.iter_mut() {
            source.locate(label);
        }
    });
}
