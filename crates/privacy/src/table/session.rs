//! Links to sessions of agents and chats.

use super::address::{NAMED, begins_parameter};
use crate::match_context::MatchContext;
use crate::shape::{self, HEX_DIGIT, goes_on};
use crate::value::is_scrambled;

/// Whether the path of an address holds the handle of a session.
pub(super) fn is_session_path(context: &MatchContext<'_>) -> bool {
    is_handle(context.value()) && !is_mail_archive(context.matched())
}

/// Whether an address of an agent leads to one session.
pub(super) fn is_agent_session(context: &MatchContext<'_>) -> bool {
    holds_handle(context.matched()) || is_shared(context.matched()) && is_short_handle(context.value())
}

/// Whether an address is no page of the service itself.
pub(super) fn is_no_site(context: &MatchContext<'_>) -> bool {
    !context.matched().starts_with(b"www.")
}

/// Whether a parameter holds a handle.
pub(super) fn is_handle_value(context: &MatchContext<'_>) -> bool {
    is_handle(context.value())
}

/// The slash before a UUID.
pub(super) const PATH_UUID: shape::Shape =
    shape::Shape { at: [b"/", HEX_DIGIT, HEX_DIGIT], stands: |text, at| goes_on(text, at, b"/xxxxxxxx-xxxx-") };

/// The mark before a parameter.
pub(super) const PARAMETER: shape::Shape =
    shape::Shape { at: [b"?&;#", NAMED, NAMED], stands: |text, at| begins_parameter(text, at, b"?&;#") };

/// Whether a part of an address is a generated handle rather than words.
fn is_handle(part: &[u8]) -> bool {
    // `task_e_` and the like stand before the handle itself.
    let part = part.rsplit(|&byte| byte == b'_').next().filter(|last| last.len() >= 16).unwrap_or(part);
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    let hex = part.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let grouped = part
        .split(|&byte| byte == b'-')
        .filter(|group| !group.is_empty() && group.iter().all(u8::is_ascii_hexdigit))
        .count();
    let letters = part.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let unbroken = part.len() >= 16 && digits + letters == part.len() && letters >= 2;
    is_scrambled(part) || digits >= 2 && (unbroken || hex == part.len() || grouped >= 2)
}

/// Whether a text may hold an address, also one that is split within its `://`.
pub(super) fn may_hold_address(text: &[u8]) -> bool {
    text.windows(2).any(|pair| pair == b":/" || pair == b"//")
}

/// Whether a part of an address below its host is a handle: the last part need not be the one.
fn holds_handle(address: &[u8]) -> bool {
    let below = address.iter().position(|&byte| byte == b'/').map_or(&[][..], |slash| &address[slash..]);
    let parts = below.split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
    // Words may stand before a handle: `why-does-it-` and the like.
    let tail =
        |part: &[u8]| part.rsplit(|&byte| byte == b'-').next().is_some_and(|last| last.len() >= 12 && is_handle(last));
    parts.filter(|part| part.len() >= 8).any(|part| is_handle(part) || tail(part))
}

/// Whether an address says that what follows was shared, or is joined.
fn is_shared(address: &[u8]) -> bool {
    [&b"/share/"[..], b"/chat/", b"/c/", b"/~/", b"/join/", b"/s/", b"/shared/", b"/invite/"]
        .iter()
        .any(|part| address.windows(part.len()).any(|window| window == *part))
}

/// Whether a part of an address is a handle, if a short one: letters of both cases, a digit, or words that nobody wrote.
fn is_short_handle(part: &[u8]) -> bool {
    let holds = |kind: fn(&u8) -> bool| part.iter().any(kind);
    holds(u8::is_ascii_digit) || holds(u8::is_ascii_uppercase) && holds(u8::is_ascii_lowercase) || part.len() >= 16
}

/// Whether an address leads into the archive of a mailing list, which numbers its threads too.
///
/// `lists` is the host that mailing list managers install to, whoever runs them, and `/archives` the path of their pages:
/// both are public by purpose, and the generated part of such an address names a thread that anybody can read.
fn is_mail_archive(address: &[u8]) -> bool {
    address.windows(9).any(|part| part.starts_with(b"://lists.") || part == b"/archives")
}
