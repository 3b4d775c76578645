//! Secrets within addresses.

use super::assigned::is_badge;
use crate::class::Class;
use crate::match_context::MatchContext;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, HEX, URL64};
use crate::row::Trigger::{Shape, Words};
use crate::row::{Find, Row};
use crate::shape::{self, byte, count};
use crate::value::{Key, is_placeholder, is_scrambled, is_secret};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "url-login",
        class: Class::Secret,
        what: "user and password in a URL",
        source: "RFC 3986 3.2.1",
        find: Find::Pattern {
            trigger: Words(&["://"]),
            pattern: r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://([^\s"'`<>@/]{0,100}:[^\s"'`<>@/]{3,200})@[^\s@"'`<>/]"#,
            check: |context| is_login(context),
        },
        refused: &[
            &[Lit("https://alice:"), Lit("hunter2hunter2@git.example.net/x")],
            &[Lit("redis://:"), Lit("hunter2hunter2@cache.example:6379")],
        ],
        clean: &[
            &[Lit("https://user:pass@example.com")],
            &[Lit("https://u:%2A%2A%2A%2A%2A%2A@example.org")],
            &[Lit("postgres://postgres:postgres@localhost/app")],
            &[Lit("https://$USER:$TOKEN@example.org")],
            &[Lit("see https://example.org/a:b and mail x@example.org")],
        ],
    },
    Row {
        id: "url-token",
        class: Class::Secret,
        what: "a token in the place of the user in a URL",
        source: "RFC 3986 3.2.1, manuals of code hosts",
        find: Find::Pattern {
            trigger: Words(&["://"]),
            pattern: r"[A-Za-z][A-Za-z0-9+.-]{1,20}://([A-Za-z0-9_-]{24,200})@[A-Za-z0-9]",
            check: |context| is_scrambled(context.value()) && context.value().iter().any(u8::is_ascii_digit),
        },
        refused: &[&[Lit("https://"), Run(HEX, 40, 40), Lit("@git.example.net/x.git")]],
        clean: &[&[Lit("ssh://continuous-integration-service@git.example.net/x")]],
    },
    Row {
        id: "url-parameter",
        class: Class::Secret,
        what: "a secret as a parameter of a URL",
        source: "OAuth, signed URLs of the clouds",
        find: Find::Pattern {
            trigger: Shape(shape::Shape {
                at: [b"?&;", NAMED, NAMED],
                stands: |text, at| begins_parameter(text, at, b"?&;"),
            }),
            pattern: r#"(?i)[?&;][a-z_.-]{0,30}(?:token|key|sig|signature|secret|password|passwd|pwd|auth|code|credential|assertion|ticket|jwt|sid)=([^\s"'`<>&#{}$]{8,3000})"#,
            check: |context| is_secret(context.value(), Key::Token) && !is_badge(context),
        },
        refused: &[
            &[Lit("https://host.example/cb?access_tok"), Lit("en=abcdef0123456789")],
            &[Lit("https://x.example/?X-Amz-Sig"), Lit("nature="), Run(HEX, 64, 64)],
        ],
        clean: &[&[Lit("https://example.org/?key=identifier-naming")], &[Lit("url = f\"?token={value}\"")]],
    },
    Row {
        id: "chat-hook",
        class: Class::Secret,
        what: "a webhook address that lets anybody post",
        source: "Slack, Discord, Teams, Feishu and DingTalk documentation",
        find: Find::Pattern {
            trigger: Words(&["hooks.", "hook/", "hook2/", "hookb2/", "hooks/", "robot/send"]),
            pattern: r"(?i)(?:hooks\.[a-z0-9.-]{3,60}/(?:services|workflows|triggers)/[A-Z0-9/_-]{20,120}|discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{10,25}/[\w-]{30,90}|[a-z0-9.-]{3,80}/(?:webhook2?|webhookb2|hook|bot/v2/hook)/[a-z0-9@-]{20,120}|robot/send\?access_token=[a-f0-9]{32,80})",
            check: |context| context.matched().iter().any(u8::is_ascii_digit),
        },
        refused: &[
            &[Lit("https://hooks.slack."), Lit("com/services/T00AB12CD/B00EF34GH/"), Run(ALNUM, 24, 24)],
            &[Lit("https://discord.com/api/web"), Lit("hooks/123456789012345678/"), Run(URL64, 68, 68)],
        ],
        clean: &[&[Lit("the hooks.rs file holds git hooks/services")]],
    },
];

/// What the name of a parameter is made of, with the sign behind it.
pub(super) const NAMED: &[u8] = b"abcdefghijklmnopqrstuvwxyz_.-=";

/// Whether one of some marks begins a parameter with its value.
pub(super) fn begins_parameter(text: &[u8], at: usize, marks: &[u8]) -> bool {
    let length = count(text, at + 1, |byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'-'));
    marks.contains(&byte(text, at)) && length > 0 && byte(text, at + 1 + length) == b'='
}

/// Whether the user part of a URL holds a password.
fn is_login(context: &MatchContext<'_>) -> bool {
    let login = context.value();
    let Some(joint) = login.iter().position(|&byte| byte == b':') else { return false };
    let decoded = crate::decode::unescaped(&login[joint + 1..]);
    !is_placeholder(&decoded)
}
