//! Field names, judged by whole words.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::class::Class;
use super::decode;
use super::view::Decoder;

/// Words and phrases that promise raw or secret material.
const REFUSED: &[&str] = &[
    // Secrets.
    "token",
    "access tokens",
    "refresh tokens",
    "auth tokens",
    "api tokens",
    "bearer tokens",
    "session tokens",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "credential",
    "credentials",
    "creds",
    "cookie",
    "cookies",
    "api key",
    "api keys",
    "access key",
    "access keys",
    "private key",
    "private keys",
    "secret key",
    "secret keys",
    "encryption key",
    "signing key",
    "ssh key",
    "authorization",
    "auth",
    "bearer",
    "authorization header",
    "auth header",
    "connection string",
    "dsn",
    // What was said.
    "transcript",
    "transcripts",
    "conversation",
    "conversations",
    "messages",
    "chat history",
    "chat log",
    "chat logs",
    "dialogue",
    "prompt",
    "prompts",
    "system prompt",
    "completion text",
    "chain of thought",
    "reasoning text",
    "thinking",
    // What tools printed.
    "raw",
    "raws",
    "log",
    "logs",
    "raw log",
    "raw logs",
    "stdout",
    "stderr",
    "stdin",
    "std out",
    "std err",
    "console output",
    "tool output",
    "tool outputs",
    "tool result",
    "tool results",
    "tool input",
    "tool inputs",
    "command output",
    "terminal",
    "trace",
    "traces",
    "stack trace",
    "stacktrace",
    "traceback",
    "backtrace",
    "dump",
    "core dump",
    "screenshot",
    "screenshots",
    "body",
    "request body",
    "response body",
    "raw body",
    "env",
    "environ",
    "env vars",
    "http headers",
    "request headers",
    "response headers",
    "embedding",
    "embeddings",
    // Where it happened.
    "local path",
    "local paths",
    "file path",
    "file paths",
    "absolute path",
    "absolute paths",
    "abs path",
    "private path",
    "private paths",
    "cwd",
    "working directory",
    "working dir",
    "home dir",
    "home directory",
];

/// Phrases that are refused whatever follows.
const ALWAYS: &[&str] = &["access key id", "client secret", "raw transcript"];

/// Phrases that only look like refused ones.
const HARMLESS: &[&str] =
    &["page token", "next token", "continuation token", "sync token", "reset token", "design token", "token budget"];

/// Last words that make a name a statement about the material instead of the material.
const STATEMENTS: &[&str] = &[
    "count",
    "counts",
    "id",
    "ids",
    "ref",
    "refs",
    "at",
    "policy",
    "budget",
    "state",
    "status",
    "scan",
    "used",
    "limit",
    "max",
    "min",
    "level",
    "kind",
    "type",
    "types",
    "name",
    "names",
    "category",
    "categories",
    "mode",
    "enabled",
    "required",
    "present",
    "size",
    "length",
    "version",
    "detected",
    "redacted",
    "copied",
    "recorded",
    "accepted",
    "allowed",
    "granted",
    "stored",
    "kept",
    "captured",
    "included",
    "exposed",
    "collected",
    "shared",
    "rotated",
    "expired",
    "digest",
    "by",
    "quota",
    "usage",
    "total",
];

/// First words that do the same.
const QUESTIONS: &[&str] =
    &["has", "is", "no", "without", "max", "min", "num", "total", "contains", "needs", "requires"];

/// Last words of the flags that say whether material was copied.
const FLAGS: &[&str] =
    &["copied", "recorded", "stored", "kept", "captured", "included", "exposed", "shared", "accepted", "allowed"];

/// What the words of a flag speak of.
const TOPICS: &[(&str, &[Class])] = &[
    ("transcript", &[Class::Transcript]),
    ("transcripts", &[Class::Transcript]),
    ("messages", &[Class::Transcript]),
    ("conversations", &[Class::Transcript]),
    ("outputs", &[Class::ToolOutput]),
    ("output", &[Class::ToolOutput]),
    ("logs", &[Class::ToolOutput]),
    ("log", &[Class::ToolOutput]),
    ("credentials", &[Class::Secret]),
    ("credential", &[Class::Secret]),
    ("secrets", &[Class::Secret]),
    ("tokens", &[Class::Secret]),
    ("paths", &[Class::LocalPath]),
    ("path", &[Class::LocalPath]),
];

/// The words of which every refused name contains one.
pub(super) fn words_of_refused_names() -> impl Iterator<Item = &'static str> {
    REFUSED.iter().chain(ALWAYS).map(|phrase| phrase.split(' ').next().unwrap_or(phrase))
}

/// How many names a thread remembers: more than all kinds have.
const REMEMBERED: usize = 1024;

/// The longest name that is remembered.
pub(super) const LONGEST_REMEMBERED: usize = 64;

/// Whether a field of this name must not exist. Documents repeat few names, so each is judged once.
pub(super) fn is_forbidden(name: &str) -> bool {
    thread_local! {
        static JUDGED: RefCell<HashMap<Box<str>, bool, BuildHasherDefault<Fast>>> = RefCell::default();
    }
    JUDGED.with_borrow_mut(|judged| match judged.get(name) {
        Some(verdict) => *verdict,
        None => {
            let verdict = judge(name);
            if judged.len() < REMEMBERED && name.len() <= LONGEST_REMEMBERED {
                judged.insert(name.into(), verdict);
            }
            verdict
        }
    })
}

