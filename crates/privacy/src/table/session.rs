//! Links to sessions of agents and chats.

use super::address::{NAMED, begins_parameter};
use crate::class::Class;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, HEX};
use crate::row::Trigger::{Likely, Shape, Words};
use crate::row::{Find, Row};
use crate::shape::{self, HEX_DIGIT, goes_on};
use crate::value::is_scrambled;

/// The grammar of a UUID.
macro_rules! uuid {
    () => {
        r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    };
}

/// Pieces of an example that end in a UUID.
macro_rules! with_uuid {
    ($($piece:expr),+) => {
        [$($piece,)+ Run(HEX, 8, 8), Lit("-"), Run(HEX, 4, 4), Lit("-4"), Run(HEX, 3, 3), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 12, 12)]
    };
}

/// Hosts on which agents and chats run.
macro_rules! agent_hosts {
    () => {
        concat!(
            r"(?:claude\.(?:ai|com)|chatgpt\.com|chat\.openai\.com|platform\.openai\.com|gemini\.google\.com|aistudio\.google\.com",
            r"|notebooklm\.google\.com|jules\.google(?:\.com)?|g\.co/gemini|copilot\.microsoft\.com|github\.com/copilot|cursor\.com|app\.devin\.ai|v0\.(?:dev|app)",
            r"|bolt\.new|lovable\.dev|ampcode\.com|opencode\.ai|opncd\.ai|perplexity\.ai|poe\.com|grok\.com|x\.ai|chat\.deepseek\.com",
            r"|chat\.mistral\.ai|chat\.qwen\.ai|kimi\.(?:com|moonshot\.cn)|doubao\.com|yuanbao\.tencent\.com|tongyi\.aliyun\.com|manus\.im|genspark\.ai",
            r"|huggingface\.co/chat|character\.ai|replit\.com|factory\.ai|all-hands\.dev|augmentcode\.com|phind\.com|you\.com|console\.anthropic\.com|smith\.langchain\.com)"
        )
    };
}

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "session-path",
        class: Class::SessionUrl,
        what: "an address whose path names a session, chat or share",
        source: "address forms of agent and chat hosts",
        find: Find::Pattern {
            trigger: Likely(
                &[
                    "/session",
                    "/chat",
                    "/share",
                    "/thread",
                    "/conversation",
                    "/transcript",
                    "/handoff",
                    "/resume/",
                    "/continue/",
                    "/join/",
                    "/invite/",
                    "/room",
                    "/replay",
                    "/agent",
                    "/trace",
                    "/playground",
                    "/workspace/",
                    "/project",
                ],
                may_hold_address,
            ),
            pattern: concat!(
                r#"(?i)(?:https?|wss?|[a-z][a-z0-9+.-]{2,20})://(?:[^\s"'`<>]{1,200}/)?(?:sessions?|chats?|shares?|threads?|conversations?|transcripts?|handoffs?|resume|continue|join|invite|rooms?|replays?|agents?|traces?|playgrounds?|workspace|projects)/(?:[a-z]{1,20}[/_-])?("#,
                uuid!(),
                r"|[A-Za-z0-9_-]{12,120})"
            ),
            check: |context| is_handle(context.value()) && !is_mail_archive(context.matched()),
        },
        refused: &[
            &with_uuid![Lit("https://agent.example-host.dev/session"), Lit("/")],
            &[Lit("https://host.example/share"), Lit("/"), Run(ALNUM, 22, 22)],
        ],
        clean: &[
            &[Lit("https://example.org/threads/how-to-write-a-handoff")],
            &[Lit("session handle is public-safe")],
            &[Lit("https://example.org/sessions/list")],
        ],
    },
    Row {
        id: "session-uuid",
        class: Class::SessionUrl,
        what: "an address with a short path and a UUID, as chats write them",
        source: "address forms of agent and chat hosts",
        find: Find::Pattern {
            trigger: Shape(shape::Shape {
                at: [b"/", HEX_DIGIT, HEX_DIGIT],
                stands: |text, at| goes_on(text, at, b"/xxxxxxxx-xxxx-"),
            }),
            pattern: concat!(
                r#"(?i)(?:https?|wss?)://[^\s"'`<>]{1,200}/(?:c|s|g|a|t|p|m|e|app|dm|new|code|tasks?|runs?|jobs?|executions?|workflows?|messages?|prompts?|history|logs?)/"#,
                uuid!()
            ),
            check: |_| true,
        },
        refused: &[&with_uuid![Lit("https://chat.example/c"), Lit("/")]],
        clean: &[&[Lit("https://example.org/c/article")]],
    },
    Row {
        id: "agent-host",
        class: Class::SessionUrl,
        what: "an address below a host on which agents run, with the handle of one session",
        source: "public lists of agent and chat products",
        find: Find::Pattern {
            trigger: Words(&[
                "claude.ai/",
                "claude.com/",
                "chatgpt.com/",
                "chat.openai.com/",
                "platform.openai.com/",
                "gemini.google.com/",
                "aistudio.google.com/",
                "notebooklm.google.com/",
                "jules.google/",
                "jules.google.com/",
                "g.co/gemini/",
                "copilot.microsoft.com/",
                "github.com/copilot/",
                "cursor.com/",
                "app.devin.ai/",
                "v0.dev/",
                "v0.app/",
                "bolt.new/",
                "lovable.dev/",
                "ampcode.com/",
                "opencode.ai/",
                "opncd.ai/",
                "perplexity.ai/",
                "poe.com/",
                "grok.com/",
                "x.ai/",
                "chat.deepseek.com/",
                "chat.mistral.ai/",
                "chat.qwen.ai/",
                "kimi.com/",
                "kimi.moonshot.cn/",
                "doubao.com/",
                "yuanbao.tencent.com/",
                "tongyi.aliyun.com/",
                "manus.im/",
                "genspark.ai/",
                "huggingface.co/chat/",
                "character.ai/",
                "replit.com/",
                "factory.ai/",
                "all-hands.dev/",
                "augmentcode.com/",
                "phind.com/",
                "you.com/",
                "console.anthropic.com/",
                "smith.langchain.com/",
            ]),
            pattern: concat!(
                r"(?i)\b",
                agent_hosts!(),
                r#"/[^\s"'`<>]{0,160}?([A-Za-z0-9_-]{8,120})(?:[/?#][^\s"'`<>]{0,200})?(?:[\s"'`<>).,;&*|\]]|$)"#
            ),
            check: |context| {
                holds_handle(context.matched()) || is_shared(context.matched()) && is_short_handle(context.value())
            },
        },
        refused: &[
            &[Lit("https://opncd.ai/sh"), Lit("are/k7Qz2mXw")],
            &[Lit("https://gemini.goo"), Lit("gle.com/app/"), Run(HEX, 16, 16)],
            &[
                Lit("https://claude.ai/cha"),
                Lit("t/"),
                Run(HEX, 8, 8),
                Lit("-"),
                Run(HEX, 4, 4),
                Lit("-4"),
                Run(HEX, 3, 3),
            ],
            &[Lit("https://ampcode.com/th"), Lit("reads/T-"), Run(HEX, 8, 8), Lit("-"), Run(HEX, 4, 4)],
        ],
        clean: &[&[Lit("https://claude.ai/settings/billing")], &[Lit("https://chatgpt.com/ and others")]],
    },
    Row {
        id: "tunnel-host",
        class: Class::SessionUrl,
        what: "the address of a workspace in the cloud or of a tunnel to somebody's machine",
        source: "address forms of the services",
        find: Find::Pattern {
            trigger: Words(&[
                ".github.dev",
                ".gitpod.io",
                ".ngrok",
                ".trycloudflare.com",
                ".loca.lt",
                ".devtunnels.ms",
                ".replit.dev",
                ".repl.co",
                ".lhr.life",
                ".serveo.net",
                ".cloudshell.dev",
                ".webcontainer",
                ".csb.app",
                ".csb.dev",
            ]),
            pattern: r"(?i)\b[a-z0-9-]{4,120}(?:\.[a-z0-9-]{1,60}){0,3}\.(?:app\.github\.dev|github\.dev|gitpod\.io|ngrok(?:-free)?\.(?:app|dev|io)|trycloudflare\.com|loca\.lt|devtunnels\.ms|replit\.dev|repl\.co|lhr\.life|serveo\.net|cloudshell\.dev|webcontainer\.io|csb\.(?:app|dev))\b",
            check: |context| !context.matched().starts_with(b"www."),
        },
        refused: &[
            &[Lit("https://sample-space-"), Lit("x7g9.app.github.dev/")],
            &[Lit("https://7c2f9a1e.ngrok"), Lit("-free.app/x")],
        ],
        clean: &[&[Lit("https://github.dev/org/repo")], &[Lit("https://www.gitpod.io/docs")]],
    },
    Row {
        id: "session-argument",
        class: Class::SessionUrl,
        what: "the handle of a session as an argument of an agent's command",
        source: "manuals of the agents",
        find: Find::Pattern {
            trigger: Words(&["resume", "--session", "--continue", "--conversation", "-r ", "--thread", "fork "]),
            pattern: concat!(
                r#"(?i)(?:\b(?:claude|codex|gemini|opencode|amp|cursor-agent|goose|crush|droid|copilot|qwen|kimi)\b[^\n]{0,80}?[ -](?:resume|continue|fork|r)|--(?:resume|session|session-id|conversation|conversation-id|thread|thread-id|continue))[ =]["']?("#,
                uuid!(),
                r"|ses_[A-Za-z0-9]{10,40}|T-[0-9a-f]{8}-[0-9a-f-]{4,40}|[a-f0-9]{24,64})"
            ),
            check: |_| true,
        },
        refused: &[&with_uuid![Lit("claude --res"), Lit("ume ")]],
        clean: &[&[Lit("loopx session bind --session codex-q4")], &[Lit("claude --resume <session>")]],
    },
    Row {
        id: "session-parameter",
        class: Class::SessionUrl,
        what: "an address with the handle of a session as a parameter",
        source: "address forms of agent and chat hosts",
        find: Find::Pattern {
            trigger: Shape(shape::Shape {
                at: [b"?&;#", NAMED, NAMED],
                stands: |text, at| begins_parameter(text, at, b"?&;#"),
            }),
            pattern: r"(?i)[?&;#](?:session|sid|conversation|thread|chat|resume|task|run)[_-]?(?:id|key|handle)?=([A-Za-z0-9_.~-]{8,200})",
            check: |context| is_handle(context.value()),
        },
        refused: &[&[Lit("wss://rt.example-host.dev/s?sess"), Lit("ion_id="), Run(ALNUM, 24, 24)]],
        clean: &[
            &[Lit("https://example.org/?session_id=<session>")],
            &[Lit("https://example.org/?task=documentation")],
        ],
    },
];

