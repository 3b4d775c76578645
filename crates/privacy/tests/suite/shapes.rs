//! What must be refused, built from parts: no token stands in this file. The second half of each class is held out.

use super::chance::{ALNUM, BASE64, Chance, DIGITS, HEX, LOWER, LOWER_DIGITS, UPPER, UPPER_DIGITS, URL64};

/// One shape of refused material.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) class: &'static str,
    pub(super) name: &'static str,
    /// Whether it is kept out of development.
    pub(super) held: bool,
    pub(super) build: fn(&mut Chance) -> String,
}

const fn seen(class: &'static str, name: &'static str, build: fn(&mut Chance) -> String) -> Shape {
    Shape { class, name, held: false, build }
}

const fn held(class: &'static str, name: &'static str, build: fn(&mut Chance) -> String) -> Shape {
    Shape { class, name, held: true, build }
}

const NAMES: &[&str] =
    &["alice", "bob.k", "wei", "maria-l", "j_doe", "sato", "ольга", "runner7", "ubuntu", "张伟", "o.brien"];
const FILES: &[&str] =
    &["proj/app/main.rs", "notes.md", "Documents/x.txt", ".ssh/config", "src/lib.rs", "work/plan.yaml"];

fn name(chance: &mut Chance) -> &'static str {
    chance.pick(NAMES)
}

fn file(chance: &mut Chance) -> &'static str {
    chance.pick(FILES)
}

fn octet(chance: &mut Chance) -> usize {
    1 + chance.below(254)
}

