//! Who is who in git: the identities and classes of actors, the hosting services whose name says nothing, and the hosts
//! whose agents are told by their trailers and their environment.

use std::borrow::Cow;

use hmac::{Hmac, KeyInit as _, Mac as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::closed::ClosedWords;
use super::fold::folded;
use super::recorded::hex;
use super::text::Id;
use super::words::{ActorClass, HostSurface};

/// The classes that an actor may act in: one, or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes(Vec<ActorClass>);

impl Classes {
    /// Creates the list of one class.
    #[must_use]
    pub fn one(class: ActorClass) -> Self {
        Self(vec![class])
    }

    /// The class that the actor acts in where none is named.
    #[must_use]
    pub fn first(&self) -> ActorClass {
        self.0[0]
    }

    /// The classes, as they are listed.
    #[must_use]
    pub fn all(&self) -> &[ActorClass] {
        &self.0
    }

    /// Whether the actor may act in a class.
    #[must_use]
    pub fn has(&self, class: ActorClass) -> bool {
        self.0.contains(&class)
    }

    /// Whether the actor is a person. One class of agents or hosts among several makes it none.
    #[must_use]
    pub fn is_person(&self) -> bool {
        self.0.iter().all(|class| class.is_person())
    }
}

impl Serialize for Classes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            several => several.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Classes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            One(ActorClass),
            Several(Vec<ActorClass>),
        }
        match Written::deserialize(deserializer)? {
            Written::One(class) => Ok(Self::one(class)),
            Written::Several(classes) if classes.is_empty() => Err(serde::de::Error::custom("no class")),
            Written::Several(classes) => Ok(Self(classes)),
        }
    }
}

impl JsonSchema for Classes {
    fn schema_name() -> Cow<'static, str> {
        "Classes".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let words: Vec<_> = ActorClass::ALL.iter().map(|class| class.word()).collect();
        json_schema!({
            "type": ["string", "array"],
            "pattern": format!("^(?:{})$", words.join("|")),
            "x-word": "actor_class",
            "items": generator.subschema_for::<ActorClass>(),
            "minItems": 1,
            "uniqueItems": true,
        })
    }
}

/// A git identity that gives nobody's address away: a noreply address, the hash of an address, or the fingerprint of a
/// signing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct GitIdentity(#[schemars(regex(pattern = GIT_IDENTITY_PATTERN))] pub String);

/// What turns addresses into the hashes that a policy holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HashKeys<'a> {
    /// The policy's `identity_salt`, which everybody can read.
    pub salt: Option<&'a str>,
    /// The key of the older hashes, which only the team has.
    pub secret: Option<&'a str>,
}

impl GitIdentity {
    /// The identity of an address: itself when it is a noreply address, else its salted hash.
    #[must_use]
    pub fn of_address(address: &str, salt: &str) -> Self {
        Self(if is_noreply(address) { address.to_owned() } else { salted(address, salt) })
    }

    /// Whether it is of an address of git, in which capital letters mean nothing.
    #[must_use]
    pub fn is_of(&self, address: &str, keys: HashKeys<'_>) -> bool {
        !address.is_empty()
            && (self.0.eq_ignore_ascii_case(address)
                || keys.salt.is_some_and(|salt| self.0 == salted(address, salt))
                || keys.secret.is_some_and(|secret| self.0 == keyed(address, secret)))
    }

    /// Whether it is the fingerprint of a signing key, as git prints it.
    #[must_use]
    pub fn is_key(&self, fingerprint: &str) -> bool {
        !fingerprint.is_empty() && self.0 == fingerprint
    }
}

/// The salted hash of an address: SHA-256 over the salt, a newline and the lower-case address. Every clone can check it.
fn salted(address: &str, salt: &str) -> String {
    let digest = Sha256::digest(format!("{salt}\n{}", address.to_ascii_lowercase()));
    format!("sha256:{}", hex(&digest))
}

/// The keyed hash of an address, which only whoever has the team's key can check.
fn keyed(address: &str, secret: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length will do");
    mac.update(address.to_ascii_lowercase().as_bytes());
    format!("hmac-sha256:{}", hex(&mac.finalize().into_bytes()))
}

/// What a git identity looks like: two kinds of hashes, the fingerprints of SSH and of OpenPGP keys, noreply addresses.
pub(super) const GIT_IDENTITY_PATTERN: &str = concat!(
    r"^(?:(?:hmac-)?sha256:[0-9a-f]{64}|SHA256:[A-Za-z0-9+/]{43}|[0-9A-F]{40}",
    r"|[A-Za-z0-9._+\[\]-]+@(?:[A-Za-z0-9-]+\.)*noreply\.[A-Za-z0-9.-]+|no-?reply@[A-Za-z0-9.-]+)$"
);

