//! What CI runs: formats for hosts of code.

mod formats;
