//! What a watch says of itself.

use super::Checkout;
use crate::app::Error;
use crate::privacy::{Text, Wall};
use crate::watch::{WatchBackend, WatchLimit};

/// Why changes are not seen by events, and what helps; nothing when they are, or nobody wants them to be.
pub(super) fn of_means(means: WatchBackend) -> Option<Text> {
    let text = match means {
        WatchBackend::Native | WatchBackend::Asked => return None,
        WatchBackend::Shared(kind) => {
            format!("this is a {kind} file system, which tells nothing of changes made elsewhere")
        }
        WatchBackend::Exhausted => "no file watches are left; raise fs.inotify.max_user_watches with sysctl".to_owned(),
        WatchBackend::Silent => "no event came for a file that was opened; a mount from a host does that".to_owned(),
        WatchBackend::Unavailable => "the system gives no file events here".to_owned(),
    };
    Some(Wall::shipped().text(format!("{text}; looking every second or so instead")))
}

/// An error as one line says it.
pub(super) fn told(error: &Error) -> Text {
    Wall::shipped().text(format!("{}: {error}", error.code.row().word))
}

pub(super) fn in_the_way(obstacle: WatchLimit) -> Text {
    Wall::shipped().text(match obstacle {
        WatchLimit::Unfinished(operation) => format!("git: {operation} is in progress, waiting"),
        WatchLimit::Gone => "loopx.yaml is gone, waiting for it".to_owned(),
        WatchLimit::Clear | WatchLimit::Locked => "git is changing files, waiting".to_owned(),
    })
}

pub(super) fn over(obstacle: WatchLimit) -> Text {
    Wall::shipped().text(match obstacle {
        WatchLimit::Unfinished(operation) => format!("git: {operation} is over, nothing changed by it"),
        WatchLimit::Gone => "loopx.yaml is back, nothing changed".to_owned(),
        WatchLimit::Clear | WatchLimit::Locked => "git is done, nothing changed".to_owned(),
    })
}

/// What is checked out now, after what.
pub(super) fn moved(old: &Checkout, new: &Checkout) -> String {
    let name = |checkout: &Checkout| checkout.branch.clone().unwrap_or_else(|| "no branch".to_owned());
    let commit = |checkout: &Checkout| checkout.commit.as_deref().map_or("no commit".to_owned(), short);
    match old.branch == new.branch {
        true => format!("{} {} -> {}", name(new), commit(old), commit(new)),
        false => format!("{} {} -> {} {}", name(old), commit(old), name(new), commit(new)),
    }
}

pub(super) fn short(commit: &str) -> String {
    commit.chars().take(7).collect()
}
