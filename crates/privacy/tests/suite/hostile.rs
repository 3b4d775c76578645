//! Input that is made to cost: effort grows with the text and no faster, and everything ends.

use std::time::{Duration, Instant};

use loopx_privacy::Wall;

/// Texts to repeat, each a way to make some part of the wall work.
const PIECES: &[&str] = &[
    "a",
    " ",
    "\n",
    "\n ",
    "/",
    "\\",
    "\\\\",
    "%",
    "%25",
    "&amp;",
    "\\u005c",
    "A",
    "AAAA",
    "aGVs",
    "H4sI",
    "eJ",
    "ff",
    "://",
    "a:b@",
    "@",
    "a@b.",
    "<",
    "<think>",
    "</think>",
    "role: user ",
    "\"role\":\"user\",",
    "User: a\n",
    "User: a\nAssistant: b\n",
    "token=",
    "password: ",
    "key:",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "/home/",
    "C:\\",
    "\\\\a\\b",
    "~/",
    "10.",
    "1.1.1.1 ",
    "192.168.1.1 ",
    "+1 ",
    "+1 200 300 4000 ",
    "https://a/session/",
    "?a=",
    "$ a\nb\n",
    "    at a (b.js:1:1)\n",
    "2026-09-03T10:00:00Z INFO a\n",
    "[0m",
    "\u{200b}",
    "а",
    "－",
    "e\u{301}",
    "\u{202e}",
    "- a\n",
    "\",\"",
    "a: b\n",
    "eyJ",
    "eyJa.eyJa.",
    "sk-",
    "ghp_",
    "AKIA",
    "xoxb-",
    ":AA",
    "$2b$",
    "--token ",
    "a b ",
    "{{",
    "Zm9v",
    "YWFh",
    "\u{1f468}\u{200d}",
    "4111 1111 1111 1111 ",
    "DE89 3704 ",
    "=3D",
    "68 65 ",
    "6865 6c6c  hello\n",
    "\\x41",
    "a b ",
    "MFRGGZDF",
    "[0.123, ",
    "Alice: hi you\nBob: ok so\n",
    "10:41 AM\n",
    "alice 10:41 AM\nhi\n",
    "00:00:01.000 --> \n",
    "{\"level\":\"info\",\"msg\":\"x\"}\n",
    "<<<<<<< a\n",
    "In [1]: ",
    "stdout:\nx\n",
    "\"stdout\": \"",
    "You said:",
    "### Instruction: ",
    "\"prompt\": \"",
    "From: a\n",
    "src/a.rs:3: x\n",
    "     1\tx\n",
    ">>> a(\n",
    "seed phrase: abc ",
    "redis-cli ",
    "commit ",
    "{\"a\":",
    "? a\n",
    "-----BEGIN PRIVATE KEY-----\n",
    "PRIVATE KEY----- AAAA: ",
];

/// A text of about so many bytes.
fn of(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len())
}

#[test]
fn effort_grows_with_the_text_and_no_faster() {
    let wall = Wall::shipped();
    for piece in PIECES {
        let small = wall.effort(&of(piece, 1 << 12)).max(1 << 12);
        let large = wall.effort(&of(piece, 1 << 14));
        assert!(large <= 5 * small, "{piece:?}: {small} for 4 KiB, {large} for 16 KiB");
    }
}

/// How long it takes to scan a text so many times, the shortest of a few.
fn time(wall: &Wall, text: &str, times: usize) -> Duration {
    let once = || {
        let start = Instant::now();
        (0..times).for_each(|_| drop(wall.scan_text(text)));
        start.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

/// What effort does not count, the looks and the patterns within one pass, is seen by its time: a text is compared with
/// an eighth of it, read eight times. Both take about as long, and a machine that is busy is so for both; a square would
/// take eight times as long. Only a ratio that is bad four times counts.
#[test]
fn time_grows_with_the_text_and_no_faster() {
    let wall = Wall::shipped();
    for piece in PIECES {
        let (small, large) = (of(piece, 1 << 12), of(piece, 1 << 15));
        let ratio = || time(wall, &large, 1).as_secs_f64() / time(wall, &small, 8).as_secs_f64().max(1e-5);
        let ratios: Vec<f64> = std::iter::repeat_with(ratio).take(4).take_while(|ratio| *ratio > 4.0).collect();
        assert!(ratios.len() < 4, "{piece:?}: {ratios:?}");
    }
}

#[test]
fn lines_of_a_mebibyte_end() {
    let wall = Wall::shipped();
    for piece in ["a", "/", "%25", "\\\\", "A", "a@b.", "<think>", "-----BEGIN PRIVATE KEY-----", "\u{200b}", "\",\""] {
        let text = of(piece, 1 << 20);
        assert!(wall.effort(&text) < text.len() << 8, "{piece:?}");
    }
}

#[test]
fn what_is_packed_too_large_is_refused_as_it_is() {
    let zeros = vec![b' '; 4 << 20];
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, &zeros).expect("memory");
    let text = super::wrappers::base64(&encoder.finish().expect("memory"));
    let rows: Vec<&str> = Wall::shipped().scan_text(&text).iter().map(|hit| hit.rule.id).collect();
    assert_eq!(rows, ["packed-too-deep"]);
}

/// Text in so many blobs, each of which inflates to a hundred times its size.
fn packed(blobs: usize) -> String {
    let pack = |number: usize| {
        let text = format!("{number} stands in this line, ").repeat(12_000);
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut encoder, text.as_bytes()).expect("memory");
        super::wrappers::base64(&encoder.finish().expect("memory"))
    };
    (0..blobs).map(pack).collect::<Vec<_>>().join("\n")
}

/// What is inflated is paid for before it is made: however many blobs there are, all that is read of them is bounded by
/// the length of the text.
#[test]
fn many_packed_blobs_cost_no_more_than_their_length() {
    let wall = Wall::shipped();
    for blobs in [8, 64, 256] {
        let text = packed(blobs);
        let most = (text.len() * 16).max(1 << 18) * 16;
        assert!(wall.effort(&text) < most, "{blobs} blobs: {} for {}", wall.effort(&text), text.len());
        assert!(!wall.scan_text(&text).is_empty(), "what is not unpacked is refused as it is");
    }
}

#[test]
fn many_hits_in_one_line_cost_no_more_than_its_length() {
    let wall = Wall::shipped();
    let line = |hits: usize| format!("{{\"where\": \"{}\"}}", format!("/ho{}/alice/x ", "me").repeat(hits));
    let (small, large) = (wall.effort(&line(1_000)), wall.effort(&line(8_000)));
    assert!(large <= 10 * small, "{small} for 1,000 hits, {large} for 8,000");
    assert_eq!(wall.scan_payload(&line(8_000)).len(), 8_000);
}

#[test]
fn bytes_that_are_no_text_are_read_all_the_same() {
    let wall = Wall::shipped();
    let path = ["/ho", "me/alice/x"].concat();
    let broken = [b"see \xff\xfe ", path.as_bytes(), b" \xc3\x28"].concat();
    let hits = wall.scan_bytes(&broken);
    assert_eq!(
        hits.iter().map(|hit| hit.span.clone()).collect::<Vec<_>>(),
        std::iter::once(7..7 + path.len()).collect::<Vec<_>>()
    );
    let wide: Vec<u8> = std::iter::once(0xfeff).chain(path.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(wall.scan_bytes(&wide).len(), 1);
    for length in 0..64 {
        let _ = wall.scan_bytes(&(0..length).map(|byte| (byte * 37) as u8).collect::<Vec<u8>>());
    }
}
