//! Absolute paths of somebody's machine.

use crate::privacy::class::Class;
use crate::privacy::row::Piece::Lit;
use crate::privacy::row::{Find, Row, Sight};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "home-folder",
        class: Class::LocalPath,
        what: "a folder below the root that holds people's files",
        source: "filesystem hierarchy of Linux and macOS",
        find: Find::Pattern {
            gate: r"/(?i:home|users|root|volumes|private|var|workspaces?)/",
            pattern: r#"/(?i:home|users|root|volumes|private|var|workspaces?)/[^\s"'`<>$%{}()\[\]*/|,;:]{1,80}(?:/[^\s"'`<>()\[\]|,;:]{0,200})?"#,
            check: starts_path,
        },
        refused: &[&[Lit("see /ho"), Lit("me/alice/notes.md")]],
        clean: &[&[Lit("https://example.org/home/page")], &[Lit("docs/home/index.md")], &[Lit("/home/<user>/x")]],
    },
    Row {
        id: "windows-drive",
        class: Class::LocalPath,
        what: "a path with a drive letter",
        source: "Windows path forms",
        find: Find::Pattern {
            gate: r"[A-Za-z]:[\\/]",
            pattern: r#"[A-Za-z]:(?:\\{1,4}|/)(?i:users|documents and settings|windows|programdata)(?:\\{1,4}|/)[^\s"'`<>$%{}()\[\]*|,;:]{1,200}"#,
            check: |sight| !sight.before().is_ascii_alphanumeric(),
        },
        refused: &[&[Lit(r"C:\Us"), Lit(r"ers\alice\x")]],
        clean: &[&[Lit("C: option was rejected")], &[Lit(r"C:\Users\<name>\x")]],
    },
];

/// Whether a slash begins an absolute path: neither inside a URL nor behind a relative one.
fn starts_path(sight: &Sight<'_>) -> bool {
    let before = sight.before();
    !(before.is_ascii_alphanumeric() || matches!(before, b'.' | b'_' | b'-' | b'/' | b'~' | b'>' | b'}' | b')'))
}
