//! A team's policy: who is who, how loudly rules speak, what is private, which changes are allowed (product.md 8).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::closed::version;
use super::identity::{Classes, GitIdentity, SALT_PATTERN};
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
    pub actors: Option<BTreeMap<Id, PolicyActor>>,
    /// What the hashes of addresses under `actors` are salted with: 16 random hex digits, no secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SALT_PATTERN))]
    pub identity_salt: Option<String>,
    /// Hosting services of the team that commit for people: as a committer they say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<GitIdentity>>,
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

/// A person, agent or host that a policy names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyActor {
    /// The classes that it may act in: one, or a list.
    pub class: Classes,
    /// Its git identities: noreply addresses, hashes of addresses, fingerprints of signing keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub git: Vec<GitIdentity>,
}

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
