//! Names of commits.

pub(super) use super::{Ancestry, CommitId, Fetch, GitError, Repository, failed};
use crate::workspace::MARK;

/// Where branches of this clone stand.
const LOCAL: &str = "refs/heads/";

/// Where branches stand as they were last fetched.
const REMOTE: &str = "refs/remotes/origin/";

/// Where the decisions that count are looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthorityCommit {
    /// The tree of this commit is what is recorded.
    Commit(CommitId),
    /// The branch has no commit yet.
    Unborn,
    /// No such branch, neither here nor as last fetched from `origin`.
    Missing {
        /// How to get it, when there is an `origin`.
        fetch: Option<Fetch>,
    },
}

/// The state of `HEAD`: a branch or a detached commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch, by its short name, and its commit once it has one.
    Branch {
        /// The name below `refs/heads/`; a ref from elsewhere keeps its full name.
        name: String,
        /// None while the branch is unborn.
        commit: Option<CommitId>,
    },
    /// A commit and no branch.
    Detached(CommitId),
}

impl Head {
    /// The commit that is checked out; `None` on a branch without any.
    #[must_use]
    pub fn commit(&self) -> Option<CommitId> {
        match self {
            Self::Branch { commit, .. } => *commit,
            Self::Detached(commit) => Some(*commit),
        }
    }
}

/// A branch of this clone, or one of a remote as it was last fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The name as git takes it: `topic`, or `origin/topic`.
    pub name: String,
    /// Its commit.
    pub commit: CommitId,
}

impl Repository {
    /// Looks up what is checked out.
    ///
    /// # Errors
    ///
    /// `HEAD` is broken or unreadable.
    pub fn head(&self) -> Result<Head, GitError> {
        let mut head = self.git.head().map_err(failed("read HEAD"))?;
        let commit = head.try_peel_to_id().map_err(failed("read HEAD"))?.map(|id| CommitId(id.detach()));
        Ok(match (head.referent_name(), commit) {
            (Some(name), commit) => Head::Branch { name: name.shorten().to_string(), commit },
            (None, Some(commit)) => Head::Detached(commit),
            (None, None) => return Err(GitError::UnknownRevision { fetch: None }),
        })
    }

    /// Lists the commits that the merge under way brings in; none where no merge is.
    #[must_use]
    pub fn merging(&self) -> Vec<CommitId> {
        let heads = std::fs::read_to_string(self.git.git_dir().join("MERGE_HEAD")).unwrap_or_default();
        heads.lines().filter_map(|line| gix::ObjectId::from_hex(line.trim().as_bytes()).ok()).map(CommitId).collect()
    }

    /// Looks up `name` as a branch here and as that branch of `origin`: the descendant of both counts. `HEAD` is what is
    /// checked out.
    ///
    /// # Errors
    ///
    /// A ref is there and cannot be read. A branch that is not there is an answer.
    pub fn authority(&self, name: &str) -> Result<AuthorityCommit, GitError> {
        let head = self.head()?;
        if name == "HEAD" {
            return Ok(match head {
                Head::Branch { commit: Some(commit), .. } | Head::Detached(commit) => AuthorityCommit::Commit(commit),
                Head::Branch { commit: None, .. } => AuthorityCommit::Unborn,
            });
        }
        if let Some(commit) = self.branch(name)? {
            return Ok(AuthorityCommit::Commit(commit));
        }
        let is_unborn = matches!(&head, Head::Branch { name: unborn, commit: None } if unborn == name);
        // Where other branches have commits it is lost, not new.
        if is_unborn && self.branches()?.is_empty() {
            return Ok(AuthorityCommit::Unborn);
        }
        Ok(AuthorityCommit::Missing { fetch: self.authority_remedy(name)? })
    }

