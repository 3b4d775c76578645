//! Secrets known by the key that stands before them.

use crate::class::Class;
use crate::match_context::MatchContext;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, BASE64, HEX};
use crate::row::Trigger::{Likely, Words};
use crate::row::{Find, Row};
use crate::value::{Key, is_placeholder, is_secret};

/// What stands between a key and its value.
macro_rules! joint {
    () => {
        r#"["'`\\]{0,4}\s{0,4}(?:=>|:=|={1,2}|:|\bis\b)\s{0,4}["'`\\]{0,4}"#
    };
}

/// The last word of a key whose value is a password.
macro_rules! password {
    () => {
        r"(?i)(?:pass(?:words?|wd|phrase|code)?|pwd|secrets?|credentials?|creds)(?:[_.-]?(?:value|base|data|string|b64|base64|hex|pem|prod|dev|test|live|[0-9]{1,2}))?"
    };
}

/// What makes a `key` one whose value is generated: for patterns, and for a quick look.
macro_rules! keyed {
    ($first:literal $(, $word:literal)*) => {
        const KEYED: &[&str] = &[$first $(, $word)*];
        macro_rules! keyed_words {
            () => { concat!($first $(, "|", $word)*) };
        }
    };
}

#[rustfmt::skip]
keyed!(
    "api", "access", "private", "secret", "encryption", "encrypt", "signing", "master", "account", "shared", "auth", "client",
    "storage", "service", "deploy", "license", "subscription", "admin", "jwt", "hmac", "aes", "session"
);

/// The last words of a key whose value is generated.
macro_rules! token {
    () => {
        concat!(
            r"(?i)(?:tokens?|(?:",
            keyed_words!(),
            r")[_ .-]?(?:access[_ .-]?)?keys?",
            r"|authorization|auth|\b[as]k)(?:[_.-]?(?:value|base|data|string|b64|base64|hex|pem|prod|dev|test|live|[0-9]{1,2}))?"
        )
    };
}

