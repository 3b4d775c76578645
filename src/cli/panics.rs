//! What a bug says: where it is, and never the values at hand, which may be private.

use std::io::Write;
use std::panic::PanicHookInfo;

/// Replaces the standard message of a panic.
pub(super) fn install() {
    std::panic::set_hook(Box::new(report));
}

fn report(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(|place| (place.file(), place.line()));
    // Nobody is left to tell when this fails.
    let _ = std::io::stderr().write_all(message(place).as_bytes());
}

/// What is said of a panic at a line of a file.
fn message(place: Option<(&str, u32)>) -> String {
    // The files of dependencies go by an absolute path of the machine that built this program.
    let own = place.filter(|(file, _)| file.starts_with("src"));
    let place = own.map_or_else(String::new, |(file, line)| format!(" at {file}:{line}"));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "loopx {version} met a bug{place} and stopped. No document is shown here, since it may be private.\n\
         Please report the command and this place to the people who maintain loopx.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn only_a_file_of_our_own_is_named() {
        assert!(message(Some(("src/rules/mod.rs", 12))).contains(" at src/rules/mod.rs:12 and stopped."));
        let elsewhere = ["/ho", "me/alice/.cargo/registry/x.rs"].concat();
        assert_eq!(message(Some((&elsewhere, 12))), message(None));
    }
}