#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    seen("secret", "github", |c| format!("gh{}_{}", c.pick(&["p", "o", "s", "u", "r"]), c.run(ALNUM, 36))),
    seen("secret", "gitlab", |c| format!("gl{}-{}", c.pick(&["pat", "rt"]), c.run(URL64, 20))),
    seen("secret", "aws id", |c| format!("{}IA{}", c.pick(&["AK", "AS"]), c.run(UPPER_DIGITS, 16))),
    seen("secret", "google", |c| format!("AI{}{}", "za", c.run(URL64, 35))),
    seen("secret", "slack", |c| format!("xo{}-{}-{}", c.pick(&["xb", "xp"]), c.run(DIGITS, 12), c.run(ALNUM, 24))),
    seen("secret", "stripe", |c| format!("{}k_li{}_{}", c.pick(&["s", "r"]), "ve", c.run(ALNUM, 24))),
    seen("secret", "openai", |c| format!("s{}-{}{}", "k", c.run(ALNUM, 20), c.run(ALNUM, 28))),
    seen("secret", "anthropic", |c| format!("s{}-ant-api03-{}AA", "k", c.run(URL64, 93))),
    seen("secret", "npm", |c| format!("np{}_{}", "m", c.run(ALNUM, 36))),
    seen("secret", "jwt", |c| format!("ey{}{}.ey{}{}.{}", "J", c.run(ALNUM, 30), "J", c.run(ALNUM, 60), c.run(URL64, 43))),
    seen("secret", "bearer", |c| format!("Author{}: Bear{} {}", "ization", "er", c.run(URL64, 40))),
    seen("secret", "password", |c| format!("{}word{}{}!{}", c.pick(&["pass", "db_pass"]), c.pick(&["=", ": "]), c.run(ALNUM, 8), c.run(ALNUM, 8))),
    seen("secret", "assigned", |c| format!("{}{}{}", c.pick(&["api_key", "auth_token", "CLIENT_SECRET", "x-api-key"]), c.pick(&["=", ": "]), c.run(ALNUM, 24))),
    seen("secret", "login", |c| format!("https://{}:{}@git.example.net/x.git", c.run(LOWER, 6), c.run(ALNUM, 18))),
    seen("secret", "pem", |c| format!("-----BEGIN {}PRIVATE {}-----\n{}\n{}\n-----END", c.pick(&["", "RSA ", "EC "]), "KEY", c.run(BASE64, 64), c.run(BASE64, 64))),
    held("secret", "gitlab other", |c| format!("gl{}-{}", c.pick(&["dt", "ptt", "soat", "ft"]), c.run(URL64, 20))),
    held("secret", "sendgrid", |c| format!("S{}.{}.{}", "G", c.run(URL64, 22), c.run(URL64, 43))),
    held("secret", "shopify", |c| format!("shp{}_{}", c.pick(&["at", "ca", "ss"]), c.run(HEX, 32))),
    held("secret", "vault", |c| format!("hv{}.{}", c.pick(&["s", "b"]), c.run(URL64, 95))),
    held("secret", "grafana", |c| format!("gl{}_{}_{}", "sa", c.run(ALNUM, 32), c.run(HEX, 8))),
    held("secret", "linear", |c| format!("lin{}_{}", "_api", c.run(ALNUM, 40))),
    held("secret", "twilio", |c| format!("S{}{}", "K", c.run(HEX, 32))),
    held("secret", "slack app", |c| format!("xa{}-1-{}-{}-{}", "pp", c.run(UPPER_DIGITS, 11), c.run(DIGITS, 12), c.run(HEX, 64))),
    held("secret", "groq", |c| format!("gs{}_{}", "k", c.run(ALNUM, 52))),
    held("secret", "docker", |c| format!("dckr{}_{}", "_pat", c.run(URL64, 27))),
    held("secret", "telegram", |c| format!("{}{}:A{}{}", c.run("123456789", 1), c.run(DIGITS, 9), "A", c.run(URL64, 33))),
    held("secret", "cookie", |c| format!("Set-Coo{}: session{}={}; HttpOnly", "kie", "id", c.run(ALNUM, 32))),
    held("secret", "query", |c| format!("https://api.example.net/v1/x?{}={}", c.pick(&["access_token", "sig", "X-Amz-Signature", "api_key"]), c.run(ALNUM, 40))),
    held("secret", "store", |c| format!("{}://{}:{}@db.example.net:5432/app", c.pick(&["postgres", "mysql", "redis", "amqp"]), c.run(LOWER, 6), c.run(ALNUM, 16))),
    held("secret", "basic", |c| format!("Author{}: Bas{} {}", "ization", "ic", super::wrappers::base64(format!("{}:{}", c.run(LOWER, 6), c.run(ALNUM, 14)).as_bytes()))),
    held("secret", "pgp", |c| format!("-----BEGIN PGP PRIVATE {} BLOCK-----\n\n{}\n{}\n-----END", "KEY", c.run(BASE64, 64), c.run(BASE64, 64))),
    held("secret", "age", |c| format!("AGE-SECRET-{}-1{}", "KEY", c.run("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))),
    held("secret", "argument", |c| format!("deploy --{} {}", c.pick(&["token", "password", "api-key"]), c.run(ALNUM, 20))),
    held("secret", "azure", |c| format!("DefaultEndpointsProtocol=https;AccountName=x;Account{}={}==", "Key", c.run(BASE64, 86))),
    held("secret", "hook", |c| format!("https://discord.com/api/web{}/{}/{}", "hooks", c.run(DIGITS, 18), c.run(URL64, 68))),
    seen("local-path", "linux", |c| format!("/ho{}/{}/{}", "me", name(c), file(c))),
    seen("local-path", "mac", |c| format!("/Us{}/{}/{}", "ers", name(c), file(c))),
    seen("local-path", "root", |c| format!("/ro{}/{}", "ot", file(c))),
    seen("local-path", "windows", |c| format!("C:\\Us{}\\{}\\{}", "ers", name(c), file(c).replace('/', "\\"))),
    seen("local-path", "temporary", |c| format!("/tm{}/{}-{}/out.log", "p", name(c), c.run(ALNUM, 8))),
    seen("local-path", "shorthand", |c| format!("~{}/{}", c.pick(&["", "alice", "wei"]), file(c))),
    seen("local-path", "file link", |c| format!("file:/{}ho{}/{}/x", "//", "me", name(c))),
    seen("local-path", "share", |c| format!("\\\\fs{}\\{}$\\share", c.below(9), name(c))),
    held("local-path", "mac folders", |c| format!("/private/v{}/folders/{}/{}/T/x", "ar", c.run(LOWER, 2), c.run(ALNUM, 20))),
    held("local-path", "volume", |c| format!("/Vol{}/{}/{}", "umes", name(c), file(c))),
    held("local-path", "forward", |c| format!("D:/Us{}/{}/{}", "ers", name(c), file(c))),
    held("local-path", "escaped", |c| format!("C:\\\\Us{}\\\\{}\\\\x", "ers", name(c))),
    held("local-path", "long", |c| format!("\\\\?\\C:\\Us{}\\{}\\x", "ers", name(c))),
    held("local-path", "mount", |c| format!("/mn{}/c/Users/{}/{}", "t", name(c), file(c))),
    held("local-path", "wsl", |c| format!("\\\\wsl{}\\Ubuntu\\home\\{}", "$", name(c))),
    held("local-path", "msys", |c| format!("/c/Us{}/{}/{}", "ers", name(c), file(c))),
    held("local-path", "runtime", |c| format!("/ru{}/user/1000/{}", "n", file(c))),
    held("local-path", "mail", |c| format!("/va{}/mail/{}", "r", name(c))),
    held("local-path", "workspace", |c| format!("/work{}/{}/{}", "space", c.run(LOWER, 6), file(c))),
    held("local-path", "editor", |c| format!("vscode:/{}file/home/{}/{}:3", "/", name(c), file(c))),
    held("local-path", "data", |c| format!("/da{}/{}/runs/{}", "ta", c.run(LOWER, 5), file(c))),
    held("local-path", "fedora", |c| format!("/var/ho{}/{}/{}", "me", name(c), file(c))),
    held("local-path", "drive", |c| format!("{}:\\work\\{}\\{}.txt", c.pick(&["D", "E", "F"]), c.run(LOWER, 5), c.run(LOWER, 4))),
    seen("session-url", "session", |c| format!("https://agent.example-host.dev/session/{}", c.uuid())),
    seen("session-url", "chat", |c| format!("https://chatgpt.com/{}/{}", "c", c.uuid())),
    seen("session-url", "parameter", |c| format!("wss://rt.example-host.dev/s?session{}={}", "_id", c.run(ALNUM, 24))),
    held("session-url", "share", |c| format!("https://host.example/share/{}", c.run(ALNUM, 22))),
    held("session-url", "claude", |c| format!("https://claude.ai/chat/{}", c.uuid())),
    held("session-url", "thread", |c| format!("https://ampcode.com/threads/T-{}", c.uuid())),
    held("session-url", "conversation", |c| format!("https://x.example/?conversation{}={}", "Id", c.uuid())),
    held("session-url", "devin", |c| format!("https://app.devin.ai/sessions/{}", c.run(HEX, 32))),
    seen("transcript", "roles", |c| format!("[{{\"role\": \"us{}\", \"content\": \"{}\"}}, {{\"role\": \"assistant\", \"content\": \"done\"}}]", "er", c.word())),
    seen("transcript", "speakers", |c| format!("User: fix the {}\nAssis{}: I will look at the log first.", c.word(), "tant")),
    seen("transcript", "tool use", |c| format!("{{\"type\": \"tool_{}\", \"id\": \"toolu_{}\", \"name\": \"Bash\"}}", "use", c.run(ALNUM, 24))),
    seen("transcript", "template", |c| format!("<|im_{}|>user\nfix the {}<|im_end|>", "start", c.word())),
    held("transcript", "yaml roles", |c| format!("messages:\n  - role: us{}\n    content: fix the {}\n  - role: assistant\n    content: done", "er", c.word())),
    held("transcript", "human", |c| format!("Human: fix the {}\n\nAssis{}: Done, all green now.", c.word(), "tant")),
    held("transcript", "headings", |c| format!("### User\nfix the {}\n\n### Assis{}\nDone.", c.word(), "tant")),
    held("transcript", "bold", |c| format!("**User:** fix the {}\n\n**Cla{}:** Done.", c.word(), "ude")),
    held("transcript", "thinking", |c| format!("<think{}>The {} is broken.</thinking>", "ing", c.word())),
    held("transcript", "choices", |c| format!("{{\"choices\": [{{\"message\": {{\"role\": \"assis{}\", \"content\": \"{}\"}}}}]}}", "tant", c.word())),
    held("transcript", "record", |c| format!("{{\"type\":\"us{}\",\"sessionId\":\"{}\",\"message\":{{\"role\":\"user\",\"content\":\"hi\"}}}}", "er", c.uuid())),
    held("transcript", "codex", |c| format!("{{\"type\":\"response{}\",\"payload\":{{\"type\":\"message\",\"role\":\"user\",\"content\":[{{\"text\":\"{}\"}}]}}}}", "_item", c.word())),
    held("transcript", "instruction", |c| format!("[INST{} fix the {} [/INST]", "]", c.word())),
    held("transcript", "chinese", |c| format!("用户：修复{}\n助{}：好的", c.word(), "手")),
    seen("tool-output", "colour", |c| format!("\u{1b}[32m✓\u{1b}[0m test_{}", c.word())),
    seen("tool-output", "python", |c| format!("Traceback (most re{} call last):\n  File \"app/m.py\", line {}, in run\n    x()\nValueError: bad", "cent", octet(c))),
    seen("tool-output", "rust", |c| format!("thread 'main' pan{} at src/main.rs:{}:5:\nindex out of bounds", "icked", octet(c))),
    seen("tool-output", "diff", |c| format!("diff --g{} a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -{},3 +1,3 @@\n-a\n+b", "it", octet(c))),
    seen("tool-output", "log", |c| (0..4).map(|second| format!("2026-09-03T10:00:0{second}.123Z INFO worker: {}\n", c.word())).collect()),
    held("tool-output", "javascript", |c| format!("TypeError: x is not a function\n    at ru{} (src/a.js:{}:7)\n    at main (src/b.js:3:1)", "n", octet(c))),
    held("tool-output", "java", |c| format!("Exception in thr{} \"main\" java.lang.IllegalStateException: no\n\tat a.b.C.run(C.java:{})", "ead", octet(c))),
    held("tool-output", "go", |c| format!("panic: boom\n\ngorou{} 1 [running]:\nmain.main()\n\tmain.go:{} +0x1d", "tine", octet(c))),
    held("tool-output", "shell", |c| format!("$ car{} test {}\n   Compiling x v0.1.0\nrunning 12 tests\ntest a ... ok", "go", c.word())),
    held("tool-output", "http", |c| format!("> GET /v1/{} HT{}/1.1\n> Host: api.example.net\n< HTTP/1.1 500 Internal Server Error", c.word(), "TP")),
    held("tool-output", "syslog", |c| (0..3).map(|second| format!("Sep  3 10:00:0{second} box {}[{}]: started\n", c.word(), octet(c))).collect()),
    held("tool-output", "pytest", |c| format!("=== FAIL{} ===\ntests/test_{}.py::test_a FAILED", "URES", c.word())),
    held("tool-output", "compiler", |c| format!("error[E0308]: mismatched types\n --{} src/{}.rs:1:2", ">", c.word())),
    held("tool-output", "ruby", |c| format!("app/{}.rb:{}:in `save'\napp/x.rb:3:in `run'", c.word(), octet(c))),
    seen("private-network", "ten", |c| format!("http://10.{}.{}.{}:8080/x", octet(c), octet(c), octet(c))),
    seen("private-network", "office", |c| format!("ssh admin@192.1{}.{}.{}", "68", octet(c), octet(c))),
    seen("private-network", "host", |c| format!("https://wiki.{}.{}/x", c.run(LOWER, 5), c.pick(&["corp", "internal", "lan", "local"]))),
    seen("private-network", "service", |c| format!("http://local{}:{}/debug", "host", 3000 + c.below(6000))),
    held("private-network", "seventeen", |c| format!("172.{}.{}.{}", 16 + c.below(16), octet(c), octet(c))),
    held("private-network", "shared", |c| format!("100.{}.{}.{}", 64 + c.below(63), octet(c), octet(c))),
    held("private-network", "six", |c| format!("fd{}:{}::{}", c.run(HEX, 2), c.run(HEX, 4), c.run(HEX, 4))),
    held("private-network", "cluster", |c| format!("svc-{}.ns.svc.cluster.local", c.run(LOWER, 4))),
    held("private-network", "metadata", |c| format!("169.254.{}.{}", c.below(255), octet(c))),
    held("private-network", "bare ten", |c| format!("10.{}.{}.{}", 60 + c.below(190), octet(c), octet(c))),
    seen("personal-data", "mail", |c| format!("{}.{}{}{}.com", c.run(LOWER, 5), c.run(LOWER, 6), "@", c.pick(&["gmail", "outlook", "acme-corp"]))),
    seen("personal-data", "phone", |c| format!("+{} {} {} {}", c.pick(&["1", "44", "49", "86"]), 200 + c.below(700), 100 + c.below(800), 1000 + c.below(8999))),
    held("personal-data", "numbers mail", |c| format!("{}{}qq.com", c.run(DIGITS, 9), "@")),
    held("personal-data", "american", |c| format!("({}) {}-{}", 200 + c.below(700), 200 + c.below(700), 1000 + c.below(8999))),
    held("personal-data", "chinese", |c| format!("1{}{} 电话", c.pick(&["38", "39", "58", "86"]), c.run(DIGITS, 8))),
    held("personal-data", "named phone", |c| format!("tel: 030 {} {}", c.run(DIGITS, 4), c.run(DIGITS, 4))),
    held("personal-data", "country mail", |c| format!("{}{}{}.co.uk", c.run(LOWER, 7), "@", c.run(LOWER, 6))),
    seen("document-link", "google", |c| format!("https://docs.goo{}.com/document/d/{}/edit", "gle", c.run(URL64, 44))),
    seen("document-link", "notion", |c| format!("https://www.not{}.so/{}/Plan-{}", "ion", c.run(LOWER, 6), c.run(HEX, 32))),
    seen("document-link", "lark", |c| format!("https://{}.fei{}.cn/docx/{}", c.run(LOWER, 6), "shu", c.run(ALNUM, 27))),
    held("document-link", "drive", |c| format!("https://drive.goo{}.com/file/d/{}/view", "gle", c.run(URL64, 33))),
    held("document-link", "office", |c| format!("https://{}.sharep{}.com/:w:/s/x/{}", c.run(LOWER, 6), "oint", c.run(URL64, 30))),
    held("document-link", "confluence", |c| format!("https://{}.atlas{}.net/wiki/spaces/X/pages/{}", c.run(LOWER, 6), "sian", c.run(DIGITS, 9))),
    held("document-link", "quip", |c| format!("https://{}.quip.com/{}", c.run(LOWER, 5), c.run(ALNUM, 12))),
    held("document-link", "yuque", |c| format!("https://www.yuque.com/{}/{}/{}", c.run(LOWER, 6), c.run(LOWER, 6), c.run(LOWER_DIGITS, 16))),
    held("document-link", "figma", |c| format!("https://www.figma.com/design/{}/Plan", c.run(ALNUM, 22))),
    held("document-link", "slack", |c| format!("https://{}.slack.com/archives/C{}/p{}", c.run(LOWER, 6), c.run(UPPER_DIGITS, 8), c.run(DIGITS, 16))),
    seen("ticket", "prefix", |c| format!("{}-{}", c.pick(&["ACMEPAY", "INFRASEC"]), 100 + c.below(9000))),
    seen("ticket", "dated", |c| format!("t-2026{}-{}", c.run(DIGITS, 10), c.run(LOWER_DIGITS, 5))),
    held("ticket", "jira", |c| format!("https://{}.atlas{}.net/browse/{}-{}", c.run(LOWER, 6), "sian", c.run(UPPER, 4), octet(c))),
    held("ticket", "linear", |c| format!("https://linear.app/{}/issue/{}-{}", c.run(LOWER, 6), c.run(UPPER, 3), octet(c))),
    held("ticket", "lower", |c| format!("branch prodx-{}-fix", 100 + c.below(9000))),
    seen("opaque-blob", "base64", |c| c.run(BASE64, 120)),
    held("opaque-blob", "base64url", |c| c.run(URL64, 80)),
    held("opaque-blob", "hex", |c| c.run(HEX, 120)),
    seen("invisible-character", "zero width", |c| format!("gate{}{}", c.pick(&["\u{200b}", "\u{2060}", "\u{ad}"]), c.word())),
    held("invisible-character", "direction", |c| format!("{}{}{}", c.word(), c.pick(&["\u{202e}", "\u{2066}", "\u{202a}"]), c.word())),
    held("invisible-character", "tags", |c| format!("{}\u{e0068}\u{e0069}", c.word())),
    held("invisible-character", "control", |c| format!("{}{}{}", c.word(), c.pick(&["\u{0}", "\u{8}", "\u{7f}"]), c.word())),
    held("secret", "crawler", |c| format!("f{}-{}", "c", c.run(HEX, 32))),
    held("secret", "sandbox", |c| format!("e2{}_{}", "b", c.run(HEX, 40))),
    held("secret", "observer", |c| format!("hcai{}_{}", "k", c.run(LOWER_DIGITS, 58))),
    held("secret", "unknown service", |c| format!("{}{}_live_{}", "qz", "kv", c.run(ALNUM, 40))),
    held("secret", "registry login", |c| format!("docker login -u sample -{} {}", "p", c.run(ALNUM, 18))),
    held("secret", "masked value", |c| format!("::add-{}::{}", "mask", c.run(ALNUM, 24))),
    held("local-path", "process", |c| format!("/pr{}/{}/cwd/{}", "oc", 100 + c.below(900), file(c))),
    held("personal-data", "german address", |c| format!("Linden{} {}, 10{} Berlin", "straße", 1 + c.below(90), 100 + c.below(800))),
    held("personal-data", "american address", |c| format!("{} Sample {}, Springfield, IL 62{}", 10 + c.below(900), "Street", 100 + c.below(800))),
    held("document-link", "zoho", |c| format!("https://workdrive.zo{}.com/file/{}", "ho", c.run(LOWER_DIGITS, 36))),
    held("ticket", "spaced", |c| format!("ACMEPAY {} is blocked", 30 + c.below(900))),
    held("transcript", "tool part", |c| format!("{{\"type\": \"to{}\", \"tool\": \"bash\", \"state\": {{\"status\": \"completed{}\"}}}}", "ol", c.below(9))),
    held("transcript", "speaker and text", |c| format!("- speaker: hu{}\n  text: why is CI red {}", "man", c.below(99))),
    held("tool-output", "layers", |c| format!("[+] Buil{} {}.3s (9/9) FINISHED\n => [internal] load build definition", "ding", 1 + c.below(90))),
    held("tool-output", "sent objects", |c| format!("Enumerating obj{}: {}, done.\nWriting objects: 100% (7/7), done.", "ects", 3 + c.below(90))),
    held("opaque-blob", "binary digits", |c| (0..64).map(|_| format!("{:08b}", c.below(256))).collect::<Vec<_>>().join(" ")),
    held("opaque-blob", "decimal bytes", |c| format!("[{}]", (0..80).map(|_| c.below(256).to_string()).collect::<Vec<_>>().join(", "))),
];
