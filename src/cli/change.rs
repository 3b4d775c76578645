//! What every command that changes a document has in common.

use super::context::Context;
use super::exit::Exit;
use super::values::{duration, id, instant, word};
use crate::app::{
    self, ChangeRequest, Changed, Error, ErrorCode, Operation, Reported, SessionChoice, ValidationRequest,
};
use crate::change::{Action, NewActor, NewDocument};
use crate::hosts::HOSTS;
use crate::report::{self, ReportFormat};
use crate::vocabulary::{ActorClass, Duration, Id, Instant};

/// To which document of which goal, and whether it is written.
#[derive(Debug, clap::Args)]
pub(super) struct TargetArgs {
    /// The goal, where nothing else tells; any unique prefix of its id
    #[arg(long, alias = "goal-id", value_name = "ID")]
    pub(super) goal: Option<String>,
    /// Write it, with the receipt of what it decides, and with ids typed whole; without this it is only shown
    #[arg(long)]
    pub(super) execute: bool,
}

/// When it was done.
#[derive(Debug, clap::Args)]
pub(super) struct WhenArgs {
    /// When it was done, if not now
    #[arg(long, value_name = "RFC3339", value_parser = instant)]
    at: Option<Instant>,
}

/// Who does it and when, to which document, and whether it is written.
#[derive(Debug, clap::Args)]
pub(super) struct ChangeArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Who does it, also as --agent NAME; without it the policy's actor with your git identity
    #[arg(long, aliases = ["agent", "agent-id"], value_name = "NAME")]
    by: Option<String>,
    /// The class you act in, where neither policy nor goal says: user, operator, controller, owner, agent
    #[arg(long = "as", value_name = "CLASS", value_parser = word::<ActorClass>)]
    class: Option<ActorClass>,
    #[command(flatten)]
    when: WhenArgs,
}

impl ChangeArgs {
    /// Whether it is written, and not only shown.
    pub(super) fn executes(&self) -> bool {
        self.target.execute
    }

    /// The same for one goal.
    pub(super) fn of_goal(&self, goal: &str) -> Self {
        let target = TargetArgs { goal: Some(goal.to_owned()), execute: self.target.execute };
        Self { target, by: self.by.clone(), class: self.class, when: WhenArgs { at: self.when.at } }
    }
}

/// When something ends, said as a moment or as how long from now.
#[derive(Debug, clap::Args)]
pub(super) struct EndArgs {
    /// When it expires
    #[arg(long, value_name = "RFC3339", value_parser = instant, conflicts_with = "expires_in")]
    expires_at: Option<Instant>,
    /// When it expires, from now on: a number with s, m, h or d
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    expires_in: Option<Duration>,
}

/// What a new document is called.
#[derive(Debug, clap::Args)]
pub(super) struct NewArgs {
    /// The id of the new document; without it one that says what it is about
    #[arg(long = "id", value_name = "ID", value_parser = id)]
    id: Option<Id>,
}

impl NewArgs {
    pub(super) fn id(&self) -> Option<&Id> {
        self.id.as_ref()
    }
}

impl EndArgs {
    pub(super) fn instant(&self, now: Instant) -> Option<Instant> {
        self.expires_at.or_else(|| Some(now.after(self.expires_in?)))
    }
}

/// Does something to the document of an id, and shows what it changes.
pub(super) fn run(context: &mut Context, change_args: &ChangeArgs, id: &str, act: Action) -> Result<Exit, Error> {
    by_somebody(context, change_args, Operation::Act { act, id: id.to_owned() })
}

/// Starts a document, and shows it.
pub(super) fn start(
    context: &mut Context,
    change_args: &ChangeArgs,
    id: Option<&Id>,
    new_document: NewDocument,
) -> Result<Exit, Error> {
    let entropy = context.entropy();
    by_somebody(context, change_args, Operation::Start { new_document, id: id.cloned(), entropy })
}