/// A hash of names that costs little. Who chooses names so that they collide gains nothing: few are remembered.
#[derive(Debug, Default)]
struct Fast(u64);

impl Hasher for Fast {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }

    fn finish(&self) -> u64 {
        // The table takes its groups from the highest bits, its places from the lowest.
        self.0 ^ self.0 >> 32
    }
}

fn judge(name: &str) -> bool {
    let folded = decode::through(Decoder::Lookalike, name);
    let words = words(folded.as_ref().map_or(name, |view| &view.text));
    let holds = |phrase: &&str| holds(&words, phrase);
    let stated = words.last().is_some_and(|last| STATEMENTS.contains(&last.as_str())) && words.len() > 1
        || words.first().is_some_and(|first| QUESTIONS.contains(&first.as_str())) && words.len() > 1
        || HARMLESS.iter().any(holds);
    let is_flag = words.last().is_some_and(|last| FLAGS.contains(&last.as_str()));
    !is_flag && ALWAYS.iter().any(holds) || !stated && REFUSED.iter().any(holds)
}

/// The classes of which a flag such as `raw_transcripts_copied` says whether material was copied.
pub(super) fn flagged_classes(name: &str) -> impl Iterator<Item = Class> {
    let words = if may_be_flag(name) { words(name) } else { Vec::new() };
    let is_flag = words.last().is_some_and(|last| FLAGS.contains(&last.as_str()));
    let topics = TOPICS.iter().filter(move |(topic, _)| is_flag && words.iter().any(|word| word == topic));
    topics.flat_map(|(_, classes)| classes.iter().copied())
}

/// Whether the last word of a name may be one of a flag's, by its letters alone.
fn may_be_flag(name: &str) -> bool {
    let bare = name.trim_end_matches(|character: char| !character.is_alphanumeric()).as_bytes();
    let ends_in = |flag: &&str| {
        bare.len().checked_sub(flag.len()).is_some_and(|start| bare[start..].eq_ignore_ascii_case(flag.as_bytes()))
    };
    !name.is_ascii() || FLAGS.iter().any(ends_in)
}

/// Whether words stand in a name one after the other, or written as one.
fn holds(words: &[String], phrase: &str) -> bool {
    // Most phrases begin as no word of the name does.
    if words.iter().all(|word| word.as_bytes()[0] != phrase.as_bytes()[0]) {
        return false;
    }
    let apart = (0..words.len()).any(|at| {
        let mut next = words[at..].iter();
        phrase.split(' ').all(|part| next.next().is_some_and(|word| word == part))
    });
    let is_joined = |word: &String| {
        let rest = phrase.split(' ').try_fold(word.as_str(), |rest, part| rest.strip_prefix(part));
        rest == Some("")
    };
    apart || phrase.contains(' ') && words.iter().any(is_joined)
}

/// Splits a name into lower-case words at punctuation and at changes of case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let characters: Vec<char> = name.chars().collect();
    for (at, &character) in characters.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| characters[at]);
        let next = characters.get(at + 1);
        if opens_word(previous, character, next.copied()) || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if character.is_alphanumeric() {
            words.last_mut().expect("there is always a word").extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a capital begins a word: behind a small letter, or before one behind other capitals.
fn opens_word(previous: Option<char>, character: char, next: Option<char>) -> bool {
    let small = |neighbour: Option<char>| neighbour.is_some_and(char::is_lowercase);
    // `toKEN` and `tOKEN` are one word: a name in camel case does not end in capitals behind so few small letters.
    let camel = small(previous) && small(next);
    let acronym = previous.is_some_and(char::is_uppercase) && small(next);
    character.is_uppercase() && (camel || acronym)
}

#[cfg(test)]
mod tests {
    use super::{flagged_classes, is_forbidden};
    use crate::class::Class;

    #[test]
    fn names_are_refused_by_whole_words() {
        for name in [
            "transcript",
            "rawLog",
            "rawlog",
            "APIKey",
            "access-token",
            "local_path",
            "stderr",
            "DB_PASSWORD",
            "tоken",
            "toKEN",
            "idToken",
        ] {
            assert!(is_forbidden(name), "{name}");
        }
        for name in [
            "catalog",
            "draw",
            "secretary",
            "token_count",
            "raw_transcripts_copied",
            "goal_id",
            "withdrawn",
            "max_tokens",
            "next_page_token",
            "authorization_state",
            "authority_sources",
            "login_at",
            "credentials_accepted",
            "public_local_paths_allowed",
        ] {
            assert!(!is_forbidden(name), "{name}");
        }
    }

    #[test]
    fn flags_speak_of_classes() {
        assert_eq!(flagged_classes("raw_transcripts_copied").collect::<Vec<_>>(), [Class::Transcript]);
        assert_eq!(flagged_classes("private_paths_copied").collect::<Vec<_>>(), [Class::LocalPath]);
        assert_eq!(flagged_classes("transcripts").count(), 0);
    }
}
