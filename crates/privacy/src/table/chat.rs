//! Conversations between people, and of agents, as the tools that hold them export them.

use super::output::output;
use super::turn::{begins_named, begins_timed, headed_turns, named_turns, timed_turns};
use crate::class::Class;
use crate::piece::Piece;
use crate::piece::Piece::Lit;
use crate::row::Trigger::{Line, Words};
use crate::row::{Find, Row, Trigger};

/// A row of one pattern, as [`output`] has it.
const fn exported(
    id: &'static str,
    what: &'static str,
    trigger: Trigger,
    pattern: &'static str,
    refused: &'static [&'static [Piece]],
    clean: &'static [&'static [Piece]],
) -> Row {
    let source = "exports of chat tools and agents";
    Row { class: Class::Transcript, source, ..output(id, what, trigger, pattern, refused, clean) }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        id: "timed-turns",
        class: Class::Transcript,
        what: "lines of a chat or of subtitles, each with its time",
        source: "exports of chat tools and agents",
        find: Find::Look { trigger: Line(begins_timed), look: timed_turns },
        refused: &[
            &[Lit("[12/03/2026, 10:41:07] Alice: why is CI red\n[12/03/2026, 10:41:3"), Lit("0] Bob: Done.")],
            &[Lit("3/12/26, 10:41 AM - Alice: why is CI red\n3/12/26, 10:4"), Lit("2 AM - Bob: Done.")],
            &[Lit("[10:41] <alice> why is CI red\n[10:4"), Lit("2] <bob> Done.")],
            &[Lit("10:41:07 From Alice to Everyone:\n\twhy is CI red\n10:42:00 Fr"), Lit("om Bob to Everyone:\n\tDone.")],
            &[Lit("00:00:01.000 --> 00:00:04.000\nwhy is CI red\n\n00:00:05.00"), Lit("0 --> 00:00:07.000\nDone.")],
        ],
        clean: &[&[Lit("10:00 start the review\n11:00 close the gate")], &[Lit("2026-01-02: decided\n2026-01-03: recorded")]],
    },
    Row {
        id: "headed-turns",
        class: Class::Transcript,
        what: "turns below a line of name and time",
        source: "exports of chat tools and agents",
        find: Find::Look { trigger: Words(&[" am\n", " pm\n", "today at ", "yesterday at ", " am\r", " pm\r"]), look: headed_turns },
        refused: &[
            &[Lit("alice  10:41 AM\nwhy is CI red\nbob  10:4"), Lit("2 AM\nDone.")],
            &[Lit("alice — Today at 10:41 AM\nwhy is CI red\nbob — Tod"), Lit("ay at 10:42 AM\nDone.")],
        ],
        clean: &[&[Lit("the review is today at 10:41 AM\nand ends at noon")]],
    },
    Row {
        id: "named-turns",
        class: Class::Transcript,
        what: "lines that two or more people speak in turn",
        source: "pasted conversations",
        find: Find::Look { trigger: Line(begins_named), look: named_turns },
        refused: &[
            &[Lit("Alice: why is CI red\nBob: Running it.\nAlice: ok\nBo"), Lit("b: thanks")],
            &[Lit("<alice> why is CI red\n<bob> Running it.\n<al"), Lit("ice> ok")],
            &[Lit("@alice: why is CI red\n@bob: Running it.\n@alice: ok\n@bo"), Lit("b: thanks")],
        ],
        clean: &[
            &[Lit("Note: one\nWarning: two\nNote: three\nWarning: four")],
            &[Lit("Input: a\nOutput: b\nInput: c\nOutput: d")],
            &[Lit("Owner: alice\nStatus: active\nPriority: high\nReason: none")],
            &[Lit("Q: why?\nA: because\nQ: really?\nA: yes")],
        ],
    },
    exported("agent-screen", "the screen or history of an agent in a terminal",
        Words(&["# aider chat", "⎿", "⏺", "\ncodex\n", "\nexec\n", "\nthinking\n", "✻ ", "• ran ", "• explored", "• edited ", "• added ", "• updated plan", "< search\n", "< search\r"]), r"(?m)^[ \t>|#*/+-]{0,12}\xe2\x80\xa2 (?:Ran|Explored|Edited|Added|Updated Plan)\b[^\n]{0,200}\r?\n[ \t>|#*/+-]{0,12}(?:\xe2\x94\x94|\xe2\x94\x82) |<{5,9} SEARCH\r?\n[\s\S]{0,4000}?>{5,9} REPLACE|# aider chat started at|(?m)^[ \t>|#*/+-]{0,12}(?:\xe2\x8e\xbf|\xe2\x8f\xba|\xe2\x9c\xbb) |^user\r?\n[^\n]{1,2000}\n(?:[^\n]{0,400}\n){0,6}?(?:codex|exec|thinking|assistant)\r?\n",
        &[&[Lit("# aider chat sta"), Lit("rted at 2026-03-12 10:41:07")], &[Lit("• Ran cargo te"), Lit("st\n  └ running 12 tests")], &[Lit("<<<<<<< SEAR"), Lit("CH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE")], &[Lit("⏺ Bash(cargo test)\n  "), Lit("⎿  running 12 tests")], &[Lit("user\nwhy is CI red\n\nco"), Lit("dex\nRunning it.")]],
        &[&[Lit("user\nname")]]),
    exported("instruction-headings", "an instruction and its response under their headings",
        Words(&["### instruction", "### input", "### human", "you said:", "### prompt", "### question"]), r"(?i)### (?:instruction|human|prompt|question)s?:?\s[\s\S]{1,2000}?### (?:response|assistant|answer|output)s?\b:?|\byou said:\s[\s\S]{1,4000}?\b[\w .-]{2,30} said:",
        &[&[Lit("### Instruction:\nfix it\n\n### Resp"), Lit("onse:\nDone.")], &[Lit("You said:\nfix it\n\nChatGPT sa"), Lit("id:\nDone.")]], &[&[Lit("### Instructions for reviewers")]]),
    exported("message-records", "records of chat tools, and prompts with their completions",
        Words(&["\"user\"", "user\\\"", "\"from\"", "from\\\"", "\"prompt\"", "prompt\\\"", "tools/call", "sampling/create", "'prompt'", "'from'", "'user'"]),
        r#"(?i)["']user\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']U[A-Z0-9]{7,12}\\{0,3}["']|["']from\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'][^"'\n]{1,80}["']\s{0,4},\s{0,40}\\{0,3}["'](?:body|text|value|message|content)\\{0,3}["']\s{0,4}:|["']prompt\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'][\s\S]{1,4000}?["'](?:completion|response|chosen|rejected|generation)\\{0,3}["']\s{0,4}:|["']method\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'](?:tools/call|sampling/createmessage)"#,
        &[&[Lit("{\"user\": \"U02AB"), Lit("CD34\", \"text\": \"why is CI red\"}")], &[Lit("{'user': 'U02AB"), Lit("CD34', 'text': 'why'}")], &[Lit("{\"from\": \"alice\", \"bo"), Lit("dy\": \"why is CI red\"}")], &[Lit("{\"prompt\": \"why is CI red\", \"compl"), Lit("etion\": \"Done.\"}")], &[Lit("{\"jsonrpc\": \"2.0\", \"method\": \"tools/ca"), Lit("ll\"}")]],
        &[&[Lit("{\"from\": \"draft\", \"to\": \"active\", \"message\": \"ask first\"}")], &[Lit("{\"user\": \"reviewer\", \"text\": \"fine\"}")]]),
    exported("system-prompt", "the words that tell a model who it is",
        Words(&["you are "]), r"(?i)\byou are (?:a helpful(?:,? [a-z]{3,12}){0,3} assistant|chatgpt|claude(?: code)?|openai codex|codex|github copilot|gemini|an ai (?:(?:programming|coding|research|language) )?(?:assistant|agent|model))\b[,.; ]",
        &[&[Lit("You are a help"), Lit("ful assistant. Answer in one line.")]], &[&[Lit("you are a reviewer, be kind")]]),
    exported("mail-message", "a mail with its head", 
        Words(&["subject: "]), r"(?m)(?:^|\\n|[\x22'=])[ \t>|#*/+-]{0,12}From: [^\n]{1,200}\n(?:[ \t>|#*/+-]{0,12}[A-Z][A-Za-z-]{1,30}: [^\n]{0,300}\n){0,12}[ \t>|#*/+-]{0,12}Subject: ",
        &[&[Lit("From: Alice <alice@example.org>\nTo: Bob <bob@example.org>\nSub"), Lit("ject: ci\n\nwhy is it red")]], &[&[Lit("From: the owner, about the subject: none")]]),
];
