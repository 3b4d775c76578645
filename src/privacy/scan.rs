//! One scan: the text itself, then every view of it, within a budget that grows with the text and no faster.

use std::cmp::Reverse;
use std::ops::Range;

use super::class::{Class, Joins};
use super::lens::{self, Reading, Signs};
use super::row::{Find, Row};
use super::table;
use super::value::is_mixed;
use super::view::{Lens, View};
use super::wall::{Hit, Wall, whole_characters};

/// How many lenses lie over one another at most.
const DEEPEST: usize = 6;
/// What all views of a text may hold together, as a multiple of the text, and in any case.
const BUDGET_PER_BYTE: usize = 16;
const LEAST_BUDGET: usize = 1 << 18;

/// One scan of one text.
#[derive(Debug)]
pub(super) struct Scan<'w> {
    wall: &'w Wall,
    /// How many bytes of views may still be read.
    budget: usize,
    /// How many bytes were read, counted once for each pass over them.
    pub(super) effort: usize,
    /// What was found, in the order of the text.
    pub(super) hits: Vec<Hit>,
}

/// A view with the views that it was made of.
#[derive(Debug, Clone, Copy)]
struct Place<'p> {
    view: Option<(&'p View, Lens)>,
    parent: Option<&'p Self>,
    depth: usize,
    decoded: bool,
}

impl Place<'_> {
    const TOP: Place<'static> = Place { view: None, parent: None, depth: 0, decoded: false };

    fn behind<'p>(&'p self, view: &'p View, lens: Lens) -> Place<'p> {
        let decoded = self.decoded || matches!(lens, Lens::Base64 | Lens::Base32 | Lens::Hex | Lens::Inflate);
        Place { view: Some((view, lens)), parent: Some(self), depth: self.depth + 1, decoded }
    }

    /// The bytes of the scanned text that a range of this view stems from.
    fn source_of(&self, range: Range<usize>) -> Range<usize> {
        let mut range = range;
        let mut place = Some(self);
        while let Some(Place { view: Some((view, _)), parent, .. }) = place {
            range = view.source_of(&range);
            place = *parent;
        }
        range
    }
}

impl<'w> Scan<'w> {
    pub(super) fn of(wall: &'w Wall, text: &str) -> Self {
        let budget = (text.len() * BUDGET_PER_BYTE).max(LEAST_BUDGET);
        let mut scan = Self { wall, budget, effort: 0, hits: Vec::new() };
        scan.examine(text, &Place::TOP);
        scan.hits = settled(text, std::mem::take(&mut scan.hits));
        scan
    }

    /// Searches neighbouring values as if they were one text; each part has its place in the file.
    pub(super) fn of_neighbours(wall: &'w Wall, parts: &[(&str, Range<usize>)]) -> Vec<Hit> {
        let mut view = View::with_capacity(parts.iter().map(|(part, _)| part.len()).sum());
        for (part, place) in parts {
            view.put("", place.clone());
            view.put(part, place.clone());
        }
        let mut scan = Self { wall, budget: 0, effort: 0, hits: Vec::new() };
        scan.search(&view.text, &Place::TOP.behind(&view, Lens::Neighbour), Joins::Neighbours);
        scan.hits
    }

