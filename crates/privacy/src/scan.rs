//! One scan: the text itself, then every view of it, within a budget that grows with the text and no faster.

use std::cmp::Reverse;
use std::ops::Range;

use super::class::{Class, Joins};
use super::compiled::Compiled;
use super::decode::{self, Reading, Signs};
use super::hit::{Hit, whole_characters};
use super::row::{Find, Row};
use super::table;
use super::value::is_mixed;
use super::view::{Decoder, View};

/// How many lenses lie over one another at most.
const DEEPEST: usize = 6;
/// What all views of a text may hold together, as a multiple of the text, and in any case.
const BUDGET_PER_BYTE: usize = 16;
const LEAST_BUDGET: usize = 1 << 18;

/// One scan of one text.
#[derive(Debug)]
pub(super) struct Scan<'w> {
    table: &'w Compiled,
    /// How many bytes of views may still be made and read.
    budget: usize,
    until: Until,
    /// How many bytes were read, counted once for each pass over them.
    pub(super) effort: usize,
    /// What was found, in the order of the text.
    pub(super) hits: Vec<Hit>,
}

/// How far a scan goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// To the first hit.
    First,
    /// Through everything.
    Every,
}

/// What is known of a text before rows look at it.
#[derive(Debug, Clone, Copy)]
struct Looks<'r> {
    signs: Signs,
    runs: &'r [Range<usize>],
    is_spread: bool,
}

/// A view with the views that it was made of.
#[derive(Debug, Clone, Copy)]
struct Place<'p> {
    view: Option<(&'p View, Decoder)>,
    parent: Option<&'p Self>,
    depth: usize,
    decoded: bool,
}