/// Whether an address is one that a hosting service made up, so that it names nobody outside of it.
#[must_use]
pub fn is_noreply(address: &str) -> bool {
    let is_made_of =
        |part: &str, marks: &[u8]| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte));
    let Some((name, host)) = address.split_once('@') else { return false };
    let is_host = !host.is_empty() && is_made_of(host, b".-");
    let has_label = host.split_once("noreply.").is_some_and(|(before, after)| {
        !after.is_empty()
            && (before.is_empty() || before.ends_with('.'))
            && !before.starts_with('.')
            && !before.contains("..")
    });
    is_host && !name.is_empty() && (matches!(name, "noreply" | "no-reply") || is_made_of(name, b"._+-[]") && has_label)
}

/// What the salt of hashed addresses looks like.
pub(super) const SALT_PATTERN: &str = "^[0-9a-f]{16}$";

/// Hosting services that commit for people: as a committer such an address says nothing about who made the commit.
pub const SERVICES: &[&str] = &[
    "noreply@github.com",
    "web-flow@users.noreply.github.com",
    "118344674+github-merge-queue@users.noreply.github.com",
    "37929162+mergify[bot]@users.noreply.github.com",
    "noreply@gitlab.com",
    "noreply@bitbucket.org",
    "noreply@codeberg.org",
];

/// A host whose agents can be told from people: by the trailer of their commits, and by the environment of their tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentHost {
    /// The host.
    pub surface: HostSurface,
    /// The address of its `Co-authored-by` trailer, where it writes one.
    pub trailer: Option<&'static str>,
    /// Variables of which each one shows that a tool of this host runs the command.
    pub variables: &'static [&'static str],
}

/// The hosts that are known, for whoever proposes an agent's identity or refuses a decision in a tool's environment.
pub const AGENT_HOSTS: &[AgentHost] = &[
    AgentHost {
        surface: HostSurface::ClaudeCode,
        trailer: Some("noreply@anthropic.com"),
        variables: &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
    },
    AgentHost { surface: HostSurface::CodexCli, trailer: Some("noreply@openai.com"), variables: &["CODEX_SANDBOX"] },
    AgentHost { surface: HostSurface::GeminiCli, trailer: None, variables: &["GEMINI_CLI"] },
    AgentHost { surface: HostSurface::Cursor, trailer: None, variables: &["CURSOR_AGENT"] },
    AgentHost { surface: HostSurface::Opencode, trailer: None, variables: &["OPENCODE"] },
];

impl Id {
    /// Whether two ids name one thing: ids are compared without regard to case.
    #[must_use]
    pub fn is_same(&self, other: impl AsRef<str>) -> bool {
        folded(self.as_str()) == folded(other.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_by_itself_its_hashes_and_nothing_else() {
        let keys = HashKeys { salt: Some("00112233445566ff"), secret: Some("a key") };
        for identity in [
            GitIdentity::of_address("Maya@Example.Org", "00112233445566ff"),
            GitIdentity(keyed("maya@example.org", "a key")),
        ] {
            assert!(identity.is_of("maya@EXAMPLE.org", keys), "{identity:?}");
            assert!(!identity.is_of("maya@example.com", keys) && !identity.is_of("", keys));
            assert!(!identity.is_of("maya@example.org", HashKeys::default()));
        }
        let noreply = GitIdentity::of_address("maya@users.noreply.example", "00112233445566ff");
        assert_eq!(noreply.0, "maya@users.noreply.example");
        assert!(noreply.is_of("MAYA@users.noreply.example", HashKeys::default()));
        // What a page of a manual can be checked with: printf '%s\n%s' SALT ADDRESS | sha256sum
        let told = GitIdentity::of_address("maya@example.org", "00112233445566ff").0;
        assert_eq!(told, "sha256:45c063666a9f837230843c05188efe31363f72b9808db4e6c29863aadaa52dcd");
    }

    #[test]
    fn what_ships_is_a_noreply_address() {
        for address in SERVICES.iter().copied().chain(AGENT_HOSTS.iter().filter_map(|host| host.trailer)) {
            assert!(is_noreply(address), "{address}");
        }
        for address in ["", "maya@example.org", "@noreply.example", "maya@", "maya@xnoreply.example", "a b@noreply.x"] {
            assert!(!is_noreply(address), "{address}");
        }
    }
}
