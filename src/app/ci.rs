//! What a host of code runs: a check of each change, and the recording of decisions on the default branch.

use std::collections::BTreeMap;

/// A host of code that runs workflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CiHost {
    /// GitHub Actions.
    Github,
    /// GitLab CI/CD.
    Gitlab,
}

const GITHUB: &str = include_str!("../../templates/ci/github.yml");
const GITLAB: &str = include_str!("../../templates/ci/gitlab.yml");

/// What makes GitLab read a file of its own for us.
const GITLAB_ROOT: &str = "include:\n  - local: .gitlab/loopx.yml\n";

/// The files of a host by path below the repository's root, for a repository with this default branch.
pub(super) fn workflows(host: CiHost, branch: &str) -> BTreeMap<String, String> {
    // A JSON string is one of YAML too, whatever the branch is called.
    let branch = serde_json::json!(branch).to_string();
    let filled = |template: &str| template.replace("@branch@", &branch).replace("@version@", env!("CARGO_PKG_VERSION"));
    match host {
        CiHost::Github => BTreeMap::from([(".github/workflows/loopx.yml".to_owned(), filled(GITHUB))]),
        CiHost::Gitlab => BTreeMap::from([
            (".gitlab/loopx.yml".to_owned(), filled(GITLAB)),
            (".gitlab-ci.yml".to_owned(), GITLAB_ROOT.to_owned()),
        ]),
    }
}
