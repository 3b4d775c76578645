//! The reference pages that the program writes about itself.

use std::fmt::Write as _;

use clap::Command;

use super::exit::Exit;
use crate::app::ErrorCode;

/// How pages for people begin.
const HEAD: &str = "<!-- Written by `SNAPSHOTS=overwrite cargo test`; do not edit. -->";

/// The help of every command, as Markdown.
#[must_use]
pub fn command_line() -> String {
    let mut root = super::command().term_width(100);
    root.build();
    let mut page =
        format!("{HEAD}\n\n# Command line\n\nResults go to standard output, everything else to standard error.\n");
    section(&mut page, &mut root);
    for command in root.get_subcommands().flat_map(|command| std::iter::once(command).chain(command.get_subcommands()))
    {
        // Said once, above.
        let mut command = command.clone().mut_args(|argument| match argument.is_global_set() {
            true => argument.hide(true),
            false => argument,
        });
        section(&mut page, &mut command);
    }
    page
}

fn section(page: &mut String, command: &mut Command) {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    write!(page, "\n## {name}\n\n```text\n{}\n```\n", help.join("\n").trim_end())
        .expect("writing to a string succeeds");
}

/// The exit codes and the codes of errors, as Markdown.
#[must_use]
pub fn exit_codes() -> String {
    let mut page = format!("{HEAD}\n\n# Exit codes\n\n| code | meaning |\n|---|---|\n");
    for exit in Exit::ALL {
        writeln!(page, "| {} | {} |", exit.code(), exit.meaning()).expect("writing to a string succeeds");
    }
    page.push_str("\nA run that exits 3 says why on standard error, as `error[code]: what. What to do`:\n\n");
    page.push_str("| code | what | what to do |\n|---|---|---|\n");
    for code in ErrorCode::ALL {
        let row = code.row();
        writeln!(page, "| `{}` | {} | {} |", row.word, row.message, row.help).expect("writing to a string succeeds");
    }
    page
}
