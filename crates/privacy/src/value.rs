//! Tells a secret value from a placeholder, a word, code or a digest.

use super::randomness::disorder;

/// What whole values say when there is no secret.
const NO_VALUES: &[&str] = &[
    "none",
    "null",
    "nil",
    "true",
    "false",
    "undefined",
    "empty",
    "unset",
    "unknown",
    "required",
    "optional",
    "password",
    "passwd",
    "pass",
    "secret",
    "token",
    "username",
    "user",
    "admin",
    "root",
    "guest",
    "test",
    "testing",
    "postgres",
    "mysql",
    "redis",
    "rabbitmq",
    "string",
    "value",
    "hidden",
    "masked",
    "removed",
    "omitted",
    "expired",
    "revoked",
    "rotated",
    "missing",
    "invalid",
    "changed",
    "12345678",
    "123456",
    "changeit",
];

/// What placeholders contain.
const PLACEHOLDER_PARTS: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "dummy",
    "replace",
    "insert-",
    "insert_",
    "your-",
    "your_",
    "yourpass",
    "yourtoken",
    "yourkey",
    "my-secret",
    "my_secret",
    "my-token",
    "my_token",
    "xxxx",
    "****",
    "....",
    "...",
    "____",
    "0000000000",
    "<",
    "${",
    "$(",
    "{{",
    "#{",
    "process.env",
    "os.environ",
    "os.getenv",
    "getenv",
    "env.",
    "env[",
    "env:",
    "secrets.",
    "secretsmanager",
    "vault",
    "op://",
    "keyring",
    "keychain",
    "ssm:",
    "todo",
    "foobar",
];

/// Whether a value stands for a secret without being one.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let value = value.to_ascii_lowercase();
    let text = String::from_utf8_lossy(&value);
    let text = text.trim_matches(|character: char| matches!(character, '"' | '\'' | '`' | ',' | '.' | ';' | ')' | ']'));
    let repeated = text.len() >= 3 && text.bytes().all(|byte| Some(byte) == text.bytes().next());
    let masked = text.bytes().all(|byte| matches!(byte, b'*' | b'x' | b'.' | b'-' | b'_' | b'?' | b'#'));
    text.is_empty()
        || repeated
        || text.len() >= 12 && is_filled(text.as_bytes())
        || masked
        || text.starts_with(['$', '{', '[', '('])
        || text.starts_with('%') && text.ends_with('%')
        || ["%s", "%d", "%("].iter().any(|format| text.starts_with(format))
        || text.contains('…')
        || NO_VALUES.contains(&text)
        || PLACEHOLDER_PARTS.iter().any(|part| text.contains(part))
}

/// Whether one character makes most of a value.
fn is_filled(value: &[u8]) -> bool {
    value.iter().any(|one| value.iter().filter(|other| *other == one).count() * 4 >= value.len() * 3)
}

/// How the characters of a value are mixed.
#[derive(Debug, Default)]
struct Mix {
    lower: usize,
    upper: usize,
    digits: usize,
    /// Punctuation that joins words: `-`, `_`, `.`, `/`, `:`.
    joints: usize,
    /// Other punctuation.
    marks: usize,
    /// Neighbours of different kinds among letters and digits.
    changes: usize,
}

impl Mix {
    fn of(value: &[u8]) -> Self {
        let mut mix = Self::default();
        let mut last = 0;
        for &byte in value {
            let kind = match byte {
                b'a'..=b'z' => 1,
                b'A'..=b'Z' => 2,
                b'0'..=b'9' => 3,
                b'-' | b'_' | b'.' | b'/' | b':' => 4,
                _ => 5,
            };
            match kind {
                1 => mix.lower += 1,
                2 => mix.upper += 1,
                3 => mix.digits += 1,
                4 => mix.joints += 1,
                _ => mix.marks += 1,
            }
            mix.changes += usize::from(last != kind && last != 0 && last < 4 && kind < 4);
            last = kind;
        }
        mix
    }
}

