use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::json;

use super::context::Context;
use super::exit::Exit;
use crate::app::{self, ConnectCheck, ConnectRequest, Connected, Error, SetupState};
use crate::document::to_json_pretty;
use crate::hosts::{GuardMode, HOSTS, Host};
use crate::privacy::Wall;
use crate::report::{self, ReportFormat};

/// Connect a host: its hooks report what happens, and the gate holds where the agent acts
///
/// Shows every file that it would write or change, and writes with --execute: the host's hook settings, merged into what
/// is there, the skill, a binding of the agent to the goal if there is none, and the owner-local route "sessions of this
/// host in this work tree act as this agent". Doing it twice changes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  loopx connect claude_code --agent claude-review --goal api-docs
  loopx connect claude_code --agent claude-review --execute
  loopx connect claude_code --check
  loopx connect codex_cli --remove --execute
  loopx connect claude_code --plugin plugins/loopx --execute")]
pub(super) struct Args {
    /// The host: claude_code, codex_cli, gemini_cli or opencode
    host: String,
    /// The agent that the host's sessions act as
    #[arg(long, value_name = "ID")]
    agent: Option<String>,
    /// The goal; without it the only one that lists the agent
    #[arg(long, value_name = "ID")]
    goal: Option<String>,
    /// What happens to a write that the boundary excludes
    #[arg(long, value_enum, default_value_t = Guard::Deny)]
    guard: Guard,
    /// Who operates the host; without it the policy's actor with your git identity
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Write a plugin or an extension for a team's marketplace into DIR instead
    #[arg(long, value_name = "DIR", conflicts_with_all = ["agent", "goal", "check", "remove"])]
    plugin: Option<PathBuf>,
    /// Look whether the host is connected and its events arrive
    #[arg(long, conflicts_with_all = ["agent", "goal", "remove", "execute"])]
    check: bool,
    /// Take out what connect put in
    #[arg(long)]
    remove: bool,
    /// Write it; without this it is only shown
    #[arg(long)]
    execute: bool,
}

/// What happens to a write that the boundary excludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Guard {
    /// Nothing: facts are reported, and nothing is denied.
    Off,
    /// The person is asked; a host that cannot ask denies.
    Ask,
    /// It is denied.
    Deny,
}