/// Does something that the document says nobody's name of.
pub(super) fn run_unnamed(context: &mut Context, target: &TargetArgs, id: &str, act: Action) -> Result<Exit, Error> {
    by_nobody(context, target, Operation::Act { act, id: id.to_owned() })
}

/// Lets the policies know an actor, and shows how.
pub(super) fn name_actor(context: &mut Context, target: &TargetArgs, actor: NewActor) -> Result<Exit, Error> {
    let entropy = context.entropy();
    by_nobody(context, target, Operation::AddActor { actor, entropy })
}

/// Runs the command that validates a session's goal, and reports how it ended.
pub(super) fn validate(context: &mut Context, request: &ValidationRequest) -> Result<Exit, Error> {
    let (changed, is_passed) = app::validate(&context.place, request, context.given())?;
    show(context, &changed)?;
    Ok(if changed.is_refused() || !is_passed { Exit::Found } else { Exit::Done })
}

/// Reports facts of a session. Hosts report at once: there is nothing to decide, so nothing is shown first.
pub(super) fn observe(
    context: &mut Context,
    goal: Option<&str>,
    session: SessionChoice,
    report: Reported,
) -> Result<Exit, Error> {
    let operation = Operation::Observe { session, report };
    let goal = goal.map(str::to_owned);
    carry_out(context, &ChangeRequest { operation, goal, by: None, class: None, at: None }, true)
}

fn by_nobody(context: &mut Context, target: &TargetArgs, operation: Operation) -> Result<Exit, Error> {
    carry_out(
        context,
        &ChangeRequest { operation, goal: target.goal.clone(), by: None, class: None, at: None },
        target.execute,
    )
}

fn by_somebody(context: &mut Context, change_args: &ChangeArgs, operation: Operation) -> Result<Exit, Error> {
    let ChangeArgs { target, by, class, when } = change_args;
    let request = ChangeRequest { operation, goal: target.goal.clone(), by: by.clone(), class: *class, at: when.at };
    carry_out(context, &request, target.execute)
}

fn carry_out(context: &mut Context, request: &ChangeRequest, execute: bool) -> Result<Exit, Error> {
    if execute && request.operation.decides() {
        refuse_in_host()?;
    }
    let changed = app::change_document(&context.place, request, context.now(), execute)?;
    show(context, &changed)?;
    Ok(if changed.is_refused() { Exit::Found } else { Exit::Done })
}

/// Inside the tools of an agent's host nobody decides: whoever typed it, an agent could have.
pub(super) fn refuse_in_host() -> Result<(), Error> {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let Some(host) = HOSTS.iter().find(|row| row.tool_variables.iter().any(&is_set)) else {
        return Ok(());
    };
    let words: Vec<String> = std::env::args().skip(1).map(|word| shell_word(&word)).collect();
    let command = format!("loopx {}", words.join(" "));
    let why = format!("inside the tools of {} nobody decides; in your own terminal: {command}", host.name);
    Err(Error::about(ErrorCode::Refused, why))
}

/// A word as a shell takes it.
fn shell_word(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=,@%+".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn show(context: &mut Context, changed: &Changed) -> Result<(), Error> {
    let wall = &changed.state.workspace.wall;
    match context.format {
        ReportFormat::Human => {
            for (path, (old, new)) in &changed.files {
                let old = old.as_deref().unwrap_or_default();
                report::difference(&mut context.out, &wall.text(path), old, new, wall)?;
            }
            report::write(&mut context.out, context.format, &changed.report())?;
            context.out.write_all(changed.said().as_bytes())?;
        }
        ReportFormat::Concise => {
            report::write(&mut context.out, context.format, &changed.report())?;
            for path in changed.files.keys().filter(|_| !changed.is_refused()) {
                writeln!(context.out, "{}", wall.text(path))?;
            }
        }
        ReportFormat::Json => context.out.write_all(changed.to_json().as_bytes())?,
    }
    Ok(())
}
