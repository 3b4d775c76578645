use std::path::PathBuf;

use super::context::Context;
use super::exit::Exit;
use crate::app::{self, Error, Range, ReviewOptions};
use crate::render::{self, COMMENT_LIMIT};
use crate::report::ReportFormat;

/// Show what merging a change would allow, most severe first
///
/// Reads both revisions from git's objects, without a checkout: what opens and for whom, gates, handoffs, scopes,
/// sessions, writebacks, policies and receipts, and which rules of changes are broken. The base judges: its policies,
/// actors and exceptions. A base that is a branch is that branch here, else as last fetched from `origin`. Exits 1 when
/// a rule of level error is broken.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx review main..HEAD
  loopx review origin/main...pr/41 --format markdown
  loopx review main --show switch-2f8q
  loopx review main..HEAD --reviewers approvals.txt")]
pub(super) struct Args {
    /// BASE..HEAD or BASE...HEAD: what merging HEAD into BASE changes; without it, since HEAD left the authority ref
    range: Option<String>,
    /// Only this document, in full; any unique prefix of its id
    #[arg(long, value_name = "ID")]
    show: Option<String>,
    /// A file with the names of people who reviewed this very change, one on each line, as CI vouches
    #[arg(long, value_name = "FILE")]
    reviewers: Option<PathBuf>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let range = args.range.as_deref().map(|text| Range::parse(text).ok_or(()));
    let Ok(range) = range.transpose() else {
        return context.refuse("a range names both of its sides: loopx review BASE..HEAD");
    };
    let reviewing = ReviewOptions { range, reviewers: args.reviewers.as_deref() };
    let reviewed = app::review(&context.place, reviewing, context.now())?;
    let show = args.show.as_deref().map(|typed| reviewed.id_of(typed)).transpose()?;
    let comment = reviewed.comment(show.as_deref());
    let text = match context.format {
        ReportFormat::Human if context.is_comment => render::comment(&comment, COMMENT_LIMIT),
        ReportFormat::Human => render::review(&comment),
        ReportFormat::Concise => render::review_concise(&comment),
        ReportFormat::Json => render::review_json(&comment),
    };
    context.out.write_all(text.as_bytes())?;
    Ok(if reviewed.review.is_refused() { Exit::Found } else { Exit::Done })
}
