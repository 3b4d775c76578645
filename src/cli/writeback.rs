use super::change::{ChangeArgs, run as change};
use super::context::Context;
use super::exit::Exit;
use crate::app::Error;
use crate::change::Action;
use crate::vocabulary::Digest;

/// Approve the preview of a writeback
///
/// What is applied is what was looked at: the request names the digest of that preview, and a digest that is not
/// today's is refused. `loopx plan` shows previews with their digests.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx plan
  loopx writeback approve backfill-gate-5d1p --digest DIGEST --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Ask to apply the preview that has this digest
    #[command(after_help = "Examples:
  loopx writeback approve backfill-gate-5d1p --digest DIGEST --execute")]
    Approve {
        /// The request; any unique prefix of its id
        request: String,
        /// The digest of the preview that you looked at
        #[arg(long, value_name = "SHA256", value_parser = digest)]
        digest: Digest,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Command::Approve { request, digest, change_args } = &args.command;
    change(context, change_args, request, Action::ApprovePreview { digest: digest.clone() })
}

fn digest(text: &str) -> Result<Digest, &'static str> {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    match text.len() == 64 && text.bytes().all(is_hex) {
        true => Ok(Digest::new(text)),
        false => Err("a digest is 64 digits and letters a to f"),
    }
}
