//! The kinds of refused material.

/// One kind of refused material; each is one public rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Keys, tokens, passwords.
    Secret,
    /// Absolute paths of somebody's machine.
    LocalPath,
    /// Links to sessions of agents and chats.
    SessionUrl,
    /// What people and models said to each other.
    Transcript,
    /// Output of tools: logs, stack traces, diffs.
    ToolOutput,
    /// Addresses and names of private networks.
    PrivateNetwork,
    /// What identifies or reaches a person.
    PersonalData,
    /// Links to documents of one organisation.
    DocumentLink,
    /// Ids of internal tickets.
    Ticket,
    /// Encoded material that nobody can review.
    OpaqueBlob,
    /// Characters that hide or reorder text.
    InvisibleCharacter,
    /// Names of fields that hold refused material.
    ForbiddenField,
    /// A flag that its own document contradicts.
    FlagContradicted,
}

/// Which split texts are searched for a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joins {
    /// Only whole ones.
    Nothing,
    /// Also words that a line break splits.
    Folds,
    /// Also values split over neighbouring items.
    Neighbours,
}

/// What is known about a class.
struct About {
    class: Class,
    rule: &'static str,
    title: &'static str,
    mask: &'static str,
    joins: Joins,
    exceptable: bool,
    why: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/classes.rs"));

impl Class {
    /// Every class, in the order of the reference.
    pub fn all() -> impl Iterator<Item = Self> {
        ABOUT.iter().map(|about| about.class)
    }

    fn about(self) -> &'static About {
        &ABOUT[self as usize]
    }

    /// The rule id that findings carry, such as `privacy/local-path`.
    #[must_use]
    pub fn rule(self) -> &'static str {
        self.about().rule
    }

    /// What it is, in two words.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.about().title
    }

    /// What stands in the place of a hit: the same width whatever was hidden.
    #[must_use]
    pub fn mask(self) -> &'static str {
        self.about().mask
    }

    /// Why it is refused.
    #[must_use]
    pub fn why(self) -> &'static str {
        self.about().why
    }

    /// Whether a team may except one field from the rule.
    #[must_use]
    pub fn can_be_excepted(self) -> bool {
        self.about().exceptable
    }

    /// Whether a hit stands for the paragraphs around it: their other lines show no mark of their own.
    pub(super) fn spreads(self) -> bool {
        matches!(self, Self::Transcript | Self::ToolOutput)
    }

    /// Whether this class is also searched in texts that were joined in this way.
    pub(super) fn joins(self) -> Joins {
        self.about().joins
    }
}

#[cfg(test)]
mod tests {
    use super::ABOUT;

    #[test]
    fn the_table_stands_in_the_order_of_the_classes() {
        assert!(ABOUT.iter().enumerate().all(|(at, about)| about.class as usize == at));
    }
}
