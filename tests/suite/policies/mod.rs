//! Policies: none makes the program panic, and a level means the same to every command.

mod levels;
mod panics;
mod shipped;
