use std::io::Read;
use std::path::{Path, PathBuf};

use super::context::Context;
use super::exit::Exit;
use super::findings;
use crate::app::{self, Error, ErrorCode, FixedFile, Input, Linted, Revision};
use crate::document;
use crate::report::{self, ReportFormat};
use crate::vocabulary::counted;

/// Check documents and report every finding
///
/// Without PATHS the whole state directory is checked: the nearest folder above with a `loopx.yaml`, else the only one
/// below the repository's root. With PATHS only what is found in them is reported; a document outside any state
/// directory is checked by itself. Exits 1 when a finding of level error is left.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx lint
  loopx lint goals/ledger-cutover
  loopx lint --format concise
  loopx lint --fix --dry-run
  loopx lint --since origin/main    only what this change brought, or broke elsewhere
  loopx lint --staged               what would be committed
  my-host export | loopx lint - --stdin-name facts.json")]
pub(super) struct Args {
    /// Files and folders, or `-` for one document on standard input
    paths: Vec<PathBuf>,
    /// What findings call the document on standard input; its ending says how it is written
    #[arg(long, value_name = "NAME")]
    stdin_name: Option<String>,
    /// Only what was not wrong yet where this work left REV
    #[arg(long, value_name = "REV", conflicts_with_all = ["paths", "staged", "rev", "fix"])]
    since: Option<String>,
    /// What is staged, and of that only what is not wrong in HEAD
    #[arg(long, conflicts_with_all = ["paths", "rev", "fix"])]
    staged: bool,
    /// The state directory as REV holds it
    #[arg(long, value_name = "REV", conflicts_with_all = ["paths", "fix"])]
    rev: Option<String>,
    /// Show what sure fixes change, then write it and the receipts that decisions lack, then report what is left
    #[arg(long)]
    fix: bool,
    /// With --fix, only show it
    #[arg(long, requires = "fix")]
    dry_run: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        if args.paths.len() > 1 || args.fix {
            return context.refuse(
                "`-` stands for one document that is read and not written; it goes with no PATHS and no --fix",
            );
        }
        let bytes = standard_input()?;
        if bytes.trim_ascii().is_empty() {
            return Err(Error::of(ErrorCode::EmptyDocument));
        }
        let name = args.stdin_name.as_deref().unwrap_or(name_of(&bytes));
        return finish(context, &lint(context, Input::Document { name, bytes: &bytes })?);
    }
    let input = match (&args.since, args.staged, &args.rev) {
        (Some(rev), ..) => Input::Revision(Revision::Since(rev)),
        (None, true, _) => Input::Revision(Revision::Staged),
        (None, false, Some(rev)) => Input::Revision(Revision::Tree(rev)),
        (None, false, None) => Input::Paths(&args.paths),
    };
    let mut linted = lint(context, input)?;
    if args.fix {
        let fixed = app::fixed(&linted);
        show(context, &fixed, args.dry_run)?;
        if !args.dry_run && !fixed.is_empty() {
            app::fix(&fixed)?;
            linted = lint(context, input)?;
        }
        // A part of a directory does not say what the whole has decided.
        if args.paths.is_empty() {
            receipts(context, args.dry_run)?;
        }
    }
    finish(context, &linted)
}

fn lint(context: &Context, input: Input<'_>) -> Result<Linted, Error> {
    app::lint(&context.place, input, context.now())
}

/// Shows what fixes change: to people as a result, else beside it.
fn show(context: &mut Context, fixed: &[FixedFile<'_>], dry_run: bool) -> Result<(), Error> {
    let out = context.aside();
    for one in fixed {
        report::difference(out, &one.shown, &one.old, &one.new, one.wall)?;
        if let Some(path) = &one.renamed {
            writeln!(out, "  renamed to {path}\n")?;
        }
    }
    let files = counted(fixed.len(), "file");
    match (fixed.is_empty(), dry_run) {
        (true, _) => writeln!(out, "Nothing has a sure fix.\n")?,
        (false, true) => writeln!(out, "{files} to write: loopx lint --fix\n")?,
        (false, false) => writeln!(out, "{files} written.\n")?,
    }
    Ok(())
}

/// Adds the receipts that a change by hand left out, and shows which.
fn receipts(context: &mut Context, dry_run: bool) -> Result<(), Error> {
    if let Some(beside) = app::mend_receipts(&context.place, context.now(), dry_run)? {
        writeln!(context.aside(), "{}", beside.said(dry_run))?;
    }
    Ok(())
}

fn finish(context: &mut Context, linted: &Linted) -> Result<Exit, Error> {
    let found = linted.report();
    for batch in &found.batches {
        let folder = batch.paths.text(batch.wall, "");
        context.remark(format_args!("read {}", if folder.as_ref().is_empty() { "." } else { folder.as_ref() }))?;
    }
    findings::show(context, &found)?;
    if !context.quiet && context.host.is_none() {
        match context.format {
            ReportFormat::Human => report::summarize(&mut context.out, &found)?,
            ReportFormat::Concise => report::summarize(&mut context.err, &found)?,
            ReportFormat::Json => {}
        }
    }
    Ok(if linted.has_errors() { Exit::Found } else { Exit::Done })
}

/// Reads so much of standard input that a document over the limit is seen to be one.
fn standard_input() -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let limit = document::MAX_BYTES as u64 + 1;
    let read = std::io::stdin().lock().take(limit).read_to_end(&mut bytes);
    read.map_err(|error| Error::about(ErrorCode::CannotRead, format!("standard input: {}", error.kind())))?;
    Ok(bytes)
}

/// A name for a document without one; what begins with a brace is JSON.
fn name_of(bytes: &[u8]) -> &'static str {
    match bytes.trim_ascii_start().first() {
        Some(b'{') => "stdin.json",
        _ => "stdin.yaml",
    }
}
