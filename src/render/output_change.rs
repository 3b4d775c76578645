//! One output that differs from what stands on disk.

/// One output that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputChange {
    /// Its path below the state directory.
    pub path: String,
    /// What stands there; `None`: nothing.
    pub old: Option<Vec<u8>>,
    /// What should; `None`: nothing.
    pub new: Option<Vec<u8>>,
}