impl From<Guard> for GuardMode {
    fn from(guard: Guard) -> Self {
        match guard {
            Guard::Off => Self::Off,
            Guard::Ask => Self::Ask,
            Guard::Deny => Self::Deny,
        }
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, Error> {
    let Some(host) = Host::named(&args.host) else { return unavailable(context, &args.host) };
    if args.check {
        return check(context, host);
    }
    // An agent that could open the gate by itself would have none.
    if args.execute && (args.remove || args.guard != Guard::Deny) {
        super::change::refuse_in_host()?;
    }
    let now = context.now();
    let connected = match (&args.plugin, args.remove, &args.agent) {
        (Some(folder), ..) => app::plugin(&context.place, host, folder, args.execute)?,
        (None, true, _) => app::disconnect(&context.place, host, args.execute)?,
        (None, false, Some(agent)) => {
            let request = ConnectRequest {
                host,
                agent: agent.clone(),
                goal: args.goal.clone(),
                guard: args.guard.into(),
                by: args.by.clone(),
                entropy: context.entropy(),
            };
            app::connect(&context.place, &request, now, args.execute)?
        }
        (None, false, None) => return context.refuse("name the agent that its sessions act as: --agent ID"),
    };
    show(context, &connected)?;
    Ok(if connected.is_refused() { Exit::Found } else { Exit::Done })
}

/// Another host has no hooks that loopx knows; two commands work everywhere.
fn unavailable(context: &mut Context, typed: &str) -> Result<Exit, Error> {
    let typed = Wall::shipped().redact(typed);
    let known: Vec<&str> = HOSTS.iter().map(|row| row.word).collect();
    if context.format == ReportFormat::Json {
        let instead = ["loopx next --agent ID", "loopx settle --turn ID --todo ID"];
        let shape =
            json!({ "error": "unavailable", "what": format!("{typed} cannot be connected"), "instead": instead });
        context.out.write_all(to_json_pretty(&shape).as_bytes())?;
    } else {
        writeln!(context.out, "{typed} cannot be connected; these can: {}.", known.join(", "))?;
        writeln!(context.out, "In every host the agent can run: loopx next, loopx settle")?;
    }
    Ok(Exit::Found)
}

fn show(context: &mut Context, connected: &Connected) -> Result<(), Error> {
    let wall = Wall::shipped();
    match context.format {
        ReportFormat::Human => {
            for file in &connected.files {
                let (old, new) = (file.old.as_deref().unwrap_or_default(), file.new.as_deref().unwrap_or_default());
                report::difference(&mut context.out, &wall.text(&file.path), old, new, wall)?;
            }
            if let Some(binding) = &connected.binding {
                for (path, (old, new)) in &binding.files {
                    report::difference(
                        &mut context.out,
                        &wall.text(path),
                        old.as_deref().unwrap_or_default(),
                        new,
                        wall,
                    )?;
                }
                report::write(&mut context.out, context.format, &binding.report())?;
            }
            if let Some(route) = &connected.route {
                let goals: Vec<&str> = route.goals.iter().map(|goal| goal.goal_id.as_str()).collect();
                let line = format!(
                    "Route: {} sessions in this work tree act as {} for {}",
                    route.host,
                    route.agent,
                    goals.join(", ")
                );
                writeln!(context.out, "{}", wall.text(line))?;
            }
            if connected.files.is_empty() && connected.binding.is_none() {
                writeln!(context.out, "No file changes.")?;
            }
            for note in &connected.notes {
                writeln!(context.out, "- {}", wall.text(note))?;
            }
            let end = if connected.is_written { "Written." } else { "Nothing was written; to write it: --execute" };
            writeln!(context.out, "{end}")?;
        }
        ReportFormat::Concise => {
            let files = connected.files.iter().map(|file| &file.path);
            files.for_each(|path| drop(writeln!(context.out, "{}", wall.text(path))));
        }
        ReportFormat::Json => {
            let files: Vec<_> = connected.files.iter().map(|file| wall.text(&file.path).to_string()).collect();
            let notes: Vec<_> = connected.notes.iter().map(|note| wall.text(note).to_string()).collect();
            let shape = json!({
                "schema_version": "loopx_connect_v0",
                "files": files,
                "route": connected.route,
                "notes": notes,
                "written": connected.is_written,
            });
            context.out.write_all(to_json_pretty(&shape).as_bytes())?;
        }
    }
    Ok(())
}

fn check(context: &mut Context, host: Host) -> Result<Exit, Error> {
    let place = context.place.clone();
    let run = |event: &str, payload: &[u8]| answer_of(&place, host, event, payload);
    let checked = app::check_connection(&context.place, host, &run)?;
    if context.format == ReportFormat::Json {
        context.out.write_all(to_json_pretty(&shape(&checked)).as_bytes())?;
    } else {
        tell(context, &checked)?;
    }
    Ok(if checked.is_sound() { Exit::Done } else { Exit::Found })
}

/// Runs the hook of an event as its host does.
pub(super) fn answer_of(place: &std::path::Path, host: Host, event: &str, payload: &[u8]) -> Option<String> {
    use std::io::Write;
    let program = std::env::current_exe().ok()?;
    let mut child = Command::new(program)
        .args(["-C".as_ref(), place.as_os_str()])
        .args(["hook", host.word(), event])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .env("LOOPX_AGENT", "none")
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(payload).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}

fn shape(checked: &ConnectCheck) -> serde_json::Value {
    let files: Vec<_> =
        checked.files.iter().map(|(path, state)| json!({ "path": path, "state": state_word(*state) })).collect();
    let hooks: Vec<_> = checked
        .hooks
        .iter()
        .map(|hook| json!({ "event": hook.event, "seconds_since_seen": hook.seen, "answers": hook.answers }))
        .collect();
    json!({
        "schema_version": "loopx_connect_check_v0",
        "host": checked.host.word(),
        "routes": checked.routes,
        "files": files,
        "hooks": hooks,
        "unannounced_sessions": checked.silent,
        "on_path": checked.is_on_path,
        "sound": checked.is_sound(),
    })
}

fn state_word(state: SetupState) -> &'static str {
    match state {
        SetupState::Current => "current",
        SetupState::Stale => "stale",
        SetupState::Edited => "edited by somebody",
        SetupState::Missing => "missing",
        SetupState::Unreadable => "unreadable",
    }
}

fn tell(context: &mut Context, checked: &ConnectCheck) -> Result<(), Error> {
    let out = &mut context.out;
    let wall = Wall::shipped();
    match &checked.routes[..] {
        [] => writeln!(out, "route: none in this work tree; make one: loopx connect {} --agent ID", checked.host)?,
        routes => {
            for route in routes {
                let goals: Vec<&str> = route.goals.iter().map(|goal| goal.goal_id.as_str()).collect();
                writeln!(out, "{}", wall.text(format!("route: {} for {}", route.agent, goals.join(", "))))?;
            }
        }
    }
    for (path, state) in &checked.files {
        writeln!(out, "{}: {}", wall.text(path), state_word(*state))?;
    }
    if !checked.is_on_path {
        writeln!(out, "loopx is not on the PATH, so no hook runs and nothing is denied: install it")?;
    }
    for hook in &checked.hooks {
        let seen = hook.seen.map_or_else(|| "never".to_owned(), |seconds| format!("{seconds} s ago"));
        let answers = if hook.answers { "" } else { "; its hook does not answer as the host expects" };
        writeln!(out, "{}: {seen}{answers}", hook.event)?;
    }
    if checked.hooks.iter().all(|hook| hook.seen.is_none()) {
        writeln!(out, "No event has arrived yet: {}", checked.host.row().trust)?;
    }
    if checked.silent > 0 {
        writeln!(out, "{} sessions spoke that nobody announced for an agent; they report nothing", checked.silent)?;
    }
    Ok(())
}
