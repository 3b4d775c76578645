//! Edits of a host's JSON settings that keep every foreign byte: text is put in or taken out, nothing is printed again.
//!
//! Comments and trailing commas are read, for some hosts take them.

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::table::{EVENTS, Host};

/// How long a hook may take before its host goes on without it, in seconds.
const TIMEOUT: u64 = 10;

/// Why settings cannot be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SettingsFault {
    /// They are no JSON object, also with comments.
    #[error("it is no JSON object")]
    NoObject,
    /// A place where hooks belong holds something else.
    #[error("its \"hooks\" are not lists by event")]
    NoHooks,
}

/// The command that a host runs for an event. It never changes, so that trust is asked once.
#[must_use]
pub fn hook_command(host: Host, event: &str) -> String {
    format!("loopx hook {host} {event} 2>/dev/null || exit 0")
}

/// The settings with each hook of loopx in them, once.
///
/// # Errors
/// They cannot be edited.
pub fn with_hooks(text: &str, host: Host) -> Result<String, SettingsFault> {
    let mut text = if text.trim().is_empty() { "{}\n".to_owned() } else { text.to_owned() };
    for row in EVENTS.iter().filter(|row| row.host == host && row.is_registered) {
        text = with_hook(&text, host, row.name)?;
    }
    Ok(text)
}

/// The settings without any hook of loopx; lists that only held them go too.
///
/// # Errors
/// They cannot be edited.
pub fn without_hooks(text: &str, host: Host) -> Result<String, SettingsFault> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let mut text = text.to_owned();
    while let Some(cut) = our_hook(&text, host)? {
        text = cut;
    }
    Ok(text)
}

/// The events whose hook stands in the settings as this version writes it.
///
/// # Errors
/// They cannot be read.
pub fn hooked_events(text: &str, host: Host) -> Result<Vec<&'static str>, SettingsFault> {
    let Some(root) = parsed(text)? else { return Ok(Vec::new()) };
    let root = object(&root)?;
    let Some(hooks) = root.get("hooks") else { return Ok(Vec::new()) };
    let hooks = object(&hooks.value).map_err(|_| SettingsFault::NoHooks)?;
    let events = EVENTS.iter().filter(|row| row.host == host && row.is_registered).map(|row| row.name);
    Ok(events.filter(|event| hooks.get_array(event).is_some_and(|groups| has_command(groups, host, event))).collect())
}

fn parsed(text: &str) -> Result<Option<Value<'_>>, SettingsFault> {
    let options = ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        ..ParseOptions::default()
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|_| SettingsFault::NoObject)?;
    Ok(parsed.value)
}

fn object<'v, 't>(value: &'v Value<'t>) -> Result<&'v Object<'t>, SettingsFault> {
    value.as_object().ok_or(SettingsFault::NoObject)
}

/// The hooks inside the groups of an event.
fn commands<'v, 't>(
    groups: &'v Array<'t>,
) -> impl Iterator<Item = (&'v Value<'t>, &'v Array<'t>, &'v Value<'t>, &'v str)> {
    groups.elements.iter().flat_map(|group| {
        let hooks = group.as_object().and_then(|group| group.get_array("hooks"));
        hooks.into_iter().flat_map(move |hooks| {
            hooks.elements.iter().filter_map(move |hook| {
                let command = hook.as_object()?.get_string("command")?;
                Some((group, hooks, hook, command.value.as_ref()))
            })
        })
    })
}

fn has_command(groups: &Array<'_>, host: Host, event: &str) -> bool {
    commands(groups).any(|(.., command)| command == hook_command(host, event))
}

/// Whether a command is one that some version of loopx wrote.
fn is_ours(command: &str, host: Host) -> bool {
    command.strip_prefix("loopx hook ").is_some_and(|rest| rest.split(' ').next() == Some(host.word()))
}

fn with_hook(text: &str, host: Host, event: &str) -> Result<String, SettingsFault> {
    let value = parsed(text)?.ok_or(SettingsFault::NoObject)?;
    let root = object(&value)?;
    let group = group(host, event);
    let Some(hooks) = root.get("hooks") else {
        let hooks = format!("{{\n{}\n}}", indented(&format!("\"{event}\": [\n{}\n]", indented(&group))));
        return Ok(inserted(text, Members::of_object(root), &format!("\"hooks\": {hooks}")));
    };
    let hooks = object(&hooks.value).map_err(|_| SettingsFault::NoHooks)?;
    let Some(groups) = hooks.get(event) else {
        let groups = format!("\"{event}\": [\n{}\n]", indented(&group));
        return Ok(inserted(text, Members::of_object(hooks), &groups));
    };
    let groups = groups.value.as_array().ok_or(SettingsFault::NoHooks)?;
    if has_command(groups, host, event) {
        return Ok(text.to_owned());
    }
    // What an earlier version wrote is brought up to date where it stands.
    if let Some((_, _, hook, _)) = commands(groups).find(|(.., command)| is_ours(command, host)) {
        let command = hook.as_object().and_then(|hook| hook.get_string("command")).ok_or(SettingsFault::NoHooks)?;
        let quoted = serde_json::Value::from(hook_command(host, event)).to_string();
        return Ok(format!("{}{quoted}{}", &text[..command.start()], &text[command.end()..]));
    }
    Ok(inserted(text, Members::of_array(groups), &group))
}

