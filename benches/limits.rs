//! The physical limits that loopx is measured against: `limits walk|read|events DIR`.
//!
//! Each visits the same files as `loopx lint` and does one thing less: `walk` lists and stats them, `read` reads every
//! byte, `events` also runs the YAML parser over them and throws its events away. One thread.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [what, folder] = arguments.as_slice() else { return usage() };
    let files = files(Path::new(folder));
    let seen = match what.as_str() {
        "walk" => files.iter().map(|path| path.metadata().map_or(0, |meta| meta.len())).sum(),
        "read" => each(&files, |text| text.len() as u64),
        "events" => each(&files, events),
        _ => return usage(),
    };
    let mut out = std::io::stdout();
    let _ = std::io::Write::write_all(&mut out, format!("{} files, {seen}\n", files.len()).as_bytes());
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    // `cargo bench` without arguments only shows that it builds.
    ExitCode::SUCCESS
}

fn each(files: &[PathBuf], mut measure: impl FnMut(&str) -> u64) -> u64 {
    let mut buffer = String::new();
    let mut sum = 0;
    for path in files {
        buffer.clear();
        let read = std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut buffer));
        if read.is_ok() {
            sum += measure(&buffer);
        }
    }
    sum
}

fn events(text: &str) -> u64 {
    granit_parser::Parser::new_from_str(text).map_while(Result::ok).count() as u64
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}
