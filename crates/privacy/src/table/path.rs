//! Absolute paths of somebody's machine.

use crate::class::Class;
use crate::match_context::MatchContext;
use crate::piece::Piece::Lit;
use crate::row::Trigger::{Likely, Shape, Words};
use crate::row::{Find, Row};
use crate::shape::{self, LETTER, goes_on};

/// One part of a path; the characters of placeholders (`<user>`, `$USER`, `{name}`) are no part of a name.
macro_rules! name {
    () => {
        r#"[^\s"'`<>$%{}()\[\]*|,;:\\/?&#]{1,80}"#
    };
}

/// The rest of a path.
macro_rules! rest {
    () => {
        r#"(?:/[^\s"'`<>|;,()\[\]]{0,200})?"#
    };
}

/// A row of one pattern.
macro_rules! path {
    ($id:literal, $what:literal, $trigger:expr, $pattern:expr, $check:expr, $refused:expr, $clean:expr) => {
        Row {
            id: $id,
            class: Class::LocalPath,
            what: $what,
            source: "path forms of the operating systems, and reports in which each leaked",
            find: Find::Pattern { trigger: $trigger, pattern: $pattern, check: $check },
            refused: $refused,
            clean: $clean,
        }
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    path!(
        "home-folder", "somebody's home folder",
        Words(&["/home", "/users/"]),
        concat!(r"/{1,2}(?:(?:export|var|usr|usr/local/google|system|nfs|net(?:/[\w.-]{1,60})?|backups?)/)?(?i:homes?[0-9]?|users)/{1,2}", name!(), rest!()),
        |context| starts_path(context) && !is_route(context) && names_somebody(context.matched()),
        &[&[Lit("see /ho"), Lit("me/alice/notes.md")], &[Lit("HOME=/ho"), Lit("me/sample")], &[Lit("-v/ho"), Lit("me/sample:/data")],
            &[Lit("(/Us"), Lit("ers/sample/Library)")], &[Lit("unexpected argument '--/ho"), Lit("me/sample/x' found")], &[Lit("[x.rs](/Us"), Lit("ers/sample/x.rs:12)")], &[Lit("<p>/ho"), Lit("me/sample</p>")], &[Lit("+/ho"), Lit("me/sample/x")], &[Lit("see /us"), Lit("ers/sample/plan.txt")], &[Lit("path:/ho"), Lit("me/sample/x")]],
        &[&[Lit("https://example.org/home/page")], &[Lit("docs/home/index.md")], &[Lit("/home/<user>/x")], &[Lit("/Users/$USER/x")],
            &[Lit("open the /home/feed route")], &[Lit("the folder /home/")], &[Lit("s3://bucket/home/item")], &[Lit("GET /users/42")],
            &[Lit("see /home/ sample/x")], &[Lit("[start](/home/start)")]]
    ),
    path!(
        "root-home", "the home folder of the superuser",
        Words(&["/root/"]),
        concat!(r"/{1,2}root/", name!(), rest!()),
        |context| starts_path(context) && !is_route(context),
        &[&[Lit("cached in /ro"), Lit("ot/.cache/x")]],
        &[&[Lit("<project>/root/x")], &[Lit("tree/root/leaf")]]
    ),
    path!(
        "variable-data", "folders for variable data, many named after people",
        Words(&["/private/", "/var/"]),
        concat!(r"/{1,2}(?:private(?:/(?:tmp|var|etc))?|var/(?:folders|mail|spool|lib|log|tmp|run|db|www|opt|cache|backups|mobile))/", name!(), rest!()),
        |context| starts_path(context) && !is_route(context),
        &[&[Lit("in /private/v"), Lit("ar/folders/ab/k7Qz2mXw9R/T/x")], &[Lit("mail in /va"), Lit("r/mail/alice")]],
        &[&[Lit("src/var/lib/x")]]
    ),
    path!(
        "runtime-folder", "the runtime folder of a user",
        Words(&["/run/"]),
        concat!(r"/run/(?:user|media)/", name!(), rest!()),
        starts_path,
        &[&[Lit("socket /ru"), Lit("n/user/1000/x.sock")]],
        &[&[Lit("a dry/run/user test")]]
    ),
    path!(
        "process-folder", "the folder of a running process",
        Words(&["/proc/"]),
        concat!(r"/proc/[0-9]{1,10}/(?:cwd|root|fd|map_files|environ)/?", r#"(?:[^\s"'`<>|;,()\[\]]{0,200})?"#),
        starts_path,
        &[&[Lit("reads /pr"), Lit("oc/4711/cwd/src/lib.rs")]],
        &[&[Lit("see /proc/cpuinfo")], &[Lit("read /proc/self/environ")]]
    ),
    path!(
        "temporary-folder", "a folder for temporary files",
        Words(&["/tmp/"]),
        concat!(r"/tmp/", name!(), rest!()),
        |context| starts_path(context) && is_specific(context.matched()),
        &[&[Lit("wrote /t"), Lit("mp/sample-run/out.json")], &[Lit("/t"), Lit("mp/x/y")]],
        &[&[Lit("the /tmp/x convention is documented")], &[Lit("s3://bucket/tmp/item")]]
    ),
    path!(
        "mounted-folder", "mounts, volumes and shared data",
        Words(&["/mnt/", "/media/", "/srv/", "/opt/", "/etc/", "/data/", "/nix/", "/volumes/", "/library/", "/applications/", "/cygdrive/", "/github/", "/builds/", "/scratch/", "/storage/", "/sdcard/", "/__w/", "/afs/", "/lustre/", "/gpfs/", "/workspace", "/wsl"]),
        concat!(r"/{1,2}(?:Volumes|workspaces?|wsl(?:\$|\.localhost)|srv|mnt|media|cygdrive|scratch|__w|sdcard|afs|lustre|gpfs|github/(?:workspace|home)|nix/store|(?:opt|etc|data|builds|storage|Library|Applications)/", name!(), r")/", name!(), rest!()),
        |context| starts_path(context) && !is_route(context),
        &[&[Lit("cloned to /work"), Lit("space/repo")], &[Lit("copied to /Vol"), Lit("umes/Disk/x")], &[Lit("mounted at /mn"), Lit("t/disk/one")],
            &[Lit("see /mn"), Lit("t/c/Users/sample/x")], &[Lit("see //ws"), Lit("l$/Ubuntu/opt")], &[Lit("installed in /op"), Lit("t/sample/bin")], &[Lit("stored in /da"), Lit("ta/sample/run")]],
        &[&[Lit("https://example.org/data/sample/run")], &[Lit("GET /data/items/3")], &[Lit("see /etc/hosts")]]
    ),
    path!(
        "storage-root", "a root folder named after storage or builds",
        Shape(ROOTED),
        concat!(r"/[a-z0-9_.-]{0,20}(?:data|build|work|scratch|disk|nfs|jenkins|box)[a-z0-9_.-]{0,20}/", name!(), rest!()),
        |context| starts_path(context) && !is_route(context),
        &[&[Lit("checked out at /build"), Lit("box/main/src")], &[Lit("see /ext_"), Lit("data/x")], &[Lit("in /wo"), Lit("rk/project/x")]],
        &[&[Lit("https://example.org/build/item")], &[Lit("docs/data/x")], &[Lit("PUT /build/7/cancel")]]
    ),
    path!(
        "source-file", "the absolute path of a source, settings or log file",
        Shape(ROOTED),
        concat!(r"/", name!(), r"/", name!(), r"(?:/", name!(), r"){0,12}\.(?:rs|py|go|c|cc|cpp|h|hpp|java|kt|rb|php|ts|tsx|jsx|cs|swift|sh|toml|ya?ml|lock|log|txt|md|csv|sqlite|db|env|pem|key|ipynb|jsonl|patch|diff|conf|ini|sql|bak|dump|parquet|safetensors|ckpt|zip|tgz|gz|pdf|docx|xlsx)\b"),
        |context| starts_path(context) && !is_route(context) && !is_system(context.matched()),
        &[&[Lit("fails in /re"), Lit("po/crates/core/src/lib.rs")]],
        &[&[Lit("edit src/lib/parse.rs and docs/readme.md")], &[Lit("see /path/to/file.rs")], &[Lit("https://example.org/a/b.md")], &[Lit("/usr/share/doc/x.txt")]]
    ),
    path!(
        "drive-letter", "a path with a drive letter",
        Shape(shape::Shape { at: [LETTER, b":", b"\\/"], stands: |text, at| text[at + 2] == b'\\' || text.get(at + 3).is_some_and(|&byte| byte != b'/') }),
        concat!(r"[A-Za-z]:(?:\\{1,4}|/)(?:(?i:documents and settings|program files(?: \(x86\))?|users)(?:\\{1,4}|/)", name!(), r#"(?:[\\/][^\s"'`<>|;,]{0,200})?|"#, name!(), r"(?:(?:\\{1,4}|/)", name!(), r"){1,40})"),
        is_drive,
        &[&[Lit(r"see C:\Us"), Lit(r"ers\sample\x.txt")], &[Lit(r"see C:\\Us"), Lit(r"ers\\sample")], &[Lit("see D:/wo"), Lit("rk/private/x")],
            &[Lit(r"see C:\Docu"), Lit(r"ments and Settings\sample")], &[Lit(r"see C:\Progr"), Lit(r"amData\x")], &[Lit(r"see c:\us"), Lit(r"ers\sample")]],
        &[&[Lit("C: option was rejected, D: option accepted")], &[Lit(r"C:\Users\<name>\x")], &[Lit("ratio a:/b")], &[Lit(r"plan B:\nnext line\nlast line")]]
    ),
    path!(
        "network-share", "a network share or a long Windows path",
        Words(&["\\\\"]),
        r#"\\{2,8}(?:[?.]\\{1,4}(?:[A-Za-z]:|UNC|[\w-]{3,60}\\)|[A-Za-z0-9\x80-\xff][\w.$\x80-\xff-]{1,60}\\{1,4}[\w.$\x80-\xff-]{1,80})(?:\\{1,4}[^\s"'`<>|\\]{1,80}){0,20}"#,
        is_share,
        &[&[Lit(r"see \\file"), Lit(r"server\share\x")], &[Lit(r"see \\"), Lit(r"?\C:\work\x\y")], &[Lit(r"\\ws"), Lit(r"l$\Ubuntu\home\sample")], &[Lit(r"\\\\fs3\\al"), Lit(r"ice$\\share")]],
        &[&[Lit(r#""first\\nsecond\\nthird""#)], &[Lit(r"\\d+\\w*")], &[Lit(r"\\?\C:\Windows")], &[Lit(r"\\uD834\\uDD1E")]]
    ),
    path!(
        "drive-folder", "a Windows drive as Unix shells on Windows write it",
        Shape(shape::Shape { at: [b"/", LETTER, b"/"], stands: |text, at| goes_on(text, at, b"/a/a") }),
        concat!(r"/[a-zA-Z]/(?i:users|home|work|projects|dev|src|code|repos|program files)/", name!(), rest!()),
        starts_path,
        &[&[Lit("see /c/Us"), Lit("ers/sample/x")]],
        &[&[Lit("docs/c/users/x")]]
    ),
    path!(
        "home-shorthand", "a path below a home folder, by its shorthand",
        Likely(&["~"], may_name_home),
        concat!(r"~(?:[A-Za-z\x80-\xff][A-Za-z0-9._\x80-\xff-]{0,40})?/", name!(), rest!()),
        |context| {
            let before = context.before();
            let starts = before.is_ascii_whitespace() || matches!(before, b'"' | b'\'' | b'`' | b'(' | b'[' | b'=' | b':' | b',' | b';' | b'|' | b'<' | b'>' | b'{' | b'*') || before >= 0x80 || matches!(before, b'+' | b'-') && context.follows_mark();
            starts && !is_of_every_home(context.matched())
        },
        &[&[Lit("key in ~"), Lit("/.ssh/id_ed25519")], &[Lit("see ~"), Lit("sample/notes")]],
        &[&[Lit("path: ~/.cargo/bin/sample")], &[Lit("use ~5 turns, then stop")], &[Lit("about ~3/4 of them")], &[Lit("https://example.org/~sample/x")], &[Lit("HEAD~/x")]]
    ),
    path!(
        "folded-home", "a home folder written with dashes, as agents name the folders of their sessions",
        Words(&["-users-", "-home-"]),
        r"-(?:Users|home)(?:-[A-Za-z0-9._]{1,60}){2,12}",
        |context| {
            let starts = context.before().is_ascii_whitespace() || matches!(context.before(), b'"' | b'\'' | b'`' | b'/' | b'(' | b'=' | b':');
            starts && (context.matched().starts_with(b"-Users") || context.matched().iter().filter(|&&byte| byte == b'-').count() >= 4)
        },
        &[&[Lit("the folder -Us"), Lit("ers-sample-project")], &[Lit("projects/-ho"), Lit("me-sample-work-project")]],
        &[&[Lit("take-home-pay-and-more")], &[Lit("pass -home-folder")]]
    ),
    path!(
        "file-link", "a link that opens a local file",
        Words(&["file:/", "vscode", "cursor://", "windsurf://", "zed://", "idea://", "jetbrains://", "txmt://", "subl://", "mvim://", "emacs://", "atom://", "trae://", "kiro://", "smb://", "afp://", "nfs://"]),
        r#"(?i)(?:file:/{1,4}|(?:vscode[a-z-]{0,10}|cursor|windsurf|zed|idea|jetbrains|txmt|subl|mvim|emacs|atom|trae|kiro)://(?:file|open|[\w.-]{1,40}/|[\w.+-]{1,80})[/?]|(?:smb|afp|nfs)://[\w.-]{1,60}/)[^\s"'`<>${}*]{2,300}"#,
        |context| !context.before().is_ascii_alphanumeric() && !context.matched().windows(7).any(|part| part == b"path/to"),
        &[&[Lit("open file:/"), Lit("//home/sample/x.html")], &[Lit("open vscode:"), Lit("//file/home/sample/x.rs")], &[Lit("open file:"), Lit("//host.example/share/x")], &[Lit("smb:"), Lit("//nas01/share/sample")]],
        &[&[Lit("a profile:/ key")], &[Lit("file:///path/to/repo")], &[Lit("the file: /x")]]
    ),
];

/// A slash that may begin a path.
const ROOTED: shape::Shape = shape::Shape {
    at: [b"\n\t\r\x0b\x0c \"'`(=:,[>|\x80", b"/", b"abcdefghijklmnopqrstuvwxyz0123456789_.-"],
    stands: |text, at| text.get(at).is_none_or(|byte| BEFORE_PATH.contains(byte) || *byte >= 0x80),
};

/// What may stand before the slash that begins a path.
const BEFORE_PATH: &[u8] = b"\n\t\r\x0b\x0c \"'`(=:,[>|";

/// Whether a slash begins an absolute path: neither inside a URL nor behind a relative one.
fn starts_path(context: &MatchContext<'_>) -> bool {
    let left = context.joined_left();
    match context.before() {
        b':' => !context.matched().starts_with(b"//"),
        b'>' => !left.contains(&b'<') || context.right().starts_with(b"</"),
        b'(' => !left.ends_with(b"](") || is_of_machine(context.matched()),
        b'-' => context.follows_mark() || follows_dashes(left),
        b'+' => context.follows_mark(),
        b'*' => left.ends_with(b"**") && context.matched().ends_with(b"**"),
        b'"' | b'\'' => {
            ![&b"href="[..], b"src=", b"action=", b"to="].iter().any(|link| left[..left.len() - 1].ends_with(link))
        }
        b'.' => left.ends_with(b"..."),
        b'_' | b'/' | b'~' | b'}' | b')' | b']' | b'%' | b'\\' | b'#' => false,
        before if before.is_ascii_alphanumeric() => is_flag(left),
        _ => true,
    }
}

/// Whether nothing but dashes, and a quote before them, is written before a path: an argument that was meant as one.
fn follows_dashes(left: &[u8]) -> bool {
    left.iter().all(|byte| matches!(byte, b'-' | b'"' | b'\'' | b'`'))
}

/// Whether a text may hold the shorthand of a home folder: behind the tilde stands no number, and behind blanks no word
/// but the mark of a seam at which the shorthand is split.
fn may_name_home(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'~').skip(1).any(|behind| {
        match behind.iter().position(|byte| !matches!(byte, b' ' | b'\t')) {
            Some(0) => !behind[0].is_ascii_digit(),
            Some(at) => !behind[at].is_ascii_alphanumeric(),
            None => false,
        }
    })
}

/// Whether a path that a link leads to is one of a machine, and no address below the root of a web site.
fn is_of_machine(path: &[u8]) -> bool {
    const ROOTS: &[&[u8]] = &[
        b"/Users/",
        b"/private/",
        b"/Volumes/",
        b"/var/folders/",
        b"/root/",
        b"/mnt/",
        b"/tmp/",
        b"/var/",
        b"/run/",
        b"/workspace",
        b"/scratch/",
        b"/export/",
        b"/nfs/",
    ];
    let parts = path.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).count();
    ROOTS.iter().any(|root| path.starts_with(root)) || path.starts_with(b"/home/") && parts >= 3
}

/// Whether what stands before a path is a flag or a command that was glued to it: `-v/...`, `cd/...`.
fn is_flag(left: &[u8]) -> bool {
    let left = left.rsplit(|byte| matches!(byte, b'"' | b'\'' | b'`')).next().unwrap_or(left);
    left == b"cd" || left.len() == 2 && left[0] == b'-' && left[1].is_ascii_alphabetic()
}

/// Whether the words around say that this is the path of a web address.
fn is_route(context: &MatchContext<'_>) -> bool {
    const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options", "route", "endpoint", "url"];
    const NOUNS: &[&str] =
        &["route", "routes", "endpoint", "endpoints", "page", "url", "urls", "handler", "screen", "api"];
    context.follows_word(VERBS, 1) || context.precedes_word(NOUNS, 1) && context.behind() == b' '
}

/// Whether the part behind the home root names somebody; `/users/42` is an address of a web service.
fn names_somebody(path: &[u8]) -> bool {
    const NOBODY: &[&[u8]] =
        &[b"username", b"you", b"yourname", b"your-name", b"your-user", b"your_user", b"...", b"me"];
    let mut parts = path.split(|&byte| byte == b'/').filter(|part| !part.is_empty());
    let root = parts.find(|part| part.to_ascii_lowercase().starts_with(b"home") || part.eq_ignore_ascii_case(b"users"));
    let Some(name) = parts.next() else { return false };
    let file = parts.next_back().is_some_and(|last| last.contains(&b'.'));
    !NOBODY.contains(&name) && (root != Some(b"users") || file)
}

/// Whether a path below `/tmp` is more than the mention of the folder.
fn is_specific(path: &[u8]) -> bool {
    let below = &path[b"/tmp/".len()..];
    let parts = below.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).count();
    parts >= 2
        || below.len() >= 5 && below.iter().any(|byte| matches!(byte, b'-' | b'_' | b'.') || byte.is_ascii_digit())
}

/// Whether a path is the same on every machine, or a placeholder.
fn is_system(path: &[u8]) -> bool {
    [
        &b"/usr/"[..],
        b"/bin/",
        b"/dev/",
        b"/proc/",
        b"/sys/",
        b"/lib/",
        b"/path/",
        b"/etc/",
        b"/absolute/",
        b"/some/",
        b"/foo/",
    ]
    .iter()
    .any(|root| path.starts_with(root))
}

/// Whether a letter and a colon begin a Windows path, and not the end of a word or an escaped line break.
fn is_drive(context: &MatchContext<'_>) -> bool {
    let path = context.matched();
    let body = &path[2..];
    let separators = body.iter().take_while(|byte| matches!(byte, b'\\' | b'/')).count();
    let first = body[separators..].split(|byte| matches!(byte, b'\\' | b'/')).next().unwrap_or_default();
    let lone_root =
        first.eq_ignore_ascii_case(b"users") && !body[separators + first.len()..].iter().any(u8::is_ascii_alphanumeric);
    let escape = separators == 1
        && body[0] == b'\\'
        && matches!(first.first(), Some(b'n' | b'r' | b't' | b'u' | b'x' | b'b' | b'f'))
        && body[separators + first.len()..]
            .windows(2)
            .filter(|pair| pair[0] == b'\\')
            .all(|pair| matches!(pair[1], b'n' | b'r' | b't' | b'u'));
    let glued = context.before().is_ascii_alphanumeric();
    let short = body.starts_with(b"/") && path.len() < 6;
    !glued && !lone_root && !escape && !short
}

/// Whether two backslashes begin a share, and not escaped line breaks or a regular expression.
fn is_share(context: &MatchContext<'_>) -> bool {
    let path = context.matched();
    let mut parts = path.split(|&byte| byte == b'\\').filter(|part| !part.is_empty());
    let letters = |part: Option<&[u8]>| part.and_then(|part| part.first().copied());
    let (server, share) = (letters(parts.next()), letters(parts.next()));
    let breaks = matches!(server, Some(b'n' | b'r' | b't'))
        && matches!(share, Some(b'n' | b'r' | b't'))
        && !path.contains(&b'$');
    let codes = server == Some(b'u')
        && path.iter().skip_while(|&&byte| byte == b'\\').skip(1).take(4).all(u8::is_ascii_hexdigit);
    let short = server == Some(b'?')
        && !path.windows(5).any(|part| part.eq_ignore_ascii_case(b"users"))
        && path.split(|&byte| byte == b'\\').filter(|part| !part.is_empty()).count() < 4;
    let before = context.before();
    let starts = before.is_ascii_whitespace()
        || matches!(before, b'+' | b'-') && context.follows_mark()
        || matches!(before, b'"' | b'\'' | b'`' | b'(' | b'[' | b'=' | b':' | b',' | b';' | b'|' | b'#' | b'>' | b'<');
    (starts || before >= 0x80) && !breaks && !codes && !short
}

/// Whether a path leads where a tool installs programs in every home alike: it names nobody and is no secret of a machine.
fn is_of_every_home(path: &[u8]) -> bool {
    [&b"~/.cargo/bin"[..], b"~/.local/bin", b"~/.rustup/"].iter().any(|folder| path.starts_with(folder))
}
