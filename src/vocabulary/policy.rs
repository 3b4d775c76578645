//! A team's policy: who is who, how loudly rules speak, what is private, which changes are allowed (product.md 8).

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit as _, Mac as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::closed::version;
use super::recorded::hex;
use super::shape::RuleLevel;
use super::text::{Id, Label, Line};
use super::time::Instant;
use super::words::{ActorClass, TransitionVerdict};

version!(PolicyV0 = "loopx_policy_v0");

/// One policy file; several files may not hold the same section.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 2))]
pub struct Policy {
    /// The kind of this document.
    pub schema_version: PolicyV0,
    /// Who is who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actors: Option<BTreeMap<Id, Actor>>,
    /// How loudly rules speak.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<BTreeMap<String, RuleLevel>>,
    /// What is private to this team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub privacy: Option<PrivacySection>,
    /// Which changes are allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitions: Option<Vec<Transition>>,
}

/// One actor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    /// Its class.
    pub class: ActorClass,
    /// Its git identities: noreply addresses or keyed hashes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub git: Vec<GitIdentity>,
}

/// A git identity that gives nobody's address away: a noreply address, or `hmac-sha256:` and 64 hex digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct GitIdentity(#[schemars(regex(pattern = GIT_IDENTITY_PATTERN))] pub String);

impl GitIdentity {
    /// Whether it is of an address of git, in which capital letters mean nothing. A hash is told only by whoever has the
    /// team's key.
    #[must_use]
    pub fn is_of(&self, address: &str, key: Option<&str>) -> bool {
        self.0.eq_ignore_ascii_case(address) || key.is_some_and(|key| self.0 == hashed(address, key))
    }
}

/// The keyed hash of an address, as a policy holds it.
fn hashed(address: &str, key: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("a key of any length will do");
    mac.update(address.to_ascii_lowercase().as_bytes());
    format!("hmac-sha256:{}", hex(&mac.finalize().into_bytes()))
}

/// What a git identity looks like.
pub(super) const GIT_IDENTITY_PATTERN: &str =
    r"^(?:hmac-sha256:[0-9a-f]{64}|[A-Za-z0-9._+-]+@(?:[A-Za-z0-9-]+\.)*noreply\.[A-Za-z0-9.-]+)$";

/// What is private to this team.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivacySection {
    /// Prefixes of internal tickets, such as `LED` for `LED-12`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ticket_prefixes: Vec<Label>,
    /// Hosts whose URLs may not leave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private_hosts: Vec<Label>,
    /// Reviewed exceptions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<PrivacyException>,
}

/// One reviewed exception from one privacy rule in one field of one document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivacyException {
    /// The rule.
    pub rule: Label,
    /// The document's path below the state directory.
    pub document: Line,
    /// The field, such as `outcomes.summary`.
    pub field: Line,
    /// Why it is right.
    pub reason: Line,
    /// Who answers for it.
    pub owner: Id,
    /// When it has to be looked at again.
    pub expires_at: Instant,
}

/// One row of the closed table of changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// Who makes the change; absent: anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_class: Option<ActorClass>,
    /// The kind of document; absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Label>,
    /// The field; absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<Line>,
    /// The value before; absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Line>,
    /// The value after; absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Line>,
    /// Where; absent: anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Line>,
    /// What is said to it.
    pub verdict: TransitionVerdict,
    /// What the author is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Line>,
}
