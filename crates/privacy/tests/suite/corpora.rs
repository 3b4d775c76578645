//! The corpora: one to develop on, one with other seeds, shapes and wrappers, and one that stays unseen.

use loopx_privacy::{Policy, Wall};

use super::chance::Chance;
use super::clean::{FAMILIES, Family};
use super::shapes::{SHAPES, Shape};
use super::unseen;
use super::wrappers::{WRAPPERS, Wrapper};

/// How often each shape meets each wrapper, and how many texts a family has.
const REPEATS: usize = 3;
const CLEAN: usize = 130;

/// One text with what is known of it.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) class: &'static str,
    pub(super) shape: &'static str,
    pub(super) wrapper: &'static str,
    pub(super) text: String,
}

/// The wall of the team that both corpora speak of.
pub(super) fn wall() -> Wall {
    let ticket_prefixes = ["ACMEPAY", "INFRASEC", "PRODX"].map(String::from).to_vec();
    Wall::new(&Policy { ticket_prefixes, ..Policy::default() })
}

/// One of the corpora.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corpus {
    /// The wall is tuned on it.
    Development,
    /// Every pair in which the shape or the wrapper was held out of development.
    HeldOut,
    /// Shapes, wrappers and families of their own.
    Unseen,
}

impl Corpus {
    pub(super) const ALL: [Self; 3] = [Self::Development, Self::HeldOut, Self::Unseen];

    /// The name; chance depends on it too.
    fn name(self) -> &'static str {
        match self {
            Self::Development => "development",
            Self::HeldOut => "held out",
            Self::Unseen => "unseen",
        }
    }

    fn parts(self) -> (&'static [Shape], &'static [Wrapper], &'static [Family]) {
        match self {
            Self::Unseen => (unseen::SHAPES, unseen::WRAPPERS, unseen::FAMILIES),
            _ => (SHAPES, WRAPPERS, FAMILIES),
        }
    }

    /// Whether something that is held out or not belongs to it.
    fn takes(self, held: bool) -> bool {
        held == (self != Self::Development)
    }
}

/// What must be refused.
pub(super) fn refused(corpus: Corpus) -> Vec<Case> {
    let (shapes, wrappers, _) = corpus.parts();
    let mut cases = Vec::new();
    for shape in shapes {
        for wrapper in
            wrappers.iter().filter(|wrapper| wrapper.classes.is_empty() || wrapper.classes.contains(&shape.class))
        {
            if !corpus.takes(shape.held || wrapper.held) {
                continue;
            }
            for number in 0..REPEATS {
                let mut chance =
                    Chance::of(&[corpus.name(), shape.class, shape.name, wrapper.name, &number.to_string()]);
                let material = (shape.build)(&mut chance);
                let text = (wrapper.wrap)(&material, &mut chance);
                cases.push(Case { class: shape.class, shape: shape.name, wrapper: wrapper.name, text });
            }
        }
    }
    cases
}

/// What must pass.
pub(super) fn clean(corpus: Corpus) -> Vec<Case> {
    let families = corpus.parts().2.iter().filter(|family| corpus.takes(family.held));
    families
        .flat_map(|family| {
            (0..CLEAN).map(move |number| {
                let mut chance = Chance::of(&[corpus.name(), "clean", family.name, &number.to_string()]);
                Case { class: "clean", shape: family.name, wrapper: "plain", text: (family.build)(&mut chance) }
            })
        })
        .collect()
}
