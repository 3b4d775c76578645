//! What words mean: the answers of `explain`.

use std::io::{self, Write};

use serde::Serialize;

use super::ReportFormat;
use super::layout::{BOLD, WIDTH, rows, wrap};
use crate::privacy::Text;

/// What is known about a word.
#[derive(Debug, Serialize)]
pub struct Explanation {
    schema_version: &'static str,
    /// The word as it was asked for.
    pub asked: Text,
    /// Each thing that is called so; none when nothing is.
    pub meanings: Vec<Meaning>,
    /// The known word that is nearest, when nothing is called so.
    pub did_you_mean: Option<Text>,
}

/// One meaning of a word.
#[derive(Debug, Serialize)]
pub struct Meaning {
    /// The word, spelled out.
    pub word: Text,
    /// What it is: a rule, a reason, ...
    pub what: Text,
    /// What it says, in one sentence.
    pub summary: Text,
    /// What else is known about it.
    pub facts: Vec<NamedText>,
    /// The words that belong to it.
    pub words: Vec<NamedText>,
    /// What holds of it: where, and what.
    pub laws: Vec<NamedText>,
}

/// A text with its name.
#[derive(Debug, Serialize)]
pub struct NamedText {
    /// The name.
    pub name: Text,
    /// The text.
    pub text: Text,
}

/// Everything that can be explained.
#[derive(Debug, Serialize)]
pub struct Topics {
    schema_version: &'static str,
    /// The words of each sort.
    pub topics: Vec<WordTopic>,
}

/// The words of one closed vocabulary or table.
#[derive(Debug, Serialize)]
pub struct WordTopic {
    /// What they are.
    pub title: Text,
    /// Each with what it says.
    pub words: Vec<NamedText>,
}

impl Explanation {
    /// Says what a word means; `did_you_mean` is for a word that means nothing.
    #[must_use]
    pub fn new(asked: Text, meanings: Vec<Meaning>, did_you_mean: Option<Text>) -> Self {
        Self { schema_version: "loopx_explanation_v0", asked, meanings, did_you_mean }
    }

    /// Writes it in a format.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, out: &mut dyn Write, format: ReportFormat) -> io::Result<()> {
        match format {
            ReportFormat::Json => super::json::object(out, self),
            ReportFormat::Human | ReportFormat::Concise if self.meanings.is_empty() => {
                write!(out, "Nothing is called `{}`.", self.asked)?;
                match &self.did_you_mean {
                    Some(near) => writeln!(out, " Did you mean `{near}`?"),
                    None => writeln!(out, " What there is: loopx explain"),
                }
            }
            ReportFormat::Concise => {
                let line = |one: &Meaning| writeln!(out, "{} ({}): {}", one.word, one.what, one.summary);
                self.meanings.iter().try_for_each(line)
            }
            ReportFormat::Human => {
                for (number, meaning) in self.meanings.iter().enumerate() {
                    if number > 0 {
                        writeln!(out)?;
                    }
                    meaning.draw(out)?;
                }
                Ok(())
            }
        }
    }
}

impl Meaning {
    fn draw(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#} ({})", self.word, self.what)?;
        writeln!(out, "  {}", wrap(self.summary.as_ref(), WIDTH - 2).join("\n  "))?;
        for named in [&self.words, &self.facts, &self.laws] {
            if !named.is_empty() {
                writeln!(out)?;
                rows(out, named.iter().map(NamedText::pair))?;
            }
        }
        Ok(())
    }
}

impl NamedText {
    /// Creates a text with its name.
    #[must_use]
    pub const fn new(name: Text, text: Text) -> Self {
        Self { name, text }
    }

    fn pair(&self) -> (&str, &str) {
        (self.name.as_ref(), self.text.as_ref())
    }
}

impl Topics {
    /// Creates the list of all words, grouped by topic.
    #[must_use]
    pub const fn new(topics: Vec<WordTopic>) -> Self {
        Self { schema_version: "loopx_topics_v0", topics }
    }

    /// Writes it in a format.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, out: &mut dyn Write, format: ReportFormat) -> io::Result<()> {
        match format {
            ReportFormat::Json => super::json::object(out, self),
            ReportFormat::Concise => {
                let words = self.topics.iter().flat_map(|topic| &topic.words);
                words.into_iter().try_for_each(|word| writeln!(out, "{}", word.name))
            }
            ReportFormat::Human => {
                for topic in &self.topics {
                    writeln!(out, "{BOLD}{}{BOLD:#}", topic.title)?;
                    rows(out, topic.words.iter().map(NamedText::pair))?;
                    writeln!(out)?;
                }
                writeln!(out, "One of them: loopx explain WORD")
            }
        }
    }
}