impl Place<'_> {
    const TOP: Place<'static> = Place { view: None, parent: None, depth: 0, decoded: false };

    fn behind<'p>(&'p self, view: &'p View, decoder: Decoder) -> Place<'p> {
        let decoded =
            self.decoded || matches!(decoder, Decoder::Base64 | Decoder::Base32 | Decoder::Hex | Decoder::Inflate);
        Place { view: Some((view, decoder)), parent: Some(self), depth: self.depth + 1, decoded }
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
    fn new(table: &'w Compiled, budget: usize, until: Until) -> Self {
        Self { table, budget, until, effort: 0, hits: Vec::new() }
    }

    fn whole(table: &'w Compiled, text: &str, until: Until) -> Self {
        let budget = (text.len() * BUDGET_PER_BYTE).max(LEAST_BUDGET);
        let mut scan = Self::new(table, budget, until);
        scan.examine(text, &Place::TOP);
        scan
    }

    pub(super) fn of(table: &'w Compiled, text: &str) -> Self {
        let mut scan = Self::whole(table, text, Until::Every);
        scan.hits = settled(text, std::mem::take(&mut scan.hits));
        scan
    }

    /// Whether nothing is refused in a text: the same scan, ended by its first hit.
    pub(super) fn is_clean(table: &'w Compiled, text: &str) -> bool {
        Self::whole(table, text, Until::First).hits.is_empty()
    }

    /// Searches neighbouring values as if they were one text; each part has its place in the file.
    pub(super) fn of_neighbours(table: &'w Compiled, parts: &[(&str, Range<usize>)]) -> Vec<Hit> {
        let mut view = View::with_capacity(parts.iter().map(|(part, _)| part.len()).sum());
        for (part, place) in parts {
            view.put("", place.clone());
            view.put(part, place.clone());
        }
        let mut scan = Self::new(table, 0, Until::Every);
        scan.search(&view.text, &Place::TOP.behind(&view, Decoder::Neighbour), Joins::Neighbours);
        scan.hits
    }

    /// Whether nothing more is wanted.
    fn is_over(&self) -> bool {
        self.until == Until::First && !self.hits.is_empty()
    }

    /// Searches a text and every view of it.
    fn examine(&mut self, text: &str, place: &Place<'_>) {
        let bytes = text.as_bytes();
        let signs = Signs::of(bytes);
        let runs: Vec<Range<usize>> = decode::runs(bytes).collect();
        let may_be_split = self.search(text, place, Joins::Nothing);
        let is_spread = decode::is_spread(bytes);
        self.effort += 2 * text.len();
        self.look(text, place, Looks { signs, runs: &runs, is_spread });
        if self.is_over() {
            return;
        }
        let may_be_joined = may_be_split || runs.iter().any(|run| is_mixed(&bytes[run.clone()]));
        let views = [
            (signs.foreign, Decoder::Lookalike),
            (signs.breaks && (may_be_joined || decode::splits_word(text)), Decoder::Fold),
            (may_be_joined, Decoder::Neighbour),
            (signs.escapes, Decoder::Escape),
            (is_spread, Decoder::Spread),
        ];
        for (_, decoder) in views.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            self.enter(text, place, decoder);
            if self.is_over() {
                return;
            }
        }
        if is_spread {
            self.decode_lists(text, place);
        }
        self.decode(text, &runs, place);
    }

    /// Reads the text through a decoder and searches what it shows; false when it shows nothing new.
    fn enter(&mut self, text: &str, place: &Place<'_>, decoder: Decoder) -> bool {
        if place.depth >= DEEPEST {
            return false;
        }
        // A view costs what it is made of before it is made.
        if !self.pays(text.len()) {
            self.refuse(place, 0..text.len());
            return true;
        }
        let Some(view) = decode::through(decoder, text) else {
            self.budget += text.len();
            return false;
        };
        if !self.pays(view.text.len().saturating_sub(text.len())) {
            self.refuse(place, 0..text.len());
            return true;
        }
        let inner = place.behind(&view, decoder);
        match decoder {
            Decoder::Fold => {
                self.search(&view.text, &inner, Joins::Folds);
                let runs: Vec<Range<usize>> =
                    decode::runs(view.text.as_bytes()).filter(|run| view.has_seam(run)).collect();
                self.decode(&view.text, &runs, &inner);
            }
            Decoder::Neighbour => {
                self.search(&view.text, &inner, Joins::Neighbours);
            }
            _ => self.examine(&view.text, &inner),
        }
        true
    }

    /// Runs the rows whose prefilter open; says whether a gate of what may be split opened.
    fn search(&mut self, text: &str, place: &Place<'_>, joins: Joins) -> bool {
        let joined = place.view.map(|(view, _)| view).filter(|_| joins > Joins::Nothing);
        let mut may_be_split = false;
        self.effort += text.len();
        for (detector, windows) in self.table.opened(text, joined.is_some()) {
            let row = detector.row;
            may_be_split |= row.joins() > Joins::Nothing;
            if row.joins() < joins || self.is_over() {
                continue;
            }
            self.effort += windows.iter().map(Range::len).sum::<usize>();
            for range in detector.places(text, joined, &windows) {
                if joined.is_none_or(|view| detector.is_split(view, &range, joins)) {
                    self.report(row, place, whole_characters(text, range));
                }
            }
        }
        may_be_split
    }

    /// Runs the rows that look at characters and runs instead of patterns.
    fn look(&mut self, text: &str, place: &Place<'_>, looks: Looks<'_>) {
        let table = self.table;
        for row in table.rows() {
            if self.is_over() {
                return;
            }
            let found = match row.find {
                Find::Foreign(look) if looks.signs.foreign => look(text),
                Find::Written(look) if looks.signs.foreign && !place.decoded => look(text),
                Find::Runs(look) => look(text, looks.runs),
                Find::Lists(look) if looks.is_spread => look(text),
                _ => continue,
            };
            found.into_iter().for_each(|range| self.report(row, place, range));
        }
    }

    /// Decodes runs of a text and searches what they hold.
    fn decode(&mut self, text: &str, runs: &[Range<usize>], place: &Place<'_>) {
        let bytes = text.as_bytes();
        for run in runs {
            if self.is_over() {
                return;
            }
            if !decode::is_promising(bytes, run, self.budget) {
                continue;
            }
            if self.pays(run.len()) {
                let readings = decode::decode(text, run, self.budget);
                self.open(run, readings, place);
            } else {
                self.refuse(place, run.clone());
            }
        }
    }

    /// Searches what the lists of bytes of a text hold.
    fn decode_lists(&mut self, text: &str, place: &Place<'_>) {
        for list in decode::lists(text.as_bytes()) {
            self.open(&list.range, decode::decode_list(&list, self.budget), place);
        }
    }

    /// Searches what a part of a text was decoded to.
    fn open(&mut self, part: &Range<usize>, readings: Vec<Reading>, place: &Place<'_>) {
        self.effort += part.len();
        for reading in readings {
            match reading {
                Reading::Text(view, decoder) if place.depth < DEEPEST && self.pays(view.text.len()) => {
                    self.examine_decoded(&view, &place.behind(&view, decoder));
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
                    view: Some((&rest, place.view.map_or(Decoder::Base64, |(_, decoder)| decoder))),
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
        self.report(table::PACKED, place, range);
    }

    fn report(&mut self, rule: &'static Row, place: &Place<'_>, range: Range<usize>) {
        let decoder = place.view.map(|(_, decoder)| decoder);
        self.hits.push(Hit { rule, span: place.source_of(range), decoder });
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