/// Whether letters and digits are mixed as only a generator mixes them.
pub(super) fn is_scrambled(value: &[u8]) -> bool {
    let mix = Mix::of(value);
    let letters = mix.lower + mix.upper + mix.digits;
    let kinds = [mix.lower, mix.upper, mix.digits].iter().filter(|&&count| count > 0).count();
    letters >= 12 && kinds >= 2 && mix.changes * 100 >= letters * if kinds == 3 { 30 } else { 25 }
}

/// Whether a word is scrambled from all three kinds of letters: a part of a token, if it is no id.
pub(super) fn is_mixed(value: &[u8]) -> bool {
    [u8::is_ascii_uppercase, u8::is_ascii_lowercase, u8::is_ascii_digit].iter().all(|kind| value.iter().any(kind))
        && is_scrambled(value)
}

/// How sure a key makes us that its value is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// `password`, `secret`, `credentials`: anything that is no word.
    Password,
    /// `token`, `key`, `auth`: something generated.
    Token,
}

/// Whether the value behind such a key is a secret.
pub(super) fn is_secret(value: &[u8], key: Key) -> bool {
    let value = value.trim_ascii_end();
    let value = value.strip_suffix(b".").or_else(|| value.strip_suffix(b",")).unwrap_or(value);
    if value.len() < 6 || is_placeholder(value) || is_digest(value) || value.contains(&b'(') || is_address(value) {
        return false;
    }
    // A word of whatever script.
    let is_word = value.iter().all(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
    if is_code(value) || is_word && !value.is_ascii() {
        return false;
    }
    let mix = Mix::of(value);
    let letters = mix.lower + mix.upper;
    if mix.digits == 0 && mix.marks == 0 {
        return mix.joints == 0
            && mix.lower > 0
            && mix.upper > 0
            && value.len() >= 12
            && is_scrambled(value)
            && disorder(value) >= 40;
    }
    if letters == 0 {
        return key == Key::Password && mix.joints == 0 && mix.digits >= 6;
    }
    if mix.digits == 0 {
        let is_likely = key == Key::Password || mix.upper > 0 && disorder(value) >= LEAST_DISORDER;
        return value.len() >= 8 && is_likely && value.last() != Some(&b'=');
    }
    let least = match key {
        Key::Password => 7,
        Key::Token => 10,
    };
    value.len() >= least && (mix.marks > 0 || !is_numbered_name(value))
}

/// Whether a value is an expression of code: a path of names, a member, a type, a constant or an operator.
fn is_code(value: &[u8]) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'$');
    let value = value.strip_prefix(b"+").or_else(|| value.strip_prefix(b"-")).unwrap_or(value);
    let has_path = value.windows(2).any(|pair| pair == b"::")
        || value.iter().any(|byte| matches!(byte, b'.' | b'$'))
        || value.starts_with(b"_");
    let is_name = value.iter().all(is_inner) && value.first().is_some_and(|first| !first.is_ascii_digit());
    let least = if value.starts_with(b"_") || value.contains(&b'$') { 45 } else { LEAST_DISORDER };
    is_name && has_path && disorder(value) < least
        || value.starts_with(b"!")
        || value.starts_with(b"=")
            && value.len() > 1
            && value[1..].iter().all(is_inner)
            && disorder(value) < LEAST_DISORDER
}

/// How disorderly a value is that no code holds.
const LEAST_DISORDER: usize = 28;

/// Whether a value is made of words and numbers kept apart, as in `db-credentials-v2` or `run_0123`.
fn is_numbered_name(value: &[u8]) -> bool {
    let joint = |byte: &u8| matches!(byte, b'-' | b'_' | b'.' | b'/' | b':');
    let mut words = 0;
    let plain = value.split(joint).all(|part| {
        let mix = Mix::of(part);
        words += usize::from(mix.digits == 0 && part.len() >= 3);
        mix.digits == 0 || mix.lower + mix.upper == 0 && part.len() <= 8 || part.len() <= 4
    });
    plain && words > 0 && value.iter().any(joint)
}

/// Whether a value is a URL or a path rather than a secret.
fn is_address(value: &[u8]) -> bool {
    let rooted = value.starts_with(b"/") && !is_scrambled(value);
    rooted || value.windows(3).any(|part| part == b"://") || value.starts_with(b"./") || value.starts_with(b"~/")
}

