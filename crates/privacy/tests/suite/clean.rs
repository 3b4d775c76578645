//! What must pass: ids, times, versions, placeholders, prose about the forbidden. The second half is held out.

use super::chance::{ALNUM, BASE64, Chance, DIGITS, HEX, LOWER, LOWER_DIGITS, UPPER};
use super::wrappers::base64;

/// One family of texts that only look refused.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) held: bool,
    pub(super) build: fn(&mut Chance) -> String,
}

const fn seen(name: &'static str, build: fn(&mut Chance) -> String) -> Family {
    Family { name, held: false, build }
}

const fn held(name: &'static str, build: fn(&mut Chance) -> String) -> Family {
    Family { name, held: true, build }
}

const WORDS: &[&str] = &[
    "clear",
    "user_todo",
    "operator_gate",
    "blocked",
    "deferred",
    "approved",
    "eligible",
    "monitor_quiet_skip",
    "attached_host",
];
const TALK: &[&str] = &[
    "rotate the password before the next run",
    "the token was redacted by the host",
    "never paste an API key into a gate reason",
    "the transcript stays in the host",
    "user asked for a second review; assistant lane is idle",
    "role: reviewer approved the content",
    "stack trace omitted, see the evidence pointer",
    "private key material must not be stored",
    "paths under docs/ and src/ only",
];
const TALK_HELD: &[&str] = &[
    "the secret of good naming is patience",
    "a bearer of bad news is no token",
    "authorization: pending owner decision",
    "set sk = 5 for skew",
    "access key: see the console",
    "the operator said: go; the agent said: wait",
    "log in as the owner",
    "phone the owner at noon",
    "key: value pairs are sorted",
    "the cookie banner copy is approved",
    "write to /dev/null and read /etc/hosts",
    "use ~3/4 of the budget",
    "panic is no plan",
    "traceback is off by default",
    "the session ends at 17:30",
    "diff the two plans first",
    "answer within 24h or it expires",
    "model: a small one; human: in the loop",
    "10 to 1.2.3 is a big step",
    "at line 3, column 7 of the plan",
    "see step 2 (or 3) of the guide",
];

