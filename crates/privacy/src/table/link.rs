//! Links into one organisation's documents and trackers.

use crate::match_context::MatchContext;

/// Whether a document was not published to the web.
pub(super) fn is_unpublished(context: &MatchContext<'_>) -> bool {
    !context.matched().windows(7).any(|part| part == b"/e/2PAC")
}

/// Whether a host is that of a team.
pub(super) fn is_team_site(context: &MatchContext<'_>) -> bool {
    !is_public(
        context,
        &["open", "www", "developer", "developers", "docs", "anycross", "app", "passport", "accounts", "status"],
    )
}

/// Whether a site is not open to everybody.
pub(super) fn is_closed_site(context: &MatchContext<'_>) -> bool {
    !is_open_site(context.matched())
}

/// Whether a tracker is not open to everybody.
pub(super) fn is_closed_tracker(context: &MatchContext<'_>) -> bool {
    !is_open_site(context.matched())
        && ![&b"code.vis"[..], b"marketplace.vis", b"www.vis"].iter().any(|site| context.matched().starts_with(site))
}

/// Whether an id stands alone.
pub(super) fn is_dated_ticket(context: &MatchContext<'_>) -> bool {
    !matches!(context.before(), b'-' | b'_') || context.follows_mark()
}

/// Whether the first group is the name of a public site of the service.
fn is_public(context: &MatchContext<'_>, sites: &[&str]) -> bool {
    sites.iter().any(|site| context.value().eq_ignore_ascii_case(site.as_bytes()))
}

/// Whether an address is on the wiki or tracker of an open project, which anybody can read.
fn is_open_site(address: &[u8]) -> bool {
    const OPEN: &[&str] = &[
        "apache.org",
        "mozilla.org",
        "kernel.org",
        "redhat.com",
        "gnome.org",
        "kde.org",
        "jenkins.io",
        "eclipse.org",
        "openjdk.org",
        "debian.org",
        "samba.org",
        "gnu.org",
        "sourceware.org",
        "mongodb.org",
        "spring.io",
        "ros.org",
        "redmine.org",
        "ruby-lang.org",
        "openstack.org",
    ];
    OPEN.iter().any(|site| address.windows(site.len()).any(|part| part.eq_ignore_ascii_case(site.as_bytes())))
}
