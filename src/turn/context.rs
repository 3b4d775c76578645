//! Who owns the timer of a host (contract 5): the surface decides.

use crate::vocabulary::{ClosedWords, HostSurface};

/// What a profile of contract 5 stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The host.
    pub surface: HostSurface,
    /// Who owns the timer.
    pub owner: &'static str,
    /// How the host runs.
    pub mode: &'static str,
}

const fn profile(name: &'static str, surface: HostSurface, owner: &'static str, mode: &'static str) -> Profile {
    Profile { name, surface, owner, mode }
}

/// The profiles of contract 5.
pub const PROFILES: [Profile; 8] = [
    profile("codex_app_heartbeat", HostSurface::CodexApp, "host_automation", "hosted_automation"),
    profile("codex_app_ssh_goal", HostSurface::CodexAppSsh, "agent_cli_loop", "interactive"),
    profile("codex_cli", HostSurface::CodexCli, "agent_cli_loop", "interactive"),
    profile("claude_code", HostSurface::ClaudeCode, "agent_cli_loop", "interactive"),
    profile("generic_cli", HostSurface::GenericCli, "agent_cli_loop", "interactive"),
    profile("kunluncode", HostSurface::Kunluncode, "agent_cli_loop", "interactive"),
    profile("outer_controller", HostSurface::GenericCli, "outer_controller", "isolated_headless"),
    profile("ark_managed_agent_goal", HostSurface::ArkManagedAgent, "goal_runtime", "interactive"),
];

/// Why a combination of host, owner and mode is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContextFault {
    /// No host of that name is known.
    #[error("the host surface is not known")]
    UnknownSurface,
    /// The host cannot be run in this way by this owner.
    #[error("no profile has this host, owner and mode")]
    NoProfile,
}

/// The host of a combination.
///
/// # Errors
/// There is no such combination.
pub fn host_of(surface: &str, owner: &str, mode: &str) -> Result<HostSurface, ContextFault> {
    let surface = HostSurface::of(surface).ok_or(ContextFault::UnknownSurface)?;
    let fits = |it: &&Profile| (it.surface, it.owner, it.mode) == (surface, owner, mode);
    PROFILES.iter().find(fits).map(|profile| profile.surface).ok_or(ContextFault::NoProfile)
}

/// The host of a profile, or of a host's own name.
#[must_use]
pub fn host_named(name: &str) -> Option<HostSurface> {
    let profile = PROFILES.iter().find(|profile| profile.name == name).map(|profile| profile.surface);
    profile.or_else(|| HostSurface::of(name))
}
