//! Secrets known by a shape that takes more than a prefix and a length.

use super::assigned::names_key_of;
use crate::class::Class;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, DIGITS, HEX, URL64};
use crate::row::Trigger::{Likely, Shape, Words};
use crate::row::{Find, Row};
use crate::shape::{self, HEX_DIGIT, LETTER, LETTER_OR_DIGIT, count, goes_on};
use crate::value::{follows_algorithm, is_digest, is_mixed, is_scrambled};

/// What base64url is made of.
const URL64_LETTER: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789_-";

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "password-hash",
        class: Class::Secret,
        what: "a salted password hash",
        source: "crypt(3), bcrypt, argon2",
        find: Find::Pattern {
            trigger: Words(&["$2a$", "$2b$", "$2x$", "$2y$", "$apr1$", "$1$", "$5$", "$6$", "$y$", "$argon2"]),
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
        id: "telegram-token",
        class: Class::Secret,
        what: "Telegram bot token",
        source: "Telegram documentation",
        find: Find::Pattern {
            trigger: Words(&[":aa"]),
            pattern: r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}",
            check: |context| {
                !(context.before().is_ascii_digit()
                    || context.behind().is_ascii_alphanumeric() && context.joined.is_none())
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
            trigger: Words(&["q~"]),
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
            trigger: Shape(shape::Shape {
                at: [b".", URL64_LETTER, URL64_LETTER],
                stands: |text, at| goes_on(text, at, b".wwwwww.wwwwwwww"),
            }),
            pattern: r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
            check: |context| is_scrambled(context.matched()),
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
            trigger: Shape(shape::Shape {
                at: [b"s", b"k", HEX_DIGIT],
                stands: |text, at| goes_on(text, at, b"SKxxxx"),
            }),
            pattern: r"SK[a-f0-9]{32}",
            check: |context| context.starts_word() && !context.behind().is_ascii_alphanumeric(),
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
            trigger: Shape(shape::Shape {
                at: [b"p", b"a", b"t"],
                stands: |text, at| goes_on(text, at, b"patwwwwwwwwwwwwww."),
            }),
            pattern: r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
            check: |context| context.starts_word() && !context.behind().is_ascii_alphanumeric(),
        },
        refused: &[&[Lit("pat"), Run(ALNUM, 14, 14), Lit("."), Run(HEX, 64, 64)]],
        clean: &[&[Lit("path1234567890abc.md")]],
    },
    Row {
        id: "mailchimp-key",
        class: Class::Secret,
        what: "Mailchimp key",
        source: "Mailchimp documentation",
        find: Find::Pattern { trigger: Words(&["-us"]), pattern: r"\b[a-f0-9]{32}-us[0-9]{1,2}\b", check: |_| true },
        refused: &[&[Run(HEX, 32, 32), Lit("-us"), Lit("12")]],
        clean: &[&[Lit("region-us1")]],
    },
    Row {
        id: "prefixed-token",
        class: Class::Secret,
        what: "a long generated word behind the short mark of some service",
        source: "the habit that vendors share: a mark, an underscore, letters of both cases and digits",
        find: Find::Pattern {
            trigger: Shape(shape::Shape {
                at: [LETTER, b"_-", LETTER_OR_DIGIT],
                stands: |text, at| count(text, at + 2, |byte| byte.is_ascii_alphanumeric()) >= 32,
            }),
            pattern: r"\b[a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,8}){0,2}[_-]([A-Za-z0-9]{32,200})\b",
            check: |context| {
                context.starts_word()
                    && !matches!(context.before(), b'-' | b'_' | b'/')
                    && !matches!(context.behind(), b'-' | b'_' | b'/' | b'+' | b'=')
                    && is_mixed(context.value())
                    && !is_digest(context.matched())
                    && !super::vendor::makes(context.matched())
                    && !follows_algorithm(&context.text[..context.range.start])
                    && !follows_algorithm(&context.text[..context.value.start])
            },
        },
        refused: &[&[Lit("qk"), Lit("v_prod_"), Run(ALNUM, 36, 36)]],
        // Near misses of known vendors pass too; a test builds them, for no page may show one.
        clean: &[&[Lit("todo_k7Qz2mXw9RbT")]],
    },
    Row {
        id: "wallet-key",
        class: Class::Secret,
        what: "a private key in hex behind its name",
        source: "wallets and node settings",
        find: Find::Pattern {
            trigger: Likely(&["key"], |text| names_key_of(text, &["private", "secret", "wallet", "signing"])),
            pattern: r"(?i)(?:private|secret|wallet|signing)[ _-]?key(?: is)?[\s\x22':=]{1,6}(?:0x)?([0-9a-f]{64})\b",
            check: |_| true,
        },
        refused: &[&[Lit("private k"), Lit("ey 0x"), Run(HEX, 64, 64)]],
        clean: &[&[Lit("public key 0x"), Run(HEX, 64, 64)]],
    },
    Row {
        id: "application-key",
        class: Class::Secret,
        what: "the key of a web application as its framework writes it",
        source: "Laravel and Django documentation",
        find: Find::Pattern {
            trigger: Words(&["base64:", "django-insecure-"]),
            pattern: r"(?i)_key\s{0,4}[=:]\s{0,4}[\x22']?base64:[A-Za-z0-9+/]{42,44}|django-insecure-[^\s\x22'`]{40,60}",
            check: |_| true,
        },
        refused: &[
            &[Lit("APP_KE"), Lit("Y=base64:"), Run(ALNUM, 43, 43), Lit("=")],
            &[Lit("django-inse"), Lit("cure-"), Run(ALNUM, 50, 50)],
        ],
        clean: &[&[Lit("APP_KEY=base64:<key>")]],
    },
    Row {
        id: "recovery-codes",
        class: Class::Secret,
        what: "codes that replace the second factor of a login",
        source: "account pages",
        find: Find::Pattern {
            trigger: Words(&["recovery code", "backup code", "scratch code", "recovery_code", "backup_code"]),
            pattern: r"(?i)(?:recovery|backup|scratch)[ _]codes?[^A-Za-z0-9\n]{1,8}[\n\s]{0,8}(?:[a-z0-9]{4,10}-?[a-z0-9]{4,10}[\s,;\x22'-]{1,6}){1,20}[a-z0-9]{4,10}-?[a-z0-9]{4,10}",
            check: |context| context.matched().iter().filter(|byte| byte.is_ascii_digit()).count() >= 6,
        },
        refused: &[&[Lit("recovery co"), Lit("des: 4k7x2-9wq1z, 8h3vb-2m6tr")]],
        clean: &[&[Lit("recovery codes: keep them in the vault, not here")]],
    },
];
