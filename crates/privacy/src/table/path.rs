//! Absolute paths of somebody's machine.

use crate::match_context::MatchContext;
use crate::shape::{self, LETTER, goes_on};

/// Whether a path is the home of somebody.
pub(super) fn is_home(context: &MatchContext<'_>) -> bool {
    starts_path(context) && !is_route(context) && names_somebody(context.matched())
}

/// Whether a path is one of a machine, and no route.
pub(super) fn is_path(context: &MatchContext<'_>) -> bool {
    starts_path(context) && !is_route(context)
}

/// Whether a temporary path names more than a convention.
pub(super) fn is_temporary(context: &MatchContext<'_>) -> bool {
    starts_path(context) && is_specific(context.matched())
}

/// Whether a path to a file is one of a machine that somebody set up.
pub(super) fn is_source_file(context: &MatchContext<'_>) -> bool {
    starts_path(context) && !is_route(context) && !is_system(context.matched())
}

/// Whether a tilde begins a path that names somebody.
pub(super) fn is_home_shorthand(context: &MatchContext<'_>) -> bool {
    let before = context.before();
    let starts = before.is_ascii_whitespace()
        || matches!(
            before,
            b'"' | b'\'' | b'`' | b'(' | b'[' | b'=' | b':' | b',' | b';' | b'|' | b'<' | b'>' | b'{' | b'*'
        )
        || before >= 0x80
        || matches!(before, b'+' | b'-') && context.follows_mark();
    starts && !is_of_every_home(context.matched())
}

/// Whether dashes fold a home folder.
pub(super) fn is_folded_home(context: &MatchContext<'_>) -> bool {
    let starts = context.before().is_ascii_whitespace()
        || matches!(context.before(), b'"' | b'\'' | b'`' | b'/' | b'(' | b'=' | b':');
    starts
        && (context.matched().starts_with(b"-Users")
            || context.matched().iter().filter(|&&byte| byte == b'-').count() >= 4)
}

/// Whether a link opens a local file.
pub(super) fn opens_file(context: &MatchContext<'_>) -> bool {
    !context.before().is_ascii_alphanumeric() && !context.matched().windows(7).any(|part| part == b"path/to")
}

/// The letter of a drive.
pub(super) const DRIVE: shape::Shape = shape::Shape {
    at: [LETTER, b":", b"\\/"],
    stands: |text, at| text[at + 2] == b'\\' || text.get(at + 3).is_some_and(|&byte| byte != b'/'),
};

/// A drive as a folder of one letter.
pub(super) const DRIVE_FOLDER: shape::Shape =
    shape::Shape { at: [b"/", LETTER, b"/"], stands: |text, at| goes_on(text, at, b"/a/a") };

/// A slash that may begin a path.
pub(super) const ROOTED: shape::Shape = shape::Shape {
    at: [b"\n\t\r\x0b\x0c \"'`(=:,[>|\x80", b"/", b"abcdefghijklmnopqrstuvwxyz0123456789_.-"],
    stands: |text, at| text.get(at).is_none_or(|byte| BEFORE_PATH.contains(byte) || *byte >= 0x80),
};

/// What may stand before the slash that begins a path.
const BEFORE_PATH: &[u8] = b"\n\t\r\x0b\x0c \"'`(=:,[>|";

/// Whether a slash begins an absolute path: neither inside a URL nor behind a relative one.
pub(super) fn starts_path(context: &MatchContext<'_>) -> bool {
    let left = context.joined_left();
    match context.before() {
        b':' => !context.matched().starts_with(b"//"),
        b'>' => !left.contains(&b'<') || context.right().starts_with(b"</"),
        b'(' => !left.ends_with(b"](") || is_of_machine(context.matched()),
        b'-' => context.follows_mark() || follows_dashes(left),
        b'+' => context.follows_mark(),
        b'*' => left.ends_with(b"**") && context.matched().ends_with(b"**"),
        b'"' | b'\'' => {
            ![&b"href="[..], b"src=", b"action=", b"to="].iter().any(|link| left[..left.len() - 1].ends_with(link))
        }
        b'.' => left.ends_with(b"..."),
        b'_' | b'/' | b'~' | b'}' | b')' | b']' | b'%' | b'\\' | b'#' => false,
        before if before.is_ascii_alphanumeric() => is_flag(left),
        _ => true,
    }
}

/// Whether nothing but dashes, and a quote before them, is written before a path: an argument that was meant as one.
fn follows_dashes(left: &[u8]) -> bool {
    left.iter().all(|byte| matches!(byte, b'-' | b'"' | b'\'' | b'`'))
}

/// Whether a text may hold the shorthand of a home folder: behind the tilde stands no number, and behind blanks no word
/// but the mark of a seam at which the shorthand is split.
pub(super) fn may_name_home(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'~').skip(1).any(|behind| {
        match behind.iter().position(|byte| !matches!(byte, b' ' | b'\t')) {
            Some(0) => !behind[0].is_ascii_digit(),
            Some(at) => !behind[at].is_ascii_alphanumeric(),
            None => false,
        }
    })
}

/// Whether a path that a link leads to is one of a machine, and no address below the root of a web site.
fn is_of_machine(path: &[u8]) -> bool {
    const ROOTS: &[&[u8]] = &[
        b"/Users/",
        b"/private/",
        b"/Volumes/",
        b"/var/folders/",
        b"/root/",
        b"/mnt/",
        b"/tmp/",
        b"/var/",
        b"/run/",
        b"/workspace",
        b"/scratch/",
        b"/export/",
        b"/nfs/",
    ];
    let parts = path.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).count();
    ROOTS.iter().any(|root| path.starts_with(root)) || path.starts_with(b"/home/") && parts >= 3
}