/// Whether the name of a digest's algorithm and a sign stand right before a value: `sha256=`, `md5:`, `h1:`.
pub(super) fn follows_algorithm(before: &[u8]) -> bool {
    const NAMES: &[&[u8]] = &[
        b"md5",
        b"sha1",
        b"sha224",
        b"sha256",
        b"sha384",
        b"sha512",
        b"blake2b",
        b"blake3",
        b"h1",
        b"checksum",
        b"digest",
        b"integrity",
    ];
    let quotes = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b' ');
    let end = before.iter().rposition(|byte| !quotes(byte)).map_or(0, |last| last + 1);
    let Some((b':' | b'=' | b'-', name)) = before[..end].split_last() else { return false };
    let end = name.iter().rposition(|byte| !quotes(byte)).map_or(0, |last| last + 1);
    let name = &name[..end];
    NAMES.iter().any(|one| name.len() >= one.len() && name[name.len() - one.len()..].eq_ignore_ascii_case(one))
}

/// Whether a value has the grammar of a digest: its algorithm, then exactly its length in hex or base64.
pub(super) fn is_digest(value: &[u8]) -> bool {
    const ALGORITHMS: &[(&str, usize)] = &[
        ("md5", 16),
        ("sha1", 20),
        ("sha224", 28),
        ("sha256", 32),
        ("sha384", 48),
        ("sha512", 64),
        ("blake3", 32),
        ("git", 20),
        ("h1", 32),
    ];
    let Some(joint) = value.iter().position(|byte| matches!(byte, b':' | b'-')) else { return false };
    let (name, body) = (&value[..joint], &value[joint + 1..]);
    ALGORITHMS.iter().any(|(algorithm, bytes)| {
        let body_without_padding = body.split(|&byte| byte == b'=').next().unwrap_or_default();
        name.eq_ignore_ascii_case(algorithm.as_bytes())
            && (body.len() == bytes * 2 && body.iter().all(u8::is_ascii_hexdigit)
                || body_without_padding.len() == (bytes * 8).div_ceil(6)
                    && body_without_padding
                        .iter()
                        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')))
    })
}

#[cfg(test)]
mod tests {
    use super::{Key, is_digest, is_placeholder, is_scrambled, is_secret};

    #[test]
    fn words_code_and_placeholders_are_no_secrets() {
        for value in [
            "pending",
            "identifier-naming-rules",
            "args.reset_token",
            "region-west-two",
            "db-credentials-v2",
            "4000",
            "oauth2",
            "${TOKEN}",
            "<your-token>",
            "[REDACTED-BY-POLICY]",
            "example-value-for-docs-only",
            "process.env.TOKEN",
            "********",
            "parse_identifier()",
            "%API_TOKEN%",
            "2026-09-01",
            "run_012345",
            "https://example.org/a1b2c3d4",
        ] {
            assert!(!is_secret(value.as_bytes(), Key::Token), "{value}");
        }
        assert!(is_placeholder("ghp_…".as_bytes()));
    }

    #[test]
    fn generated_values_are_secrets() {
        for value in ["abcdef012345", "k7Qz2mXw9RbT4vNc", "3f2b8c1e-1c2d-4e5f-8a9b-0c1d2e3f4a5b", "QwErTyUiOpAsDfGh"] {
            assert!(is_secret(value.as_bytes(), Key::Token), "{value}");
        }
        for value in ["hunter2hunter2", "pa%ssword", "correct!horse", "20260101"] {
            assert!(is_secret(value.as_bytes(), Key::Password), "{value}");
        }
        assert!(is_scrambled(b"k7Qz2mXw9RbT4vNc"));
        assert!(!is_scrambled(b"responsibilities"));
    }

    #[test]
    fn digests_have_exact_lengths() {
        let hex = |length| "0123456789abcdef".chars().cycle().take(length).collect::<String>();
        assert!(is_digest(format!("sha256:{}", hex(64)).as_bytes()));
        assert!(!is_digest(format!("sha256:{}", hex(63)).as_bytes()));
        assert!(is_digest(format!("sha512-{}==", "aB3/".repeat(22)[..86].to_owned()).as_bytes()));
    }
}