    /// Names the command after which an authority ref that is not here is found. A clone of one branch fetches it. Where
    /// every branch of `origin` was fetched, or there is no `origin`, nobody has it: then another branch has to be the
    /// authority ref, or, where the settings of the default branch name it, that branch has to be created.
    fn authority_remedy(&self, name: &str) -> Result<Option<Fetch>, GitError> {
        if self.has_origin() && !self.fetches_all_branches() {
            return self.fetch_branch(name);
        }
        let branches = self.branches()?;
        if let Some((default, commit)) = self.origin_head()? {
            // The settings of the default branch come before the configuration of this clone.
            return Ok(Some(match self.file(commit, MARK)? {
                None => Fetch::authority(&default),
                Some(_) => Fetch::push(&default, name),
            }));
        }
        let short = |branch: &Branch| branch.name.strip_prefix("origin/").unwrap_or(&branch.name).to_owned();
        let usual = |branch: &&Branch| ["main", "master", "trunk"].contains(&short(branch).as_str());
        let found = branches.iter().find(usual).or(branches.first());
        Ok(found.map(|branch| Fetch::authority(&short(branch))))
    }

    /// Tells whether `git fetch` brings every branch of `origin`, and has done so.
    fn fetches_all_branches(&self) -> bool {
        let config = self.git.config_snapshot();
        let specs = config.plumbing().raw_values("remote.origin.fetch").unwrap_or_default();
        let is_all = specs.iter().any(|spec| spec.ends_with(b"refs/heads/*:refs/remotes/origin/*"));
        let has_any = self.branches().is_ok_and(|all| all.iter().any(|branch| branch.name.starts_with("origin/")));
        is_all && has_any && !self.is_shallow().unwrap_or(true)
    }

    /// Tells whether a branch here and the same branch as last fetched from `origin` each have commits that the other lacks.
    ///
    /// # Errors
    ///
    /// A ref is there and cannot be read.
    pub fn has_diverged(&self, name: &str) -> Result<bool, GitError> {
        let (Some(local), Some(remote)) = (self.branch_at(LOCAL, name)?, self.branch_at(REMOTE, name)?) else {
            return Ok(false);
        };
        Ok(self.reaches(local, remote)? == Ancestry::No && self.reaches(remote, local)? == Ancestry::No)
    }

    /// Looks up the branch that `origin` calls its own, and its commit as last fetched; none where that is not known.
    ///
    /// # Errors
    ///
    /// A ref is there and cannot be read.
    pub fn origin_head(&self) -> Result<Option<(String, CommitId)>, GitError> {
        let remote = self.git.try_find_reference("refs/remotes/origin/HEAD").map_err(failed("read a ref"))?;
        let Some(remote) = remote else { return Ok(None) };
        let target = remote.target().try_name().map(|name| name.as_bstr().to_string());
        let Some(name) = target.as_deref().and_then(|name| name.strip_prefix(REMOTE)) else { return Ok(None) };
        Ok(self.branch_at(REMOTE, name)?.map(|commit| (name.to_owned(), commit)))
    }

    /// The name of the authority ref that this clone's configuration holds, as `git config loopx.authority` shows it.
    #[must_use]
    pub fn configured_authority(&self) -> Option<String> {
        self.git
            .config_snapshot()
            .string("loopx.authority")
            .map(|name| name.to_string())
            .filter(|name| !name.is_empty())
    }

    /// Finds the commit that `revision` names, in git's own notation.
    ///
    /// # Errors
    ///
    /// There is none, with the command that fetches it when a branch or the rest of a shallow history would help.
    pub fn revision(&self, revision: &str) -> Result<CommitId, GitError> {
        let found = self.git.rev_parse_single(revision).ok();
        if let Some(commit) = found.and_then(|id| id.object().ok()).and_then(|object| object.peel_to_commit().ok()) {
            return Ok(CommitId(commit.id));
        }
        let branch = revision.strip_prefix("origin/").unwrap_or(revision);
        let fetch = match self.branch(branch)? {
            None if !is_id(branch) => self.fetch_branch(branch)?,
            _ => None,
        };
        let history = self.is_shallow()?.then(Fetch::history);
        Err(GitError::UnknownRevision { fetch: fetch.or(history) })
    }

