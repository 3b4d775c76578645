//! Files made to break a reader. Each is refused for what it is, at its place, and reading stops early.

use loopx::document::{Fault, Format, MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_PROBLEMS, parse};

use super::show_problems;

/// What is said of a YAML file, problem by problem.
fn told(yaml: &str) -> Vec<String> {
    told_of(yaml.as_bytes(), Format::Yaml)
}

fn told_of(bytes: &[u8], format: Format) -> Vec<String> {
    let parsed = parse(bytes, format);
    let notes_only = parsed.problems.iter().all(|problem| problem.fault.is_note());
    assert_eq!(parsed.document.is_some(), notes_only, "a tree exactly when nothing is in doubt");
    let shown = show_problems(&String::from_utf8_lossy(bytes), &parsed);
    shown.lines().map(|line| line.split(": ").next().expect("a name").to_owned()).collect()
}

/// Repeats a piece up to the largest file.
fn fill(piece: &str) -> String {
    piece.repeat(MAX_BYTES / piece.len())
}

#[test]
fn nesting_is_counted_the_same_in_every_style() {
    let staircase = |depth: usize| (0..depth).map(|level| format!("{}k:\n", " ".repeat(level))).collect::<String>();
    for depth in [MAX_DEPTH, MAX_DEPTH + 1] {
        let half = depth / 2;
        let yaml = [
            format!("{}x", "- ".repeat(depth)),
            staircase(depth),
            format!("{}x{}", "[".repeat(depth), "]".repeat(depth)),
            format!("{}x{}", "{k: ".repeat(depth), "}".repeat(depth)),
            format!("{}{}x{}", "- ".repeat(half), "[".repeat(depth - half), "]".repeat(depth - half)),
        ];
        let json = [
            format!("{}{}", "[".repeat(depth), "]".repeat(depth)),
            format!("{}1{}", "{\"k\":".repeat(depth), "}".repeat(depth)),
        ];
        let yaml = yaml.iter().map(|text| (text, Format::Yaml));
        for (text, format) in yaml.chain(json.iter().map(|text| (text, Format::Json))) {
            let parsed = parse(text.as_bytes(), format);
            let faults: Vec<_> = parsed.problems.iter().map(|problem| problem.fault.name()).collect();
            let expected: &[&str] = if depth > MAX_DEPTH { &["nesting"] } else { &[] };
            assert_eq!(faults, expected, "{format:?} {text}");
        }
    }
}

/// The place of the refusal shows that nothing behind it was read.
#[test]
fn endless_nesting_is_refused_where_it_passes_the_limit() {
    for (piece, width) in [("- ", 2), ("[", 1), ("{a: ", 4), ("? ", 2), ("- ? ", 2), ("[{a: ", 5)] {
        let text = fill(piece);
        let problems = parse(text.as_bytes(), Format::Yaml).problems;
        let nesting = problems.iter().find(|problem| problem.fault.name() == "nesting").expect(piece);
        assert!(nesting.span.range().end <= (MAX_DEPTH + 1) * width, "{piece}: {nesting:?}");
    }
    for piece in ["[", "{\"a\":", "[{\"a\":"] {
        let problems = parse(fill(piece).as_bytes(), Format::Json).problems;
        assert_eq!(problems.len(), 1, "{piece}");
        assert!(problems[0].fault.name() == "nesting" && problems[0].span.range().end < 400, "{piece}");
    }
}

/// Nine levels of nine aliases, and one anchor referenced twenty thousand times: never expanded, each one named.
#[test]
fn alias_bombs_are_refused_unexpanded() {
    let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let names: Vec<String> =
        told(&laughs).into_iter().map(|told| told.split(' ').nth(1).expect("name").into()).collect();
    assert_eq!(names.iter().filter(|name| *name == "anchor").count(), 9);
    assert_eq!(names.iter().filter(|name| *name == "alias").count(), 72);
    let wide = format!("base: &a [{}]\nuse:\n{}", "x, ".repeat(1000), "  - *a\n".repeat(20_000));
    let problems = parse(wide.as_bytes(), Format::Yaml).problems;
    assert_eq!(problems.len(), MAX_PROBLEMS, "a flood ends the reading");
    assert_eq!(told("a: &a [*a]\n"), ["1:4-1:6 anchor", "1:8-1:10 alias"]);
}

#[test]
fn a_file_is_measured_before_it_is_read() {
    let largest = format!("# {}\n", "x".repeat(MAX_BYTES - 3));
    assert_eq!((largest.len(), told(&largest)), (MAX_BYTES, vec![]));
    let mut larger = largest.into_bytes();
    larger.push(0xff);
    assert_eq!(told_of(&larger, Format::Yaml), ["1:1-1:1 too-large"]);
    assert_eq!(told_of(&larger, Format::Json), ["1:1-1:1 too-large"]);
}

