//! What commands read: a file that was named, or standard input, up to a limit.

use std::io::Read;
use std::path::Path;

use super::context::Context;
use crate::app::{Error, ErrorCode};

/// The most that is read at once. `loopx scan FILE` reads larger files piece by piece.
const LARGEST: u64 = 64 << 20;

/// Reads standard input.
pub(super) fn standard_input() -> Result<Vec<u8>, Error> {
    bounded(std::io::stdin().lock(), "standard input")
}

/// Reads a file that was named from the working directory.
pub(super) fn file(context: &Context, path: &Path) -> Result<Vec<u8>, Error> {
    let called = name(path);
    let file = std::fs::File::open(context.place.join(path));
    bounded(file.map_err(|error| fault(&called, &error.kind().to_string()))?, &called)
}

/// What messages call an input.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

fn bounded(input: impl Read, called: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = input.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| fault(called, &error.kind().to_string()))?;
    if bytes.len() as u64 > LARGEST {
        return Err(fault(called, "it is larger than 64 MiB; pass it on in parts"));
    }
    Ok(bytes)
}

fn fault(called: &str, reason: &str) -> Error {
    Error::about(ErrorCode::CannotRead, format!("{called}: {reason}"))
}
