//! Writes a generated state directory of valid documents: `corpus --goals N --out DIR [--seed N] [--defects N]`.
//!
//! `--defects` breaks so many todos, each in one of four ways, and lists them in `DIR.defects.txt`, outside `DIR`.

#[expect(dead_code, reason = "the law tests use the rest of it")]
#[path = "../tests/suite/generator/mod.rs"]
mod generator;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use generator::steady;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().collect();
    let value = |name: &str| arguments.iter().position(|it| it == name).and_then(|at| arguments.get(at + 1));
    let number = |name: &str| value(name).and_then(|text| text.parse::<usize>().ok());
    let (Some(goals), Some(out)) = (number("--goals"), value("--out")) else {
        // `cargo bench` without arguments only shows that it builds.
        return ExitCode::SUCCESS;
    };
    let seed = number("--seed").unwrap_or(7) as u64;
    let mut generated = steady(seed, goals);
    let mut defects = String::new();
    let todos: Vec<String> = generated.files.keys().filter(|path| path.contains("/todos/")).cloned().collect();
    for (number, path) in todos.iter().take(number("--defects").unwrap_or(0)).enumerate() {
        let text = generated.files.get_mut(path).expect("a listed file");
        let (rule, line) = [
            ("shape/unknown-key", "titel: x\n"),
            ("yaml/duplicate-key", "title: twice\n"),
            ("yaml/syntax", "]\n"),
            ("shape/unknown-key", "task_clas: x\n"),
        ][number % 4];
        text.extend_from_slice(line.as_bytes());
        writeln!(defects, "{path} {rule}").expect("writing to a String cannot fail");
    }
    let root = Path::new(out);
    let write = |path: &Path, bytes: &[u8]| {
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, bytes))
    };
    let written = generated.files.iter().try_for_each(|(path, bytes)| write(&root.join(path), bytes));
    let listed = match defects.is_empty() {
        true => Ok(()),
        false => write(&root.with_extension("defects.txt"), defects.as_bytes()),
    };
    match written.and(listed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
