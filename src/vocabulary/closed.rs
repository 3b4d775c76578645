//! How a closed vocabulary is declared: once, with the meaning of every word.

/// One closed vocabulary as data: schemas, messages, `explain` and the docs read it.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary {
    /// The name that `loopx explain` takes, such as `gate_decision`.
    pub name: &'static str,
    /// What one word is, with its article: "a gate decision".
    pub title: &'static str,
    /// Every word with its meaning.
    pub words: &'static [(&'static str, &'static str)],
}

/// A type whose values are the words of one closed vocabulary.
pub trait ClosedWords: Copy + Sized + 'static {
    /// The vocabulary as data.
    const VOCABULARY: Vocabulary;
    /// Every value, in the order of declaration.
    const ALL: &'static [Self];
    /// The word as it stands in documents.
    fn word(self) -> &'static str;
    /// The value of a word, exactly spelled.
    fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.word() == word)
    }
}

/// Declares a closed vocabulary: an enum, its words and their meanings.
macro_rules! vocabulary {
    (
        $(#[doc = $doc:literal])+
        $name:ident, $key:literal, $title:literal {
            $( $variant:ident = $word:literal: $meaning:literal, )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $( #[doc = $meaning] #[serde(rename = $word)] $variant, )+
        }

        impl $crate::vocabulary::closed::ClosedWords for $name {
            const VOCABULARY: $crate::vocabulary::closed::Vocabulary = $crate::vocabulary::closed::Vocabulary {
                name: $key,
                title: $title,
                words: &[ $( ($word, $meaning), )+ ],
            };
            const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];
            fn word(self) -> &'static str {
                match self { $( Self::$variant => $word, )+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad($crate::vocabulary::closed::ClosedWords::word(*self))
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $key.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "description": concat!("One word: ", $title, "."),
                    "enum": [ $( $word, )+ ],
                    "x-vocabulary": $key,
                })
            }
        }
    };
}

/// Declares a word that is the only legal one in its place, such as a kind's `schema_version`.
macro_rules! version {
    ($name:ident = $word:literal) => {
        #[doc = concat!("The word `", $word, "`, the only legal one.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            #[doc = concat!("`", $word, "`")]
            #[default]
            #[serde(rename = $word)]
            Only,
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $word.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "const": $word })
            }
        }
    };
}

pub(super) use version;
pub(super) use vocabulary;