/// The group of one event: every tool, one command.
fn group(host: Host, event: &str) -> String {
    let timeout = if host == Host::GeminiCli { TIMEOUT * 1000 } else { TIMEOUT };
    let command = serde_json::Value::from(hook_command(host, event));
    format!(
        "{{\n  \"hooks\": [\n    {{\n      \"type\": \"command\",\n      \"command\": {command},\n      \"timeout\": {timeout}\n    }}\n  ]\n}}"
    )
}

fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}

/// A collection: where it stands, and where its members do.
struct Members {
    start: usize,
    end: usize,
    members: Vec<(usize, usize)>,
}

impl Members {
    fn of_object(object: &Object<'_>) -> Self {
        let members = object.properties.iter().map(|member| (member.start(), member.end())).collect();
        Self { start: object.start(), end: object.end(), members }
    }

    fn of_array(array: &Array<'_>) -> Self {
        let members = array.elements.iter().map(|member| (member.start(), member.end())).collect();
        Self { start: array.start(), end: array.end(), members }
    }
}

/// Puts a member behind the last one of a collection.
fn inserted(text: &str, collection: Members, member: &str) -> String {
    let outer = indent_of(text, collection.start);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (at, before, inner) = match collection.members.last() {
        Some((start, end)) => {
            let is_own_line = text[..*start].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            let inner = if is_own_line { indent_of(text, *start) } else { format!("{outer}  ") };
            match trailing_comma(text, *end, collection.end) {
                Some(comma) => (comma + 1, "", inner),
                None => (*end, ",", inner),
            }
        }
        None => (collection.start + 1, "", format!("{outer}  ")),
    };
    let lines: Vec<String> = member.lines().map(|line| format!("{inner}{line}")).collect();
    let member = lines.join(newline);
    // Where the closing bracket stands on the same line, it moves to one of its own.
    let rest = &text[at..collection.end - 1];
    let closes = if rest.contains('\n') { String::new() } else { format!("{newline}{outer}") };
    format!("{}{before}{newline}{member}{closes}{}", &text[..at], &text[at..])
}

/// The comma that follows the last member of a collection.
fn trailing_comma(text: &str, from: usize, end: usize) -> Option<usize> {
    let mut rest = &text[from..end];
    loop {
        rest = rest.trim_start();
        rest = if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            return rest.starts_with(',').then_some(end - rest.len());
        };
    }
}

/// The spaces that the line of a place begins with.
fn indent_of(text: &str, at: usize) -> String {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    line.chars().take_while(|character| matches!(character, ' ' | '\t')).collect()
}

/// The text without the first hook of ours, and without what held nothing else; `None` when there is none.
fn our_hook(text: &str, host: Host) -> Result<Option<String>, SettingsFault> {
    let Some(value) = parsed(text)? else { return Ok(None) };
    let root = object(&value)?;
    let Some(hooks_property) = root.get("hooks") else { return Ok(None) };
    let Some(hooks) = hooks_property.value.as_object() else { return Ok(None) };
    for property in &hooks.properties {
        let Some(groups) = property.value.as_array() else { continue };
        let Some((group, inner, hook, _)) = commands(groups).find(|(.., command)| is_ours(command, host)) else {
            continue;
        };
        let chain = [
            (Members::of_array(inner), hook.start()),
            (Members::of_array(groups), group.start()),
            (Members::of_object(hooks), property.start()),
            (Members::of_object(root), hooks_property.start()),
        ];
        let mut cut = None;
        for (collection, member) in chain {
            let is_only = collection.members.len() == 1;
            cut = Some((collection, member));
            if !is_only {
                break;
            }
        }
        return Ok(cut.map(|(collection, member)| removed(text, &collection, member)));
    }
    Ok(None)
}

/// Takes a member out of a collection, with the comma that it needed.
fn removed(text: &str, collection: &Members, member: usize) -> String {
    let Some(number) = collection.members.iter().position(|(start, _)| *start == member) else {
        return text.to_owned();
    };
    let (start, end) = collection.members[number];
    let (from, to) = match number.checked_sub(1).map(|before| collection.members[before].1) {
        Some(before) if is_only_comma(&text[before..start]) => (before, end),
        Some(_) => (start, comma_end(text, end, collection.end).unwrap_or(end)),
        None => match collection.members.get(1) {
            Some((next, _)) if is_only_comma(&text[end..*next]) => (start, *next),
            Some(_) => (start, comma_end(text, end, collection.end).unwrap_or(end)),
            None => {
                let (before, after) = (&text[collection.start + 1..start], &text[end..collection.end - 1]);
                let is_alone = before.trim().is_empty() && matches!(after.trim(), "" | ",");
                if is_alone { (collection.start + 1, collection.end - 1) } else { (start, end) }
            }
        },
    };
    format!("{}{}", &text[..from], &text[to..])
}

fn is_only_comma(text: &str) -> bool {
    text.trim() == ","
}

fn comma_end(text: &str, from: usize, end: usize) -> Option<usize> {
    trailing_comma(text, from, end).map(|comma| comma + 1)
}
