use serde_json::json;

use super::change::{ChangeArgs, NewArgs, run as change, start};
use super::context::Context;
use super::exit::Exit;
use super::values::{id, line, word};
use crate::app::{self, Error, ErrorCode, GoalChoice, SessionLine};
use crate::change::{Action, BindingForm, NewDocument, new_id, slug_of};
use crate::document::to_json_pretty;
use crate::hosts::{HOSTS, Host};
use crate::privacy::Wall;
use crate::report::ReportFormat;
use crate::vocabulary::{Capability, HostSurface, Id, Line};

/// Bind agents to goals, and see which host session works for whom
///
/// A binding ties an agent to a goal; one host session at a time holds it. `loopx connect` announces the sessions of a
/// host by itself. A host session's own id is never an argument: it comes in LOOPX_HOST_SESSION, in the host's variable,
/// or as the first line of standard input.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx session list
  loopx session show codex-q4
  loopx session bind ledger codex-main --surface codex_cli --by ines --execute
  loopx session use none
  loopx session restore codex-q4
  loopx session replace codex-q4 --reason \"a new machine\" --execute
  loopx session close codex-q4 --reason \"the host is gone\" --execute")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Say for which agent a host session works
    #[command(after_help = "Examples:
  LOOPX_HOST_SESSION=ID loopx session announce --surface claude_code --goal api-docs --agent claude-review")]
    Announce {
        /// The surface of the host
        #[arg(long, value_name = "SURFACE", value_parser = word::<HostSurface>)]
        surface: HostSurface,
        /// The goal
        #[arg(long, value_name = "ID")]
        goal: String,
        /// The agent
        #[arg(long, value_name = "ID")]
        agent: String,
    },
    /// Bind an agent to a goal
    #[command(after_help = "Examples:
  loopx session bind ledger codex-main --surface codex_cli --capability session_queue --by ines --execute
  loopx session bind suite worker-bench --managed --by ines --execute -- make bench")]
    Bind {
        /// The goal
        #[arg(id = "bound_goal", value_name = "GOAL")]
        goal: String,
        /// The agent
        #[arg(value_parser = id)]
        agent: Id,
        /// What executes it; never the agent's own id
        #[arg(long, value_name = "ID", value_parser = id)]
        endpoint: Option<Id>,
        /// The surface of the host that the session is attached to
        #[arg(long, value_name = "SURFACE", value_parser = word::<HostSurface>, required_unless_present = "managed")]
        surface: Option<HostSurface>,
        /// What the host can do; several times for several
        #[arg(long = "capability", value_name = "WORD", value_parser = word::<Capability>)]
        capabilities: Vec<Capability>,
        /// loopx creates and supervises the session
        #[arg(long, conflicts_with_all = ["surface", "capabilities"])]
        managed: bool,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
        /// The command of a managed session
        #[arg(last = true, value_parser = line)]
        command: Vec<Line>,
    },
    /// Choose the goal that this host session works for; none: it is a person's own
    #[command(after_help = "Examples:
  loopx session use api-docs
  loopx session use none")]
    Use {
        /// The goal, or none
        goal: String,
    },
    /// List the bindings and who holds them
    #[command(after_help = "Examples:
  loopx session list
  loopx session list --all --format json")]
    List {
        /// Also those that are closed or replaced
        #[arg(long)]
        all: bool,
    },
    /// Show one binding and who holds it
    #[command(after_help = "Examples:
  loopx session show codex-q4")]
    Show {
        /// The binding
        session: String,
    },
    /// Let the next host session of the agent take a binding over whose holder is gone
    #[command(after_help = "Examples:
  loopx session restore codex-q4")]
    Restore {
        /// The binding
        session: String,
    },
    /// Put a new binding of the same agent in the place of one
    ///
    /// The sessions of a connected host go on with the new binding, and its next holder has the next epoch.
    #[command(after_help = "Examples:
  loopx session replace codex-q4 --reason \"a new machine\" --execute
  loopx session replace codex-q4 --surface claude_code --reason \"another host\" --by ines --execute")]
    Replace {
        /// The session; any unique prefix of its id
        session: String,
        /// The surface of the host of the new binding, if it is another one
        #[arg(long, value_name = "SURFACE", value_parser = word::<HostSurface>)]
        surface: Option<HostSurface>,
        /// loopx creates and supervises the new session
        #[arg(long, conflicts_with = "surface")]
        managed: bool,
        /// How often the old binding has had a holder, where another one must not be replaced
        #[arg(long, value_name = "NUMBER")]
        expected_epoch: Option<u64>,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        new: NewArgs,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
    /// Close the binding of a session
    #[command(after_help = "Examples:
  loopx session close codex-q4 --reason \"the host is gone\" --execute")]
    Close {
        /// The session; any unique prefix of its id
        session: String,
        /// Why, in one line
        #[arg(long, value_name = "TEXT", value_parser = line)]
        reason: Option<Line>,
        #[command(flatten)]
        change_args: ChangeArgs,
    },
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    match &args.command {
        Command::Announce { surface, goal, agent } => announce(context, *surface, goal, agent),
        Command::Bind { goal, agent, endpoint, surface, capabilities, managed: _, new, change_args, command } => {
            let endpoint = endpoint.clone().unwrap_or_else(|| Id::new(new_id("ep", context.entropy() >> 13)));
            let document = NewDocument::Binding {
                agent_id: agent.clone(),
                executor_endpoint_id: endpoint,
                host_surface: *surface,
                capabilities: capabilities.clone(),
                command: command.clone(),
            };
            start(context, &change_args.of_goal(goal), new.id(), document)
        }
        Command::Use { goal } => choose(context, goal),
        Command::List { all } => {
            let lines = app::sessions(&context.place, context.now(), *all, None)?;
            show(context, &lines)
        }
        Command::Show { session } => {
            let lines = app::sessions(&context.place, context.now(), true, Some(session))?;
            show(context, &lines)
        }
        Command::Restore { session } => {
            app::restore_session(&context.place, session, context.now())?;
            writeln!(context.out, "The next host session that is announced for its agent takes {session} over.")?;
            Ok(Exit::Done)
        }
        Command::Replace { session, surface, managed, expected_epoch, reason, new, change_args } => {
            let old = app::sessions(&context.place, context.now(), false, Some(session))?;
            let Some(old) = old.into_iter().next() else {
                return Err(Error::about(ErrorCode::UnknownDocument, session));
            };
            app::refuse_while_held(&context.place, session, *expected_epoch, context.now())?;
            let id = new.id().cloned().unwrap_or_else(|| Id::new(new_id(slug_of(session), context.entropy())));
            let form = surface.map(BindingForm::Attached).or(managed.then_some(BindingForm::Managed));
            let surface = match form {
                None => old.surface,
                Some(BindingForm::Attached(surface)) => Some(surface),
                Some(BindingForm::Managed) => None,
            };
            let act = Action::Replace { reason: reason.clone(), new: id.clone(), form };
            let exit = change(context, change_args, session, act)?;
            if exit == Exit::Done && change_args.executes() {
                app::move_routes(&context.place, session, id.as_str(), surface)?;
            }
            Ok(exit)
        }
        Command::Close { session, reason, change_args } => {
            change(context, change_args, session, Action::Close { reason: reason.clone() })
        }
    }
}

