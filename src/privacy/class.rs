//! The kinds of refused material.

/// One kind of refused material; each is one public rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Keys, tokens, passwords.
    Secret,
    /// Absolute paths of somebody's machine.
    LocalPath,
    /// Names of fields that hold refused material.
    ForbiddenField,
}

/// What people read about a class.
struct About {
    class: Class,
    rule: &'static str,
    title: &'static str,
    mask: &'static str,
    why: &'static str,
}

const ABOUT: &[About] = &[
    About {
        class: Class::Secret,
        rule: "privacy/secret",
        title: "secret",
        mask: "‹hidden: secret›",
        why: "Whoever reads the repository could act as its owner, and history cannot be taken back.",
    },
    About {
        class: Class::LocalPath,
        rule: "privacy/local-path",
        title: "local path",
        mask: "‹hidden: local path›",
        why: "It names a person or a machine and means nothing on any other.",
    },
    About {
        class: Class::ForbiddenField,
        rule: "privacy/forbidden-field",
        title: "forbidden field",
        mask: "‹hidden: forbidden field›",
        why: "A field of this name holds raw or secret material by its very purpose; keep a pointer instead.",
    },
];

impl Class {
    /// Every class, in the order of the reference.
    pub fn all() -> impl Iterator<Item = Self> {
        ABOUT.iter().map(|about| about.class)
    }

    fn about(self) -> &'static About {
        ABOUT.iter().find(|about| about.class == self).expect("every class has a row in ABOUT")
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
}
