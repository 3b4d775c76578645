//! The same commit, made by the `git` command with its hooks and signatures.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use crate::facts::CommitId;

use super::draft::Draft;
use super::error::Error;
use super::git_lock;
use super::index::Index;
use super::reference::Tip;
use super::{Owned, Store};

/// The only variables of git's own that are passed on. All others may point it at another repository: a hook runs with
/// those of the repository that it belongs to.
const PASSED_ON: [&str; 8] = [
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
];

/// Commits what the files hold in the work tree.
pub(super) fn commit(store: &Store, draft: &mut Draft<'_>, owned: Owned<'_>) -> Result<Option<CommitId>, Error> {
    git_lock::wait_until_free(draft.repository, store.wait)?;
    let tip = draft.request.tip(draft.repository)?;
    let index = Index::read(draft.repository)?;
    draft.write_blobs(&index)?;
    draft.check_index(&index, &tip, owned)?;
    if draft.write_tree(&tip)?.is_none() {
        return Ok(None);
    }
    let paths = |wanted: &dyn Fn(&str) -> bool| {
        let full = draft.entries.iter().map(|entry| entry.full.as_str()).filter(|full| wanted(full));
        full.flat_map(|full| [full, "\0"]).collect::<String>()
    };
    // `git commit` takes only files that the index knows.
    let new = paths(&|full| index.staged(full).is_none());
    run(draft, "add", &["--intent-to-add", "--force"], &new)?;
    let trailers = draft.request.message.trailers();
    let mut options = vec!["--quiet", "--only", "--message", draft.request.message.subject()];
    if !trailers.is_empty() {
        options.extend(["--message", &trailers]);
    }
    if let Err(error) = run(draft, "commit", &options, &paths(&|_| true)) {
        // A refused commit leaves the index as it was found.
        run(draft, "reset", &["--quiet"], &new)?;
        return Err(error);
    }
    let made = Tip::read(&draft.repository.reopen()?, draft.request.allow_detached)?;
    Ok(made.commit.filter(|_| made.commit != tip.commit).map(CommitId))
}

/// Runs `git` on the given paths, each of which ends in a NUL; none is nothing to do.
fn run(draft: &Draft<'_>, act: &'static str, options: &[&str], paths: &str) -> Result<(), Error> {
    if paths.is_empty() {
        return Ok(());
    }
    let mut command = Command::new("git");
    command.current_dir(draft.work_tree).arg(act).args(options).args(["--pathspec-from-file=-", "--pathspec-file-nul"]);
    for (name, _) in std::env::vars_os() {
        let is_passed_on = PASSED_ON.iter().any(|known| name == *known);
        if name.to_string_lossy().starts_with("GIT_") && !is_passed_on {
            command.env_remove(name);
        }
    }
    let time = format!("{} +0000", draft.request.time.as_second());
    command.env("GIT_AUTHOR_DATE", &time).env("GIT_COMMITTER_DATE", &time);
    command.env("GIT_LITERAL_PATHSPECS", "1").env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().map_err(|error| Error::NoGitCommand(error.kind()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command that ends early says why by its exit code.
        match stdin.write_all(paths.as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(Error::NoGitCommand(error.kind())),
            _ => {}
        }
    }
    let status = child.wait().map_err(|error| Error::NoGitCommand(error.kind()))?;
    if status.success() { Ok(()) } else { Err(Error::GitCommand { act, code: status.code() }) }
}
