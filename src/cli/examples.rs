//! Examples in the help of subcommands: each shows those examples of its command that call it.

use clap::Command;

/// Gives every subcommand without examples of its own the ones of its command.
pub(super) fn shared(root: Command) -> Command {
    root.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        command.mut_subcommands(|subcommand| {
            let call = format!("  loopx {name} {} ", subcommand.get_name());
            let is_call = |line: &&str| format!("{line} ").starts_with(&call);
            let own: Vec<&str> = examples.lines().filter(is_call).collect();
            match subcommand.get_after_help().is_some() || own.is_empty() {
                true => subcommand,
                false => subcommand.after_help(format!("Examples:\n{}", own.join("\n"))),
            }
        })
    })
}
