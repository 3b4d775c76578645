//! Carries out what was decided: the only writer.
//!
//! Comes in: what each file shall hold, and the message of a commit. Goes out: files that appear whole or not at all,
//! and a commit of exactly those files. Must not know: what any document means, nor why it is written.

mod request;
mod open;
mod scratch;
mod child;
mod clone_settings;
mod commit;
mod disk;
mod contents;
mod error;
mod files;
mod git_lock;
mod index;
mod local_files;
mod reference;
mod run_lock;
mod settle;
mod via_git;

pub use clone_settings::name_authority;
pub use disk::{DiskStep, Probe};
pub use error::StoreError;
pub use files::{Durability, Wanted, WrittenFiles};
pub use local_files::{LocalFiles, shared_facts_file, shared_facts_folder};
pub use open::{Owned, Store};
pub use request::{CommitMessage, CommitMethod, CommitRequest};
