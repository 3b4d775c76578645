//! What CI runs: formats for hosts of code, the workflows that `init --ci` writes, and the guide to them.

mod formats;
mod guide;
mod workflows;
