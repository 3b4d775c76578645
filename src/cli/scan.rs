use std::io::Write;
use std::path::{Path, PathBuf};

use super::context::Context;
use super::exit::Exit;
use super::findings;
use super::input;
use crate::app::{self, Error, ScanOptions, Scannable};
use crate::report;
use crate::rules::ScannedContent;

/// Look through any files or payloads for what must not be committed or shown
///
/// The privacy wall alone, on text of any kind. A finding says where and why, never what. Exits 1 when something is
/// found.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx scan docs README.md
  git log --format=%B origin/main..HEAD | loopx scan -
  my-host export | loopx scan - --jsonl --policy policies/team.yaml
  loopx scan notes.txt --redact > notes.clean.txt")]
pub(super) struct Args {
    /// Files and folders, or `-` for standard input
    #[arg(default_value = "-")]
    paths: Vec<PathBuf>,
    /// Take each line as one payload: a JSON value, every string of it wherever it stands, or plain text
    #[arg(long)]
    jsonl: bool,
    /// A policy document with the team's ticket prefixes, hosts and exceptions
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Scan the strings of binary content too, which is otherwise counted as not scanned
    #[arg(long, conflicts_with_all = ["jsonl", "redact"])]
    binary: bool,
    /// Write a copy of one file or of standard input with a mask over each finding
    #[arg(long, conflicts_with = "jsonl")]
    redact: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let single = args.paths.len() == 1;
    let is_input = args.paths.iter().any(|path| path == Path::new("-"));
    if !single && (is_input || args.redact) {
        return context.refuse("`-` and --redact go with one path only");
    }
    if args.redact {
        let bytes = if is_input { input::standard_input()? } else { input::file(context, &args.paths[0])? };
        let clean = app::redact(&context.place, &bytes, args.policy.as_deref())?;
        context.out.write_all(clean.as_bytes())?;
        return Ok(Exit::Done);
    }
    let payload = if args.jsonl { ScannedContent::Lines } else { ScannedContent::Whole };
    let how = ScanOptions { payload, strings: args.binary, policy: args.policy.as_deref(), as_of: context.now() };
    let what = match is_input {
        true => Scannable::Bytes("stdin", given(context)?),
        false => Scannable::Paths(&args.paths),
    };
    let scanned = app::scan(&context.place, what, how)?;
    for notice in scanned.notices() {
        writeln!(context.err, "{notice}")?;
    }
    let found = scanned.report();
    findings::show(context, &found)?;
    if !context.quiet && context.is_for_people() {
        report::summarize(&mut context.out, &found)?;
    }
    Ok(match (scanned.has_unread(), scanned.has_errors()) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Found,
        (false, false) => Exit::Done,
    })
}

/// Reads what is passed on. Nothing that could be refused is an answer, and may be a program that failed.
fn given(context: &mut Context) -> Result<Vec<u8>, Error> {
    let bytes = input::standard_input()?;
    if bytes.is_empty() && !context.quiet {
        writeln!(
            context.err,
            "standard input is empty; pass something on: my-host export | loopx scan -; of files: loopx scan PATHS"
        )?;
    }
    Ok(bytes)
}
