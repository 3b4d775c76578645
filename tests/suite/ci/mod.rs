//! What CI runs: formats for hosts of code, the workflows that `init --ci` writes, the hooks for pre-commit, and the guide to
//! them.

mod formats;
mod guide;
mod hooks;
mod workflows;
