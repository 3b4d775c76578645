//! The policies that ship with the program, as documents to start from.

/// A policy file that ships with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ShippedPolicy {
    /// What holds without a policy, written out
    Default,
    /// Decisions need proof, and most warnings are errors
    Strict,
    /// One person and their agents
    Solo,
}

impl ShippedPolicy {
    /// Every shipped policy, in the order of `loopx init --help`.
    pub const ALL: &'static [Self] = &[Self::Default, Self::Strict, Self::Solo];

    /// The name that `init --policy` takes, and that of the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Strict => "strict",
            Self::Solo => "solo",
        }
    }

    /// Returns the YAML text of the policy.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Default => include_str!("../../policies/default.yaml"),
            Self::Strict => include_str!("../../policies/strict.yaml"),
            Self::Solo => include_str!("../../policies/solo.yaml"),
        }
    }

    /// Its path below a state directory.
    #[must_use]
    pub fn path(self) -> String {
        format!("policies/{}.yaml", self.name())
    }
}