    /// The branch that this clone starts work from where no remote says so: `init.defaultBranch`, `main` or `master`, the
    /// first that has a commit.
    ///
    /// # Errors
    ///
    /// A ref is there and cannot be read.
    pub fn local_default(&self) -> Result<Option<(String, CommitId)>, GitError> {
        let configured = self.git.config_snapshot().string("init.defaultBranch").map(|name| name.to_string());
        for name in configured.into_iter().chain(["main".to_owned(), "master".to_owned()]) {
            if let Some(commit) = self.branch_at(LOCAL, &name)? {
                return Ok(Some((name, commit)));
            }
        }
        Ok(None)
    }

    /// Names the branch that most work starts from: what `origin` calls its own, else what is checked out, also before
    /// its first commit; none where no branch is checked out.
    ///
    /// # Errors
    ///
    /// A ref is there and cannot be read.
    pub fn default_branch(&self) -> Result<Option<String>, GitError> {
        let remote = self.git.try_find_reference("refs/remotes/origin/HEAD").map_err(failed("read a ref"))?;
        let target = remote.as_ref().and_then(|found| found.target().try_name().map(|name| name.as_bstr().to_string()));
        if let Some(name) = target.as_deref().and_then(|name| name.strip_prefix("refs/remotes/origin/")) {
            return Ok(Some(name.to_owned()));
        }
        Ok(match self.head()? {
            Head::Branch { name, .. } => Some(name),
            Head::Detached(_) => None,
        })
    }

    /// Lists the local and the remote-tracking branches, each with its commit, the newest first.
    ///
    /// # Errors
    ///
    /// A ref or a commit is there and cannot be read.
    pub fn branches(&self) -> Result<Vec<Branch>, GitError> {
        let broken = failed("list the branches");
        let platform = self.git.references().map_err(&broken)?;
        let local = platform.local_branches().map_err(&broken)?;
        let remote = platform.remote_branches().map_err(&broken)?;
        let mut branches = Vec::new();
        for found in local.chain(remote) {
            let Ok(mut reference) = found else { continue };
            let name = reference.name().shorten().to_string();
            // What a remote calls its own branch is listed under that branch.
            if name.ends_with("/HEAD") {
                continue;
            }
            let commit = CommitId(reference.peel_to_commit().map_err(failed("read the commit of a branch"))?.id);
            branches.push((self.commit(commit)?.time, Branch { name, commit }));
        }
        branches.sort_by(|(one, first), (other, second)| other.cmp(one).then_with(|| first.name.cmp(&second.name)));
        Ok(branches.into_iter().map(|(_, branch)| branch).collect())
    }

    /// The commit of a branch: of the one here and the one last fetched from `origin` the descendant, and where each has
    /// commits that the other lacks, the one here.
    fn branch(&self, name: &str) -> Result<Option<CommitId>, GitError> {
        Ok(match (self.branch_at(LOCAL, name)?, self.branch_at(REMOTE, name)?) {
            (Some(local), Some(remote)) if local != remote && self.reaches(remote, local)? == Ancestry::Yes => {
                Some(remote)
            }
            (local, remote) => local.or(remote),
        })
    }

    fn branch_at(&self, place: &str, name: &str) -> Result<Option<CommitId>, GitError> {
        // A name that git would not allow is one that no branch has.
        let Ok(full) = gix::refs::FullName::try_from(format!("{place}{name}")) else { return Ok(None) };
        let found = self.git.try_find_reference(&full).map_err(failed("read a branch"))?;
        let Some(mut reference) = found else { return Ok(None) };
        let commit = reference.peel_to_commit().map_err(failed("read the commit of a branch"))?;
        Ok(Some(CommitId(commit.id)))
    }

    fn fetch_branch(&self, name: &str) -> Result<Option<Fetch>, GitError> {
        let possible = self.has_origin() && gix::refs::FullName::try_from(format!("refs/heads/{name}")).is_ok();
        Ok(if possible { Some(Fetch::branch(name, self.is_shallow()?)) } else { None })
    }

    /// Tells whether this clone has a remote `origin`.
    #[must_use]
    pub fn has_origin(&self) -> bool {
        self.git.config_snapshot().string("remote.origin.url").is_some()
    }
}

/// Tells the id of a commit, whole or shortened, from the name of a branch.
fn is_id(name: &str) -> bool {
    name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
