//! Gives findings their lines: each file with findings is read once more, and only those.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::files::Files;
use super::load::WORTH_THREADS;
use super::reading::format_of;
use crate::document::{LineIndex, parse};
use crate::finding::{Finding, Label, SourceFile};
use crate::privacy::Wall;

/// Gives every label of every finding its place, unless it has one.
pub fn locate(files: &dyn Files, wall: &Wall, findings: &mut [Finding]) {
    let mut by_path: BTreeMap<Arc<str>, Vec<&mut Label>> = BTreeMap::new();
    for label in findings.iter_mut().flat_map(Finding::labels_mut).filter(|label| label.place.is_none()) {
        by_path.entry(Arc::clone(&label.path)).or_default().push(label);
    }
    let one = |(path, labels): &mut (Arc<str>, Vec<&mut Label>)| {
        let Ok(bytes) = files.read(path) else { return };
        let text = sound_text(&bytes);
        let lines = LineIndex::new(text);
        let document = format_of(path).and_then(|format| parse(&bytes, format).document);
        let source = SourceFile { text, document: document.as_ref(), lines: &lines, wall };
        for label in labels.iter_mut() {
            source.locate(label);
        }
    };
    let mut groups: Vec<_> = by_path.into_iter().collect();
    match groups.as_mut_slice() {
        few if few.len() < WORTH_THREADS => few.iter_mut().for_each(one),
        groups => groups.par_iter_mut().for_each(one),
    }
}

/// The text of a file up to the first byte that is no UTF-8.
fn sound_text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).expect("these bytes were found sound"),
    }
}
