//! Lines of logs.

use std::ops::Range;

use super::turn::beginnings;
use crate::shape::{byte, digits, goes_on};

/// The words that say how much a line of a log matters.
const LEVELS: [&str; 10] = ["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "ERR", "FATAL", "CRITICAL", "NOTICE"];

/// Whether a line may be one of a log, by what stands behind its marks: a date, a number with its fraction, the month or
/// the mark of a system log, a level.
pub(super) fn begins_log(line: &[u8]) -> bool {
    match byte(line, 0) {
        b'0'..=b'9' => {
            let length = digits(line, 0);
            matches!(byte(line, length), b'-' | b'/' | b':' | b'.') && digits(line, length + 1) >= 2
        }
        b'A'..=b'Z' => {
            goes_on(line, 0, b"aaa ")
                || goes_on(line, 0, b"a9999 99:")
                || LEVELS.iter().any(|level| line.starts_with(level.as_bytes()))
        }
        _ => false,
    }
}

/// Finds lines that carry a time or a level each: three of them, or two that carry both.
pub(super) fn log_lines(text: &str) -> Vec<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    let (mut score, mut start, mut others) = (0, 0, 0);
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        // Only the first line may begin within a string or behind what leads to it.
        let starts = beginnings(line).take(if found.is_none() { usize::MAX } else { 1 });
        let weight = starts.map(|at| log_weight(&line[at..])).max().unwrap_or(0);
        if weight > 0 {
            score += weight;
            let first = found.as_ref().map_or(start, |range| range.start);
            found = Some(first..end);
            others = 0;
        } else if score < ENOUGH {
            // What stands far apart is no log.
            others += 1;
            if others > FARTHEST {
                (score, found) = (0, None);
            }
        }
        start += line.len();
    }
    found.filter(|_| score >= ENOUGH).into_iter().collect()
}

/// What the weights of the lines of a log add up to.
const ENOUGH: usize = 6;
/// How many other lines may stand between two lines of a log.
const FARTHEST: usize = 12;
/// How much a line looks like one of a log: 3 with time and level, 2 with either.
fn log_weight(line: &str) -> usize {
    let line = line.trim_start_matches([' ', '\t', '>', '|', '#', '*', '-', '"', '\'', '`', '[']);
    let digits = line.bytes().take(32).filter(u8::is_ascii_digit).count();
    let timed = digits >= 6 && starts_with_instant(line.as_bytes()) && line.len() > 30;
    let mut words = line.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let levelled = if timed {
        words.clone().take(12).any(|word| LEVELS.contains(&word.to_ascii_uppercase().as_str()))
    } else {
        words.next().is_some_and(|word| LEVELS.contains(&word)) && line.contains([':', '[', ']', ' '])
    };
    match (timed, levelled || timed && names_process(line)) {
        _ if is_marked(line.as_bytes()) => 3,
        (true, true) => 3,
        (true, false) | (false, true) => 2,
        (false, false) => 0,
    }
}

/// Whether a line of a system log names the process behind its time: `sshd[123]:`, `kernel:`.
fn names_process(line: &str) -> bool {
    line.split_whitespace().skip(3).take(3).any(|word| word == "kernel:" || word.ends_with("]:") && word.contains('['))
}

/// Whether a line begins with the mark of one kind of log: glog, the kernel, seconds since 1970 with a level.
fn is_marked(line: &[u8]) -> bool {
    let shape: Vec<u8> = line.iter().take(24).map(|byte| if byte.is_ascii_digit() { b'9' } else { *byte }).collect();
    let glog = shape.len() > 14 && matches!(shape[0], b'I' | b'W' | b'E' | b'F') && &shape[1..14] == b"9999 99:99:99";
    let number =
        shape.iter().skip_while(|&&byte| byte == b' ').take_while(|&&byte| matches!(byte, b'9' | b'.')).count();
    let kernel = number >= 8 && shape.contains(&b']') && shape.windows(8).any(|part| part == b".999999]");
    glog || kernel || shape.starts_with(b"9999999999.")
}

/// Finds two lines or more that carry a level and a message as fields.
pub(super) fn structured_lines(text: &str) -> Vec<Range<usize>> {
    const LEVELS: &[&str] = &["\"level\"", "level=", "'level'", "lvl=", "\"severity\"", "\"levelname\""];
    const MESSAGES: &[&str] = &["\"msg\"", "msg=", "\"message\"", "'message'", "'msg'", "message="];
    let mut found: Option<Range<usize>> = None;
    let (mut lines, mut start) = (0, 0);
    for line in text.split_inclusive('\n') {
        let holds = |words: &[&str]| words.iter().any(|word| line.contains(word));
        if holds(LEVELS) && holds(MESSAGES) {
            lines += 1;
            let first = found.as_ref().map_or(start, |range| range.start);
            found = Some(first..start + line.trim_end().len());
        }
        start += line.len();
    }
    found.filter(|_| lines >= 2).into_iter().collect()
}

/// Whether a line begins with an instant as logs write it.
fn starts_with_instant(line: &[u8]) -> bool {
    let shape: Vec<u8> = line.iter().take(19).map(|byte| if byte.is_ascii_digit() { b'9' } else { *byte }).collect();
    let dated = shape.len() == 19
        && matches!(&shape[..10], b"9999-99-99" | b"9999/99/99")
        && matches!(shape[10], b'T' | b't' | b' ' | b'_')
        && &shape[11..] == b"99:99:99";
    let syslog = shape.len() >= 15
        && shape[..3].iter().all(u8::is_ascii_alphabetic)
        && shape[3] == b' '
        && &shape[7..15] == b"99:99:99";
    dated
        || syslog
        || shape.starts_with(b"99:99:99.999")
        || shape.starts_with(b"99:99:99,999")
        || shape.starts_with(b"99:99:99 ")
}
