//! Git-reviewed state for long-running agent goals.
