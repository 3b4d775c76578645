//! Ids that are nearly another one, and lists of ids for messages.

use crate::vocabulary::nearest;

/// How many candidates on either side of an id are looked at for "did you mean": with thousands of ids and as many
/// slips a look at all of them for each would never end.
pub(super) const NEIGHBOURS: usize = 64;

/// How many ids a help line lists.
pub(super) const LISTED: usize = 5;

/// The nearest of some sorted ids, looked for among the neighbours of the place where the id would stand.
pub(super) fn nearest_of<'a>(id: &str, sorted: &[&'a str]) -> Option<&'a str> {
    let place = sorted.partition_point(|other| *other < id);
    let start = place.saturating_sub(NEIGHBOURS);
    let end = (place + NEIGHBOURS).min(sorted.len());
    nearest(id, sorted[start..end].iter().copied())
}

/// The first few of some ids, for a help line: "`a`, `b` and 3 more".
pub(super) fn listed(ids: &[&str]) -> String {
    let shown: Vec<String> = ids.iter().take(LISTED).map(|id| format!("`{id}`")).collect();
    match ids.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