/// Whether what stands before a path is a flag or a command that was glued to it: `-v/...`, `cd/...`.
fn is_flag(left: &[u8]) -> bool {
    let left = left.rsplit(|byte| matches!(byte, b'"' | b'\'' | b'`')).next().unwrap_or(left);
    left == b"cd" || left.len() == 2 && left[0] == b'-' && left[1].is_ascii_alphabetic()
}

/// Whether the words around say that this is the path of a web address.
fn is_route(context: &MatchContext<'_>) -> bool {
    const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options", "route", "endpoint", "url"];
    const NOUNS: &[&str] =
        &["route", "routes", "endpoint", "endpoints", "page", "url", "urls", "handler", "screen", "api"];
    context.follows_word(VERBS, 1) || context.precedes_word(NOUNS, 1) && context.behind() == b' '
}

/// Whether the part behind the home root names somebody; `/users/42` is an address of a web service.
fn names_somebody(path: &[u8]) -> bool {
    const NOBODY: &[&[u8]] =
        &[b"username", b"you", b"yourname", b"your-name", b"your-user", b"your_user", b"...", b"me"];
    let mut parts = path.split(|&byte| byte == b'/').filter(|part| !part.is_empty());
    let root = parts.find(|part| part.to_ascii_lowercase().starts_with(b"home") || part.eq_ignore_ascii_case(b"users"));
    let Some(name) = parts.next() else { return false };
    let file = parts.next_back().is_some_and(|last| last.contains(&b'.'));
    !NOBODY.contains(&name) && (root != Some(b"users") || file)
}

/// Whether a path below `/tmp` is more than the mention of the folder.
fn is_specific(path: &[u8]) -> bool {
    let below = &path[b"/tmp/".len()..];
    let parts = below.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).count();
    parts >= 2
        || below.len() >= 5 && below.iter().any(|byte| matches!(byte, b'-' | b'_' | b'.') || byte.is_ascii_digit())
}

/// Whether a path is the same on every machine, or a placeholder.
fn is_system(path: &[u8]) -> bool {
    [
        &b"/usr/"[..],
        b"/bin/",
        b"/dev/",
        b"/proc/",
        b"/sys/",
        b"/lib/",
        b"/path/",
        b"/etc/",
        b"/absolute/",
        b"/some/",
        b"/foo/",
    ]
    .iter()
    .any(|root| path.starts_with(root))
}

/// Whether a letter and a colon begin a Windows path, and not the end of a word or an escaped line break.
pub(super) fn is_drive(context: &MatchContext<'_>) -> bool {
    let path = context.matched();
    let body = &path[2..];
    let separators = body.iter().take_while(|byte| matches!(byte, b'\\' | b'/')).count();
    let first = body[separators..].split(|byte| matches!(byte, b'\\' | b'/')).next().unwrap_or_default();
    let lone_root =
        first.eq_ignore_ascii_case(b"users") && !body[separators + first.len()..].iter().any(u8::is_ascii_alphanumeric);
    let escape = separators == 1
        && body[0] == b'\\'
        && matches!(first.first(), Some(b'n' | b'r' | b't' | b'u' | b'x' | b'b' | b'f'))
        && body[separators + first.len()..]
            .windows(2)
            .filter(|pair| pair[0] == b'\\')
            .all(|pair| matches!(pair[1], b'n' | b'r' | b't' | b'u'));
    let glued = context.before().is_ascii_alphanumeric();
    let short = body.starts_with(b"/") && path.len() < 6;
    !glued && !lone_root && !escape && !short
}

/// Whether two backslashes begin a share, and not escaped line breaks or a regular expression.
pub(super) fn is_share(context: &MatchContext<'_>) -> bool {
    let path = context.matched();
    let mut parts = path.split(|&byte| byte == b'\\').filter(|part| !part.is_empty());
    let letters = |part: Option<&[u8]>| part.and_then(|part| part.first().copied());
    let (server, share) = (letters(parts.next()), letters(parts.next()));
    let breaks = matches!(server, Some(b'n' | b'r' | b't'))
        && matches!(share, Some(b'n' | b'r' | b't'))
        && !path.contains(&b'$');
    let codes = server == Some(b'u')
        && path.iter().skip_while(|&&byte| byte == b'\\').skip(1).take(4).all(u8::is_ascii_hexdigit);
    let short = server == Some(b'?')
        && !path.windows(5).any(|part| part.eq_ignore_ascii_case(b"users"))
        && path.split(|&byte| byte == b'\\').filter(|part| !part.is_empty()).count() < 4;
    let before = context.before();
    let starts = before.is_ascii_whitespace()
        || matches!(before, b'+' | b'-') && context.follows_mark()
        || matches!(before, b'"' | b'\'' | b'`' | b'(' | b'[' | b'=' | b':' | b',' | b';' | b'|' | b'#' | b'>' | b'<');
    (starts || before >= 0x80) && !breaks && !codes && !short
}

/// Whether a path leads where a tool installs programs in every home alike: it names nobody and is no secret of a machine.
fn is_of_every_home(path: &[u8]) -> bool {
    [&b"~/.cargo/bin"[..], b"~/.local/bin", b"~/.rustup/"].iter().any(|folder| path.starts_with(folder))
}