/// A value that was not quoted, or the inside of a quoted one.
macro_rules! value {
    () => {
        r#"([^\s"'`,;<>()\[\]{}|\\&]{4,300})"#
    };
}

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "password-assigned",
        class: Class::Secret,
        what: "a password or secret with its value",
        source: "configuration files, command lines, chat",
        find: Find::Pattern {
            trigger: Words(&[
                "password",
                "passwd",
                "passphrase",
                "passcode",
                "pass=",
                "pass:",
                r#"pass""#,
                "pass'",
                "pass =",
                "pass :",
                "pass_",
                "pwd",
                "secret",
                "credential",
                "creds",
            ]),
            pattern: concat!(password!(), joint!(), value!()),
            check: |context| names_key(context, &["pass", "pwd", "creds"]) && is_secret(context.value(), Key::Password),
        },
        refused: &[
            &[Lit("pass"), Lit("word="), Run(ALNUM, 12, 12)],
            &[Lit("DB_PASS"), Lit("WORD: hunter2hunter2")],
            &[Lit("{\"sec"), Lit("ret\": \""), Run(ALNUM, 12, 12), Lit("\"}")],
        ],
        clean: &[
            &[Lit("password_policy: required")],
            &[Lit("secret: REDACTED")],
            &[Lit("pass: word count below 400")],
            &[Lit("add a password field to the form")],
            &[Lit("password=${DB_PASSWORD}")],
            &[Lit("password: ${DB_PASSWORD:?missing}")],
        ],
    },
    Row {
        id: "token-assigned",
        class: Class::Secret,
        what: "a token or key with its value",
        source: "configuration files, command lines, chat",
        find: Find::Pattern {
            trigger: Likely(
                &[
                    "token",
                    "api_key",
                    "api-key",
                    "apikey",
                    "api key",
                    "access_key",
                    "access-key",
                    "accesskey",
                    "access key",
                    "secret_key",
                    "secret-key",
                    "secretkey",
                    "private_key",
                    "private-key",
                    "privatekey",
                    "key=",
                    "key:",
                    r#"key""#,
                    "key'",
                    "key =",
                    "key :",
                    "key is",
                    "keys=",
                    "keys:",
                    r#"keys""#,
                    "auth=",
                    "auth:",
                    r#"auth""#,
                    "auth =",
                    "authorization",
                    "ak=",
                    "sk=",
                    "ak:",
                    "sk:",
                    r#"ak""#,
                    r#"sk""#,
                    "ak =",
                    "sk =",
                ],
                may_name_token,
            ),
            pattern: concat!(token!(), joint!(), value!()),
            check: |context| {
                names_key(context, &["ak", "sk", "auth", "token"])
                    && context.behind() != b'('
                    && !is_badge(context)
                    && is_secret(context.value(), Key::Token)
            },
        },
        refused: &[
            &[Lit("api_"), Lit("keys:\n  prod: "), Run(HEX, 64, 64)],
            &[Lit("tok"), Lit("en = \""), Run(ALNUM, 16, 16), Lit("\"")],
            &[Lit("x-api-"), Lit("key: "), Run(ALNUM, 16, 16)],
            &[Lit("a"), Lit("k="), Run(ALNUM, 16, 16)],
            &[Lit("aws_secret_"), Lit("access_key="), Run(BASE64, 40, 40)],
        ],
        clean: &[
            &[Lit("token_budget: 4000")],
            &[Lit("https://codecov.io/gh/org/repo/graph/badge.svg?token=Z92NHFQ70G")],
            &[Lit("tokenization_id: f865288c97ca4913887373728b8dfc4c")],
            &[Lit("token=parse_identifier() in the lexer")],
            &[Lit("reset_token=args.reset_token")],
            &[Lit("set sk = 5 for skew")],
            &[Lit("ak:region-west-two")],
            &[Lit("mask=0x10 and task=2")],
            &[Lit("token: identifier-naming-rules section")],
            &[Lit("<input token=\"x\">")],
            &[Lit("authentication required; approve_with_id pending")],
        ],
    },
    Row {
        id: "foreign-password",
        class: Class::Secret,
        what: "a password behind its name in another language",
        source: "dictionaries",
        find: Find::Pattern {
            trigger: Words(&[
                "passwort",
                "kennwort",
                "mot de passe",
                "contrase",
                "clave",
                "senha",
                "пароль",
                "Пароль",
                "ПАРОЛЬ",
                "密码",
                "密碼",
                "口令",
                "パスワード",
                "비밀번호",
                "암호",
                "wachtwoord",
                "senord",
                "hasło",
                "haslo",
                "heslo",
                "jelszó",
                "parola",
                "şifre",
                "mật khẩu",
                "kata sandi",
                "סיסמה",
                "كلمة المرور",
            ]),
            pattern: concat!(
                r"(?i)(?:passwort|kennwort|mot de passe|contrase(?:ñ|n)a|\bclave|\bsenha|(?:п|П)ароль|ПАРОЛЬ|密码|密碼|口令|パスワード|비밀번호|암호",
                r"|wachtwoord|lösenord|has(?:ł|l)o|heslo|jelszó|\bparola|şifre|mật khẩu|kata sandi|סיסמה|كلمة المرور)",
                r#"["'`]{0,2}\s{0,4}(?:=|:|：|\bist\b|\best\b|\bes\b|是|は|는)\s{0,4}["'`]{0,2}"#,
                value!()
            ),
            check: |context| is_secret(context.value(), Key::Password),
        },
        refused: &[
            &[Lit("Pass"), Lit("wort: "), Run(ALNUM, 12, 12)],
            &[Lit("пар"), Lit("оль: "), Run(ALNUM, 12, 12)],
            &[Lit("密"), Lit("码："), Run(ALNUM, 12, 12)],
            &[Lit("mot de "), Lit("passe = "), Run(ALNUM, 12, 12)],
        ],
        clean: &[&[Lit("忘记密码")], &[Lit("Passwort: vergessen")]],
    },
    Row {
        id: "defined-value",
        class: Class::Secret,
        what: "a password as the second of two quoted arguments",
        source: "WordPress and other settings written as code",
        find: Find::Pattern {
            trigger: Words(&["define", "setenv", "putenv", "config(", "set("]),
            pattern: r#"(?i)(?:define|setenv|putenv|config|set)\(\s{0,4}["'][\w.-]{0,60}(?:passw(?:or)?d|secret|token|_key|salt)["']\s{0,4},\s{0,4}["']([^"'\n]{6,200})["']"#,
            check: |context| is_secret(context.value(), Key::Password),
        },
        refused: &[&[Lit("define('DB_PASS"), Lit("WORD', '"), Run(ALNUM, 12, 12), Lit("');")]],
        clean: &[&[Lit("define('DB_PASSWORD', 'password_here');")]],
    },
    Row {
        id: "secret-element",
        class: Class::Secret,
        what: "a secret as the text of an XML element",
        source: "Maven and .NET settings",
        find: Find::Pattern {
            trigger: Words(&["password>", "passphrase>", "secret>", "token>", "api-key>", "apikey>"]),
            pattern: r"(?i)<[a-z:]{0,20}(?:password|passphrase|secret|token|api-?key)>([^<\s]{6,200})</",
            check: |context| is_secret(context.value(), Key::Password),
        },
        refused: &[&[Lit("<pass"), Lit("word>"), Run(ALNUM, 12, 12), Lit("</password>")]],
        clean: &[&[Lit("<password>${env.PASSWORD}</password>")]],
    },
    Row {
        id: "connection-string",
        class: Class::Secret,
        what: "a key inside a connection string",
        source: "Azure and AMQP documentation",
        find: Find::Pattern {
            trigger: Words(&["accountkey=", "sharedaccesskey=", "sharedaccesssignature=", "sharedsecret="]),
            pattern: r"(?i)(?:accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret)=([A-Za-z0-9+/=%]{20,200})",
            check: |context| !is_placeholder(context.value()),
        },
        refused: &[
            &[Lit("SharedAccess"), Lit("Signature="), Run(ALNUM, 40, 40)],
            &[Lit("DefaultEndpointsProtocol=https;AccountName=sample;Account"), Lit("Key="), Run(BASE64, 44, 44)],
        ],
        clean: &[&[Lit("AccountKey=<your-key>")]],
    },
];

