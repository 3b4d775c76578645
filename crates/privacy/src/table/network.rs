//! Addresses and names of private networks.

use crate::match_context::MatchContext;
use crate::shape::{self, HEX_DIGIT, count, digits, goes_on};

/// Whether a number is an address of the network 10: its parts or the words around say so.
pub(super) fn is_ten_address(context: &MatchContext<'_>) -> bool {
    is_whole_address(context)
        && !is_version(context)
        && (is_host_position(context)
            || context.matched()[3..]
                .split(|&byte| byte == b'.')
                .any(|part| part.len() >= 3 || part >= &b"40"[..] && part.len() == 2))
}

/// Whether a number is an address and no version.
pub(super) fn is_private_address(context: &MatchContext<'_>) -> bool {
    is_whole_address(context) && !is_version(context)
}

/// Whether groups of hex are an address.
pub(super) fn is_unique_local(context: &MatchContext<'_>) -> bool {
    (!matches!(context.before(), b':' | b'.' | b'-') || context.follows_mark())
        && !matches!(context.behind(), b':')
        && context.matched().windows(2).any(|pair| pair == b"::")
        || context.matched().iter().filter(|&&byte| byte == b':').count() == 7
}

/// Whether pairs of hex are the address of a card.
pub(super) fn is_hardware_address(context: &MatchContext<'_>) -> bool {
    !matches!(context.before(), b':' | b'.' | b'-') && context.behind() != b':' && !is_made_up(context.matched())
}

/// Whether a login goes to another machine.
pub(super) fn is_login(context: &MatchContext<'_>) -> bool {
    is_whole_address(context) && !context.matched().windows(4).any(|part| part == b"@127")
}

/// The first group of a private address.
pub(super) const UNIQUE_LOCAL: shape::Shape =
    shape::Shape { at: [b"f", b"cd", HEX_DIGIT], stands: |text, at| goes_on(text, at, b"axxx:") };

/// The second digit of a hardware address.
pub(super) const HARDWARE: shape::Shape = shape::Shape {
    at: [HEX_DIGIT, b":", HEX_DIGIT],
    stands: |text, at| at > 0 && goes_on(text, at - 1, b"xx:xx:xx:xx:xx:xx"),
};

/// Whether a text may hold an address that begins with 10: behind its point or first number it goes on with another
/// point, or with a seam at which it is split, but with no word.
pub(super) fn may_be_of_ten(text: &[u8]) -> bool {
    let is_split = |at: usize| {
        let behind = at + count(text, at, |byte| matches!(byte, b' ' | b'\t'));
        text.get(behind).is_some_and(|byte| !byte.is_ascii_alphanumeric())
    };
    let begins = |at: &usize| {
        text[*at..].starts_with(b"10.") && !at.checked_sub(1).is_some_and(|at| text[at].is_ascii_alphanumeric())
    };
    (0..text.len()).filter(begins).any(|at| is_split(at + 3 + digits(text, at + 3)))
}

/// Whether a hardware address is reserved for documentation, or a row of digits that nobody's card has.
fn is_made_up(address: &[u8]) -> bool {
    let address = address.to_ascii_lowercase();
    let zeros = address.split(|&byte| byte == b':').filter(|pair| *pair == b"00").count();
    let doubled = address.split(|&byte| byte == b':').all(|pair| pair[0] == pair[1]);
    address.starts_with(b"00:00:5e:00:53")
        || address.starts_with(b"01:00:5e:90:10")
        || zeros >= 3
        || doubled
        || address.starts_with(b"01:23:45")
        || address.starts_with(b"12:34:56")
}

/// Whether a match is no part of a longer dotted number.
fn is_whole_address(context: &MatchContext<'_>) -> bool {
    let right = context.right();
    let longer = matches!(right, [b'.', next, ..] if next.is_ascii_digit());
    let listed = context.before() == b'-' && context.follows_mark();
    !longer && !context.behind().is_ascii_alphanumeric() && (listed || !matches!(context.before(), b'.' | b'-' | b'_'))
}

