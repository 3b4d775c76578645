//! What every command that changes a document has in common.

use super::context::Context;
use super::exit::Exit;
use super::values::{duration, id, instant, word};
use crate::app::{self, Changed, Deed, Error, Wish};
use crate::change::{Act, Sheet};
use crate::report::{self, Format};
use crate::vocabulary::{ActorClass, Duration, Id, Instant};

/// Who does it, to which document of which goal, and whether it is written.
#[derive(Debug, clap::Args)]
pub(super) struct Doing {
    /// The goal, where nothing else tells; any unique prefix of its id
    #[arg(long, value_name = "ID")]
    goal: Option<String>,
    /// Who does it; without it the policy's actor with your git identity
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// The class you act in, where neither policy nor goal says: user, operator, controller, owner, agent
    #[arg(long = "as", value_name = "CLASS", value_parser = word::<ActorClass>)]
    class: Option<ActorClass>,
    /// When it was done, if not now
    #[arg(long, value_name = "RFC3339", value_parser = instant)]
    at: Option<Instant>,
    /// Write it, with the receipt of what it decides, and with ids typed whole; without this it is only shown
    #[arg(long)]
    execute: bool,
}

/// When something ends, said as a moment or as how long from now.
#[derive(Debug, clap::Args)]
pub(super) struct End {
    /// When it expires
    #[arg(long, value_name = "RFC3339", value_parser = instant, conflicts_with = "expires_in")]
    expires_at: Option<Instant>,
    /// When it expires, from now on: a number with s, m, h or d
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    expires_in: Option<Duration>,
}

/// What a new document is called.
#[derive(Debug, clap::Args)]
pub(super) struct New {
    /// The id of the new document; without it one that says what it is about
    #[arg(long = "id", value_name = "ID", value_parser = id)]
    id: Option<Id>,
}

impl New {
    pub(super) fn id(&self) -> Option<&Id> {
        self.id.as_ref()
    }
}

impl End {
    pub(super) fn instant(&self, now: Instant) -> Option<Instant> {
        self.expires_at.or_else(|| Some(now.after(self.expires_in?)))
    }
}

/// Does something to the document of an id, and shows what it changes.
pub(super) fn run(context: &mut Context, doing: &Doing, id: &str, act: Act) -> Result<Exit, Error> {
    carry_out(context, doing, Deed::Act { act, id: id.to_owned() })
}

/// Starts a document, and shows it.
pub(super) fn start(context: &mut Context, doing: &Doing, id: Option<&Id>, sheet: Sheet) -> Result<Exit, Error> {
    let entropy = context.entropy();
    carry_out(context, doing, Deed::Start { sheet, id: id.cloned(), entropy })
}

fn carry_out(context: &mut Context, doing: &Doing, deed: Deed) -> Result<Exit, Error> {
    let Doing { goal, by, class, at, execute } = doing;
    let wish = Wish { deed, goal: goal.clone(), by: by.clone(), class: *class, at: *at };
    let changed = app::change_document(&context.place, &wish, context.now(), *execute)?;
    show(context, &changed)?;
    Ok(if changed.is_refused() { Exit::Found } else { Exit::Done })
}

fn show(context: &mut Context, changed: &Changed) -> Result<(), Error> {
    let wall = &changed.state.workspace.wall;
    match context.format {
        Format::Human => {
            for (path, (old, new)) in &changed.files {
                let old = old.as_deref().unwrap_or_default();
                report::difference(&mut context.out, &wall.text(path), old, new, wall)?;
            }
            report::write(&mut context.out, context.format, &changed.report())?;
            context.out.write_all(changed.said().as_bytes())?;
        }
        Format::Concise => {
            report::write(&mut context.out, context.format, &changed.report())?;
            for path in changed.files.keys().filter(|_| !changed.is_refused()) {
                writeln!(context.out, "{}", wall.text(path))?;
            }
        }
        Format::Json => context.out.write_all(changed.to_json().as_bytes())?,
    }
    Ok(())
}
