//! Looks whether everything that loopx needs here is in order: git, the authority ref, line ends, watching, and hosts.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::connect::{ConnectCheck, check_connection};
use super::error::{Error, ErrorCode};
use super::hook::{Holder, HostSession, Routes};
use super::world::Records;
use crate::git::{GitPlace, Repository};
use crate::hosts::{HOSTS, Host};
use crate::process::ask_in_json;
use crate::reconcile::AuthorityState;
use crate::store::LocalFiles;

/// What the line about the trust of Codex is called.
const TRUST: &str = "codex trust";

/// How long Codex may take to list its hooks.
const CODEX_PATIENCE: Duration = Duration::from_secs(20);

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorLine {
    /// What.
    pub about: &'static str,
    /// Whether it is in order.
    pub is_sound: bool,
    /// What was found, and the command or edit that mends it.
    pub text: String,
}

/// Gives what the hook of a host's event answers to a payload.
pub type RunHook<'a> = &'a dyn Fn(Host, &str, &[u8]) -> Option<String>;

/// Looks at everything; what cannot be looked at is a line too.
///
/// # Errors
/// There is no state directory.
pub fn doctor(place: &Path, run: RunHook<'_>) -> Result<Vec<DoctorLine>, Error> {
    let root = super::state_directory(place)?;
    let repository = match Repository::discover(&root) {
        Ok(Some(repository)) => repository,
        Ok(None) => {
            return Ok(vec![line("git", false, "there is no repository here, so nothing is recorded: git init")]);
        }
        Err(error) => return Ok(vec![line("git", false, Error::from(error).to_string())]),
    };
    if !repository.is_trusted() {
        return Ok(vec![line("git", false, Error::of(ErrorCode::RepositoryNotTrusted).to_string())]);
    }
    let mut lines = vec![line("git", true, "the repository can be read")];
    lines.push(authority(&repository, &root));
    lines.extend(clone(&repository));
    lines.push(line_ends(&repository, &root));
    lines.extend(watching(&root));
    let Some(git) = GitPlace::find(&root) else { return Ok(lines) };
    let files = LocalFiles::of(&git.common_dir);
    lines.push(local_files(&files));
    let routes = Routes::read(&files).unwrap_or_default().routes;
    for row in HOSTS.iter().filter(|row| routes.iter().any(|route| route.host == row.word)) {
        let checked = check_connection(place, row.host, &|event, payload| run(row.host, event, payload));
        lines.push(match checked {
            Ok(checked) => host_line(&checked),
            Err(error) => line(row.word, false, error.to_string()),
        });
    }
    if routes.iter().any(|route| route.host == Host::CodexCli.word()) {
        lines.push(codex_trust(&git.work_tree));
    }
    if routes.is_empty() {
        lines.push(line("hosts", true, "none is connected; connect one: loopx connect HOST --agent ID"));
    }
    Ok(lines)
}

fn line(about: &'static str, is_sound: bool, text: impl Into<String>) -> DoctorLine {
    DoctorLine { about, is_sound, text: text.into() }
}

fn authority(repository: &Repository, root: &Path) -> DoctorLine {
    match Records::read(Some(repository), root) {
        Err(error) => line("authority", false, error.to_string()),
        Ok(records) => match &records.authority {
            AuthorityState::Read if records.reference_name() == "HEAD" => line(
                "authority",
                false,
                "authority.ref is HEAD, so no branch is protected from itself: authority: { ref: main }",
            ),
            AuthorityState::Read => line("authority", true, format!("decisions count at {}", records.reference_name())),
            AuthorityState::NoGit => line("authority", false, "nothing is committed yet: git commit"),
            AuthorityState::RefMissing { reference, fetch } => {
                line("authority", false, format!("{reference} is not in this clone: {fetch}"))
            }
        },
    }
}

fn clone(repository: &Repository) -> Vec<DoctorLine> {
    let mut lines = Vec::new();
    if repository.common_dir().join("shallow").exists() {
        lines.push(line(
            "clone",
            false,
            "the clone is shallow, so every difference counts as made here: git fetch --unshallow",
        ));
    }
    match repository.not_checked_out() {
        Ok(left_out) if left_out.is_empty() => {}
        Ok(left_out) => {
            let text = format!("a sparse checkout leaves out {} files; they are read from the index", left_out.len());
            lines.push(line("clone", true, text));
        }
        Err(error) => lines.push(line("clone", false, Error::from(error).to_string())),
    }
    lines
}

