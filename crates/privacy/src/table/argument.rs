//! Secrets as arguments of commands and lines of login files.

use crate::class::Class;
use crate::piece::ALNUM;
use crate::piece::Piece::{Lit, Run};
use crate::randomness::disorder;
use crate::row::Trigger::{Shape, Words};
use crate::row::{Find, Row};
use crate::shape::{self, byte, count, digits};
use crate::value::{Key, is_placeholder, is_secret};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "secret-argument",
        class: Class::Secret,
        what: "a secret as an argument of a command",
        source: "shell histories",
        find: Find::Pattern {
            trigger: Words(&[
                "password ",
                "passwd ",
                "pass ",
                "secret ",
                "token ",
                "api-key ",
                "apikey ",
                "auth ",
                "sshpass",
                "mysql",
                "mariadb",
                "redis-cli",
                "redis-benchmark",
                " login ",
            ]),
            pattern: r#"(?i)(?:--?[a-z-]{0,30}(?:password|passwd|pass|secret|token|api-?key|auth)[ \t]{1,4}|sshpass -p ?|\b(?:docker|podman|helm|nerdctl|buildah|skopeo|oc|az|cf|crane|oras)(?: [a-z]{1,12})? login [^\n]{0,120}?-p[ =]|(?:mysql|mariadb)[a-z]{0,10} [^\n]{0,120}?-p|redis-(?:cli|benchmark) [^\n]{0,120}?-a ?)["']?([^\s"'`<>()\[\]{}|\\&]{6,200})"#,
            check: |context| is_secret(context.value(), Key::Token),
        },
        refused: &[
            &[Lit("deploy --tok"), Lit("en "), Run(ALNUM, 20, 20)],
            &[Lit("docker lo"), Lit("gin -u sample -p "), Run(ALNUM, 16, 16)],
            &[Lit("redis-cli -h cache -"), Lit("a "), Run(ALNUM, 16, 16)],
            &[Lit("mysql -u root -"), Lit("p"), Run(ALNUM, 12, 12), Lit(" app")],
        ],
        clean: &[&[Lit("deploy --token $TOKEN")], &[Lit("use --password or --token to sign in")]],
    },
    Row {
        id: "user-argument",
        class: Class::Secret,
        what: "user and password as an argument of a command",
        source: "curl's manual",
        find: Find::Pattern {
            trigger: Words(&["-u ", "-u=", "--user"]),
            pattern: r#"(?:-u|--user)[ =]["']?[^\s"':@<>$]{1,60}:([^\s"'`<>$@]{6,200})"#,
            check: |context| is_secret(context.value(), Key::Password),
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
            trigger: Words(&["login "]),
            pattern: r"login\s{1,8}\S{1,80}\s{1,8}password\s{1,8}(\S{4,200})",
            check: |context| !is_placeholder(context.value()),
        },
        refused: &[&[Lit("machine example.net login alice pass"), Lit("word "), Run(ALNUM, 10, 10)]],
        clean: &[&[Lit("login alice password <password>")]],
    },
    Row {
        id: "password-line",
        class: Class::Secret,
        what: "a line of a file of database passwords",
        source: "PostgreSQL documentation of .pgpass",
        find: Find::Pattern {
            trigger: Shape(shape::Shape { at: [b":", b"0123456789*", b"0123456789:"], stands: begins_port }),
            pattern: r"[A-Za-z0-9.*_-]{1,100}:(?:[0-9]{2,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:([^\s:]{8,200})",
            check: |context| {
                context.starts_word() && is_secret(context.value(), Key::Token) && disorder(context.value()) >= 20
            },
        },
        refused: &[&[Lit("db.example.net:5432:app:sample:"), Run(ALNUM, 14, 14)]],
        clean: &[&[Lit("10:41:07:12:05")], &[Lit("urn:22:app:sample:password")]],
    },
    Row {
        id: "recovery-words",
        class: Class::Secret,
        what: "the words that restore a wallet",
        source: "BIP 39",
        find: Find::Pattern {
            trigger: Words(&[
                "seed phrase",
                "seed words",
                "recovery phrase",
                "recovery words",
                "mnemonic",
                "seed: ",
                "seed=",
                "seed\"",
                "seed'",
            ]),
            pattern: r"(?i)(?:seed|recovery|mnemonic)(?: (?:phrase|words))?[^A-Za-z\n]{1,8}(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}\b",
            // The list of BIP 39 has none of these, and prose of so many words has one.
            check: |context| {
                let prose: [&[u8]; 10] = [
                    b" the ", b" and ", b" for ", b" from ", b" into ", b" with ", b" are ", b" has ", b" not ",
                    b" its ",
                ];
                !prose
                    .iter()
                    .any(|word| context.matched().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word)))
            },
        },
        refused: &[
            &[
                Lit("seed phr"),
                Lit("ase: abandon ability able about above absent absorb abstract absurd abuse access acid"),
            ],
            &[
                Lit("wallet_se"),
                Lit("ed: abandon ability able about above absent absorb abstract absurd abuse access acid"),
            ],
        ],
        clean: &[
            &[Lit("keep the seed phrase: it must never be stored in any of the files here")],
            &[Lit("seed: load every fixture into both stores before any test runs over them again")],
        ],
    },
    Row {
        id: "quoted-password",
        class: Class::Secret,
        what: "a password in quotes behind its name",
        source: "SQL, PowerShell, chat",
        find: Find::Pattern {
            trigger: Words(&["password", "passphrase", "passcode", "identified by", " by '", "securestring"]),
            pattern: r#"(?i)\b(?:password|passphrase|passcode|identified (?:with \S{1,40} )?by|convertto-securestring(?: -string)?)\s{1,4}(?:["'`]{1,2}|\xe2\x80\x9c)([^\s"'`]{6,100})["'`\xe2]"#,
            check: |context| is_secret(context.value(), Key::Password),
        },
        refused: &[
            &[Lit("CREATE USER sample WITH PASS"), Lit("WORD '"), Run(ALNUM, 14, 14), Lit("';")],
            &[Lit("IDENTI"), Lit("FIED BY '"), Run(ALNUM, 14, 14), Lit("'")],
            &[Lit("ConvertTo-SecureStr"), Lit("ing '"), Run(ALNUM, 14, 14), Lit("' -AsPlainText")],
        ],
        clean: &[&[Lit("rename the password 'required' flag")], &[Lit("PASSWORD '${DB_PASSWORD}'")]],
    },
    Row {
        id: "masked-value",
        class: Class::Secret,
        what: "a value that a job asks its log to hide",
        source: "workflow commands of GitHub and Azure",
        find: Find::Pattern {
            trigger: Words(&["add-mask::", "setsecret", "issecret=true"]),
            pattern: r"::add-mask::([^\s$<{]{6,300})|##vso\[task\.set(?:secret|variable)[^\]\n]{0,120}\]([^\s$<{]{6,300})",
            check: |context| !is_placeholder(context.value()),
        },
        refused: &[&[Lit("::add-ma"), Lit("sk::"), Run(ALNUM, 16, 16)]],
        clean: &[&[Lit("echo \"::add-mask::$TOKEN\"")]],
    },
];

/// Whether a colon begins the port of a line of passwords, with two more parts behind it.
fn begins_port(text: &[u8], at: usize) -> bool {
    let port = if byte(text, at + 1) == b'*' { 1 } else { digits(text, at + 1) };
    let part = |at: usize| at + 1 + count(text, at + 1, |byte| byte != b':' && !byte.is_ascii_whitespace());
    let ends = [at + 1 + port, part(at + 1 + port), part(part(at + 1 + port))];
    port > 0 && ends.into_iter().all(|end| byte(text, end) == b':')
}
