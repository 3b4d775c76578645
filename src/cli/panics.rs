//! What a bug says: where it is, and never the values at hand, which may be private.

use std::io::Write;
use std::panic::PanicHookInfo;

/// Replaces the standard message of a panic.
pub(super) fn install() {
    std::panic::set_hook(Box::new(report));
}

fn report(panic: &PanicHookInfo<'_>) {
    // The files of dependencies are named by an absolute path of the machine that built this program.
    let own = |place: &&std::panic::Location<'_>| place.file().starts_with("src");
    let place = panic.location().filter(own).map_or_else(String::new, |place| format!(" at {place}"));
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(
        std::io::stderr(),
        "loopx {version} met a bug{place} and stopped. No document is shown here, since it may be private.\n\
         Please report the command and this place to the people who maintain loopx."
    );
}
