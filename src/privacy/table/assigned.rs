//! Secrets known by what stands before them: a key, a header, a URL.

use crate::privacy::class::Class;
use crate::privacy::row::Gate::{Shape, Words};
use crate::privacy::row::Piece::{Lit, Run};
use crate::privacy::row::{ALNUM, BASE64, DIGITS, Find, HEX, Row, URL64};
use crate::privacy::sight::Sight;
use crate::privacy::value::{Key, is_placeholder, is_scrambled, is_secret};

/// What stands between a key and its value.
macro_rules! joint {
    () => {
        r#"["'`\\]{0,4}\s{0,4}(?:=>|:=|={1,2}|:|\bis\b)\s{0,4}["'`\\]{0,4}"#
    };
}

/// The last word of a key whose value is a password.
macro_rules! password {
    () => {
        r"(?i)(?:pass(?:words?|wd|phrase|code)?|pwd|secrets?|credentials?|creds)(?:[_.-]?(?:value|prod|dev|test|live|[0-9]{1,2}))?"
    };
}

/// The last words of a key whose value is generated.
macro_rules! token {
    () => {
        concat!(
            r"(?i)(?:tokens?|(?:api|access|private|secret|encryption|encrypt|signing|master|account|shared|auth|client|storage",
            r"|service|deploy|license|subscription|admin|jwt|hmac|aes|session)[_ .-]?(?:access[_ .-]?)?keys?",
            r"|authorization|auth|\b[as]k)(?:[_.-]?(?:value|prod|dev|test|live|[0-9]{1,2}))?"
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
            gate: Words(&[
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
            check: |sight| names_key(sight, &["pass", "pwd", "creds"]) && is_secret(sight.value(), Key::Password),
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
        ],
    },
    Row {
        id: "token-assigned",
        class: Class::Secret,
        what: "a token or key with its value",
        source: "configuration files, command lines, chat",
        find: Find::Pattern {
            gate: Words(&[
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
            ]),
            pattern: concat!(token!(), joint!(), value!()),
            check: |sight| {
                names_key(sight, &["ak", "sk", "auth", "token"])
                    && sight.behind() != b'('
                    && is_secret(sight.value(), Key::Token)
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
        id: "named-value",
        class: Class::Secret,
        what: "a secret as a pair of name and value",
        source: "Kubernetes and compose files",
        find: Find::Pattern {
            gate: Words(&["value:", r#"value""#, "value'"]),
            pattern: concat!(
                r#"(?i)name["']?\s{0,4}:\s{0,4}["']?[\w-]{0,60}(?:passw(?:or)?d|secret|token|key)["']?[\s,]{1,40}["']?value["']?\s{0,4}:\s{0,4}["']?"#,
                value!()
            ),
            check: |sight| is_secret(sight.value(), Key::Token),
        },
        refused: &[
            &[Lit("{\"name\": \"API_TOK"), Lit("EN\", \"value\": \""), Run(ALNUM, 20, 20), Lit("\"}")],
            &[Lit("- name: API_TOK"), Lit("EN\n  value: "), Run(ALNUM, 20, 20)],
        ],
        clean: &[&[Lit("- name: API_TOKEN\n  value: ${API_TOKEN}")]],
    },
    Row {
        id: "secret-argument",
        class: Class::Secret,
        what: "a secret as an argument of a command",
        source: "shell histories",
        find: Find::Pattern {
            gate: Words(&[
                "password ",
                "passwd ",
                "pass ",
                "secret ",
                "token ",
                "api-key ",
                "apikey ",
                "auth ",
                "sshpass",
            ]),
            pattern: r#"(?i)(?:--?[a-z-]{0,30}(?:password|passwd|pass|secret|token|api-?key|auth)[ \t]{1,4}|sshpass -p ?)["']?([^\s"'`<>()\[\]{}|\\&]{6,200})"#,
            check: |sight| is_secret(sight.value(), Key::Token),
        },
        refused: &[&[Lit("deploy --tok"), Lit("en "), Run(ALNUM, 20, 20)]],
        clean: &[&[Lit("deploy --token $TOKEN")], &[Lit("use --password or --token to sign in")]],
    },
    Row {
        id: "user-argument",
        class: Class::Secret,
        what: "user and password as an argument of a command",
        source: "curl's manual",
        find: Find::Pattern {
            gate: Words(&["-u ", "-u=", "--user"]),
            pattern: r#"(?:-u|--user)[ =]["']?[^\s"':@<>$]{1,60}:([^\s"'`<>$@]{6,200})"#,
            check: |sight| is_secret(sight.value(), Key::Password),
        },
        refused: &[&[Lit("curl -u alice"), Lit(":"), Run(ALNUM, 16, 16)]],
        clean: &[&[Lit("docker run -u 1000:1000 image")], &[Lit("curl -u user:password")]],
    },
    Row {
        id: "netrc-login",
        class: Class::Secret,
        what: "a login of a netrc file",
        source: "netrc's manual",
        find: Find::Pattern {
            gate: Words(&["login "]),
            pattern: r"login\s{1,8}\S{1,80}\s{1,8}password\s{1,8}(\S{4,200})",
            check: |sight| !is_placeholder(sight.value()),
        },
        refused: &[&[Lit("machine example.net login alice pass"), Lit("word "), Run(ALNUM, 10, 10)]],
        clean: &[&[Lit("login alice password <password>")]],
    },
    Row {
        id: "secret-element",
        class: Class::Secret,
        what: "a secret as the text of an XML element",
        source: "Maven and .NET settings",
        find: Find::Pattern {
            gate: Words(&["password>", "passphrase>", "secret>", "token>", "api-key>", "apikey>"]),
            pattern: r"(?i)<[a-z:]{0,20}(?:password|passphrase|secret|token|api-?key)>([^<\s]{6,200})</",
            check: |sight| is_secret(sight.value(), Key::Password),
        },
        refused: &[&[Lit("<pass"), Lit("word>"), Run(ALNUM, 12, 12), Lit("</password>")]],
        clean: &[&[Lit("<password>${env.PASSWORD}</password>")]],
    },
    Row {
        id: "bearer-header",
        class: Class::Secret,
        what: "a bearer token",
        source: "RFC 6750",
        find: Find::Pattern {
            gate: Words(&["bearer"]),
            pattern: r#"(?i)bearer["'`]?[\s:=+]{1,8}["'`]?([A-Za-z0-9._~+/=-]{12,2000})"#,
            check: |sight| sight.starts_word() && is_secret(sight.value(), Key::Token),
        },
        refused: &[&[Lit("Bear"), Lit("er "), Run(URL64, 40, 40)], &[Lit("bear"), Lit("er\nabcdefghijklmnop1234")]],
        clean: &[
            &[Lit("bearer responsibilities are listed below")],
            &[Lit("Bearer $SERVICE_TOKEN")],
            &[Lit("Bearer <SERVICE_TOKEN>")],
            &[Lit("bearer authentication documentation improved")],
        ],
    },
    Row {
        id: "authorization-header",
        class: Class::Secret,
        what: "credentials of an authorization header",
        source: "RFC 9110, RFC 7617",
        find: Find::Pattern {
            gate: Words(&["authorization", "authorisation"]),
            pattern: r#"(?i)authori[sz]ation["'`\\]{0,4}\s{0,4}[:=]\s{0,4}["'`\\]{0,4}(?:basic|digest|negotiate|token|apikey|aws4-hmac-sha256|hawk|ntlm)[\s+]{1,4}([^\s"'`<>]{8,2000})"#,
            check: |sight| {
                sight.value().iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
                    && !is_placeholder(sight.value())
            },
        },
        refused: &[
            &[Lit("Author"), Lit("ization: tok"), Lit("en "), Run(ALNUM, 24, 24)],
            &[Lit("Author"), Lit("ization: Ba"), Lit("sic c2FtcGxlOnNhbXBsZXBhc3M=")],
        ],
        clean: &[&[Lit("Authorization: pending owner decision")], &[Lit("Authorization: Basic $CREDENTIALS")]],
    },
    Row {
        id: "basic-credentials",
        class: Class::Secret,
        what: "credentials of a basic header alone",
        source: "RFC 7617",
        find: Find::Pattern {
            gate: Words(&["basic ", "basic+", "basic\t"]),
            pattern: r"\b[Bb](?:asic|ASIC)[\s+]{1,4}([A-Za-z0-9+/_-]{12,600}={0,2})",
            check: |sight| crate::privacy::lens::reads_as_login(sight.value()),
        },
        refused: &[&[Lit("Ba"), Lit("sic c2FtcGxlOnNhbXBsZXBhc3M=")]],
        clean: &[&[Lit("basic understanding of the protocol")]],
    },
    Row {
        id: "cookie-header",
        class: Class::Secret,
        what: "a session cookie",
        source: "RFC 6265",
        find: Find::Pattern {
            gate: Words(&["cookie"]),
            pattern: r#"(?i)cookie["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?:[\w.-]{1,60}=[^;\s]{0,20};\s?){0,8}[\w.-]{1,60}=([^\s;"'`<>${]{8,2000})"#,
            check: |sight| is_secret(sight.value(), Key::Password),
        },
        refused: &[
            &[Lit("Set-Coo"), Lit("kie: session=abcdef0123456789")],
            &[Lit("Coo"), Lit("kie: theme=dark; sid="), Run(ALNUM, 32, 32)],
        ],
        clean: &[&[Lit("cookie banner copy approved")], &[Lit("Cookie: session=<session>")]],
    },
    Row {
        id: "url-login",
        class: Class::Secret,
        what: "user and password in a URL",
        source: "RFC 3986 3.2.1",
        find: Find::Pattern {
            gate: Words(&["://"]),
            pattern: r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://([^\s"'`<>@/]{0,100}:[^\s"'`<>@/]{3,200})@[^\s@"'`<>/]"#,
            check: |sight| is_login(sight),
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
        id: "url-parameter",
        class: Class::Secret,
        what: "a secret as a parameter of a URL",
        source: "OAuth, signed URLs of the clouds",
        find: Find::Pattern {
            gate: Shape(r"[?&;][A-Za-z_.-]+="),
            pattern: r#"(?i)[?&;][a-z_.-]{0,30}(?:token|key|sig|signature|secret|password|passwd|pwd|auth|code|credential|assertion|ticket|jwt|sid)=([^\s"'`<>&#{}$]{8,3000})"#,
            check: |sight| is_secret(sight.value(), Key::Token),
        },
        refused: &[
            &[Lit("https://host.example/cb?access_tok"), Lit("en=abcdef0123456789")],
            &[Lit("https://x.example/?X-Amz-Sig"), Lit("nature="), Run(HEX, 64, 64)],
        ],
        clean: &[&[Lit("https://example.org/?key=identifier-naming")], &[Lit("url = f\"?token={value}\"")]],
    },
    Row {
        id: "connection-string",
        class: Class::Secret,
        what: "a key inside a connection string",
        source: "Azure and AMQP documentation",
        find: Find::Pattern {
            gate: Words(&["accountkey=", "sharedaccesskey=", "sharedaccesssignature=", "sharedsecret="]),
            pattern: r"(?i)(?:accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret)=([A-Za-z0-9+/=%]{20,200})",
            check: |sight| !is_placeholder(sight.value()),
        },
        refused: &[
            &[Lit("SharedAccess"), Lit("Signature="), Run(ALNUM, 40, 40)],
            &[Lit("DefaultEndpointsProtocol=https;AccountName=sample;Account"), Lit("Key="), Run(BASE64, 44, 44)],
        ],
        clean: &[&[Lit("AccountKey=<your-key>")]],
    },
    Row {
        id: "password-hash",
        class: Class::Secret,
        what: "a salted password hash",
        source: "crypt(3), bcrypt, argon2",
        find: Find::Pattern {
            gate: Words(&["$2a$", "$2b$", "$2x$", "$2y$", "$apr1$", "$1$", "$5$", "$6$", "$y$", "$argon2"]),
            pattern: r"\$(?:2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|(?:apr1|[156]|y)\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{2,32}\$[./A-Za-z0-9]{22,90}|argon2id?\$v=[0-9]{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{16,120})",
            check: |_| true,
        },
        refused: &[
            &[Lit("$2b"), Lit("$12$"), Run(ALNUM, 53, 53)],
            &[Lit("$6"), Lit("$"), Run(ALNUM, 8, 8), Lit("$"), Run(ALNUM, 86, 86)],
        ],
        clean: &[&[Lit("costs $5 or $6 a month")]],
    },
    Row {
        id: "chat-hook",
        class: Class::Secret,
        what: "a webhook address that lets anybody post",
        source: "Slack, Discord, Teams, Feishu and DingTalk documentation",
        find: Find::Pattern {
            gate: Words(&["hooks.", "hook/", "hook2/", "hookb2/", "hooks/", "robot/send"]),
            pattern: r"(?i)(?:hooks\.[a-z0-9.-]{3,60}/(?:services|workflows|triggers)/[A-Z0-9/_-]{20,120}|discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{10,25}/[\w-]{30,90}|[a-z0-9.-]{3,80}/(?:webhook2?|webhookb2|hook|bot/v2/hook)/[a-z0-9@-]{20,120}|robot/send\?access_token=[a-f0-9]{32,80})",
            check: |sight| sight.matched().iter().any(u8::is_ascii_digit),
        },
        refused: &[
            &[Lit("https://hooks.slack."), Lit("com/services/T00AB12CD/B00EF34GH/"), Run(ALNUM, 24, 24)],
            &[Lit("https://discord.com/api/web"), Lit("hooks/123456789012345678/"), Run(URL64, 68, 68)],
        ],
        clean: &[&[Lit("the hooks.rs file holds git hooks/services")]],
    },
    Row {
        id: "telegram-token",
        class: Class::Secret,
        what: "Telegram bot token",
        source: "Telegram documentation",
        find: Find::Pattern {
            gate: Words(&[":aa"]),
            pattern: r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}",
            check: |sight| {
                !(sight.before().is_ascii_digit() || sight.behind().is_ascii_alphanumeric() && sight.joined.is_none())
            },
        },
        refused: &[&[Run(DIGITS, 10, 10), Lit(":A"), Lit("A"), Run(URL64, 33, 33)]],
        clean: &[&[Lit("12345678:AA")]],
    },
    Row {
        id: "azure-client-secret",
        class: Class::Secret,
        what: "Azure client secret",
        source: "Microsoft documentation",
        find: Find::Pattern {
            gate: Words(&["q~"]),
            pattern: r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
            check: |_| true,
        },
        refused: &[&[Run(ALNUM, 3, 3), Lit("8Q"), Lit("~"), Run(ALNUM, 34, 34)]],
        clean: &[&[Lit("abc8Q~short")]],
    },
    Row {
        id: "discord-token",
        class: Class::Secret,
        what: "Discord bot token",
        source: "Discord documentation",
        find: Find::Pattern {
            gate: Shape(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{8}"),
            pattern: r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
            check: |sight| is_scrambled(sight.matched()),
        },
        refused: &[&[Lit("M"), Run(ALNUM, 23, 23), Lit("."), Run(ALNUM, 6, 6), Lit("."), Run(ALNUM, 27, 27)]],
        clean: &[&[Lit("ModuleWithAVeryLongNameForOneThing.method.another_method_name_that_is_long")]],
    },
    Row {
        id: "twilio-key",
        class: Class::Secret,
        what: "Twilio key",
        source: "Twilio documentation",
        find: Find::Pattern {
            gate: Shape("SK[a-f0-9]{4}"),
            pattern: r"SK[a-f0-9]{32}",
            check: |sight| sight.starts_word() && !sight.behind().is_ascii_alphanumeric(),
        },
        refused: &[&[Lit("S"), Lit("K"), Run(HEX, 32, 32)]],
        clean: &[&[Lit("SK"), Run(HEX, 31, 31)], &[Lit("DISK"), Run(HEX, 32, 32)]],
    },
    Row {
        id: "airtable-token",
        class: Class::Secret,
        what: "Airtable token",
        source: "Airtable documentation",
        find: Find::Pattern {
            gate: Shape(r"pat[A-Za-z0-9]{14}\."),
            pattern: r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
            check: |sight| sight.starts_word() && !sight.behind().is_ascii_alphanumeric(),
        },
        refused: &[&[Lit("pat"), Run(ALNUM, 14, 14), Lit("."), Run(HEX, 64, 64)]],
        clean: &[&[Lit("path1234567890abc.md")]],
    },
    Row {
        id: "mailchimp-key",
        class: Class::Secret,
        what: "Mailchimp key",
        source: "Mailchimp documentation",
        find: Find::Pattern { gate: Words(&["-us"]), pattern: r"\b[a-f0-9]{32}-us[0-9]{1,2}\b", check: |_| true },
        refused: &[&[Run(HEX, 32, 32), Lit("-us"), Lit("12")]],
        clean: &[&[Lit("region-us1")]],
    },
];

/// Whether the match begins the last word of a key; only short words could begin inside another word.
fn names_key(sight: &Sight<'_>, short: &[&str]) -> bool {
    let matched = sight.matched();
    let is_short = short.iter().any(|word| {
        matched.len() > word.len()
            && matched[..word.len()].eq_ignore_ascii_case(word.as_bytes())
            && !matched[word.len()].is_ascii_alphabetic()
    });
    let before = sight.before();
    let camel = matched[0].is_ascii_uppercase() && before.is_ascii_lowercase();
    !is_short || camel || !before.is_ascii_alphanumeric()
}

/// Whether the user part of a URL holds a password.
fn is_login(sight: &Sight<'_>) -> bool {
    let login = sight.value();
    let Some(joint) = login.iter().position(|&byte| byte == b':') else { return false };
    let decoded = crate::privacy::lens::unescaped(&login[joint + 1..]);
    !is_placeholder(&decoded)
}
