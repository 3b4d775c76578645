//! A repository whose `main` holds `fixtures/review/base/`, and people who commit to it. Needs the `git` command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::fixture::{files_below, filled};
use crate::store::sandbox::{Sandbox, put};

/// The time of every verdict; all documents are of the days before.
pub(super) const NOW: &str = "2026-03-07T12:00:00Z";

/// Where the state directory stands in the repository.
pub(super) const STATE: &str = "loopx";

/// One commit of a story.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Step {
    pub(super) author: String,
    /// Who commits it, where that is not the author: a name, or the address of a hosting service.
    pub(super) committer: Option<String>,
    pub(super) message: String,
    /// Files written whole.
    pub(super) put: BTreeMap<String, String>,
    /// Text added to the end of files.
    pub(super) append: BTreeMap<String, String>,
    /// Text replaced in files; a name that ends with `*` is the file below that folder that holds the text.
    pub(super) edit: BTreeMap<String, Vec<(String, String)>>,
    pub(super) remove: Vec<String>,
    /// A writeback request whose `mode` becomes `apply`, with the digest of its preview.
    pub(super) apply: Option<String>,
    /// Whether `loopx record` writes the receipts beside the change.
    pub(super) record: bool,
}

pub(super) struct Team {
    pub(super) sandbox: Sandbox,
    pub(super) repo: PathBuf,
}

/// What a command wrote, and its exit code.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) out: String,
    pub(super) err: String,
    pub(super) code: Option<i32>,
}

pub(super) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/review")
}

impl Team {
    /// A team whose `main` holds the base with every decision recorded.
    pub(super) fn new() -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.init("repo", &[]);
        let team = Self { sandbox, repo };
        let base = fixtures().join("base");
        for path in files_below(&base) {
            let name = path.strip_prefix(&base).expect("below").to_string_lossy().into_owned();
            team.put(&name, &std::fs::read_to_string(&path).expect("text"));
        }
        team.commit(&Step { author: "maya".into(), message: "Start".into(), record: true, ..Step::default() });
        team
    }

    pub(super) fn put(&self, path: &str, text: &str) {
        put(&self.repo.join(STATE), path, text);
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        self.sandbox.git(&self.repo, arguments)
    }

    /// Makes one commit.
    pub(super) fn commit(&self, step: &Step) {
        let text = |text: &str| String::from_utf8(filled(text)).expect("text");
        let at = |path: &str| self.repo.join(STATE).join(path);
        let read =
            |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for path in &step.remove {
            std::fs::remove_file(at(path)).expect("a file to remove");
        }
        for (path, content) in &step.put {
            self.put(path, &text(content));
        }
        for (path, content) in &step.append {
            self.put(path, &format!("{}{}", read(&at(path)), text(content)));
        }
        for (path, edits) in &step.edit {
            let file = match path.strip_suffix('*') {
                None => at(path),
                Some(folder) => {
                    let files = files_below(&at(folder));
                    files.into_iter().find(|file| read(file).contains(&edits[0].0)).expect("a file that holds the text")
                }
            };
            let edited = edits.iter().fold(read(&file), |content, (old, new)| {
                assert!(content.contains(old.as_str()), "{path} holds {old:?}");
                content.replace(old.as_str(), &text(new))
            });
            std::fs::write(file, edited).expect("writable");
        }
        if let Some(request) = &step.apply {
            let path = format!("goals/ledger/writebacks/{request}.yaml");
            let apply = format!("mode: apply\napproved_preview_digest: {}\n", self.digest(request));
            self.put(&path, &read(&at(&path)).replace("mode: dry_run\n", &apply));
        }
        if step.record {
            self.does(&["record"]);
        }
        self.git(&["add", "--all"]);
        let committer = step.committer.as_ref().unwrap_or(&step.author);
        let address = |name: &str| match name.contains('@') {
            true => name.to_owned(),
            false => format!("{name}@users.noreply.example"),
        };
        let (name, email) = (format!("user.name={committer}"), format!("user.email={}", address(committer)));
        let author = format!("--author={} <{}>", step.author, address(&step.author));
        self.git(&["-c", &name, "-c", &email, "commit", "--quiet", &author, "--message", &text(&step.message)]);
    }

    /// The digest of the preview of a writeback request.
    fn digest(&self, request: &str) -> String {
        let plan: serde_json::Value = serde_json::from_str(&self.does(&["plan", "--format", "json"])).expect("JSON");
        let all = plan["writebacks"].as_array().expect("a list");
        let found = all.iter().find(|one| one["request_id"] == request).expect("the request");
        found["preview_digest"].as_str().unwrap_or_else(|| panic!("no preview: {found}")).to_owned()
    }

    /// Begins a branch at another one.
    pub(super) fn branch(&self, name: &str, from: &str) {
        self.git(&["switch", "--quiet", "--create", name, from]);
    }

    /// Runs `loopx` at the root of the repository.
    pub(super) fn loopx(&self, arguments: &[&str]) -> Said {
        self.loopx_in(&self.repo, arguments)
    }

    /// The same somewhere else.
    pub(super) fn loopx_in(&self, place: &Path, arguments: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
        self.sandbox.scrub(&mut command);
        let output = command.current_dir(place).args(["--now", NOW]).args(arguments).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("Unicode");
        Said { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }

    /// The same, which must do its job.
    pub(super) fn does(&self, arguments: &[&str]) -> String {
        let said = self.loopx(arguments);
        assert_eq!(said.code, Some(0), "loopx {arguments:?}: {said:?}");
        said.out
    }
}
