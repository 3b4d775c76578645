//! What people and models said to each other.

use std::ops::Range;

use crate::match_context::MatchContext;

/// How far the other half of a message may stand from the half that was found.
const MESSAGE: usize = 600;

/// Whether a role has its content near.
pub(super) fn is_message(context: &MatchContext<'_>) -> bool {
    ends_value(context.right())
        && has_key_near(context, &["content", "parts", "text", "message", "tool_calls", "toolcalls"])
}

/// Whether a speaker has its message near.
pub(super) fn is_record(context: &MatchContext<'_>) -> bool {
    has_key_near(context, &["message", "content", "text", "parts", "value", "sessionid", "body", "thoughts"])
}

/// Whether a key holds no description of its own type.
pub(super) fn is_no_schema(context: &MatchContext<'_>) -> bool {
    !context.right().trim_ascii_start().starts_with(b"{")
}

/// Whether a speaker has its words near.
pub(super) fn is_spoken(context: &MatchContext<'_>) -> bool {
    has_key_near(context, &["content", "text", "message", "utterance", "value"])
}

/// Whether a value ends here, or the next key follows: behind a role that is the value no words follow.
fn ends_value(right: &[u8]) -> bool {
    let right = right.trim_ascii_start();
    let word = right.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    word == 0 || matches!(right[word..].trim_ascii_start().first(), Some(b':' | b'='))
}

/// Whether one of some keys stands near a match, as the other half of the same message.
fn has_key_near(context: &MatchContext<'_>, keys: &[&str]) -> bool {
    let from = context.range.start.saturating_sub(MESSAGE);
    let to = context.text.len().min(context.range.end + MESSAGE);
    let near = [&context.text[from..context.range.start], &context.text[context.range.end..to]];
    near.into_iter().any(|text| {
        text.split(|&byte| byte == b':' || byte == b'=').any(|part| {
            let part = part.trim_ascii_end();
            let word =
                part.iter().rposition(|byte| !matches!(byte, b'"' | b'\'' | b'\\')).map_or(part, |last| &part[..=last]);
            let start =
                word.iter().rposition(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')).map_or(0, |at| at + 1);
            keys.iter().any(|key| word[start..].eq_ignore_ascii_case(key.as_bytes()))
        }) && (text.contains(&b':') || text.contains(&b'='))
    })
}

/// The tags in which models think, call tools and keep what was said.
const TAGS: &[&str] = &[
    "thinking",
    "think",
    "thought",
    "scratchpad",
    "inner_monologue",
    "reflection",
    "tool_call",
    "tool_use",
    "tool_response",
    "tool_result",
    "tool_output",
    "function_calls",
    "function_results",
    "function_response",
    "invoke",
    "system-reminder",
    "user_query",
    "user_message",
    "assistant_message",
    "conversation",
    "transcript",
    "execute_command",
    "read_file",
    "write_to_file",
    "replace_in_file",
    "apply_diff",
    "attempt_completion",
    "ask_followup_question",
    "use_mcp_tool",
    "list_files",
    "search_files",
    "final_answer",
    "observation",
];

/// Finds tags that hold something: each from where it opens to where it last closes.
pub(super) fn tagged(text: &str) -> Vec<Range<usize>> {
    let mut opened: [Option<usize>; TAGS.len()] = [None; TAGS.len()];
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        let closes = rest.starts_with('/');
        let name = rest.trim_start_matches('/');
        let length = name
            .find(|character: char| !(character.is_ascii_alphanumeric() || matches!(character, '_' | '-')))
            .unwrap_or(name.len());
        let Some(tag) = TAGS.iter().position(|tag| tag.eq_ignore_ascii_case(&name[..length])) else { continue };
        match opened[tag] {
            None if !closes => opened[tag] = Some(at),
            Some(start) if closes => {
                let inside = text[start..at].split_once('>').map_or("", |(_, inside)| inside);
                if inside.contains(char::is_alphanumeric) {
                    found.push(start..at + 2 + length);
                }
                opened[tag] = None;
            }
            _ => {}
        }
    }
    found
}
