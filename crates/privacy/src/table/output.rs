//! Output of tools: builds, tests, shells, diffs, dumps.

use crate::class::Class;
use crate::piece::Piece;
use crate::piece::Piece::Lit;
use crate::row::Trigger::{Likely, Words};
use crate::row::{Find, Row, Trigger};

/// A row of one pattern.
pub(super) const fn output(
    id: &'static str,
    what: &'static str,
    trigger: Trigger,
    pattern: &'static str,
    refused: &'static [&'static [Piece]],
    clean: &'static [&'static [Piece]],
) -> Row {
    let find = Find::Pattern { trigger, pattern, check: |_| true };
    Row { id, class: Class::ToolOutput, what, source: "what the tools print", find, refused, clean }
}

/// Whether three places in files may stand in a text: the last letter of an ending, then the number of a line.
fn may_list_places(text: &[u8]) -> bool {
    let is_place =
        |[ending, colon, line]: &&[u8; 3]| ending.is_ascii_lowercase() && *colon == b':' && line.is_ascii_digit();
    text.array_windows().filter(is_place).count() >= 3
}

/// The start of a line, whatever indents or quotes it.
macro_rules! line {
    () => {
        r#"(?m)(?:^|\n|["'=])[\s>|#*"'`/+:-]{0,24}"#
    };
}

