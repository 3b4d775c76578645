//! Any text: the fast path and the full parser read the same tree, with the same places.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loopx::document::{Format, is_read_fast, parse, parse_in_full};

fuzz_target!(|text: &str| {
    // Only a text that the fast path takes can tell the two apart.
    if is_read_fast(text) {
        assert_eq!(parse(text.as_bytes(), Format::Yaml), parse_in_full(text.as_bytes(), Format::Yaml));
    }
});