/// Whether a value only shows a badge: such a token is made to stand in a public page.
pub(super) fn is_badge(context: &MatchContext<'_>) -> bool {
    context.joined_left().windows(5).any(|part| matches!(part, b"badge" | b".svg?" | b"shiel"))
}

/// Whether a text may hold a name of the pattern of tokens; `key` alone is the name of much that is harmless.
fn may_name_token(text: &[u8]) -> bool {
    let names = |(at, byte): (usize, &u8)| match byte.to_ascii_lowercase() {
        b'n' => ends_with(&text[..=at], "token"),
        b'h' => ends_with(&text[..=at], "auth"),
        b'k' => {
            let starts = |at: usize| !text[at].is_ascii_alphanumeric() && text[at] != b'_';
            matches!(at.checked_sub(1).map(|at| text[at]), Some(b'a' | b's' | b'A' | b'S'))
                && (at == 1 || starts(at - 2))
        }
        _ => false,
    };
    text.iter().enumerate().any(names) || names_key_of(text, KEYED)
}

/// More letters than a word before `key` has.
const LONGEST_WORD: usize = 16;

/// Whether a text may hold `key` behind one of some words, also one within which a line ends.
pub(super) fn names_key_of(text: &[u8], words: &[&str]) -> bool {
    let is_key = |at: &usize| text[at + 2] | 0x20 == b'y' && text[*at..at + 3].eq_ignore_ascii_case(b"key");
    let names = |at: usize| {
        let before = match &text[..at] {
            [rest @ .., b'_' | b' ' | b'.' | b'-'] => rest,
            all => all,
        };
        // What is longer ends no word.
        let last = &before[before.len().saturating_sub(LONGEST_WORD)..];
        let from = last.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
        let own = last[from..].to_ascii_lowercase();
        words.iter().any(|word| ends_with(before, word) || word.as_bytes().ends_with(&own))
    };
    (0..text.len().saturating_sub(2)).filter(is_key).any(names)
}

fn ends_with(before: &[u8], word: &str) -> bool {
    before.len().checked_sub(word.len()).is_some_and(|at| before[at..].eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the match begins the last word of a key; only short words could begin inside another word.
fn names_key(context: &MatchContext<'_>, short: &[&str]) -> bool {
    let matched = context.matched();
    let is_short = short.iter().any(|word| {
        matched.len() > word.len()
            && matched[..word.len()].eq_ignore_ascii_case(word.as_bytes())
            && !matched[word.len()].is_ascii_alphabetic()
    });
    let before = context.before();
    let camel = matched[0].is_ascii_uppercase() && before.is_ascii_lowercase();
    (!is_short || camel || !before.is_ascii_alphanumeric()) && !is_expanded(context)
}

/// Whether the key is the name of a variable that a shell expands, and what follows its fallback: `${PASSWORD:?missing}`.
fn is_expanded(context: &MatchContext<'_>) -> bool {
    let left = context.joined_left();
    let open = left.windows(2).rposition(|pair| pair == b"${");
    open.is_some_and(|open| left[open + 2..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
        && matches!(context.right(), [b'}', ..])
}
