//! Policies: the team's sections, joined.

use std::collections::BTreeMap;
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};

use super::files::Files;
use super::reading::read;
use crate::privacy::{self, Class, Wall};
use crate::vocabulary::{
    GitIdentity, HashKeys, Id, Instant, Kind, Level, Policy, PolicyActor, PrivacyException, PrivacySection, Record,
    RuleLevel, SERVICES, Transition,
};

/// The team's policy sections, joined from its files. A section that two files hold is taken from neither place twice:
/// the first file by path wins, and a rule reports the second.
#[derive(Debug, Clone, Default)]
pub struct Policies {
    /// Who is who.
    pub actors: BTreeMap<Id, PolicyActor>,
    /// What the hashes of addresses are salted with.
    pub identity_salt: Option<String>,
    /// Hosting services of the team that commit for people.
    pub services: Vec<GitIdentity>,
    /// How loudly rules speak.
    pub rules: BTreeMap<String, LevelRow>,
    /// The rows of `rules` that say what is refused.
    refusals: BTreeMap<String, RuleLevel>,
    /// What is private to the team.
    pub privacy: PrivacySection,
    /// Which changes are allowed.
    pub transitions: Vec<Transition>,
}

/// The level of one rule, with its paths compiled.
#[derive(Debug, Clone)]
pub struct LevelRow {
    level: Option<Level>,
    paths: Vec<(GlobMatcher, Level)>,
}

impl Policies {
    /// Reads the policies of a state directory. They come before everything else: they decide what the wall refuses.
    #[must_use]
    pub fn read(files: &dyn Files) -> Self {
        let read_policy = |path: &String| -> Option<Policy> {
            let bytes = files.read(path).ok()?;
            match read(&Arc::from(path.as_str()), &bytes, Wall::shipped()).record? {
                Record::Policy(policy) => Some(policy),
                _ => None,
            }
        };
        let paths = files.list().iter().filter(|path| Kind::at(path).is_some_and(|(kind, _)| kind == Kind::Policy));
        Self::join(&paths.filter_map(read_policy).collect::<Vec<_>>())
    }

