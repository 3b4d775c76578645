//! Secrets in the headers of requests and answers.

use crate::class::Class;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, URL64};
use crate::row::Trigger::Words;
use crate::row::{Find, Row};
use crate::value::{Key, is_placeholder, is_secret};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "bearer-header",
        class: Class::Secret,
        what: "a bearer token",
        source: "RFC 6750",
        find: Find::Pattern {
            trigger: Words(&["bearer"]),
            pattern: r#"(?i)bearer["'`]?[\s:=+]{1,8}["'`]?([A-Za-z0-9._~+/=-]{12,2000})"#,
            check: |context| context.starts_word() && is_secret(context.value(), Key::Token),
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
            trigger: Words(&["authorization", "authorisation"]),
            pattern: r#"(?i)authori[sz]ation["'`\\]{0,4}\s{0,4}[:=]\s{0,4}["'`\\]{0,4}(?:basic|digest|negotiate|token|apikey|aws4-hmac-sha256|hawk|ntlm)[\s+]{1,4}([^\s"'`<>]{8,2000})"#,
            check: |context| {
                context.value().iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
                    && !is_placeholder(context.value())
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
            trigger: Words(&["basic ", "basic+", "basic\t"]),
            pattern: r"\b[Bb](?:asic|ASIC)[\s+]{1,4}([A-Za-z0-9+/_-]{12,600}={0,2})",
            check: |context| crate::decode::reads_as_login(context.value()),
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
            trigger: Words(&["cookie"]),
            pattern: r#"(?i)cookie["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?:[\w.-]{1,60}=[^;\s]{0,20};\s?){0,8}[\w.-]{1,60}=([^\s;"'`<>${]{8,2000})"#,
            check: |context| is_secret(context.value(), Key::Password),
        },
        refused: &[
            &[Lit("Set-Coo"), Lit("kie: session=abcdef0123456789")],
            &[Lit("Coo"), Lit("kie: theme=dark; sid="), Run(ALNUM, 32, 32)],
        ],
        clean: &[&[Lit("cookie banner copy approved")], &[Lit("Cookie: session=<session>")]],
    },
];