    /// Searches bytes of which some are no text.
    pub(super) fn of_bytes(wall: &'w Wall, bytes: &[u8]) -> Vec<Hit> {
        let mut view = View::with_capacity(bytes.len());
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            let (valid, broken) = (chunk.valid(), chunk.invalid());
            view.append(valid, at);
            at += valid.len() + broken.len();
            if !broken.is_empty() {
                view.put("\u{fffd}", at - broken.len()..at);
            }
        }
        let hits = wall.scan_text(&view.text).into_iter();
        hits.map(|hit| Hit { span: view.source_of(&hit.span), ..hit }).collect()
    }

    /// Searches a text and every view of it.
    fn examine(&mut self, text: &str, place: &Place<'_>) {
        let signs = Signs::of(text.as_bytes());
        let may_be_split = self.search(text, place, Joins::Nothing);
        self.look(text, place, signs);
        if signs.foreign && self.enter(text, place, Lens::Lookalike) {
            return;
        }
        if signs.breaks {
            self.enter(text, place, Lens::Fold);
        }
        if may_be_split || lens::runs(text.as_bytes()).any(|run| is_mixed(&text.as_bytes()[run])) {
            self.enter(text, place, Lens::Neighbour);
        }
        if signs.escapes {
            self.enter(text, place, Lens::Escape);
        }
        if lens::is_spread(text.as_bytes()) {
            self.enter(text, place, Lens::Spread);
            self.decode_lists(text, place);
        }
        self.decode(text, place);
    }

    /// Reads the text through a lens and searches what it shows; false when it shows nothing new.
    fn enter(&mut self, text: &str, place: &Place<'_>, lens: Lens) -> bool {
        if place.depth >= DEEPEST {
            return false;
        }
        let Some(view) = lens::through(lens, text) else { return false };
        if !self.pays(view.text.len()) {
            self.refuse(place, 0..text.len());
            return true;
        }
        let inner = place.behind(&view, lens);
        match lens {
            Lens::Fold => {
                self.search(&view.text, &inner, Joins::Folds);
                self.decode(&view.text, &inner);
            }
            Lens::Neighbour => {
                self.search(&view.text, &inner, Joins::Neighbours);
            }
            _ => self.examine(&view.text, &inner),
        }
        true
    }

    /// Runs the rows whose gates open; says whether a gate of what may be split opened.
    fn search(&mut self, text: &str, place: &Place<'_>, joins: Joins) -> bool {
        let joined = place.view.map(|(view, _)| view).filter(|_| joins > Joins::Nothing);
        let mut may_be_split = false;
        self.effort += text.len();
        for detector in self.wall.opened(text, joined.is_some()) {
            let row = detector.row;
            may_be_split |= row.joins() > Joins::Nothing;
            if row.joins() < joins {
                continue;
            }
            self.effort += text.len();
            for range in detector.places(text, joined) {
                if joined.is_none_or(|view| detector.is_split(view, &range, joins)) {
                    self.report(row, place, whole_characters(text, range));
                }
            }
        }
        may_be_split
    }

    /// Runs the rows that look at characters and runs instead of patterns.
    fn look(&mut self, text: &str, place: &Place<'_>, signs: Signs) {
        let wall = self.wall;
        for row in wall.rows() {
            let look = match row.find {
                Find::Foreign(look) if signs.foreign => look,
                Find::Written(look) if signs.foreign && !place.decoded => look,
                Find::Encoded(look) => look,
                _ => continue,
            };
            for range in look(text) {
                self.report(row, place, range);
            }
        }
    }

    /// Decodes the runs of a text and searches what they hold.
    fn decode(&mut self, text: &str, place: &Place<'_>) {
        let bytes = text.as_bytes();
        for run in lens::runs(bytes).filter(|run| lens::is_promising(bytes, run)) {
            if let Some((view, Lens::Fold)) = place.view
                && !view.has_seam(&run)
            {
                continue;
            }
            self.open(&run, lens::decode(text, &run), place);
        }
    }

    /// Searches what the lists of bytes of a text hold.
    fn decode_lists(&mut self, text: &str, place: &Place<'_>) {
        for list in lens::lists(text.as_bytes()) {
            self.open(&list.range, lens::decode_list(&list), place);
        }
    }

    /// Searches what a part of a text was decoded to.
    fn open(&mut self, part: &Range<usize>, readings: Vec<Reading>, place: &Place<'_>) {
        self.effort += part.len();
        for reading in readings {
            match reading {
                Reading::Text(view, lens) if place.depth < DEEPEST && self.pays(view.text.len()) => {
                    self.examine_decoded(&view, &place.behind(&view, lens));
                }
                Reading::Text(..) | Reading::TooLarge => self.refuse(place, part.clone()),
            }
        }
    }

    /// Searches decoded text; where nothing is found, its first two letters may belong to the encoding and hide a word.
    fn examine_decoded(&mut self, view: &View, place: &Place<'_>) {
        let before = self.hits.len();
        self.examine(&view.text, place);
        for skipped in [1, 2] {
            if self.hits.len() == before && view.text.is_char_boundary(skipped) && self.pays(view.text.len()) {
                let rest = View::skipping(&view.text, skipped);
                let inner = Place {
                    view: Some((&rest, place.view.map_or(Lens::Base64, |(_, lens)| lens))),
                    parent: Some(place),
                    ..*place
                };
                self.examine(&rest.text, &inner);
            }
        }
    }

    fn pays(&mut self, bytes: usize) -> bool {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.unwrap_or(0);
        left.is_some()
    }

    /// Reports material that is packed deeper or larger than the wall unpacks.
    fn refuse(&mut self, place: &Place<'_>, range: Range<usize>) {
        self.report(&table::PACKED, place, range);
    }

    fn report(&mut self, rule: &'static Row, place: &Place<'_>, range: Range<usize>) {
        let lens = place.view.map(|(_, lens)| lens);
        self.hits.push(Hit { rule, span: place.source_of(range), lens });
    }
}

/// Orders hits by place. Of hits of one class that overlap one stays, as wide as all of them; what spreads over
/// paragraphs covers them; a blob in which something else was found is no news.
fn settled(text: &str, mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| (hit.rule.class, hit.span.start, Reverse(hit.span.end), hit.rule.id));
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    for mut hit in hits {
        hit.span = whole_characters(text, hit.span);
        match kept.last_mut() {
            Some(last) if last.rule.class == hit.rule.class && hit.span.start < last.span.end => {
                last.span.end = last.span.end.max(hit.span.end);
            }
            _ => {
                if hit.rule.class.spreads() {
                    hit.span = paragraphs(text, &hit.span);
                }
                kept.push(hit);
            }
        }
    }
    let named = covered(kept.iter().filter(|hit| hit.rule.class != Class::OpaqueBlob).map(|hit| &hit.span));
    kept.retain(|hit| hit.rule.class != Class::OpaqueBlob || !touches(&named, &hit.span));
    kept.sort_by_key(|hit| (hit.span.start, hit.span.end, hit.rule.id));
    kept
}

/// Widens a span to the paragraphs that it touches.
fn paragraphs(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind("\n\n").map_or(0, |at| at + 2);
    let end = text[span.end..].find("\n\n").map_or(text.len(), |at| span.end + at);
    start..end
}

/// The parts of a text that some spans cover, in order and apart.
pub(super) fn covered<'a>(spans: impl Iterator<Item = &'a Range<usize>>) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = spans.cloned().collect();
    spans.sort_by_key(|span| (span.start, span.end));
    spans.dedup_by(|later, first| {
        let joins = later.start <= first.end;
        if joins {
            first.end = first.end.max(later.end);
        }
        joins
    });
    spans
}

/// Whether a span shares a byte with one of some parts.
pub(super) fn touches(parts: &[Range<usize>], span: &Range<usize>) -> bool {
    let next = parts.partition_point(|part| part.end <= span.start);
    parts.get(next).is_some_and(|part| part.start < span.end)
}
