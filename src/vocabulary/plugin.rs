//! `host_integration_plugin_plan_v0`: how a host would take in the commands (contract 5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::closed::{ClosedWords, Vocabulary, version, vocabulary};
use super::contract::{False, True};
use super::text::{Id, Line};
use super::words::HostKind;

version!(PluginV0 = "host_integration_plugin_plan_v0");

vocabulary! {
    /// How much a heartbeat prompt says.
    PromptMode, "heartbeat_prompt_mode", "a heartbeat prompt mode" {
        Thin = "thin": "only what is generated for one goal and agent; no policy is copied by hand",
    }
}
vocabulary! {
    /// Where a scheduler's hint comes from.
    HintSource, "scheduler_hint_source", "a scheduler hint source" {
        QuotaShouldRun = "quota_should_run": "the answer of `quota should-run`",
    }
}

/// The vocabularies of this document.
pub(super) const WORDS: &[Vocabulary] = &[PromptMode::VOCABULARY, HintSource::VOCABULARY];

/// The plan of one host's plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plugin {
    /// The kind of this document.
    pub schema_version: PluginV0,
    /// The host; the name of its folder.
    pub host_kind: HostKind,
    /// The registry that knows the commands.
    pub command_registry: Id,
    /// What the host repeats.
    pub automation: Automation,
    /// What it never takes or shows.
    pub privacy: Privacy,
    /// Commands that work without the plugin.
    #[schemars(length(min = 1))]
    pub fallbacks: Vec<Line>,
}

/// The work that a host repeats by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Automation {
    /// How much the prompt says.
    pub heartbeat_prompt_mode: PromptMode,
    /// Nothing is installed for an unnamed agent.
    pub requires_agent_identity: True,
    /// Where hints come from.
    pub scheduler_hint_source: HintSource,
}

/// What a plugin never takes or shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// It takes no transcript.
    pub raw_transcripts_accepted: False,
    /// It takes no credential.
    pub credentials_accepted: False,
    /// It shows no path of a machine.
    pub public_local_paths_allowed: False,
}
