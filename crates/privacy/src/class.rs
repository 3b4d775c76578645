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

/// One row of [`ABOUT`].
macro_rules! about {
    ($class:ident, $rule:literal, $title:literal, $joins:ident, $exceptable:literal, $why:literal) => {
        About {
            class: Class::$class,
            rule: concat!("privacy/", $rule),
            title: $title,
            mask: concat!("‹hidden: ", $title, "›"),
            joins: Joins::$joins,
            exceptable: $exceptable,
            why: $why,
        }
    };
}

#[rustfmt::skip]
const ABOUT: &[About] = &[
    about!(Secret, "secret", "secret", Neighbours, false,
        "Whoever reads the repository could act as its owner, and history cannot be taken back."),
    about!(LocalPath, "local-path", "local path", Neighbours, true,
        "It names a person or a machine and means nothing on any other."),
    about!(SessionUrl, "session-url", "session link", Neighbours, true,
        "It opens a conversation, or says where one is kept, to whoever follows it."),
    about!(Transcript, "transcript", "transcript", Nothing, false,
        "Conversations stay with the host that held them; state keeps compact facts and pointers."),
    about!(ToolOutput, "tool-output", "tool output", Nothing, true,
        "Raw output carries paths, names and secrets that nobody reviewed; state keeps the outcome."),
    about!(PrivateNetwork, "private-network", "private network", Neighbours, true,
        "It maps a network that outsiders should not know and cannot reach."),
    about!(PersonalData, "personal-data", "personal data", Neighbours, true,
        "It identifies or reaches a person who never agreed to stand in a public history."),
    about!(DocumentLink, "document-link", "document link", Neighbours, true,
        "It points into one organisation's documents: outsiders cannot open it, and its id may be all that guards it."),
    about!(Ticket, "ticket", "internal ticket", Neighbours, true,
        "It names work of an internal tracker that readers of the repository cannot see."),
    about!(OpaqueBlob, "opaque-blob", "opaque blob", Nothing, true,
        "Nobody can review what it holds."),
    about!(InvisibleCharacter, "invisible-character", "invisible character", Nothing, true,
        "What reviewers see is not what programs read."),
    about!(ForbiddenField, "forbidden-field", "forbidden field", Nothing, true,
        "A field of this name holds raw or secret material by its very purpose; keep a pointer instead."),
    about!(FlagContradicted, "flag-contradicted", "contradicted flag", Nothing, false,
        "The flag says that no such material was copied, and the same document holds some."),
];

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