fn announce(context: &mut Context, surface: HostSurface, goal: &str, agent: &str) -> Result<Exit, Error> {
    let host = HOSTS.iter().find(|row| row.surface == surface).map(|row| row.host);
    let Some(host) = host else { return context.refuse("only a host that loopx connects to is announced") };
    super::change::refuse_in_host()?;
    let own = own_session(Some(host))?;
    app::announce_session(&context.place, &own, goal, agent)?;
    writeln!(context.out, "Announced for {agent}.")?;
    Ok(Exit::Done)
}

/// Lets the session at hand work for a goal; `none`: it is a person's own.
fn choose(context: &mut Context, goal: &str) -> Result<Exit, Error> {
    let is_none = goal == "none";
    if is_none {
        // An agent that could end its own guard would have none.
        super::change::refuse_in_host()?;
    }
    let choice = if is_none { GoalChoice::None } else { GoalChoice::Goal(goal.to_owned()) };
    app::choose_goal(&context.place, &own_session(None)?, choice)?;
    let said = match is_none {
        true => "This session is a person's own.".to_owned(),
        false => format!("This session works for {goal}."),
    };
    writeln!(context.out, "{}", Wall::shipped().redact(&said))?;
    Ok(Exit::Done)
}

/// The host's own id of the session at hand, with its host.
fn own_session(host: Option<Host>) -> Result<(Host, String), Error> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let rows = HOSTS.iter().filter(|row| host.is_none_or(|host| row.host == host));
    let given = variable("LOOPX_HOST_SESSION");
    for row in rows.clone() {
        if let Some(own) = row.session_variable.and_then(variable) {
            return Ok((row.host, own));
        }
    }
    match (given, host) {
        (Some(own), Some(host)) => Ok((host, own)),
        (Some(own), None) => {
            let (word, own) = own.split_once(':').ok_or_else(unknown_session)?;
            Ok((Host::named(word).ok_or_else(unknown_session)?, own.to_owned()))
        }
        (None, Some(host)) => {
            let mut typed = String::new();
            std::io::stdin()
                .read_line(&mut typed)
                .map_err(|error| Error::about(ErrorCode::CannotRead, error.kind().to_string()))?;
            let typed = typed.trim();
            if typed.is_empty() { Err(unknown_session()) } else { Ok((host, typed.to_owned())) }
        }
        (None, None) => Err(unknown_session()),
    }
}

fn unknown_session() -> Error {
    Error::of(ErrorCode::UnknownHostSession)
}

fn show(context: &mut Context, lines: &[SessionLine]) -> Result<Exit, Error> {
    if context.format == ReportFormat::Json {
        let sessions: Vec<_> = lines
            .iter()
            .map(|line| {
                json!({
                    "session_id": line.session_id,
                    "goal_id": line.goal_id,
                    "agent_id": line.agent_id,
                    "host_surface": line.surface,
                    "document": line.document,
                    "holder": line.holder,
                    "epoch": line.epoch,
                    "status": line.status,
                    "at": line.at,
                })
            })
            .collect();
        let shape = json!({ "schema_version": "loopx_session_readback_v0", "ok": true, "sessions": sessions });
        context.out.write_all(to_json_pretty(&shape).as_bytes())?;
        return Ok(Exit::Done);
    }
    let wall = Wall::shipped();
    for line in lines {
        let holder = match (&line.holder, line.status) {
            (Some(holder), Some(status)) => format!("{holder}, {status}, epoch {}", line.epoch),
            _ => "no holder".to_owned(),
        };
        let text = format!("{}: {} for {}, {}, {holder}", line.session_id, line.agent_id, line.goal_id, line.document);
        writeln!(context.out, "{}", wall.text(text))?;
    }
    if lines.is_empty() {
        writeln!(context.out, "No binding; make one: loopx connect HOST --agent ID")?;
    }
    Ok(Exit::Done)
}
