//! What a name could mean: refs of several places, and ids of commits.

use super::{CommitId, GitError, Repository, failed};

/// Where git looks a short name up, its own order.
const PLACES: [&str; 4] = ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

impl Repository {
    /// Looks up the commit of a ref by its full name, and nothing else that could be meant by it.
    ///
    /// # Errors
    ///
    /// The ref is there and cannot be read.
    pub fn reference(&self, full: &str) -> Result<Option<CommitId>, GitError> {
        // A name that git would not allow is one that no ref has.
        let Ok(name) = gix::refs::FullName::try_from(full) else { return Ok(None) };
        let found = self.git.try_find_reference(&name).map_err(failed("read a ref"))?;
        // A tag may be of something that is no commit.
        Ok(found.and_then(|mut reference| reference.peel_to_commit().ok()).map(|commit| CommitId(commit.id)))
    }

    /// Lists the commits that a short name could mean, each with a name that means nothing else: refs of every place where
    /// git looks, a shortened id, and whatever else git reads it as.
    ///
    /// # Errors
    ///
    /// A ref is there and cannot be read.
    pub fn meanings(&self, name: &str) -> Result<Vec<(String, CommitId)>, GitError> {
        let mut found = Vec::new();
        for place in PLACES {
            let full = format!("{place}{name}");
            found.extend(self.reference(&full)?.map(|commit| (full, commit)));
        }
        let prefix = gix::hash::Prefix::from_hex(name).ok();
        let by_id = prefix.and_then(|prefix| self.git.objects.lookup_prefix(prefix, None).ok().flatten()?.ok());
        let read = self.git.rev_parse_single(name).ok().map(gix::Id::detach);
        for id in by_id.into_iter().chain(read) {
            let commit = self.git.find_object(id).ok().and_then(|object| object.peel_to_commit().ok());
            let Some(commit) = commit.map(|commit| CommitId(commit.id)) else { continue };
            if found.iter().all(|(_, known)| *known != commit) {
                found.push((commit.to_string(), commit));
            }
        }
        Ok(found)
    }
}
