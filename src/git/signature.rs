//! Whether a commit is signed by whoever it names as its author. The one question that git's own command answers: it
//! knows the keys, the trust and the programs that the user has set up.

use std::process::{Command, Stdio};

use super::{CommitInfo, Repository};

impl Repository {
    /// The signature of a commit as git judges it; `None` where there is none, or git finds it bad or cannot tell.
    ///
    /// Without a signature no process is started.
    #[must_use]
    pub fn signature(&self, commit: &CommitInfo) -> Option<Signature> {
        let found = self.git.find_commit(commit.id.0).ok()?;
        // Another user's repository may say which program verifies; git would not run there either.
        if !matches!(found.signature(), Ok(Some(_))) || !self.is_trusted() {
            return None;
        }
        let mut command = Command::new("git");
        command.current_dir(self.git.workdir().unwrap_or(self.git.git_dir()));
        if self.git.config_snapshot().string("gpg.ssh.allowedSignersFile").is_none() {
            // Without such a file git does not look at a signature of SSH at all; an empty one leaves the signer unknown.
            command.args(["-c", "gpg.ssh.allowedSignersFile=/dev/null"]);
        }
        command
            .args(["--no-pager", "log", "-1", "--no-show-signature", "--format=%G?%n%GS%n%GF"])
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
        Signature::read(&said)
    }
}

/// A good signature of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Who signed by the keys that the user trusts; `None`: the key is nobody's here.
    signer: Option<String>,
    /// The fingerprint of the key.
    pub fingerprint: String,
}

impl Signature {
    /// Reads what git says of a signature: its verdict, the signer and the key.
    fn read(said: &str) -> Option<Self> {
        let mut lines = said.lines();
        let (verdict, signer) = (lines.next()?, lines.next()?);
        let fingerprint = lines.next().unwrap_or_default().trim().to_owned();
        let signer = Some(signer.trim_end().to_owned()).filter(|_| verdict == "G");
        matches!(verdict, "G" | "U").then_some(Self { signer, fingerprint })
    }

    /// Whether the signer is, by the user's trusted keys, whoever has this address. A good signature of somebody else's
    /// says nothing about the author.
    #[must_use]
    pub fn is_by(&self, address: &str) -> bool {
        self.signer.as_deref().is_some_and(|signer| names(signer, address))
    }
}

/// Whether a signer, an address or a name with an address in angle brackets, has this address.
fn names(signer: &str, address: &str) -> bool {
    let own = signer.rsplit_once('<').and_then(|(_, rest)| rest.strip_suffix('>')).unwrap_or(signer);
    !address.is_empty() && own.eq_ignore_ascii_case(address)
}

#[cfg(test)]
mod tests {
    use super::{Signature, names};

    #[test]
    fn a_key_that_nobody_vouches_for_has_a_fingerprint_and_no_signer() {
        let known = Signature::read("G\nmaya@users.noreply.example\nSHA256:abc\n").expect("good");
        assert!(known.is_by("maya@users.noreply.example") && known.fingerprint == "SHA256:abc");
        let unknown = Signature::read("U\n\nSHA256:abc\n").expect("good");
        assert!(!unknown.is_by("maya@users.noreply.example") && unknown.fingerprint == "SHA256:abc");
        for said in ["N\n\n\n", "B\nmaya\nSHA256:abc\n", "E\n\n\n", "X\nmaya\nabc\n", ""] {
            assert_eq!(Signature::read(said), None, "{said:?}");
        }
    }

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