/// Receipts are compared by their bytes, so documents need one spelling of line ends.
fn line_ends(repository: &Repository, root: &Path) -> DoctorLine {
    let config = std::fs::read_to_string(repository.common_dir().join("config")).unwrap_or_default();
    let is_rewritten = config.lines().any(|line| {
        let line = line.trim().to_ascii_lowercase();
        line.starts_with("autocrlf") && line.ends_with("true")
    });
    let attributes = std::fs::read_to_string(root.join(".gitattributes")).unwrap_or_default();
    let is_fixed = attributes.lines().any(|line| line.contains("eol=lf") && line.starts_with('*'));
    if is_rewritten && !is_fixed {
        line(
            "line ends",
            false,
            "git rewrites line ends here; write `*.yaml text eol=lf` into .gitattributes: loopx init",
        )
    } else {
        line("line ends", true, "one spelling")
    }
}

/// A watch needs one watch of the system for each folder.
fn watching(root: &Path) -> Option<DoctorLine> {
    let limit: usize = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?.trim().parse().ok()?;
    let mut waiting = vec![root.to_owned()];
    let mut folders = 0;
    while let Some(folder) = waiting.pop() {
        folders += 1;
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        waiting.extend(entries.filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir())).map(|it| it.path()));
    }
    Some(if folders * 2 > limit {
        let text = format!(
            "{folders} folders, and the system allows {limit} watches: sysctl fs.inotify.max_user_watches={}",
            folders * 4
        );
        line("watch", false, text)
    } else {
        line("watch", true, format!("{folders} folders of {limit} watches"))
    })
}

fn local_files(files: &LocalFiles) -> DoctorLine {
    let mut broken = Vec::new();
    if Routes::read(files).is_err() {
        broken.push("hosts/routes.json".to_owned());
    }
    for name in files.list("hosts/sessions") {
        if HostSession::at(files, name.trim_end_matches(".json")).is_err() {
            broken.push(format!("hosts/sessions/{name}"));
        }
    }
    for name in files.list("hosts/holders") {
        if Holder::read(files, name.trim_end_matches(".json")).is_err() {
            broken.push(format!("hosts/holders/{name}"));
        }
    }
    if broken.is_empty() {
        return line("local files", true, "routes and sessions can be read");
    }
    let text =
        format!("{} cannot be read, so writes wait: remove it below .git/loopx, then loopx connect", broken.join(", "));
    line("local files", false, text)
}

/// Codex runs no hook before a person trusts it, and says so to nobody but whoever asks it.
fn codex_trust(work_tree: &Path) -> DoctorLine {
    let client = json!({ "clientInfo": { "name": "loopx", "title": "loopx", "version": env!("CARGO_PKG_VERSION") } });
    let requests =
        [("initialize", client), ("initialized", Value::Null), ("hooks/list", json!({ "cwds": [work_tree] }))];
    let Some(answer) = ask_in_json(&["codex", "app-server"], work_tree, &requests, CODEX_PATIENCE) else {
        return line(
            TRUST,
            true,
            "codex does not answer here, so nobody knows whether its hooks are trusted: codex, /hooks",
        );
    };
    let hooks =
        answer["data"].as_array().into_iter().flatten().filter_map(|folder| folder["hooks"].as_array()).flatten();
    let is_ours = |hook: &&Value| hook.to_string().contains("loopx hook codex_cli");
    let states: Vec<&str> = hooks.filter(is_ours).filter_map(|hook| hook["trustStatus"].as_str()).collect();
    let trusted = states.iter().filter(|state| state.eq_ignore_ascii_case("trusted")).count();
    match states.len() {
        0 => {
            line(TRUST, false, "codex lists none of our hooks, so it does not trust this folder: codex, then trust it")
        }
        all if trusted == all => line(TRUST, true, format!("codex trusts all {all} hooks")),
        all => line(TRUST, false, format!("codex trusts {trusted} of {all} hooks and skips the others: codex, /hooks")),
    }
}

fn host_line(checked: &ConnectCheck) -> DoctorLine {
    let newest = checked.hooks.iter().filter_map(|hook| hook.seen).min();
    let seen = newest.map_or_else(
        || format!("no event has arrived: {}", checked.host.row().trust),
        |seconds| format!("its last event came {seconds} s ago"),
    );
    let text = match checked.is_sound() {
        true => seen,
        false => format!("{seen}; see: loopx connect {} --check", checked.host),
    };
    line(checked.host.word(), checked.is_sound(), text)
}