#[rustfmt::skip]
pub(super) const FAMILIES: &[Family] = &[
    seen("uuid", |c| format!("run {}", c.uuid())),
    seen("sha-1", |c| c.run(HEX, 40)),
    seen("sha-256", |c| format!("sha256:{}", c.run(HEX, 64))),
    seen("integrity", |c| format!("sha512-{}==", c.run(BASE64, 86))),
    seen("todo id", |c| format!("todo_{}", c.run(ALNUM, 12))),
    seen("ulid", |c| format!("01{}", c.run("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24))),
    seen("instant", |c| format!("2026-0{}-1{}T1{}:0{}:00Z", 1 + c.below(9), c.below(9), c.below(9), c.below(9))),
    seen("epoch", |c| format!("observed at {}", 1_700_000_000 + c.below(99_999_999))),
    seen("version", |c| format!("v{}.{}.{}-rc.{}", c.below(20), c.below(40), c.below(40), c.below(5))),
    seen("four numbers", |c| format!("build 10.{}.{}.{}", c.below(20), c.below(20), c.below(4))),
    seen("relative path", |c| format!("{}/{}/{}.md", c.pick(&["docs", "src", "home", "users", "var", "tests"]), c.word(), c.word())),
    seen("public url", |c| format!("https://{}/{}", c.pick(&["github.com/org/repo/issues", "docs.rs/serde", "example.com/home/page", "example.org/Users/list"]), c.below(9999))),
    seen("flag", |c| format!("{}: false", c.pick(&["raw_transcripts_copied", "credentials_copied", "private_paths_copied", "raw_logs_recorded"]))),
    seen("talk", |c| format!("{}; next: {}", c.pick(TALK), c.pick(WORDS))),
    seen("placeholder", |c| format!("use {}", c.pick(&["<token>", "${API_KEY}", "{{ secrets.DEPLOY }}", "[redacted]", "your-api-key-here", "process.env.TOKEN", "ghp_…", "/home/<user>/x", "C:\\Users\\<name>\\x", "/Users/$USER/x"]))),
    seen("script", |c| format!("{} {}", c.pick(&["批准第二步并继续", "ゲートは承認済み", "قيد المراجعة", "ожидает владельца", "👩\u{200d}💻 ready", "naïve café", "Ｇｏａｌ ok"]), c.pick(WORDS))),
    seen("encoded prose", |c| format!("note {}", base64(c.pick(TALK).as_bytes()))),
    seen("public key", |c| format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{}", c.run(BASE64, 43))),
    seen("standard", |c| format!("{}-{}", c.pick(&["RFC", "CVE", "ISO", "PEP", "UTF", "ADR"]), c.below(9999))),
    seen("mail", |c| format!("{}@example.{}", c.word(), c.pick(&["com", "org", "net"]))),
    held("talk", |c| format!("{} ({})", c.pick(TALK_HELD), c.pick(WORDS))),
    held("prefixed id", |c| format!("{}-{}", c.pick(&["gate", "handoff", "reward", "run", "task", "disk", "risk"]), c.run(LOWER_DIGITS, 16))),
    held("docker digest", |c| format!("ghcr.io/org/app@sha256:{}", c.run(HEX, 64))),
    held("go sum", |c| format!("golang.org/x/sys v0.{}.0 h1:{}=", c.below(40), c.run(BASE64, 43))),
    held("short token", |c| format!("gh{}_{}", "p", c.run(ALNUM, 35))),
    held("long token", |c| format!("AK{}{}", "IA", c.run("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 17))),
    held("wrong alphabet", |c| format!("dop{}_{}", "_v1", c.run("GHIJKL", 64))),
    held("type name", |c| format!("std::collections::{}Map::<String, {}Token>", c.pick(&["Hash", "BTree"]), c.pick(&["Lexer", "Csrf", "Access"]))),
    held("code", |c| format!("let token = {}.next_token({});", c.word(), c.below(9))),
    held("field list", |c| format!("{}: [password, token, secret], n: {}", c.word(), c.below(99))),
    held("duration", |c| format!("{}h after 2026-03-0{} at {}:{}0", c.below(99), 1 + c.below(9), 10 + c.below(12), c.below(6))),
    held("range", |c| format!("lines {}-{} of {}", c.below(99), 100 + c.below(99), c.below(9999))),
    held("money", |c| format!("costs ${}.{}0 or €{}", c.below(99), c.below(9), c.below(99))),
    held("math", |c| format!("a = {}/{} + {}*({}-{})", c.below(9), 1 + c.below(9), c.below(9), c.below(9), c.below(9))),
    held("cargo", |c| format!("serde = {{ version = \"1.0.{}\", features = [\"derive\"] }}", c.below(300))),
    held("glob", |c| format!("write_scope: [services/{}/**, docs/{}/*.md]", c.word(), c.word())),
    held("git ref", |c| format!("refs/heads/{}/{}-{}", c.word(), c.word(), c.below(99))),
    held("pointer", |c| format!("#/$defs/{}/properties/{}", c.word(), c.word())),
    held("route", |c| format!("GET /{}/{}/{{id}} answers 200", c.word(), c.word())),
    held("doc address", |c| format!("{}{}", c.pick(&["192.0.2.", "198.51.100.", "203.0.113."]), c.below(255))),
    held("loopback", |c| format!("listen on 127.0.0.1:{}", 1000 + c.below(9000))),
    held("handle", |c| format!("@{} reviewed #{}", c.word(), c.below(9999))),
    held("no reply", |c| format!("{}+{}@users.noreply.github.com", c.run(DIGITS, 6), c.word())),
    held("constant", |c| format!("{}_{}={}", c.run(UPPER, 5), c.run(UPPER, 4), c.below(9999))),
    held("kebab", |c| (0..5).map(|_| c.run(LOWER, 6)).collect::<Vec<_>>().join("-")),
    held("snake", |c| (0..6).map(|_| c.run(LOWER, 5)).collect::<Vec<_>>().join("_")),
    held("base64 binary", |c| format!("sha256-{}=", c.run(BASE64, 43))),
    held("colour", |c| format!("color: #{}", c.run(HEX, 6))),
    held("cron", |c| format!("*/{} 0-{} * * 1", 1 + c.below(30), c.below(23))),
    held("markdown", |c| format!("## {}\n\n- [ ] {}\n- [x] {}\n\n> {}", c.word(), c.word(), c.word(), c.pick(TALK_HELD))),
    held("yaml", |c| format!("goal_id: {}\nstatus: active\nagents:\n  {}: code\nboundary:\n  stop_condition: {}", c.word(), c.word(), c.pick(TALK_HELD))),
];
