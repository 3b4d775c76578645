//! What a review says, in parts: own words, names and quotes of documents, so that every surface can keep the latter
//! from meaning anything to it.

use crate::privacy::{Text, Wall};

/// A part of a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhrasePart {
    /// The program's own words, with the blanks around them.
    Words(Text),
    /// A name, a word or a glob of a document.
    Name(Text),
    /// Free text of a document.
    Quote(Text),
}

/// A few words about one thing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phrase(pub Vec<PhrasePart>);

/// Writes phrases through a wall.
#[derive(Debug, Clone, Copy)]
pub(super) struct PhraseBuilder<'w>(pub(super) &'w Wall);

/// A phrase being written.
#[derive(Debug, Clone)]
pub(super) struct PhraseDraft<'w> {
    wall: &'w Wall,
    parts: Vec<PhrasePart>,
}

impl<'w> PhraseBuilder<'w> {
    pub(super) fn words(self, words: &'static str) -> PhraseDraft<'w> {
        PhraseDraft { wall: self.0, parts: Vec::new() }.words(words)
    }

    pub(super) fn name(self, name: impl AsRef<str>) -> PhraseDraft<'w> {
        PhraseDraft { wall: self.0, parts: Vec::new() }.name(name)
    }
}

impl PhraseDraft<'_> {
    pub(super) fn words(mut self, words: &'static str) -> Self {
        if !words.is_empty() {
            self.parts.push(PhrasePart::Words(Text::fixed(words)));
        }
        self
    }

    /// Numbers and instants: words that are made when the program runs.
    pub(super) fn figure(mut self, figure: impl std::fmt::Display) -> Self {
        self.parts.push(PhrasePart::Words(self.wall.text(figure.to_string())));
        self
    }

    pub(super) fn name(mut self, name: impl AsRef<str>) -> Self {
        self.parts.push(PhrasePart::Name(self.wall.text(name)));
        self
    }

    pub(super) fn names<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        for (number, name) in names.into_iter().enumerate() {
            self = if number == 0 { self } else { self.words(", ") };
            self = self.name(name);
        }
        self
    }

    pub(super) fn quote(mut self, text: impl AsRef<str>) -> Self {
        self.parts.push(PhrasePart::Quote(self.wall.text(text)));
        self
    }

    pub(super) fn and(mut self, phrase: Phrase) -> Self {
        self.parts.extend(phrase.0);
        self
    }

    pub(super) fn done(self) -> Phrase {
        Phrase(self.parts)
    }
}
