//! Watching: when it looks, what it knows, what it says.

mod expiring;
mod history;
mod law_4;
mod memory;
mod running;
mod schedule;
mod shown;
mod stories;
mod two_listings;