/// Whether the words around say that a dotted number is a version.
fn is_version(context: &MatchContext<'_>) -> bool {
    const BEFORE: &[&str] = &[
        "version", "versions", "release", "released", "releases", "build", "builds", "ver", "rev", "revision",
        "upgrade", "upgraded", "update", "updated", "tag", "tagged", "firmware", "sdk", "driver", "ios", "macos",
        "chrome", "edge",
    ];
    const BEHIND: &[&str] = &["release", "version", "build", "tag", "rc", "beta", "alpha"];
    matches!(context.before(), b'v' | b'V')
        || context.left().ends_with(b" v ")
        || context.follows_word(BEFORE, 2)
        || context.precedes_word(BEHIND, 1)
}

/// Whether the characters and words around say that a dotted number is a host.
fn is_host_position(context: &MatchContext<'_>) -> bool {
    const WORDS: &[&str] = &[
        "host",
        "hosts",
        "ip",
        "ips",
        "addr",
        "address",
        "addresses",
        "server",
        "servers",
        "node",
        "nodes",
        "ping",
        "ssh",
        "at",
        "from",
        "gateway",
        "dns",
        "peer",
        "endpoint",
        "connect",
        "listen",
        "listening",
        "bind",
        "proxy",
        "subnet",
        "cidr",
        "network",
        "vpn",
        "router",
        "machine",
        "telnet",
        "curl",
        "via",
        "on",
        "to",
    ];
    let right = context.right();
    let port = matches!(right, [b':', digit, ..] | [b'/', digit, ..] if digit.is_ascii_digit());
    port || matches!(context.before(), b'/' | b'@') || context.follows_word(WORDS, 2)
}

/// Whether a dotted name with an inner ending is a host and no file, package or field.
pub(super) fn is_private_host(context: &MatchContext<'_>) -> bool {
    let name = context.matched();
    let host = name.split(|byte| matches!(byte, b'/' | b':')).next().unwrap_or_default();
    let labels: Vec<&[u8]> = host.split(|&byte| byte == b'.').collect();
    let addressed = context.left().ends_with(b"://") || context.before() == b'@' || name.len() > host.len();
    if name.last().is_some_and(u8::is_ascii_alphanumeric)
        && (context.behind().is_ascii_alphanumeric() || context.behind() == b'_')
    {
        return false;
    }
    let inner = |label: &[u8]| {
        [
            &b"internal"[..],
            b"intranet",
            b"intra",
            b"corp",
            b"lan",
            b"local",
            b"localdomain",
            b"private",
            b"priv",
            b"consul",
            b"arpa",
            b"net",
        ]
        .iter()
        .any(|one| label.eq_ignore_ascii_case(one))
    };
    let ends_inside = labels.last().is_some_and(|last| inner(last));
    // Nothing else is called so, and nobody has a file, package or field of this ending.
    if labels.last().is_some_and(|last| last.eq_ignore_ascii_case(b"localdomain")) || host.ends_with(b".home.arpa") {
        return labels.len() >= 2;
    }
    let reserved = labels.last().is_some_and(|last| last.eq_ignore_ascii_case(b"example"));
    let named = context.follows_word(&["host", "hosts", "server", "node", "ping", "ssh", "machine", "at"], 1);
    match (ends_inside || reserved, addressed) {
        (true, true) => true,
        (true, false) => {
            let is_code = labels[0].len() == 1 || [&b"self"[..], b"this", b"super"].contains(&labels[0]);
            !is_code
                && context.behind() != b'('
                && (labels.len() >= 3 && !is_member(&labels) || named)
                && !matches!(context.before(), b'/' | b'_' | b'.' | b'$' | b'&')
        }
        (false, _) => false,
    }
}

/// Whether a dotted name is a member of something in code: words alone, and a last one that code has too.
fn is_member(labels: &[&[u8]]) -> bool {
    let ends_so = [&b"local"[..], b"private", b"internal"]
        .iter()
        .any(|word| labels.last().is_some_and(|last| last.eq_ignore_ascii_case(word)));
    ends_so && labels.iter().all(|label| label.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_'))
}
