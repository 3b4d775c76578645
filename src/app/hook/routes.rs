//! Routes: which agent the sessions of a host in a work tree act as.

use serde::{Deserialize, Serialize};

use crate::hosts::GuardMode;
use crate::store::LocalFiles;

/// Where the routes of a clone stand.
pub(crate) const ROUTES: &str = "hosts/routes.json";

/// The routes of a clone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routes {
    /// Each route.
    pub routes: Vec<HostRoute>,
}

/// The sessions of a host in a work tree act as this agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRoute {
    /// The host's word.
    pub host: String,
    /// The work tree's name: empty for the main one.
    pub work_tree: String,
    /// The state directory below the root of the work tree: empty, or ending in a slash.
    pub dir: String,
    /// The agent.
    pub agent: String,
    /// What the guard does.
    #[serde(default)]
    pub guard: GuardMode,
    /// The goals that it works for.
    pub goals: Vec<BoundGoal>,
}

/// A goal and the binding that ties the agent to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundGoal {
    /// The goal.
    pub goal_id: String,
    /// The id of the binding.
    pub session_id: String,
}

impl Routes {
    /// Reads the routes of a clone; none where nothing is connected.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn read(files: &LocalFiles) -> std::io::Result<Self> {
        let Some(bytes) = files.read(ROUTES)? else { return Ok(Self::default()) };
        serde_json::from_slice(&bytes).map_err(std::io::Error::from)
    }

    /// Writes them; without a route the file goes.
    ///
    /// # Errors
    /// The system cannot write it.
    pub fn write(&self, files: &LocalFiles) -> std::io::Result<()> {
        if self.routes.is_empty() {
            return files.remove(ROUTES);
        }
        files.write(ROUTES, crate::document::to_json_pretty(self).as_bytes())
    }

    /// The route of an agent.
    #[must_use]
    pub fn find(&self, host: &str, work_tree: &str, dir: &str, agent: &str) -> Option<&HostRoute> {
        let is_it = |route: &&HostRoute| {
            route.host == host && route.work_tree == work_tree && route.dir == dir && route.agent == agent
        };
        self.routes.iter().find(is_it)
    }
}
