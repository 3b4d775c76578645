//! Whether a commit is signed by whoever it names as its author. The one question that git's own command answers: it
//! knows the keys, the trust and the programs that the user has set up.

use std::process::{Command, Stdio};

use super::{Commit, Repository};

impl Repository {
    /// Tells whether a commit carries a signature that git finds good, and whose signer is the commit's author by
    /// address. A good signature of somebody else's says nothing about the author.
    ///
    /// Without a signature no process is started. Where git cannot tell, the answer is no.
    #[must_use]
    pub fn is_signed_by_its_author(&self, commit: &Commit) -> bool {
        let found = self.git.find_commit(commit.id.0).ok();
        let is_signed = found.is_some_and(|found| matches!(found.signature(), Ok(Some(_))));
        // Another user's repository may say which program verifies; git would not run there either.
        is_signed && self.is_trusted() && self.signer(commit).is_some_and(|signer| names(&signer, &commit.author_email))
    }

    /// The signer of a commit by git's word, when the signature is good.
    fn signer(&self, commit: &Commit) -> Option<String> {
        let mut command = Command::new("git");
        command.current_dir(self.git.workdir().unwrap_or(self.git.git_dir()));
        command
            .args(["--no-pager", "log", "-1", "--no-show-signature", "--format=%G?%n%GS"])
            .arg(commit.id.to_string());
        for (name, _) in std::env::vars_os() {
            let is_setting = matches!(
                name.to_str(),
                Some("GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" | "GIT_CONFIG_NOSYSTEM" | "GIT_EXEC_PATH")
            );
            if name.to_string_lossy().starts_with("GIT_") && !is_setting {
                command.env_remove(name);
            }
        }
        command.env("GIT_NO_REPLACE_OBJECTS", "1");
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        let said = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
        said.strip_prefix("G\n").map(|signer| signer.trim_end().to_owned())
    }
}

/// Whether a signer, an address or a name with an address in angle brackets, has this address.
fn names(signer: &str, address: &str) -> bool {
    let own = signer.rsplit_once('<').and_then(|(_, rest)| rest.strip_suffix('>')).unwrap_or(signer);
    !address.is_empty() && own.eq_ignore_ascii_case(address)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_signer_has_the_whole_address_or_is_somebody_else() {
        for signer in ["maya@users.noreply.example", "Maya <maya@users.noreply.example>", "MAYA@users.noreply.example"]
        {
            assert!(names(signer, "maya@users.noreply.example"), "{signer}");
        }
        for signer in
            ["", "maya", "notmaya@users.noreply.example", "maya@users.noreply.example <other@users.noreply.example>"]
        {
            assert!(!names(signer, "maya@users.noreply.example"), "{signer}");
        }
        assert!(!names("", ""));
    }
}
