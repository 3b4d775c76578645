//! What must be refused, in forms that the other corpora do not have.

use super::super::chance::{ALNUM, BASE64, Chance, DIGITS, HEX, LOWER, LOWER_DIGITS, UPPER, UPPER_DIGITS, URL64};
use super::super::shapes::Shape;
use super::super::wrappers::base64;

const fn shape(class: &'static str, name: &'static str, build: fn(&mut Chance) -> String) -> Shape {
    Shape { class, name, held: true, build }
}

const PEOPLE: &[&str] =
    &["nadia", "t.nguyen", "zoe-b", "kofi_a", "mehmet", "svc-deploy", "ingrid", "Łukasz", "山田", "root2"];
const PLACES: &[&str] = &[
    "code/api/server.ts",
    "todo.org",
    "Desktop/budget.xlsx",
    ".config/gh/hosts.yml",
    "go/src/main.go",
    ".bash_history",
];

fn person(chance: &mut Chance) -> &'static str {
    chance.pick(PEOPLE)
}

fn place(chance: &mut Chance) -> &'static str {
    chance.pick(PLACES)
}

fn part(chance: &mut Chance) -> usize {
    2 + chance.below(250)
}

#[rustfmt::skip]
pub(in super::super) const SHAPES: &[Shape] = &[
    shape("secret", "netlify", |c| format!("nf{}_{}", "p", c.run(ALNUM, 36))),
    shape("secret", "figma", |c| format!("fig{}_{}", "d", c.run(URL64, 40))),
    shape("secret", "sentry", |c| format!("sntr{}_{}", "yu", c.run(HEX, 64))),
    shape("secret", "new relic", |c| format!("NR{}-{}", "AK", c.run(UPPER_DIGITS, 27))),
    shape("secret", "postman", |c| format!("PM{}-{}-{}", "AK", c.run(HEX, 24), c.run(HEX, 34))),
    shape("secret", "square", |c| format!("sq0{}-{}", "atp", c.run(URL64, 22))),
    shape("secret", "stripe hook", |c| format!("whs{}_{}", "ec", c.run(ALNUM, 32))),
    shape("secret", "terraform", |c| format!("{}.atlas{}.{}", c.run(ALNUM, 14), "v1", c.run(URL64, 67))),
    shape("secret", "heroku", |c| format!("HRK{}-{}", "U", c.uuid())),
    shape("secret", "spring", |c| format!("spring.datasource.pass{}={}", "word", c.run(ALNUM, 14))),
    shape("secret", "yaml field", |c| format!("client_sec{}: {}", "ret", c.run(URL64, 40))),
    shape("secret", "rails", |c| format!("secret_key{}: {}", "_base", c.run(HEX, 128))),
    shape("secret", "django", |c| format!("SECRET{} = 'django-insecure-{}'", "_KEY", c.run(ALNUM, 40))),
    shape("secret", "header", |c| format!("X-Auth-To{}: {}", "ken", c.run(ALNUM, 32))),
    shape("secret", "proxy", |c| format!("Proxy-Author{}: Bas{} {}", "ization", "ic", base64(format!("{}:{}", c.run(LOWER, 7), c.run(ALNUM, 12)).as_bytes()))),
    shape("secret", "ldap", |c| format!("ldaps://{}:{}@dir.example.net:636", c.run(LOWER, 8), c.run(ALNUM, 13))),
    shape("secret", "mongo", |c| format!("mongodb+srv://{}:{}@cluster0.example.net/db", c.run(LOWER, 5), c.run(ALNUM, 20))),
    shape("secret", "flag", |c| format!("az login --service-principal --pass{} {}", "word", c.run(ALNUM, 34))),
    shape("secret", "login code", |c| format!("https://app.example.net/magic?to{}={}", "ken", c.run(URL64, 48))),
    shape("secret", "teams hook", |c| format!("https://acme.webhook.office.com/webhookb2/{}@{}/IncomingWebhook/{}/{}", c.uuid(), c.uuid(), c.run(HEX, 32), c.uuid())),
    shape("secret", "ec block", |c| format!("-----BEGIN EC PRIVATE {}-----\n{}\n{}\n-----END EC PRIVATE {}-----", "KEY", c.run(BASE64, 64), c.run(BASE64, 48), "KEY")),
    shape("secret", "bcrypt", |c| format!("{}:$2{}$10${}", c.run(LOWER, 6), "y", c.run(ALNUM, 53))),
    shape("local-path", "home on a share", |c| format!("/nfs/ho{}/{}/{}", "me", person(c), place(c))),
    shape("local-path", "mac user", |c| format!("/Us{}/{}/{}", "ers", person(c), place(c))),
    shape("local-path", "linux user", |c| format!("/ho{}/{}/.cache/pip", "me", person(c))),
    shape("local-path", "windows profile", |c| format!("C:\\Us{}\\{}\\AppData\\Roaming\\{}", "ers", person(c), c.word())),
    shape("local-path", "windows drive", |c| format!("E:\\{}\\{}\\build\\out.dll", c.word(), c.word())),
    shape("local-path", "server share", |c| format!("\\\\files{:02}\\teams\\{}", c.below(20), c.word())),
    shape("local-path", "temporary", |c| format!("/tm{}/pytest-of-{}/pytest-{}", "p", person(c), c.below(90))),
    shape("local-path", "mac temporary", |c| format!("/var/fold{}/{}/{}/T/{}", "ers", c.run(LOWER, 2), c.run(LOWER_DIGITS, 28), c.word())),
    shape("local-path", "shorthand", |c| format!("~/{}", place(c))),
    shape("local-path", "runner", |c| format!("/ho{}/runner/wo{}/{}/{}/target", "me", "rk", c.word(), c.word())),
    shape("local-path", "file address", |c| format!("file:/{}Us{}/{}/{}", "//", "ers", person(c), place(c))),
    shape("local-path", "cygwin", |c| format!("/cyg{}/d/{}/{}", "drive", c.word(), c.word())),
    shape("local-path", "cluster", |c| format!("/scr{}/{}/{}/job.sh", "atch", person(c), c.word())),
    shape("session-url", "codex task", |c| format!("https://chatgpt.com/codex/{}/task_e_{}", "tasks", c.run(HEX, 32))),
    shape("session-url", "copilot", |c| format!("https://github.com/copilot/{}/{}", "c", c.uuid())),
    shape("session-url", "agent", |c| format!("https://agents.example-host.io/v2/{}/{}", "sessions", c.run(LOWER_DIGITS, 26))),
    shape("session-url", "room", |c| format!("https://call.example-host.dev/{}/{}", "rooms", c.uuid())),
    shape("session-url", "grok", |c| format!("https://grok.com/{}/{}", "chat", c.uuid())),
    shape("session-url", "socket", |c| format!("wss://live.example-host.dev/ws?thread{}={}", "_id", c.uuid())),
    shape("transcript", "gemini parts", |c| format!("{{\"contents\":[{{\"role\":\"us{}\",\"parts\":[{{\"text\":\"rename the {}\"}}]}}]}}", "er", c.word())),
    shape("transcript", "tool call", |c| format!("{{\"role\":\"assis{}\",\"content\":null,\"tool_calls\":[{{\"id\":\"call_{}\",\"type\":\"function\"}}]}}", "tant", c.run(ALNUM, 24))),
    shape("transcript", "turns", |c| format!("User: rename the {}\n\nAI: renamed it everywhere.\n\nUser: thanks", c.word())),
    shape("transcript", "spanish", |c| format!("Usuario: cambia {}\nAsisten{}: hecho", c.word(), "te")),
    shape("transcript", "messenger", |c| format!("[09/02/2026, 08:1{}:07] Nadia: is the {} up\n[09/02/2026, 08:15:31] Kofi: not yet", c.below(9), c.word())),
    shape("transcript", "stream", |c| format!("event: content_block_{}\ndata: {{\"type\":\"content_block_{}\",\"delta\":{{\"text\":\"{}\"}}}}", "delta", "delta", c.word())),
    shape("transcript", "mistral", |c| format!("<s>[INST{} rename the {} [/INST] done</s>", "]", c.word())),
    shape("transcript", "thought", |c| format!("<think{}\nThe {} moved, so the link broke.\n</think>", ">", c.word())),
    shape("tool-output", "django trace", |c| format!("Traceback (most re{} call last):\n  File \"manage.py\", line {}, in main\n    run()\nImportError: no {}", "cent", part(c), c.word())),
    shape("tool-output", "kotlin trace", |c| format!("java.io.IOException: {}\n\tat app.Net.get(Net.kt:{})\n\tat app.Main.main(Main.kt:9)", c.word(), part(c))),
    shape("tool-output", "deno trace", |c| format!("error: Uncaught TypeError: {}\n    at lo{} (file.ts:{}:9)\n    at main (mod.ts:4:1)", c.word(), "ad", part(c))),
    shape("tool-output", "cargo", |c| format!("error[E04{:02}]: cannot find {}\n  --{} src/lib.rs:{}:5", c.below(90), c.word(), ">", part(c))),
    shape("tool-output", "hunk", |c| format!("@@ -{},6 +{},7 @@ fn {}() {{\n-    old\n+    new", part(c), part(c), c.word())),
    shape("tool-output", "application log", |c| (0..4).map(|second| format!("2026/02/09 08:15:0{second} [ERROR] {}: retry\n", c.word())).collect()),
    shape("tool-output", "answer head", |c| format!("HT{}/1.1 404 Not Found\r\nServer: nginx\r\nX-Trace: {}", "TP", c.run(HEX, 16))),
    shape("tool-output", "prompt", |c| format!("nadia@build{}:~/app$ ma{} test\nok 12 tests", c.below(9), "ke")),
    shape("tool-output", "jest", |c| format!("FA{} src/{}.test.ts\n  ● adds\n\nTests:       1 failed, 4 passed, 5 total", "IL", c.word())),
    shape("private-network", "office", |c| format!("http://192.1{}.{}.{}/admin", "68", part(c), part(c))),
    shape("private-network", "data centre", |c| format!("10.{}.{}.{}:9200", 40 + c.below(200), part(c), part(c))),
    shape("private-network", "bridge", |c| format!("tcp://172.1{}.0.{}:2375", 6 + c.below(4), part(c))),
    shape("private-network", "intranet name", |c| format!("https://{}.{}.intranet/x", c.run(LOWER, 5), c.run(LOWER, 4))),
    shape("private-network", "compute", |c| format!("ip-10-{}-{}-{}.eu-west-1.compute.internal", part(c), part(c), part(c))),
    shape("private-network", "unique local", |c| format!("[fd{}:{}:{}::{}]:8443", c.run(HEX, 2), c.run(HEX, 4), c.run(HEX, 4), 1 + c.below(9))),
    shape("private-network", "development", |c| format!("https://local{}:{}/callback", "host", 4000 + c.below(4000))),
    shape("personal-data", "private mail", |c| format!("{}{}{}{}proton.me", c.run(LOWER, 6), c.below(90), "", "@")),
    shape("personal-data", "work mail", |c| format!("{}.{}{}{}.io", c.run(LOWER, 4), c.run(LOWER, 7), "@", c.run(LOWER, 8))),
    shape("personal-data", "french phone", |c| format!("+33 6 {} {} {} {}", 10 + c.below(89), 10 + c.below(89), 10 + c.below(89), 10 + c.below(89))),
    shape("personal-data", "plain phone", |c| format!("+49{}{}", 151 + c.below(9), c.run("3679", 8))),
    shape("personal-data", "dashed phone", |c| format!("{}-{}-{}", 202 + c.below(700), 202 + c.below(700), 1000 + c.below(8999))),
    shape("document-link", "slides", |c| format!("https://docs.goo{}.com/presentation/d/{}/edit#slide=id.p", "gle", c.run(URL64, 44))),
    shape("document-link", "team site", |c| format!("https://{}.sharep{}.com/sites/{}/Shared%20Documents/plan.docx", c.run(LOWER, 6), "oint", c.word())),
    shape("document-link", "notion site", |c| format!("https://{}.not{}.site/{}-{}", c.run(LOWER, 6), "ion", c.word(), c.run(HEX, 32))),
    shape("document-link", "lark wiki", |c| format!("https://{}.lark{}.com/wiki/{}", c.run(LOWER, 6), "suite", c.run(ALNUM, 27))),
    shape("document-link", "confluence", |c| format!("https://confluence.{}.com/display/ENG/{}", c.run(LOWER, 7), c.word())),
    shape("document-link", "dropbox", |c| format!("https://www.dropb{}.com/scl/fi/{}/plan.pdf?rlkey={}", "ox", c.run(LOWER_DIGITS, 21), c.run(LOWER_DIGITS, 25))),
    shape("document-link", "board", |c| format!("https://miro.com/app/bo{}/{}=/", "ard", c.run(URL64, 11))),
    shape("ticket", "team", |c| format!("{}-{}", c.pick(&["PRODX", "INFRASEC"]), 10 + c.below(90_000))),
    shape("ticket", "branch", |c| format!("feature/acmepay-{}-retry", 100 + c.below(9000))),
    shape("ticket", "dated", |c| format!("t-2026{}-{}", c.run(DIGITS, 8), c.run(LOWER_DIGITS, 6))),
    shape("ticket", "azure board", |c| format!("https://dev.azure.com/{}/{}/_workitems/edit/{}", c.run(LOWER, 6), c.word(), part(c))),
    shape("ticket", "cloud tracker", |c| format!("https://{}.youtrack.cloud/issue/{}-{}", c.run(LOWER, 6), c.run(UPPER, 3), part(c))),
    shape("opaque-blob", "mail base64", |c| format!("{}\n{}\n{}", c.run(BASE64, 76), c.run(BASE64, 76), c.run(BASE64, 40))),
    shape("opaque-blob", "long hex", |c| c.run(HEX, 180)),
    shape("opaque-blob", "picture", |c| format!("data:image/png;base64,iVBORw0KGgo{}", c.run(BASE64, 140))),
    shape("invisible-character", "isolate", |c| format!("{}{}{}\u{2069}", c.word(), c.pick(&["\u{2066}", "\u{2067}", "\u{2068}"]), c.word())),
    shape("invisible-character", "filler", |c| format!("{}{}{}", c.word(), c.pick(&["\u{200b}\u{200b}", "\u{feff}", "\u{2063}", "\u{34f}"]), c.word())),
];
