//! Names of contents: two files hold the same bytes when their contents have the same name.

use std::fmt;

/// The name of a file's content, as the version control system gives it: up to 32 bytes, shorter ones filled with zeros.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId([u8; Self::BYTES]);

/// Names the content of a file from its bytes.
pub type Identify = fn(&[u8]) -> ContentId;

impl ContentId {
    /// The longest name.
    const BYTES: usize = 32;

    /// Takes the bytes of a name; what is longer than the longest name is cut.
    #[must_use]
    pub fn new(name: &[u8]) -> Self {
        let mut bytes = [0; Self::BYTES];
        let length = name.len().min(Self::BYTES);
        bytes[..length].copy_from_slice(&name[..length]);
        Self(bytes)
    }
}

impl fmt::Debug for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..4].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
