//! Traces: where a program was when it failed.

use super::output::{line, output};
use crate::piece::Piece::Lit;
use crate::row::Row;
use crate::row::Trigger::Words;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    output("python-trace", "a Python traceback",
        Words(&["traceback (most", ", line ", "the above exception"]), r#"Traceback \(most recent call last\)|\bFile \\{0,3}["'][^"'\n]{1,200}["'], line [0-9]{1,7}, in |[Tt]he above exception(?:, another exception occurred| was the direct cause)"#,
        &[&[Lit("Traceback (most re"), Lit("cent call last):\n  File \"app/m.py\", line 3, in run")]], &[&[Lit("stack trace omitted, see evidence pointer")]]),
    output("javascript-trace", "a JavaScript stack trace",
        Words(&[".js:", ".ts:", ".mjs:", ".cjs:", ".jsx:", ".tsx:", "anonymous>", "node:", ".vue:"]), concat!(line!(), r"at (?:[\w.$<>\[\] ]{1,120} \()?[^\s()]{1,200}:[0-9]{1,7}:[0-9]{1,7}\)?|\b[\w.$<>/]{0,80}@https?://[^\s@]{1,200}:[0-9]{1,7}:[0-9]{1,7}\b"),
        &[&[Lit("TypeError: x is not a function\n    at ru"), Lit("n (src/a.js:3:7)")]], &[&[Lit("meet at 10:30:00 in room 4")]]),
    output("rust-panic", "a Rust panic or backtrace",
        Words(&["panicked at", "stack backtrace:"]), r"thread '[^'\n]{1,80}'(?: \([0-9]{1,9}\))? panicked at|\bpanicked at [^\n]{1,200}:[0-9]{1,7}:[0-9]{1,7}|stack backtrace:",
        &[&[Lit("thread 'main' pan"), Lit("icked at src/main.rs:3:5:\nindex out of bounds")]], &[&[Lit("nobody panicked at the review")]]),
    output("jvm-trace", "a Java or Kotlin stack trace",
        Words(&[".java:", ".kt:", ".scala:", ".groovy:", "native method", "unknown source", "exception in thread", "caused by:"]), r#"\bat [\w$]{1,60}(?:\.[\w$<>]{1,80}){1,12}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy):[0-9]{1,7}|Native Method|Unknown Source)\)|Exception in thread ["'\\]|\bCaused by: [\w.]{3,120}(?:Exception|Error)"#,
        &[&[Lit("Exception in thr"), Lit("ead \"main\" java.lang.IllegalStateException: no")], &[Lit("\tat a.b.C.ru"), Lit("n(C.java:3)")]], &[&[Lit("Caused by: a late review")]]),
    output("go-panic", "a Go panic or goroutine dump",
        Words(&["goroutine ", "panic: "]), r"goroutine [0-9]{1,9} \[[a-z ,0-9]{2,60}\]:|\bpanic: [^\n]{1,200}\n\s{0,40}(?:\[|goroutine)",
        &[&[Lit("panic: boom\n\ngorou"), Lit("tine 1 [running]:\nmain.main()")]], &[&[Lit("one goroutine per lane, no panic: agreed")]]),
    output("native-trace", "a trace of C, C++, Swift, Ruby, PHP, .NET or Erlang",
        Words(&["#0 ", "#1 ", "#2 ", ".rb:", ":line ", "segmentation fault", "core dumped", "sanitizer", "php fatal", "php warning", "php notice", "** ("]),
        r"#[0-9]{1,3} {1,3}(?:0x[0-9a-f]{6,16}|[^\n]{1,120}\([0-9]{1,6}\): )|\.rb:[0-9]{1,7}:in [`'\\]| in [^\n]{1,160}\.(?:cs|fs|vb):line [0-9]|Segmentation fault(?: \(core dumped\))|\(core dumped\)|==[0-9]{1,9}==ERROR: \w{2,20}Sanitizer|PHP (?:Fatal error|Warning|Notice): |\*\* \([\w.]{3,60}Error\)",
        &[&[Lit("#0  0x00007f"), Lit("2a1b in main ()")], &[Lit("app/models/user.rb:1"), Lit("2:in `save'")], &[Lit("   at Shop.Cart.Add() in Cart.cs:li"), Lit("ne 12")]],
        &[&[Lit("fixes #12 and #13 in the parser")]]),
    output("other-trace", "a trace of .NET, Swift, Perl, the kernel or a memory checker",
        Words(&["exception:", "fatal error:", ".pl line", ".pm line", "== invalid", "memcheck", "definitely lost", "call trace:", "kernel panic", "out of memory: kill", "bug: unable", "dumped core", "oops:"]),
        r"\b(?:System|Microsoft)\.[\w.]{2,80}Exception: [^\n]{1,300}\s{1,10}at |Fatal error: [^\n]{1,200}: file [^\n]{1,160}, line [0-9]| at \S{1,120}\.p[lm] line [0-9]{1,7}\.|==[0-9]{1,9}== (?:Invalid|Memcheck|   (?:at|by) 0x|[^\n]{0,60}definitely lost)|\bCall Trace:|Kernel panic - |Out of memory: Killed process|BUG: unable to handle|\bdumped core\b|\bOops: [0-9]{4}",
        &[&[Lit("System.InvalidOperationExcep"), Lit("tion: x\n   at Shop.Program.Main()")], &[Lit("==123== Inva"), Lit("lid read of size 4")], &[Lit("Can't locate Foo.pm in @INC at script.p"), Lit("l line 3.")]],
        &[&[Lit("fatal error: the gate is closed")]]),
];
