//! Keys and tokens that carry the mark of the service that made them.

use crate::privacy::class::Class;
use crate::privacy::row::Piece::{Lit, Run};
use crate::privacy::row::{ALNUM, DIGITS, Find, HEX, LETTERS, Piece, Row, UPPER_ALNUM, URL64};

/// A token: one of its heads, then its tail; the examples follow from the shape.
const fn token(id: &'static str, heads: &'static [&'static str], tail: &'static [Piece], what: &'static str) -> Row {
    Row {
        id,
        class: Class::Secret,
        what,
        source: "the vendor's documented prefix, alphabet and length",
        find: Find::Token { heads, tail },
        refused: &[],
        clean: &[],
    }
}

pub(super) const ROWS: &[Row] = &[
    token("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], &[Run(ALNUM, 36, 36)], "GitHub token"),
    token("github-fine-grained", &["github_pat_"], &[Run(ALNUM, 22, 22), Lit("_"), Run(ALNUM, 59, 59)], "GitHub token"),
    token("gitlab-token", &["glpat-", "glrt-", "gldt-", "glptt-"], &[Run(URL64, 20, 300)], "GitLab token"),
    token("aws-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], &[Run(UPPER_ALNUM, 16, 16)], "AWS access key id"),
    token("google-api-key", &["AIza"], &[Run(URL64, 35, 35)], "Google API key"),
    token("google-oauth", &["ya29."], &[Run(URL64, 20, 1000)], "Google access token"),
    token("slack-token", &["xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"], &[Run(URL64, 10, 300)], "Slack token"),
    token("anthropic-key", &["sk-ant-"], &[Run(URL64, 32, 300)], "Anthropic key"),
    token("openai-key", &["sk-"], &[Run(ALNUM, 20, 300)], "OpenAI key"),
    token("openai-project-key", &["sk-proj-", "sk-svcacct-"], &[Run(URL64, 20, 300)], "OpenAI key"),
    token("npm-token", &["npm_"], &[Run(ALNUM, 36, 36)], "npm token"),
    token("pypi-token", &["pypi-"], &[Run(URL64, 36, 1000)], "PyPI token"),
    token("huggingface-token", &["hf_"], &[Run(LETTERS, 34, 34)], "Hugging Face token"),
    token("stripe-key", &["sk_live_", "rk_live_", "sk_test_", "rk_test_"], &[Run(ALNUM, 20, 247)], "Stripe key"),
    token("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], &[Run(HEX, 64, 64)], "DigitalOcean token"),
    token("telegram-token", &[":AA"], &[Run(URL64, 33, 33)], "Telegram bot token"),
    token("twilio-key", &["SK"], &[Run(HEX, 32, 32)], "Twilio key"),
    token(
        "slack-hook",
        &["hooks.slack.com/services/T"],
        &[Run(ALNUM, 8, 12), Lit("/B"), Run(ALNUM, 8, 12)],
        "Slack hook",
    ),
    token("json-web-token", &["eyJ"], &[Run(URL64, 8, 2000), Lit(".eyJ"), Run(URL64, 8, 4000)], "JSON web token"),
    token("mailgun-key", &["key-"], &[Run(HEX, 32, 32)], "Mailgun key"),
    token("databricks-token", &["dapi"], &[Run(HEX, 32, 32)], "Databricks token"),
    token("pulumi-token", &["pul-"], &[Run(HEX, 40, 40)], "Pulumi token"),
    token("doppler-token", &["dp.pt.", "dp.st.", "dp.ct."], &[Run(ALNUM, 40, 44)], "Doppler token"),
    token("telegram-digits", &["bot"], &[Run(DIGITS, 8, 10), Lit(":AA")], "Telegram bot URL"),
    Row {
        id: "private-key",
        class: Class::Secret,
        what: "a private key block",
        source: "RFC 7468",
        find: Find::Pattern {
            gate: r"PRIVATE KEY",
            pattern: r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----\s{0,4}[A-Za-z0-9+/=\s]{16,4000}",
            check: |_| true,
        },
        refused: &[&[Lit("-----BEG"), Lit("IN PRIVATE KEY-----\n"), Run(crate::privacy::row::BASE64, 64, 64)]],
        clean: &[&[Lit("-----BEGIN PUBLIC KEY-----\nAAAA")]],
    },
    Row {
        id: "assigned-secret",
        class: Class::Secret,
        what: "a password, token or key with its value",
        source: "configuration files",
        find: Find::Pattern {
            gate: r"(?i)passw|secret|token|api[_-]?key",
            pattern: r#"(?i)(?:password|passwd|secret|token|api[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?([A-Za-z0-9!#%@+/_.~-]{8,200})"#,
            check: |sight| {
                let value = sight.value();
                value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_alphabetic)
            },
        },
        refused: &[&[Lit("pass"), Lit("word="), Run(ALNUM, 12, 12)]],
        clean: &[&[Lit("token_budget: 4000")], &[Lit("password_policy: required")]],
    },
];