/// Keys and values are counted, so that a file of small ones costs no more than others.
#[test]
fn a_file_holds_so_many_values() {
    let list = |length: usize| format!("[{}1]", "1,".repeat(length - 1));
    let items = |length: usize| "- 1\n".repeat(length);
    // The list itself is one value.
    for length in [MAX_NODES - 1, MAX_NODES] {
        let expected: &[&str] = if length < MAX_NODES { &[] } else { &["too-large"] };
        for (text, format) in
            [(list(length), Format::Yaml), (items(length), Format::Yaml), (list(length), Format::Json)]
        {
            let problems = parse(text.as_bytes(), format).problems;
            assert_eq!(problems.iter().map(|problem| problem.fault.name()).collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
fn only_utf8_is_read() {
    for (bytes, place) in [
        (&b"a: \xff\xfe\n"[..], 3..4),
        (b"a: caf\xe9\n", 6..7),
        (b"\xc0\xafa: 1\n", 0..1),
        (b"a: \xed\xa0\x80\n", 3..4),
        (b"a: \xf0\x9f\xa6", 3..6),
    ] {
        for format in [Format::Yaml, Format::Json] {
            let problems = parse(bytes, format).problems;
            assert_eq!(problems.len(), 1, "{bytes:?}");
            assert_eq!((problems[0].fault, problems[0].span.range()), (Fault::NotUtf8, place.clone()), "{bytes:?}");
        }
    }
    let utf16: Vec<u8> = "\u{feff}a: 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(parse(&utf16, Format::Yaml).problems[0].message(), "the file is UTF-16, not UTF-8");
}

/// In a plain value, in quotes, in a comment: an invisible character is refused wherever it stands, once per run.
#[test]
fn control_characters_are_refused_everywhere() {
    let refused =
        ["\0", "\u{7}", "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{9f}", "\u{2028}", "\u{2029}", "\u{feff}", "\rx"];
    for character in refused {
        for (before, after) in
            [("a: x", "y\n"), ("a: 'x", "y'\n"), ("a: 1 # x", "y\n"), ("x", "y: 1\n"), ("a: |\n  x", "y\n")]
        {
            let told = told(&format!("{before}{character}{after}"));
            assert_eq!(told.len(), 1, "{character:?} {before:?}: {told:?}");
            assert!(told[0].ends_with("control-character"), "{character:?} {before:?}: {told:?}");
        }
        let json = format!("{{ \"a\": \"x{character}y\" }}");
        assert!(told_of(json.as_bytes(), Format::Json)[0].ends_with("control-character"), "{character:?}");
    }
    assert_eq!(told("a: x\0\0\0y\nb: z\u{7}\n"), ["1:5-1:8 control-character", "2:5-2:6 control-character"]);
    assert_eq!(told("a: \"\\0 \\x85 \\u2028 \\uFEFF\"\n"), [""; 0], "escaped, they are seen");
    assert_eq!(told("a: é ẞ 漢 🦀 \u{a0} \u{200b}\n"), [""; 0]);
}

#[test]
fn a_leading_byte_order_mark_is_a_note() {
    for newline in ["\n", "\r\n"] {
        let text = format!("\u{feff}# c{newline}gate_state: blocked{newline}");
        let parsed = parse(text.as_bytes(), Format::Yaml);
        assert_eq!(show_problems(&text, &parsed), "1:1-1:1 byte-order-mark: the file begins with a byte-order mark\n");
        let document = parsed.document.expect("read all the same");
        let value = document.root.get("gate_state").expect("the key is the first one");
        assert_eq!(&text[value.span.range()], "blocked");
    }
    assert_eq!(told_of("\u{feff}{ \"a\": 1 }".as_bytes(), Format::Json), ["1:1-1:1 byte-order-mark"]);
    assert_eq!(told("\u{feff}\u{feff}a: 1\n"), ["1:1-1:1 byte-order-mark", "1:1-1:1 control-character"]);
}

#[test]
fn conflict_markers_are_all_listed_and_nothing_else() {
    // Built here, so that no tool takes this file for an unfinished merge.
    let marker = |character: &str, rest: &str| format!("{}{rest}", character.repeat(7));
    let (ours, base) = (marker("<", " HEAD"), marker("|", " 1234abc"));
    let (middle, theirs) = (marker("=", ""), marker(">", " branch"));
    let conflict = format!("a: 1\n{ours}\nb: 1\n{base}\nb: 0\n{middle}\nb: 2\n{theirs}\nc: &x\n");
    let expected = ["2:1-2:13", "4:1-4:16", "6:1-6:8", "8:1-8:15"].map(|place| format!("{place} conflict-marker"));
    assert_eq!(told(&conflict), expected);
    assert_eq!(told(&conflict.replace('\n', "\r\n")), expected);
    assert_eq!(told_of(format!("{{\n{ours}\n}}").as_bytes(), Format::Json), ["2:1-2:13 conflict-marker"]);
    let inside = format!("a: |\n  {ours}\n  {middle}\n  {theirs}\nb: '{middle}'\n# {ours}\n");
    assert_eq!(told(&inside), [""; 0]);
    assert_eq!(told(&format!("{middle}=: 1\n")), [""; 0]);
}

#[test]
fn tabs_never_indent() {
    assert_eq!(told("a:\n\tb: 1\n"), ["2:1-2:2 tab-indentation"]);
    assert_eq!(told("a:\n  - b\n\t- c\n\t- d\n"), ["3:1-3:2 tab-indentation", "4:1-4:2 tab-indentation"]);
    assert_eq!(told("a:\n  b: 1\n  \tc: 2\n"), ["3:3-3:4 tab-indentation"]);
    assert_eq!(told("\ta: 1\n"), ["1:1-1:2 tab-indentation"]);
    assert_eq!(told("a:\n \t- b\n"), ["2:2-2:3 tab-indentation"]);
    assert_eq!(told("a: [\n\tb,\n\tc ]\n"), ["2:1-2:2 tab-indentation", "3:1-3:2 tab-indentation"]);
    assert_eq!(told("a: |\n \t\n\tx\n"), ["3:1-3:2 tab-indentation"]);
    assert_eq!(told("a: x\n  y\n\tz\n"), ["3:1-3:2 tab-indentation"]);
    assert_eq!(told("a:\t1\nb: 'x\ty'\nc: |\n  \tx\n"), [""; 0], "elsewhere a tab is white space or text");
    assert_eq!(told_of(b"{\n\t\"a\":\t1\n}\n", Format::Json), [""; 0]);
}

/// A flood of faults, of comments, of empty lines, of one endless token: read once, with a bounded list.
#[test]
fn floods_end() {
    let pieces = [
        "a:\n",
        "<<: \n",
        "&a ",
        "*a ",
        "!t ",
        "- &a\n",
        "? a\n: b\n",
        ": \n",
        "\0 ",
        "\r",
        "\u{85}",
        "@",
        "%",
        "#\n",
        "\n",
        " ",
        "\t",
        "---\n",
        "...\n",
        "\"",
        "'",
        "\"\" ",
        "a",
        "a ",
        "a: ",
        "é",
        "|\n",
        "- |\n",
        "{a,",
        "{a: b},",
        "],",
    ];
    for piece in pieces {
        for format in [Format::Yaml, Format::Json] {
            assert!(parse(fill(piece).as_bytes(), format).problems.len() <= MAX_PROBLEMS, "{piece:?}");
        }
    }
    let markers = fill(&format!("{}\n", "=".repeat(7)));
    assert_eq!(parse(markers.as_bytes(), Format::Yaml).problems.len(), MAX_PROBLEMS);
}

/// The message of a problem is our own or the parser's, whatever the file holds.
#[test]
fn no_message_repeats_the_file() {
    let secret = "s3cretvalue";
    for (before, after) in [
        ("a: @", ""),
        ("a: &", " x"),
        ("a: *", ""),
        ("a: !", " x"),
        ("%", "\n---\n"),
        ("a: \"", ""),
        ("a: [", ""),
        ("a: \"\\q", "\""),
        ("? [", "]\n: x"),
        ("\t", ": 1"),
        ("a: 1\n", ""),
        ("a: b: ", ""),
        ("'", "': 1\n'"),
        ("{ \"", "\" }"),
        ("{ \"a\": ", " }"),
        ("[\"\\q", "\"]"),
        ("- ", ": 1\n b"),
        ("a: |", "\n x"),
        ("a: `", ""),
    ] {
        for format in [Format::Yaml, Format::Json] {
            for problem in parse(format!("{before}{secret}{after}{secret}").as_bytes(), format).problems {
                assert!(!problem.message().contains("s3c"), "{before}: {}", problem.message());
                assert!(problem.message().is_ascii() && !problem.message().ends_with('.'), "{}", problem.message());
            }
        }
    }
}
