//! Takes the arguments of a call apart: into the words of its command, or into what is wrong with them.

use rmcp::model::JsonObject;
use serde_json::Value as Json;

use super::tools::{ArgumentForm, ServedTool};

/// The words of the command that a call means.
///
/// Every value stands behind `=` or behind `--`, so that none of them is read as an option.
pub(super) fn words(tool: &ServedTool, given: &JsonObject) -> Result<Vec<String>, String> {
    if let Some(name) = given.keys().find(|name| tool.arguments.iter().all(|known| known.name != **name)) {
        let known: Vec<&str> = tool.arguments.iter().map(|known| known.name).collect();
        return Err(format!("unknown argument {name}; use {}", known.join(", ")));
    }
    let mut words: Vec<String> = ["loopx"].iter().chain(tool.command).map(|word| (*word).to_owned()).collect();
    words.push("--format=json".to_owned());
    let mut positional = Vec::new();
    for argument in tool.arguments {
        let name = argument.name;
        let value = match given.get(name) {
            None | Some(Json::Null) if argument.is_required => return Err(format!("{name} is missing")),
            None | Some(Json::Null) => continue,
            Some(value) => value,
        };
        match argument.form {
            ArgumentForm::Option(option) => words.push(format!("{option}={}", text(name, value)?)),
            ArgumentForm::OptionOrFlag(option) => match text(name, value)? {
                "" => words.push(option.to_owned()),
                text => words.push(format!("{option}={text}")),
            },
            ArgumentForm::Options(option) => {
                words.extend(texts(name, value)?.iter().map(|text| format!("{option}={text}")));
            }
            ArgumentForm::Flag(option) => match value {
                Json::Bool(true) => words.push(option.to_owned()),
                Json::Bool(false) => {}
                _ => return Err(format!("{name} is true or false")),
            },
            ArgumentForm::Positional => positional.push(text(name, value)?.to_owned()),
            ArgumentForm::Positionals => positional.extend(texts(name, value)?.into_iter().map(str::to_owned)),
        }
    }
    // Standard input belongs to the protocol.
    if positional.iter().any(|word| word == "-") {
        return Err("`-` stands for standard input, which a call does not have".to_owned());
    }
    words.push("--".to_owned());
    words.extend(positional);
    Ok(words)
}

fn text<'v>(name: &str, value: &'v Json) -> Result<&'v str, String> {
    value.as_str().ok_or_else(|| format!("{name} is a text"))
}

fn texts<'v>(name: &str, value: &'v Json) -> Result<Vec<&'v str>, String> {
    let list = value.as_array().ok_or_else(|| format!("{name} is a list of texts"))?;
    list.iter().map(|item| text(name, item)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::words;
    use crate::cli::mcp::tools::ServedTool;

    fn words_of(tool: &str, given: Json) -> Result<String, String> {
        let Json::Object(given) = given else { panic!("an object") };
        words(ServedTool::named(tool, true).expect("a tool"), &given).map(|words| words.join(" "))
    }

    #[test]
    fn no_value_becomes_an_option() {
        let told = words_of("next", json!({ "agent": "--now", "goal": "-C" }));
        assert_eq!(told.as_deref(), Ok("loopx next --format=json --agent=--now --goal=-C --"));
        let told =
            words_of("request_gate", json!({ "goal": "g", "question": "--help", "agent": "a", "blocks": ["t"] }));
        assert_eq!(
            told.as_deref(),
            Ok("loopx gate request --execute --format=json --goal=g --agent=a --blocks=t -- --help")
        );
        assert_eq!(words_of("status", json!({ "me": "" })).as_deref(), Ok("loopx status --format=json --me --"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (tool, given, told) in [
            ("next", json!({}), "agent is missing"),
            ("next", json!({ "agent": 1 }), "agent is a text"),
            ("lint", json!({ "paths": "x" }), "paths is a list of texts"),
            ("lint", json!({ "paths": ["-"] }), "`-` stands for standard input, which a call does not have"),
            ("settle", json!({ "turn": "t", "todo": "x", "agent": "a", "done": "yes" }), "done is true or false"),
            ("explain", json!({ "word": "x", "fix": true }), "unknown argument fix; use word"),
        ] {
            assert_eq!(words_of(tool, given), Err(told.to_owned()));
        }
    }

    #[test]
    fn what_writes_is_served_only_where_it_is_allowed() {
        assert!(ServedTool::named("settle", false).is_none() && ServedTool::named("settle", true).is_some());
        assert!(ServedTool::named("next", false).is_some() && ServedTool::named("gate", true).is_none());
    }
}