/// Whether a part of an address is a generated handle rather than words.
fn is_handle(part: &[u8]) -> bool {
    // `task_e_` and the like stand before the handle itself.
    let part = part.rsplit(|&byte| byte == b'_').next().filter(|last| last.len() >= 16).unwrap_or(part);
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    let hex = part.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let grouped = part
        .split(|&byte| byte == b'-')
        .filter(|group| !group.is_empty() && group.iter().all(u8::is_ascii_hexdigit))
        .count();
    let letters = part.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let unbroken = part.len() >= 16 && digits + letters == part.len() && letters >= 2;
    is_scrambled(part) || digits >= 2 && (unbroken || hex == part.len() || grouped >= 2)
}

/// Whether a text may hold an address, also one that is split within its `://`.
fn may_hold_address(text: &[u8]) -> bool {
    text.windows(2).any(|pair| pair == b":/" || pair == b"//")
}

/// Whether a part of an address below its host is a handle: the last part need not be the one.
fn holds_handle(address: &[u8]) -> bool {
    let below = address.iter().position(|&byte| byte == b'/').map_or(&[][..], |slash| &address[slash..]);
    let parts = below.split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
    // Words may stand before a handle: `why-does-it-` and the like.
    let tail =
        |part: &[u8]| part.rsplit(|&byte| byte == b'-').next().is_some_and(|last| last.len() >= 12 && is_handle(last));
    parts.filter(|part| part.len() >= 8).any(|part| is_handle(part) || tail(part))
}

/// Whether an address says that what follows was shared, or is joined.
fn is_shared(address: &[u8]) -> bool {
    [&b"/share/"[..], b"/chat/", b"/c/", b"/~/", b"/join/", b"/s/", b"/shared/", b"/invite/"]
        .iter()
        .any(|part| address.windows(part.len()).any(|window| window == *part))
}

/// Whether a part of an address is a handle, if a short one: letters of both cases, a digit, or words that nobody wrote.
fn is_short_handle(part: &[u8]) -> bool {
    let holds = |kind: fn(&u8) -> bool| part.iter().any(kind);
    holds(u8::is_ascii_digit) || holds(u8::is_ascii_uppercase) && holds(u8::is_ascii_lowercase) || part.len() >= 16
}

/// Whether an address leads into the archive of a mailing list, which numbers its threads too.
fn is_mail_archive(address: &[u8]) -> bool {
    address.windows(9).any(|part| part.starts_with(b"://lists.") || part == b"/archives")
}
