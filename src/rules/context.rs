//! What rules see once everything is loaded.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::finding::{Anchor, Finding, Label};
use crate::privacy::Text;
use crate::vocabulary::{Goal, Instant, Kind, Level, Record};
use crate::workspace::{GoalIndex, LoadedFile, Reading, Workspace};

/// The documents of one id in all goals: kind, and number of the file.
type Documents = Vec<(Kind, usize)>;

/// The whole state directory, and look-ups that are made when a rule first asks.
#[derive(Debug)]
pub(crate) struct RuleContext<'a> {
    /// The state directory.
    pub(crate) workspace: &'a Workspace,
    /// The time that the verdict is for.
    pub(crate) as_of: Instant,
    /// Every rule, sorted by id.
    pub(crate) rules: &'static [Rule],
    items: OnceLock<HashSet<Box<str>>>,
    elsewhere: OnceLock<HashMap<Box<str>, Documents>>,
}

/// One readable document in its place, as one rule sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentContext<'a> {
    /// The rule that looks.
    pub(crate) rule: &'a Rule,
    /// Everything around it.
    pub(crate) context: &'a RuleContext<'a>,
    /// The file.
    pub(crate) entry: &'a LoadedFile,
    /// The document.
    pub(crate) record: &'a Record,
}

impl<'a> RuleContext<'a> {
    pub(crate) fn new(workspace: &'a Workspace, as_of: Instant, rules: &'static [Rule]) -> Self {
        Self { workspace, as_of, rules, items: OnceLock::new(), elsewhere: OnceLock::new() }
    }

    /// Whether a rule has this id.
    pub(crate) fn is_rule(&self, id: &str) -> bool {
        self.rules.binary_search_by_key(&id, |rule| rule.id).is_ok()
    }

    /// Text that may be shown.
    pub(crate) fn text(&self, text: impl AsRef<str>) -> Text {
        self.workspace.wall.text(text)
    }

    /// The ids of all items of all facts.
    pub(crate) fn items(&self) -> &HashSet<Box<str>> {
        self.items.get_or_init(|| {
            let facts = self.workspace.entries.iter().filter_map(|entry| match &entry.record {
                Some(Record::Facts(facts)) => Some(facts),
                _ => None,
            });
            facts.flat_map(|facts| facts.items().map(|item| item.id.as_str().into())).collect()
        })
    }

    /// The documents of all goals by id: for references into the wrong goal.
    pub(crate) fn elsewhere(&self, id: &str) -> impl Iterator<Item = (Kind, &'a LoadedFile)> {
        let all = self.elsewhere.get_or_init(|| {
            let mut all: HashMap<Box<str>, Documents> = HashMap::new();
            for goal in self.workspace.index.goals.values() {
                for ((kind, id), number) in &goal.documents {
                    all.entry(id.clone()).or_default().push((*kind, *number));
                }
            }
            all
        });
        let entries = &self.workspace.entries;
        all.get(id).into_iter().flatten().map(|(kind, number)| (*kind, &entries[*number]))
    }

    /// The documents of a goal.
    pub(crate) fn goal(&self, id: &str) -> Option<&'a GoalIndex> {
        self.workspace.index.goals.get(id)
    }

    /// The goals in whose name a document speaks: its own, or those of the bindings of a facts file's session.
    pub(crate) fn goals_of(&self, record: &'a Record) -> Vec<&'a str> {
        let workspace = self.workspace;
        match record {
            Record::Facts(facts) => {
                workspace.files_of_bindings(facts.session_id.as_str()).filter_map(LoadedFile::goal_id).collect()
            }
            _ => record.goal_id().into_iter().collect(),
        }
    }

    /// A label at the id of a document.
    pub(crate) fn label(&self, file: &LoadedFile, note: Text) -> Label {
        let field = file.kind().and_then(|kind| kind.row().id_field).unwrap_or("schema_version");
        Label::new(&file.path, Anchor::Value(crate::document::Route::of(field))).note(note)
    }
}

impl<'a> DocumentContext<'a> {
    /// The readable goal of the document, with its file.
    pub(crate) fn goal(&self) -> Option<(&'a LoadedFile, &'a Goal)> {
        let id = self.record.goal_id()?;
        let workspace = self.context.workspace;
        Some((workspace.file_of(id, Kind::Goal, id)?, workspace.goal(id)?))
    }

    /// Starts a finding about this document.
    pub(crate) fn at(&self, anchor: Anchor, message: impl AsRef<str>) -> Finding {
        self.rule.at(&self.entry.path, anchor, self.context.text(message))
    }
}

/// One rule of lint or review, with its documentation.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id, `area/kebab-case`.
    pub id: &'static str,
    /// Severity unless a policy overrides it.
    pub level: Level,
    /// What is wrong, in one line.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// Where it looks.
    pub(crate) check: RuleCheck,
}

/// Where a rule looks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RuleCheck {
    /// At one file while its tree is at hand.
    File(fn(&Rule, &Reading<'_>, &mut Vec<Finding>)),
    /// At each readable document of these kinds, once all are loaded.
    Document(&'static [Kind], fn(&DocumentContext<'_>, &mut Vec<Finding>)),
    /// At the whole state directory.
    Directory(fn(&Rule, &RuleContext<'_>, &mut Vec<Finding>)),
    /// Where its table looks: one look at a file serves all rows.
    Table,
    /// At the findings of all other rules.
    Report,
    /// At the history in git, as `loopx receipts verify` does: no file shows it.
    History,
    /// At a change between two revisions, as `loopx review` does: no file shows it.
    Change,
}

impl Rule {
    /// Starts a finding of this rule.
    pub(crate) fn at(&self, path: &Arc<str>, anchor: Anchor, message: Text) -> Finding {
        Finding {
            rule: self.id,
            level: self.level,
            message,
            primary: Label::new(path, anchor),
            related: Vec::new(),
            help: None,
            legal: None,
            now: None,
            fix: None,
        }
    }

    /// Whether the history in git is what breaks it, so that no state directory by itself does.
    #[must_use]
    pub fn is_of_history(&self) -> bool {
        matches!(self.check, RuleCheck::History)
    }

    /// Whether a change between two revisions is what breaks it, so that no state directory by itself does.
    #[must_use]
    pub fn is_of_change(&self) -> bool {
        matches!(self.check, RuleCheck::Change)
    }

    /// The part of the id before the slash.
    #[must_use]
    pub fn area(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(area, _)| area)
    }

    /// Whether a comment may take its findings out of the report: never where a document becomes unreadable, and
    /// never at the privacy wall, whose exceptions are reviewed policy.
    #[must_use]
    pub fn is_suppressible(&self) -> bool {
        self.id == AMBIGUOUS
            || !self.is_of_history()
                && !self.is_of_change()
                && !matches!(self.area(), "yaml" | "shape" | "vocabulary" | "path" | "privacy" | "suppression")
    }
}

/// The rule about plain scalars that another reader takes for something else.
pub(super) const AMBIGUOUS: &str = "yaml/ambiguous-scalar";
