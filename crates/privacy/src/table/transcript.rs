//! What people and models said to each other.

use std::ops::Range;

use super::speaker::speakers;
use crate::class::Class;
use crate::match_context::MatchContext;
use crate::piece::ALNUM;
use crate::piece::Piece::{Lit, Run};
use crate::row::Trigger::Words;
use crate::row::{Find, Row};

/// How far the other half of a message may stand from the half that was found.
const MESSAGE: usize = 600;

/// A row of one pattern.
macro_rules! spoken {
    ($id:literal, $what:literal, $trigger:expr, $pattern:expr, $check:expr, $refused:expr, $clean:expr) => {
        Row {
            id: $id,
            class: Class::Transcript,
            what: $what,
            source: "message formats of model services and agent hosts",
            find: Find::Pattern { trigger: $trigger, pattern: $pattern, check: $check },
            refused: $refused,
            clean: $clean,
        }
    };
}

/// The types of blocks and records that only conversations have.
macro_rules! block_types {
    () => {
        concat!(
            r"(?:(?:server_|custom_|mcp_)?tool[_-](?:use|result|call|calls|response|output)|function_call(?:_output)?|local_shell_call|web_search_call|computer_call",
            r"|(?:input|output)_text|input_image|(?:redacted_)?thinking|response_item|event_msg|(?:user|agent|assistant)_message|agent_reasoning",
            r"|message_(?:start|delta|stop)|content_block_(?:start|delta|stop)|exec_command_(?:begin|end)|patch_apply_(?:begin|end)|step-(?:start|finish)",
            r"|(?:agent|user)_message_chunk|agent_thought_chunk|tool_call_update)"
        )
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    spoken!(
        "role-and-content", "messages with a role and a content",
        Words(&[r#"role""#, "role'", "role:", "role=", "role :", "role =", "role\\"]),
        r#"(?i)\brole["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}(?:user|assistant|system|tool|function|developer|model|human|ai|bot|agent)\b"#,
        |context| ends_value(context.right()) && has_key_near(context, &["content", "parts", "text", "message", "tool_calls", "toolcalls"]),
        &[&[Lit("[{\"role\": \"us"), Lit("er\", \"content\": \"why is CI red\"}]")], &[Lit("messages:\n  - role: us"), Lit("er\n    content: why is CI red")]],
        &[&[Lit("role: reviewer approved the content of step 3")], &[Lit("role: user")], &[Lit("text: role: assistant is one of three roles")]]
    ),
    spoken!(
        "typed-block", "a block or record of a conversation",
        Words(&["tool_", "tool-", "function_call", "local_shell", "web_search", "computer_call", "input_text", "output_text", "input_image", r#"thinking""#, "response_item", "event_msg", "_message", "agent_reasoning", "message_start", "message_delta", "message_stop", "content_block", "exec_command", "patch_apply", "step-start", "step-finish", "thought_chunk", "session/update", "session/prompt", "chat.completion", "thinking'"]),
        concat!(r#"(?i)\b(?:type|kind|sessionupdate|method|object)["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}(?:"#, block_types!(), r#"|session/(?:update|prompt)|chat\.completion(?:\.chunk)?)(?:["'\\\s,}]|$)"#),
        |_| true,
        &[&[Lit("{\"type\": \"tool_"), Lit("use\", \"name\": \"Bash\"}")], &[Lit("type: tool_"), Lit("result\ncontent: total 12")]],
        &[&[Lit("the type of tool use is counted")]]
    ),
    spoken!(
        "host-record", "a line of a host's session log",
        Words(&[r#""user""#, r#""assistant""#, r#""human""#, r#""gemini""#, r#""model""#, r#""ai""#, r#""bot""#, r#""chatgpt""#, r#""claude""#, r#""codex""#]),
        r#"(?i)"(?:type|role|sender|author|speaker|from)"\s{0,4}:\s{0,4}"(?:user|assistant|human|gemini|model|ai|bot|chatgpt|claude|codex)""#,
        |context| has_key_near(context, &["message", "content", "text", "parts", "value", "sessionid", "body", "thoughts"]),
        &[&[Lit("{\"type\": \"us"), Lit("er\", \"sessionId\": \"abc\", \"message\": {}}")]],
        &[&[Lit("{\"type\": \"user\", \"name\": \"reviewer\"}")]]
    ),
    spoken!(
        "message-key", "keys that only messages of models have",
        Words(&["tool_use_id", "tool_call_id", "tool_calls", "tooluseresult", "toolcalls", "functioncall", "functionresponse", "stop_reason", "finish_reason", "parentuuid"]),
        r#"(?i)["']?\b(?:tool_use_id|tool_call_id|tool_calls|tooluseresult|toolcalls|functioncall|functionresponse|stop_reason|finish_reason|parentuuid)\b["'\\]{0,4}\s{0,4}[:=]"#,
        |context| !context.right().trim_ascii_start().starts_with(b"{"),
        &[&[Lit("\"tool_ca"), Lit("lls\": [{\"function\": {}}]")], &[Lit("{\"tool_use"), Lit("_id\": \"x\"}")]],
        &[&[Lit("count the tool_calls of a turn")], &[Lit("\"tool_call_id\": { \"type\": \"string\" }")]]
    ),
    spoken!(
        "text-block", "a list of blocks of text, as messages and answers of tools hold them",
        Words(&[r#""content""#, "content:", r#"content\\"#, r#""parts""#]),
        r#"(?i)\b(?:content|parts|prompt)["'\\]{0,4}\s{0,4}[:=]\s{0,4}\[?\s{0,8}[-{]\s{0,8}["'\\]{0,4}type["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}(?:text|image|step-start|reasoning|resource)\b"#,
        |_| true,
        &[&[Lit("{\"content\": [{\"type\": \"te"), Lit("xt\", \"text\": \"hello\"}]}")], &[Lit("content:\n  - type: te"), Lit("xt\n    text: hello")]],
        &[&[Lit("\"content\": {\"type\": \"object\"}")], &[Lit("content: type of text")]]
    ),
    spoken!(
        "tool-part", "the part of a message that ran a tool",
        Words(&[r#""tool""#, "'tool'", r#"tool\\"#]),
        r#"(?i)"type\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"tool\\{0,3}"[^\n]{0,200}"(?:tool|state|callid|input|output)\\{0,3}""#,
        |_| true,
        &[&[Lit("{\"type\": \"to"), Lit("ol\", \"tool\": \"bash\", \"state\": {}}")]],
        &[&[Lit("{\"type\": \"tool\", \"name\": \"hammer\"}")]]
    ),
    spoken!(
        "spoken-turn", "a turn of a talk with its speaker and its text",
        Words(&["speaker", "utterance"]),
        r#"(?i)\bspeaker["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}(?:user|human|assistant|agent|model|ai|bot|system)\b"#,
        |context| has_key_near(context, &["content", "text", "message", "utterance", "value"]),
        &[&[Lit("- speaker: hu"), Lit("man\n  text: why is CI red")]],
        &[&[Lit("speaker: human rights expert")]]
    ),
    spoken!(
        "message-id", "the id of a message or tool call",
        Words(&["toolu_", "chatcmpl-", "msg_01", "call_", "resp_"]),
        r"\b(?:toolu_[A-Za-z0-9]{16,40}|chatcmpl-[A-Za-z0-9]{20,40}|msg_01[A-Za-z0-9]{20,30}|call_[A-Za-z0-9]{24}|resp_[a-f0-9]{40,80})\b",
        |context| context.matched().iter().any(u8::is_ascii_digit),
        &[&[Lit("see tool"), Lit("u_"), Run(ALNUM, 24, 24)]],
        &[&[Lit("todo_k7Qz2mXw9RbT")]]
    ),
    spoken!(
        "chat-template", "the marks of a chat template",
        Words(&["<|", "[inst", "[tool_", "/tool_", "[available_", "[system_", "/inst]", "<<sys", "<</sys", "_of_turn>"]),
        r"(?i)<\|(?:im_start|im_end|im_sep|user|assistant|system|tool|observation|start_header_id|end_header_id|eot_id|begin_of_text|end_of_text|endoftext|channel|message|start|end|return|call|turn|eom_id|python_tag)\|>|\[/?INST\]|\[/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\]|<</?SYS>>|<(?:start|end)_of_turn>",
        |_| true,
        &[&[Lit("<|im_st"), Lit("art|>user\nhello<|im_end|>")], &[Lit("[IN"), Lit("ST] why is CI red [/INST]")]],
        &[&[Lit("a <|> b")]]
    ),
    Row {
        id: "thinking-tag",
        class: Class::Transcript,
        what: "the tags in which models think or call tools",
        source: "message formats of model services and agent hosts",
        find: Find::Look {
            trigger: Words(&["<think", "<thought", "<scratchpad", "<inner_mono", "<reflection", "<tool_", "<function_", "<invoke", "<system-rem", "<user_", "<assistant_", "<conversation", "<transcript", "<execute_", "<read_file", "<write_to", "<attempt_", "<ask_followup", "<apply_diff", "<replace_in", "<list_files", "<search_files", "<use_mcp", "<final_answer", "<observation"]),
            look: tagged,
        },
        refused: &[&[Lit("<think"), Lit("ing>I will look at the log first.</thinking>")], &[Lit("<tool_ca"), Lit("ll>{\"name\": \"shell\"}</tool_call>")]],
        clean: &[&[Lit("put nothing into <thinking> tags")], &[Lit("see <transcript> for a placeholder")], &[Lit("an empty <think></think> pair")]],
    },
    Row {
        id: "speakers",
        class: Class::Transcript,
        what: "lines that people and models speak in turn",
        source: "pasted conversations",
        find: Find::Look { trigger: Words(&["assistant", "chatgpt", "claude", "codex", "gemini", "copilot", "gpt-", "gpt:", "ai:", "ai*", "ai]", "bot:", "bot*", "bot]", "model:", "model]", "model*", "llm:", "cursor:", "助手", "アシスタント", "ассистент", "Ассистент", "asistente", "assistent", "어시스턴트"]), look: speakers },
        refused: &[
            &[Lit("User: fix the flaky test\nAssis"), Lit("tant: I will look at the log first.")],
            &[Lit("Human: why is CI red\n\nAssis"), Lit("tant: Done, all green now.")],
            &[Lit("### User\nfix it\n\n### Assis"), Lit("tant\nDone.")],
            &[Lit("**User:** fix it\n\n**Cla"), Lit("ude:** Done.")],
            &[Lit("[user] fix it\n[assis"), Lit("tant] Done.")],
            &[Lit("用户：修复测试\n助"), Lit("手：好的")],
            &[Lit("User: fix it Assis"), Lit("tant: Done User: thanks")],
        ],
        clean: &[
            &[Lit("user asked for a second review; assistant lane is idle")],
            &[Lit("operator: alice\nagent: codex")],
            &[Lit("Assistant: see the guide")],
        ],
    },
];

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
fn tagged(text: &str) -> Vec<Range<usize>> {
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