pub(super) use line;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    output("colour-remains", "colour codes whose escape character was stripped",
        Words(&["[0m", "[1m", "[2m", "[3", "[4", "[9", "[m", "[0;", "[1;", "[2;"]), r"\[[0-9]{1,3}(?:;[0-9]{1,3}){0,4}m[^\[\n]{0,200}\[(?:0|39|49|22)?m",
        &[&[Lit("[32m"), Lit("ok[0m test_a")]], &[&[Lit("a [32m wide ditch")]]),
    output("compiler-message", "messages of a compiler or linter with their place",
        Words(&["error[", "error:", "warning:", "warning[", "error ts", "npm err", "npm error", "***", ": error", ": warning", ": fatal", ": note", "ld: ", "lld: ", "e   "]), r"\b(?:error|warning)(?:\[[A-Z][0-9]{2,6}\])?: [^\n]{1,200}\n[\s|>#/+*]{0,24}--> |[\w./-]{1,160}\.[a-z]{1,5}(?::[0-9]{1,7}:[0-9]{1,7}:|\([0-9]{1,7},[0-9]{1,7}\):) (?:fatal )?(?:error|warning|note)\b|error TS[0-9]{3,5}:|npm (?:ERR!|error code)|make(?:\[[0-9]{1,3}\])?: \*\*\* |ld(?:\.lld)?: (?:error|undefined)|\bE {3}\w{3,40}Error\b",
        &[&[Lit("error[E0308]: mismatched types\n --"), Lit("> src/x.rs:1:2")], &[Lit("x.c:12:5: err"), Lit("or: expected ';'")]],
        &[&[Lit("error: the gate is closed")], &[Lit("warning and error levels")]]),
    output("test-run", "the output of a test run",
        Words(&["... ok", "... failed", "... ignored", "test result:", "--- fail", "--- pass", "--- skip", "===", "passing (", "failing (", "tests: ", "not ok ", "build failed", "build success", ".py::", ".test.", ".spec."]),
        concat!(r"\btest [\w:<> ,.-]{1,160} \.\.\. (?:ok|FAILED|ignored)|test result: (?:ok|FAILED)\. [0-9]|--- (?:FAIL|PASS|SKIP): \w|={3,} (?:[0-9]{1,6} (?:passed|failed|error)|FAILURES|ERRORS|RUN|short test summary|test session starts)|\b[0-9]{1,6} (?:passing|failing) \([0-9]|Tests: {1,8}[0-9]{1,6} (?:failed|passed)[^\n]{0,60}total|\bnot ok [0-9]{1,6} |BUILD (?:FAILED|SUCCESSFUL|SUCCESS) in|\.py::[\w\[\]:-]{1,160} (?:PASSED|FAILED)|", line!(), r"(?:PASS|FAIL) [\w./-]{1,160}\.(?:test|spec)\.[jt]sx?\b"),
        &[&[Lit("test a ... o"), Lit("k\ntest b ... FAILED")], &[Lit("=== 1 fai"), Lit("led, 2 passed in 0.12s ===")], &[Lit("tests/test_x.py::test_a PAS"), Lit("SED")]],
        &[&[Lit("12 tests passed after the fix")], &[Lit("latest_validation: passed")]]),
    output("build-run", "the output of a build or an installation",
        Words(&["compiling ", "checking ", "downloaded ", "finished ", "step ", "[info]", "remote: ", "successfully ", "added ", "get:", "#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8", "#9"]),
        r"\b(?:Compiling|Checking|Downloaded) [\w-]{1,60} v[0-9]|Finished `?\w{2,20}`? (?:profile|\[)|\bStep [0-9]{1,3}/[0-9]{1,3} : |#[0-9]{1,3} \[[^\]\n]{1,60}[0-9]{1,2}/[0-9]{1,2}\]|\[INFO\] -{10}|remote: (?:Enumerating|Counting|Compressing|Resolving) |Successfully (?:installed|built) [\w-]{1,60}[ -][0-9a-f]|added [0-9]{1,6} packages?,? (?:and|in)|\bGet:[0-9]{1,4} http",
        &[&[Lit("   Comp"), Lit("iling serde v1.0.0")], &[Lit("added 12 pack"), Lit("ages in 3s")]], &[&[Lit("Compiling notes for the review")]]),
    output("shell-session", "commands at a prompt with what they printed",
        Words(&["$ ", "% ", "❯", "➜", "ps ", "@", ":\\"]),
        r#"(?m)(?:^|\\n|["'=\[>])[\s>|"'`]{0,8}(?:\$|❯|➜|%|PS [A-Za-z]:[^>\n]{0,80}>|[\w.-]{1,40}@[\w.-]{1,60}[: ][^\s$#]{0,80}[$#]) (?:sudo )?[a-z][\w./-]{0,60}(?: [^\n\\]{0,200})?(?:\r?\n|\\n)[ \t]{0,20}[^\s$%#`\xe2]|(?m)(?:^|["'=\[>+])[\s>|"'`]{0,8}(?:\xe2\x9e\x9c {1,2}[^\n]{1,80}git:\([^)\n]{1,80}\)|[A-Z]:\\[^>\n:]{0,80}>[a-z][\w.-]{0,40}(?: [^\n]{0,160})?\r?\n[^\n])"#,
        &[&[Lit("$ car"), Lit("go test\n   running 12 tests")], &[Lit("alice@box:~$ l"), Lit("s -la\ntotal 12")]], &[&[Lit("$ cargo test")], &[Lit("costs $ 5\nor less")]]),
    output("http-dump", "a request or answer of HTTP",
        Words(&["http/1", "http/2"]), concat!(line!(), r"[<>*]{0,1} ?(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT) \S{1,300} HTTP/[12](?:\.[01])?|HTTP/[12](?:\.[01])? [1-5][0-9]{2}\b)|HTTP/[12](?:\.[01])? [1-5][0-9]{2} [A-Z][A-Za-z ]{1,40}\r?\n[A-Za-z][A-Za-z-]{1,40}: "),
        &[&[Lit("> GET /v1/x HT"), Lit("TP/1.1\n> Host: api.example.net")], &[Lit("HT"), Lit("TP/1.1 500 Internal Server Error\nx: y")]], &[&[Lit("we speak HTTP/1.1 and HTTP/2")]]),
    output("unified-diff", "a diff",
        Words(&["diff --git", "@@ -", "+++ "]), r"diff --git a/|@@ -[0-9]{1,7}(?:,[0-9]{1,7})? \+[0-9]{1,7}(?:,[0-9]{1,7})? @@|--- (?:a/|/dev/null)[^\n]{0,200}(?:\n|\\n)\+\+\+ (?:b/|/dev/null)",
        &[&[Lit("diff --g"), Lit("it a/x.rs b/x.rs")], &[Lit("@@ -1,3 +1,"), Lit("3 @@\n-a\n+b")]], &[&[Lit("the diff is small")]]),
    output("stack-words", "the frames of a log line that carries a trace",
        Words(&["exit code", "exit status", "exited with", "failed with", "returned"]), r"(?i)(?:command|process|script|job)[^\n]{0,120} (?:failed with|exited with|returned)(?: an?)? (?:exit )?(?:code|status)[: ]{1,2}[0-9]{1,3}[^\n]{0,20}\n[^\n]{0,20}(?:stdout|stderr|output)\b",
        &[&[Lit("Command failed with exit co"), Lit("de 2\nstderr: no such file")]], &[&[Lit("the job exited with status 1")]]),
    output("layer-build", "what builders of container images print",
        Words(&["[+] building ", "=> [internal]", "=> cached", "=> error", "=> exporting", "=> [", "=> resolve ", "=> naming "]), r"\[\+\] Building [0-9]{1,6}\.[0-9]s \([0-9]{1,4}/[0-9]{1,4}\)|(?m)^[\s>|#*/+-]{0,12}=> (?:\[[^\]\n]{1,60}\]|CACHED|ERROR|exporting to|resolve |naming to )",
        &[&[Lit("[+] Building 12.3s (9/9) FIN"), Lit("ISHED\n => [internal] load build definition")], &[Lit(" => ERR"), Lit("OR [4/5] RUN make")], &[Lit("=> CACH"), Lit("ED [2/5] COPY . .")]], &[&[Lit("a => b in the proof")]]),
    output("transfer-run", "what git prints while it sends and fetches",
        Words(&["enumerating objects", "counting objects", "compressing objects", "writing objects", "receiving objects", "resolving deltas", " -> origin/", " -> main", " -> master", "fast-forward", "files changed,", "file changed,"]),
        r"\b(?:Enumerating|Counting|Compressing|Writing|Receiving) objects: {1,4}[0-9]|\bResolving deltas: {1,4}[0-9]|[0-9a-f]{7,12}\.\.\.?[0-9a-f]{7,12} {1,8}\S{1,80} {1,8}-> \S|\b[0-9]{1,6} files? changed, [0-9]{1,7} (?:insertions?|deletions?)\([+-]\)",
        &[&[Lit("Enumerating objects: 1"), Lit("2, done.")], &[Lit("Compressing obj"), Lit("ects:  45% (5/11)")], &[Lit(" 3 files chan"), Lit("ged, 12 insertions(+), 1 deletion(-)")]], &[&[Lit("counting objects in the bucket")], &[Lit("main -> master is renamed")]]),
    output("package-run", "what package managers print",
        Words(&["reading package lists", "the following new packages", "setting up ", "preparing to unpack", "downloading "]), r"Reading package lists\.\.\. ?Done|The following NEW packages will be|\bSetting up [\w.+-]{1,60}(?::\w{2,10})? \([0-9]|Preparing to unpack |Collecting [\w.\[\]-]{1,60}[^\n]{0,60}\n\s{1,8}Downloading ",
        &[&[Lit("Reading pack"), Lit("age lists... Done")], &[Lit("Collecting requests\n  Down"), Lit("loading requests-2.31.0-py3-none-any.whl")]], &[&[Lit("setting up the runner")]]),
    output("build-tool", "what build tools print",
        Words(&["> task :", "build failed with", "analyzed ", "build:", "] building", "] linking", "] generating", "] running", "-- configuring done", "-- generating done", "---> ", "intermediate container", "entering directory", "leaving directory"]),
        r"> Task :[\w:-]{1,80}|FAILURE: Build failed with|INFO: Analyzed [^\n]{0,120}(?:packages? loaded|configured\))|\b(?:INFO|ERROR|WARNING): [^\n]{1,160}\bBUILD(?:\.bazel)?:[0-9]|\[[0-9]{1,6}/[0-9]{1,6}\] (?:Building|Linking|Generating|Running) |-- (?:Configuring|Generating) done|---> (?:Running in )?[0-9a-f]{12}|Removing intermediate container|make(?:\[[0-9]{1,3}\])?: (?:Entering|Leaving) directory",
        &[&[Lit("> Task :compile"), Lit("Java FAILED")], &[Lit("[12/345] Buil"), Lit("ding CXX object x.o")]], &[&[Lit("task: building the page")]]),
    output("linter-report", "what linters and test runners report",
        Words(&["problem (", "problems (", "  error  ", "  warning  ", "errors in ", "error in ", " examples, ", " example, ", "<testsuite", "<testcase", "tap version", "test files ", ".py:", ".go:", ".rs:", ".ts:", ".js:", ".c:", ".h:", ".cc:", ".cpp:", ".java:", ".kt:", ".rb:", ".swift:", ".sh:", "● "]),
        concat!(r"\xe2\x9c\x96 [0-9]{1,6} problems? \(", r"|\bFound [0-9]{1,6} errors? in [0-9]{1,6} file|\b[0-9]{1,6} examples?, [0-9]{1,6} failures?\b|<testsuites?\s[^>\n]{0,200}(?:tests|failures)=|<testcase\s|TAP version [0-9]|Test Files  [0-9]|\bexpect\(received\)|", line!(), r"(?:[0-9]{1,6}:[0-9]{1,5}\s{1,8}(?:error|warning)\s{2}|(?:[A-Za-z0-9_@-][\w./@-]{0,160}|\.{1,2}/[\w./@-]{1,160})\.(?:go|py|rs|tsx?|jsx?|cc?|cpp|h|hpp|java|kt|rb|swift|sh):[0-9]{1,7}:[0-9]{1,7}: \S)"),
        &[&[Lit("src/x.ts\n  3:5  err"), Lit("or  'x' is never used  no-unused-vars")], &[Lit("./x.go:3:"), Lit("5: undefined: y")], &[Lit("12 exam"), Lit("ples, 1 failure")]],
        &[&[Lit("see src/x.rs:3 for the reason")], &[Lit("two examples, no failure")]]),
    output("place-lines", "lines that each begin with a place in a file, as searches print them",
        Likely(&[".py:", ".go:", ".rs:", ".ts:", ".js:", ".c:", ".h:", ".cc:", ".cpp:", ".java:", ".kt:", ".rb:", ".md:", ".yaml:", ".yml:", ".toml:", ".json:", ".txt:", ".sh:", ".html:", ".css:"], may_list_places),
        r"(?m)(?:^[ \t>|]{0,8}[\w./-]{1,120}\.[a-z]{1,5}:[0-9]{1,7}:[^\n]{0,300}\n){2}[ \t>|]{0,8}[\w./-]{1,120}\.[a-z]{1,5}:[0-9]{1,7}:",
        &[&[Lit("src/x.rs:3:fn main() {\nsrc/y.rs:10:f"), Lit("n run() {\nsrc/z.rs:7:fn stop() {")]], &[&[Lit("src/x.rs:3: one note\nand a second line")]]),
    output("listing", "listings of files, disks, processes and containers",
        Words(&["rwx", "rw-", "r--", "r-x", "filesystem ", "pid ", "ready ", "container id"]),
        concat!(line!(), r"(?:[dlbcps-][r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-][.+@]?\s{1,4}[0-9]{1,6} |Filesystem {2,}(?:Size|1K-blocks|Type|Inodes)|USER {2,}PID {1,}%CPU|PID {1,}(?:USER|TTY)\b|NAME {2,}READY {1,}STATUS|CONTAINER ID {2,}IMAGE)"),
        &[&[Lit("drwxr-xr"), Lit("-x  2 x x 4096 Mar 12 10:41 src")], &[Lit("NAME        READY   STA"), Lit("TUS    RESTARTS   AGE")]], &[&[Lit("mode drwxr-xr-x is kept")]]),
    output("git-output", "what git prints",
        Words(&["on branch ", "author: ", "rejected]", "not staged", "untracked files", "failed to push", "conflict (", "your branch is "]),
        r"\bcommit [0-9a-f]{40}[^\n]{0,80}\s{1,8}(?:Merge: [^\n]{1,80}\s{1,8})?Author: |On branch \S{1,120}\s{1,8}(?:Your branch|Changes|nothing to commit|Untracked|No commits)|! \[(?:remote )?rejected\]|Changes not staged for commit:|error: failed to push some refs|CONFLICT \([a-z/ ]{3,30}\): ",
        &[&[Lit("On branch main\nYour bra"), Lit("nch is up to date with 'origin/main'.")], &[Lit(" ! [rej"), Lit("ected]        main -> main (fetch first)")]], &[&[Lit("the commit was rejected by the author")]]),
    output("patch-text", "a patch in the form of agents",
        Words(&["*** begin patch", "*** update file", "*** add file", "*** delete file"]), r"\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File: )",
        &[&[Lit("*** Begin Pa"), Lit("tch\n*** Update File: src/x.rs")]], &[&[Lit("begin the patch")]]),
    output("database-session", "what database clients print",
        Words(&[" row)", " rows)", "in set (", "=# ", "=> "]), r"(?m)\n\s{0,4}\([0-9]{1,9} rows?\)|\b[0-9]{1,9} rows? in set \(|^[\w-]{1,30}=[#>] (?i:select|insert|update|delete|explain|\\d|create|drop|alter)\b",
        &[&[Lit(" id | name \n----+------\n  1 | x\n(1 r"), Lit("ow)")], &[Lit("1 row in se"), Lit("t (0.00 sec)")]], &[&[Lit("keep the first (three rows)")]]),
    output("interpreter-session", "an interactive interpreter with what it printed",
        Words(&[">>> ", "out["]), r"(?m)^[\s|]{0,8}>>> (?:import |from |print\(|[A-Za-z_]\w{0,40}(?: = |\(|\.|\[)|[0-9]{1,9} ?[-+*/%])[^\n]{0,300}\n[\s|]{0,8}[^\s>.]|\bIn ?\[[0-9]{1,4}\]: [^\n]{1,300}\s{1,4}Out ?\[[0-9]{1,4}\]:",
        &[&[Lit(">>> len(x"), Lit(")\n12")], &[Lit("In [1]: x\nOu"), Lit("t[1]: 12")]], &[&[Lit(">>> quoted three times\nand answered")]]),
    output("infrastructure-run", "what tools print that run machines",
        Words(&["to add, ", "terraform will", "play [", "task [", "play recap", "active: ", ".service - ", "]: unreachable", "]: failed!", "fatal: ["]),
        r"Plan: [0-9]{1,5} to add, [0-9]{1,5} to change, [0-9]{1,5} to destroy|Terraform will perform the following|\b(?:PLAY|TASK) \[[^\]\n]{1,120}\] \*{3}|PLAY RECAP \*|\bfatal: \[[\w.-]{1,80}\]: |\bActive: (?:active|failed|inactive|activating) \(|\xe2\x97\x8f [\w@.-]{1,80}\.service - ",
        &[&[Lit("Plan: 1 to ad"), Lit("d, 0 to change, 0 to destroy.")], &[Lit("     Active: fai"), Lit("led (Result: exit-code)")], &[Lit("fatal: [web-"), Lit("1]: no route")]], &[&[Lit("active: a plan to add, later")]]),
    output("network-run", "what tools print that speak to hosts",
        Words(&["icmp_seq=", "awaiting response", "* connected to", ";; answer", ";; query time", "trying ", "* ssl connection"]),
        r"[0-9]{1,5} bytes from [^\n]{1,120}icmp_seq=|HTTP request sent, awaiting response|\* Connected to \S{1,100} \(|;; (?:ANSWER SECTION|Query time)|\* +Trying [0-9a-f.:]{4,40}|\* SSL connection using",
        &[&[Lit("64 bytes from 203.0.113.9: icmp_s"), Lit("eq=1 ttl=56 time=12.3 ms")], &[Lit("HTTP request sent, await"), Lit("ing response... 404 Not Found")], &[Lit("*   Try"), Lit("ing 203.0.113.9:443...")]], &[&[Lit("awaiting response of the owner")]]),
    output("system-calls", "system calls as they were traced",
        Words(&["at_fdcwd", "= -1 e", ") = 0"]), r"\bopenat\(AT_FDCWD|\b(?:read|write|close|mmap|munmap|execve|futex|fstat|stat|ioctl|brk|poll|connect|access)\([^\n]{0,200}\) {1,12}= (?:-1 E[A-Z]{3,12}|0\s{1,4}[a-z_]{3,12}\()",
        &[&[Lit("openat(AT_F"), Lit("DCWD, \"/etc/x\", O_RDONLY) = 3")]], &[&[Lit("let x = read(3) = 0")]]),
    output("environment", "the variables of a shell",
        Words(&["shlvl=", "ls_colors=", "oldpwd=", "logname=", "ssh_connection=", "ssh_auth_sock=", "ssh_client=", "dbus_session"]), r"(?m)(?:^|\\n|\s|export )(?:SHLVL|LS_COLORS|OLDPWD|LOGNAME|SSH_CONNECTION|SSH_AUTH_SOCK|SSH_CLIENT|DBUS_SESSION_BUS_ADDRESS)=[^\s$<]",
        &[&[Lit("SHELL=/bin/bash\nSHL"), Lit("VL=1")]], &[&[Lit("set OLDPWD=$PWD first")]]),
    output("captured-streams", "the streams of a process that was run",
        Words(&["stdout", "stderr"]), concat!(r#"["']std(?:out|err)\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'][^\n]{0,2000}?["']std(?:err|out)\\{0,3}["']\s{0,4}:|"#, line!(), r"(?i:captured )?std(?:out|err)(?: call)?:[ \t]{0,4}\r?\n[^\n]{1,300}\n[\s\S]{0,1000}?\bstd(?:out|err):[ \t]{0,4}\r?\n"),
        &[&[Lit("{\"stdout\": \"ok\", \"std"), Lit("err\": \"boom\", \"exit_code\": 1}")], &[Lit("stdout:\nrunning 3 tests\nstde"), Lit("rr:\nwarning: unused")]], &[&[Lit("stdout: results; stderr: everything else")]]),
    output("numbered-lines", "the lines of a file with their numbers",
        Words(&["1\t", "2\t", "3\t", "1→", "2→", "3→"]), r"(?m)(?:^ {0,8}[0-9]{1,6}\xe2\x86\x92[^\n]{0,300}\n){2}|(?:^ {2,8}[0-9]{1,6}\t[^\n]{0,300}\n){2} {2,8}[0-9]{1,6}\t",
        &[&[Lit("     1\tfn main() {\n     2\t    pr"), Lit("intln!();\n     3\t}")]], &[&[Lit("1\tone\t2\n2\ttwo\t3\n3\tthree\t4")]]),
    output("runner-mark", "marks of a hosted runner",
        Words(&["##[", "::error", "::warning", "::group"]), r"##\[(?:group|endgroup|error|warning|command|section|debug)\]|(?m)^::(?:error|warning|notice)(?: |::)[^\n]{1,200}",
        &[&[Lit("##[err"), Lit("or]Process completed with exit code 101.")]], &[&[Lit("## [error] codes")]]),
];