    /// Joins the policies in the order of their paths.
    #[must_use]
    pub fn join<'a>(policies: impl IntoIterator<Item = &'a Policy>) -> Self {
        let mut joined = Self::default();
        let (mut actors, mut rules, mut privacy, mut transitions) = (false, false, false, false);
        let (mut salt, mut services) = (false, false);
        for policy in policies {
            take(&mut actors, policy.actors.as_ref(), |section| joined.actors = section.clone());
            take(&mut salt, policy.identity_salt.as_ref(), |salt| joined.identity_salt = Some(salt.clone()));
            take(&mut services, policy.services.as_ref(), |section| joined.services = section.clone());
            take(&mut rules, policy.rules.as_ref(), |section| {
                joined.rules = compile(section);
                joined.refusals =
                    section.iter().filter(|row| is_refusal(row.0)).map(|(id, row)| (id.clone(), row.clone())).collect();
            });
            take(&mut privacy, policy.privacy.as_ref(), |section| joined.privacy = section.clone());
            take(&mut transitions, policy.transitions.as_ref(), |section| joined.transitions = section.clone());
        }
        joined
    }

    /// The actors that an address of git stands for; `secret` is the key of keyed hashes, if known. An address that
    /// several actors share stands for each of them.
    pub fn actors_of<'p>(
        &'p self,
        address: &'p str,
        secret: Option<&'p str>,
    ) -> impl Iterator<Item = (&'p Id, &'p PolicyActor)> {
        let keys = HashKeys { salt: self.identity_salt.as_deref(), secret };
        self.actors.iter().filter(move |(_, actor)| actor.git.iter().any(|known| known.is_of(address, keys)))
    }

    /// The actors that a signing key stands for, by its fingerprint.
    pub fn actors_of_key<'p>(&'p self, fingerprint: &'p str) -> impl Iterator<Item = (&'p Id, &'p PolicyActor)> {
        self.actors.iter().filter(move |(_, actor)| actor.git.iter().any(|known| known.is_key(fingerprint)))
    }

    /// The actor of a name, whatever the case of its letters.
    #[must_use]
    pub fn actor(&self, name: &str) -> Option<(&Id, &PolicyActor)> {
        self.actors.get_key_value(name).or_else(|| self.actors.iter().find(|(id, _)| id.is_same(name)))
    }

    /// Whether git can tell anybody: an actor has an identity.
    #[must_use]
    pub fn knows_anybody(&self) -> bool {
        self.actors.values().any(|actor| !actor.git.is_empty())
    }

    /// Whether an address is of a hosting service that commits for people.
    #[must_use]
    pub fn is_service(&self, address: &str) -> bool {
        SERVICES.iter().any(|known| known.eq_ignore_ascii_case(address))
            || self.services.iter().any(|known| known.is_of(address, HashKeys::default()))
    }

    /// Whether both refuse the same material in the same documents.
    #[must_use]
    pub fn refuses_as(&self, other: &Self) -> bool {
        self.privacy == other.privacy && self.refusals == other.refusals
    }

    /// Whether a finding of a rule in a file is an error.
    #[must_use]
    pub fn is_error(&self, rule: &str, path: &str) -> bool {
        self.level(rule, path, Level::Error) == Level::Error
    }

    /// The level of a rule for a file, from the shipped one.
    #[must_use]
    pub fn level(&self, rule: &str, path: &str, shipped: Level) -> Level {
        let Some(row) = self.rules.get(rule) else { return shipped };
        let by_path = row.paths.iter().find(|(glob, _)| glob.is_match(path)).map(|(_, level)| *level);
        by_path.or(row.level).unwrap_or(shipped)
    }

    /// The policies without the exceptions whose time is over.
    #[must_use]
    pub fn in_force(&self, as_of: Instant) -> Self {
        Self { privacy: self.privacy_at(as_of), ..self.clone() }
    }

    /// What is private to the team at an instant.
    #[must_use]
    pub(super) fn privacy_at(&self, as_of: Instant) -> PrivacySection {
        let mut privacy = self.privacy.clone();
        privacy.exceptions.retain(|row| as_of < row.expires_at);
        privacy
    }

    /// The privacy section as the wall takes it.
    #[must_use]
    pub fn wall(&self) -> privacy::Policy {
        privacy::Policy {
            ticket_prefixes: self.privacy.ticket_prefixes.iter().map(ToString::to_string).collect(),
            private_hosts: self.privacy.private_hosts.iter().map(ToString::to_string).collect(),
            exceptions: self.privacy.exceptions.iter().map(exception).collect(),
        }
    }
}

fn exception(row: &PrivacyException) -> privacy::Exception {
    privacy::Exception {
        rule: row.rule.to_string(),
        document: row.document.to_string(),
        field: row.field.to_string(),
        reason: row.reason.to_string(),
        owner: row.owner.to_string(),
        expires_at: row.expires_at.timestamp(),
    }
}

fn take<T>(taken: &mut bool, section: Option<&T>, put: impl FnOnce(&T)) {
    if let Some(section) = section.filter(|_| !*taken) {
        *taken = true;
        put(section);
    }
}

fn compile(rules: &BTreeMap<String, RuleLevel>) -> BTreeMap<String, LevelRow> {
    let row = |rule: &RuleLevel| LevelRow {
        level: rule.level,
        paths: rule.paths.iter().filter_map(|(glob, level)| Some((path_glob(glob)?, *level))).collect(),
    };
    rules.iter().filter(|(id, _)| has_levels(id)).map(|(id, rule)| (id.clone(), row(rule))).collect()
}

/// Whether a rule is one of the privacy wall.
fn is_refusal(rule: &str) -> bool {
    Class::all().any(|class| class.rule() == rule)
}

/// Whether a policy can set the level of a rule: what knows no exception is an error in every team.
#[must_use]
pub fn has_levels(rule: &str) -> bool {
    Class::all().all(|class| class.rule() != rule || class.can_be_excepted())
}

/// The longest glob: a longer one may need an automaton over the limit of its engine, which would panic.
const LONGEST_GLOB: usize = 1000;

/// Compiles a glob over paths below the state directory: `*` stays inside one folder. `None` when it is no glob, or
/// longer than any path.
#[must_use]
pub fn path_glob(glob: &str) -> Option<GlobMatcher> {
    if glob.len() > LONGEST_GLOB {
        return None;
    }
    Some(GlobBuilder::new(glob).literal_separator(true).build().ok()?.compile_matcher())
}
