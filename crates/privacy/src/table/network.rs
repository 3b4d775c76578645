//! Addresses and names of private networks.

use crate::class::Class;
use crate::match_context::MatchContext;
use crate::piece::Piece::Lit;
use crate::row::Trigger::{Likely, Shape, Words};
use crate::row::{Find, Row};
use crate::shape::{self, HEX_DIGIT, count, digits, goes_on};

/// A row of one pattern.
macro_rules! network {
    ($id:literal, $what:literal, $source:literal, $trigger:expr, $pattern:expr, $check:expr, $refused:expr, $clean:expr) => {
        Row {
            id: $id,
            class: Class::PrivateNetwork,
            what: $what,
            source: $source,
            find: Find::Pattern { trigger: $trigger, pattern: $pattern, check: $check },
            refused: $refused,
            clean: $clean,
        }
    };
}

/// One number of an address.
macro_rules! octet {
    () => {
        r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    };
}

/// Top-level names that no public resolver answers.
macro_rules! inner_names {
    () => {
        r"(?:internal|intranet|intra|corp|lan|localdomain|local|home\.arpa|private|priv|consul|ts\.net)"
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    network!("ten-network", "an address of the network 10", "RFC 1918",
        Likely(&["10."], may_be_of_ten), concat!(r"\b10(?:\.", octet!(), r"){3}"),
        |context| is_whole_address(context) && !is_version(context) && (is_host_position(context) || context.matched()[3..].split(|&byte| byte == b'.').any(|part| part.len() >= 3 || part >= &b"40"[..] && part.len() == 2)),
        &[&[Lit("host 10.1"), Lit(".2.3 is down")], &[Lit("http://10.2"), Lit("0.30.40:8080/x")]],
        &[&[Lit("released 10.2.3.4 of the tool")], &[Lit("build 10.14.3.2")], &[Lit("value 10.999.999.999 seen")], &[Lit("v10.20.30.40")]]),
    network!("private-address", "an address of a private, shared or link-local range", "RFC 1918, RFC 6598, RFC 3927",
        Words(&["192.168.", "172.1", "172.2", "172.3", "100.", "169.254."]),
        concat!(r"\b(?:192\.168|172\.(?:1[6-9]|2[0-9]|3[01])|100\.(?:6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])|169\.254)(?:\.", octet!(), r"){2}"),
        |context| is_whole_address(context) && !is_version(context),
        &[&[Lit("host 192.1"), Lit("68.1.7 is down")], &[Lit("host 100.6"), Lit("4.1.2 is down")], &[Lit("metadata at 169.2"), Lit("54.169.254")]],
        &[&[Lit("host 172.32.0.9 is up")], &[Lit("version 100.64.1.2")]]),
    network!("unique-local-address", "an IPv6 address of a private range", "RFC 4193",
        Shape(shape::Shape { at: [b"f", b"cd", HEX_DIGIT], stands: |text, at| goes_on(text, at, b"axxx:") }), r"(?i)\bf[cd][0-9a-f]{2}:(?:[0-9a-f]{0,4}:){1,6}[0-9a-f]{0,4}",
        |context| (!matches!(context.before(), b':' | b'.' | b'-') || context.follows_mark()) && !matches!(context.behind(), b':') && context.matched().windows(2).any(|pair| pair == b"::") || context.matched().iter().filter(|&&byte| byte == b':').count() == 7,
        &[&[Lit("host fd0"), Lit("0::12 is down")], &[Lit("at fd12:3"), Lit("456:789a::1")]],
        &[&[Lit("2001:db8::1")], &[Lit("fd00 and fe80 are ranges")], &[Lit("every link has fe80::1")]]),
    network!("private-host", "a host name that only a private network resolves", "RFC 6762, RFC 8375, names in use",
        Words(&[".internal", ".intra", ".corp", ".lan", ".local", ".home.arpa", ".priv", ".consul", ".ts.net"]),
        concat!(r"(?i)\b(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.){1,8}", inner_names!(), r"(?:\.[a-z0-9-]{2,30})?(?::[0-9]{2,5})?(?:/[^\s]{0,200})?"),
        is_private_host,
        &[&[Lit("https://wiki.abc"), Lit(".corp/x")], &[Lit("host printer"), Lit(".local is down")], &[Lit("svc-abc.ns.svc.cluster"), Lit(".local")], &[Lit("see https://docs"), Lit(".internal/page")],
            &[Lit("meego.exa"), Lit("mple.corp/story/detail/12345678")]],
        &[&[Lit("edit x.local.json")], &[Lit("import jdk.internal.misc.Unsafe")], &[Lit("settings.local.yaml")], &[Lit("this.internal = true")], &[Lit("host loc.id.language")]]),
    network!("inner-domain", "a host below the inner part of a public domain", "names in use",
        Words(&["internal.", "corp.", "intranet.", "intra.", ".svc:", ".svc/", ".rds.amazonaws.", ".cache.amazonaws.", ".in-addr.arpa", ".database.windows.", ".redshift.amazonaws."]),
        concat!(r"(?i)\b(?:[a-z0-9-]{1,63}\.){1,6}(?:internal|corp|intranet|intra)\.[a-z0-9-]{2,63}\.(?:com|net|org|io|dev|de|cn|co|ai|app|cloud|tech|eu|uk|fr|jp)\b(?:/[^\s]{0,200})?|\b[a-z0-9-]{1,63}\.[a-z0-9-]{1,63}\.svc[:/][^\s]{1,200}",
            r"|\b[a-z0-9-]{1,63}\.[a-z0-9]{6,20}\.(?:[a-z]{2}-[a-z]{4,12}-[0-9]\.(?:rds|redshift|cache)|(?:[0-9a-z]{4,8}\.)?[a-z0-9]{4}\.cache)\.amazonaws\.com|\b[a-z0-9-]{3,63}\.database\.windows\.net\b|\b(?:[0-9]{1,3}\.){0,2}(?:168\.192|(?:1[6-9]|2[0-9]|3[01])\.172|10)\.in-addr\.arpa"),
        |_| true,
        &[&[Lit("grafana.inter"), Lit("nal.sample.io is down")], &[Lit("db1.abc123def456.us-east-1.r"), Lit("ds.amazonaws.com")], &[Lit("http://api.web.s"), Lit("vc:8080/x")]],
        &[&[Lit("import com.sun.internal.Thing")], &[Lit("crate::internal.io")]]),
    network!("bare-host", "a host of one word in a web address", "names in use",
        Words(&["://intra", "://wiki", "://jira", "://jenkins", "://git", "://confluence", "://grafana", "://nexus", "://nas", "://router", "://printer", "://gitlab", "://prometheus", "://vault", "://portal", "://go/", "://db", "://redis", "://kibana", "://artifactory", "://sonar"]),
        r#"(?i)\bhttps?://(?:intra(?:net)?|wiki|jira|jenkins|git|gitlab|confluence|grafana|nexus|nas|router|printer|prometheus|vault|portal|go|db|redis|kibana|artifactory|sonar(?:qube)?)(?:[0-9-][a-z0-9-]{0,40})?(?::[0-9]{2,5}|/)[^\s"'`<>]{1,200}"#,
        |_| true,
        &[&[Lit("see http://intra"), Lit("net/wiki/x")], &[Lit("http://jenkins-2"), Lit(":8080/job/x")]],
        &[&[Lit("https://wiki.example.org/x")], &[Lit("https://git-scm.com/docs")]]),
    network!("hardware-address", "the hardware address of a network card", "IEEE 802",
        Shape(shape::Shape { at: [HEX_DIGIT, b":", HEX_DIGIT], stands: |text, at| at > 0 && goes_on(text, at - 1, b"xx:xx:xx:xx:xx:xx") }), r"\b[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}\b",
        |context| !matches!(context.before(), b':' | b'.' | b'-') && context.behind() != b':' && !is_made_up(context.matched()),
        &[&[Lit("card 3c:22:f"), Lit("b:91:0e:4d")]],
        &[&[Lit("00:00:5e:00:53:01")], &[Lit("aa:bb:cc:dd:ee:ff")], &[Lit("00:11:22:33:44:55")], &[Lit("12:00:00:00:00:00")]]),
    network!("local-service", "the address of a service on somebody's own machine", "URLs of development servers",
        Words(&["localhost:", "://127.", "@127.", "://0.0.0.0", "[::1]", "docker.internal"]),
        r"(?i)\b[a-z][a-z0-9+.-]{1,20}://(?:[^\s/@]{1,80}@)?(?:localhost|127\.[0-9.]{5,11}|0\.0\.0\.0|\[::1\]|host\.docker\.internal):[0-9]{2,5}|\blocalhost:[0-9]{4,5}\b",
        |_| true,
        &[&[Lit("http://local"), Lit("host:3000/debug")], &[Lit("listens on local"), Lit("host:3000")]],
        &[&[Lit("listen on 127.0.0.1:8766")], &[Lit("localhost only")], &[Lit("http://localhost/")]]),
    network!("user-at-address", "a login on a host given by its address", "ssh",
        Words(&["@1", "@2", "@3", "@4", "@5", "@6", "@7", "@8", "@9"]), concat!(r"\b[a-z_][a-z0-9_-]{0,31}@", octet!(), r"(?:\.", octet!(), r"){3}"),
        |context| is_whole_address(context) && !context.matched().windows(4).any(|part| part == b"@127"),
        &[&[Lit("ssh admin@203"), Lit(".0.113.9")]],
        &[&[Lit("package@1.2.3")]]),
];

/// Whether a text may hold an address that begins with 10: behind its point or first number it goes on with another
/// point, or with a seam at which it is split, but with no word.
fn may_be_of_ten(text: &[u8]) -> bool {
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
fn is_private_host(context: &MatchContext<'_>) -> bool {
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
