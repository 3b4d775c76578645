//! A folder with repositories, and git as a user would run it: nothing of this machine's own settings is seen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    /// A sandbox with one repository `repo`, whose branch `main` has one commit.
    pub(crate) fn with_commit() -> (Self, PathBuf) {
        let sandbox = Self::new();
        let repo = sandbox.init("repo", &[]);
        sandbox.commit_file(&repo, "first.txt", "first\n");
        (sandbox, repo)
    }

    /// A repository whose first commit has that many files, spread over folders.
    pub(crate) fn filled(&self, files: usize) -> PathBuf {
        let repo = self.init("repo", &[]);
        for number in 0..files {
            put(&repo, &format!("src/{}/{}/file-{number}.txt", number % 97, number % 13), &format!("{number}\n"));
        }
        self.git(&repo, &["add", "--all"]);
        self.git(&repo, &["commit", "--quiet", "--message=start"]);
        repo
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub(crate) fn init(&self, name: &str, options: &[&str]) -> PathBuf {
        let repo = self.path(name);
        fs::create_dir_all(&repo).expect("a folder");
        self.git(&repo, &[&["init", "--quiet", "--initial-branch=main"], options].concat());
        self.identify(&repo);
        repo
    }

    pub(crate) fn identify(&self, repo: &Path) {
        self.git(repo, &["config", "user.name", "A User"]);
        self.git(repo, &["config", "user.email", "user@users.noreply.example"]);
    }

    pub(crate) fn commit_file(&self, repo: &Path, path: &str, text: &str) {
        put(repo, path, text);
        self.git(repo, &["add", "--", path]);
        self.git(repo, &["commit", "--quiet", "--message", path]);
    }

    /// Runs git, which must succeed, and returns what it printed.
    pub(crate) fn git(&self, repo: &Path, arguments: &[&str]) -> String {
        let output = self.try_git(repo, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        String::from_utf8(output.stdout).expect("Unicode")
    }

    pub(crate) fn try_git(&self, repo: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new("git");
        self.scrub(&mut command);
        command.arg("-C").arg(repo).args(["-c", "protocol.file.allow=always"]).args(arguments);
        command.output().expect("the git command")
    }

    /// Runs a line that a message told the user to paste.
    pub(crate) fn paste(&self, repo: &Path, line: &str) -> Output {
        let mut command = Command::new("sh");
        self.scrub(&mut command);
        command.current_dir(repo).args(["-c", line]).output().expect("a shell")
    }

    /// Leaves a process nothing but the sandbox and a fixed time.
    pub(crate) fn scrub(&self, command: &mut Command) {
        let date = "1700000000 +0000";
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.home()).env("LC_ALL", "C").env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
    }

    /// What `git status` says, one line a path.
    pub(crate) fn status(&self, repo: &Path) -> String {
        self.git(repo, &["status", "--porcelain", "--untracked-files=all"])
    }

    pub(crate) fn log(&self, repo: &Path) -> Vec<String> {
        self.git(repo, &["log", "--format=%s"]).lines().map(str::to_owned).collect()
    }

    /// The paths that one commit changed.
    pub(crate) fn changed(&self, repo: &Path, commit: &str) -> Vec<String> {
        let listed = self.git(repo, &["diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-z", commit]);
        listed.split_terminator('\0').map(str::to_owned).collect()
    }

    pub(crate) fn fsck(&self, repo: &Path) {
        let output = self.try_git(repo, &["fsck", "--strict", "--no-dangling"]);
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success() && said.is_empty(), "{}", String::from_utf8_lossy(&said));
    }
}

/// Writes a script that can be run. Another process opens the file: one that this process had open for writing may be
/// open in whatever another thread starts meanwhile, and the system runs no file that is open for writing.
pub(crate) fn put_program(folder: &Path, path: &str, text: &str) {
    let source = format!("{path}.text");
    put(folder, &source, text);
    let mut install = Command::new("install");
    install.current_dir(folder).args(["-m", "755", &source, path]);
    assert!(install.status().expect("the install command").success(), "{path}");
    fs::remove_file(folder.join(source)).expect("a file");
}

pub(crate) fn put(folder: &Path, path: &str, text: &str) {
    let place = folder.join(path);
    fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
    fs::write(place, text).expect("a file");
}

/// Every file below a folder with its bytes: two equal snapshots mean that nothing was touched.
pub(crate) fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() {
                folders.push(entry.path());
            } else {
                found.push((entry.path(), fs::read(entry.path()).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}
