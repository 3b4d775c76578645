//! Actors of a policy: who is who in git.

use serde_json::{Value as Json, json};

use super::editor::DocumentEditor;
use super::{Refusal, SourceDocument};
use crate::vocabulary::{ActorClass, Classes, GitIdentity, HashKeys, Id, Kind, Record, is_noreply, sha256};

/// Somebody whom a policy is to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewActor {
    /// The name.
    pub name: Id,
    /// The classes that the actor may act in, at least one.
    pub classes: Vec<ActorClass>,
    /// Addresses of git. Only a noreply address is written as it is; of any other its salted hash.
    pub addresses: Vec<String>,
    /// Fingerprints of signing keys, as git prints them.
    pub keys: Vec<String>,
}

/// The file that a policy gets where there is none.
pub const POLICY_FILE: &str = "policies/team.yaml";

/// What addresses are hashed with: 16 hex digits; equal entropy gives equal ones.
#[must_use]
pub fn new_salt(entropy: u64) -> String {
    sha256(format!("identity_salt {entropy}").as_bytes())[..16].to_owned()
}

/// Writes an actor into a policy, or one more identity of an actor that it knows already; gives the whole text. Without a
/// policy a new one is written. `salt` is the one that the policies hold already.
///
/// # Errors
/// The policy knows the actor in another class, or with the same identities, somebody else has one of them, or no edit
/// fits the file.
pub fn add_actor(
    actor: &NewActor,
    policy: Option<SourceDocument<'_>>,
    salt: Option<&str>,
    entropy: u64,
) -> Result<String, Refusal> {
    let empty = format!("schema_version: {}\n", Kind::Policy.row().version);
    let unread = Record::Policy(Default::default());
    let source = policy.unwrap_or(SourceDocument { path: POLICY_FILE, text: &empty, record: &unread });
    let Record::Policy(known) = source.record else {
        return Err(Refusal::OtherKind { is: source.record.kind(), wanted: Kind::Policy });
    };
    // The file's own comes first: the policies that count may not know it yet.
    let salt = known.identity_salt.as_deref().or(salt);
    let fresh = new_salt(entropy);
    let needs_salt = actor.addresses.iter().any(|address| !is_noreply(address));
    let of_addresses = actor.addresses.iter().map(|address| GitIdentity::of_address(address, salt.unwrap_or(&fresh)));
    let identities: Vec<GitIdentity> = of_addresses.chain(actor.keys.iter().cloned().map(GitIdentity)).collect();
    let classes = classes(&actor.classes);
    let known_actors = known.actors.clone().unwrap_or_default();
    let old = known_actors.iter().find(|(id, _)| id.is_same(&actor.name));
    let standing = |field| Refusal::Standing { id: actor.name.clone(), field, instead: None };
    let mut git = Vec::new();
    if let Some((_, old)) = old {
        if serde_json::to_value(&old.class).ok() != Some(classes.clone()) {
            return Err(standing("class"));
        }
        if identities.iter().all(|one| old.git.contains(one)) {
            return Err(standing("git"));
        }
        git.clone_from(&old.git);
    }
    let is_person = actor.classes.iter().all(|class| class.is_person());
    let keys = HashKeys { salt, secret: None };
    let others =
        known_actors.iter().filter(|(id, other)| !id.is_same(&actor.name) && (is_person || other.class.is_person()));
    let has = |known: &GitIdentity| {
        actor.addresses.iter().any(|address| known.is_of(address, keys))
            || actor.keys.iter().any(|key| known.is_key(key))
    };
    if let Some((other, _)) = others.into_iter().find(|(_, other)| other.git.iter().any(has)) {
        return Err(Refusal::IdentityTaken { actor: actor.name.clone(), other: other.clone() });
    }
    git.extend(identities.into_iter().filter(|one| !old.is_some_and(|(_, old)| old.git.contains(one))));
    let mut entry = json!({ "class": classes });
    if !git.is_empty() {
        entry["git"] = json!(git);
    }
    let mut editor = DocumentEditor::new(source);
    if needs_salt && salt.is_none() {
        editor.put("identity_salt", &fresh, &["schema_version"])?;
    }
    let name = old.map_or(&actor.name, |(id, _)| id);
    match known.actors.is_some() {
        true => editor.put_in("actors", name.as_str(), &entry)?,
        false => editor.put("actors", &json!({ name.as_str(): entry }), &["identity_salt", "schema_version"])?,
    }
    Ok(editor.text())
}

/// One class is written as a word, several as a list.
fn classes(classes: &[ActorClass]) -> Json {
    match classes {
        [one] => json!(Classes::one(*one)),
        several => json!(several),
    }
}
