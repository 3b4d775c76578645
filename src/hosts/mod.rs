//! Agent hosts: what their events mean, what they may be answered, and what the guard permits.
//!
//! Comes in: one event of a host as bytes, the screens of an agent as plain data, the path or command of a tool call.
//! Goes out: the event by its allow-listed keys, the fact that it reports, the guard's verdict with its reason, and the
//! answer in the host's own form. Pure: what a link points to is asked of the caller. Must not know: disk, git, clocks,
//! processes, or how facts are stored.

mod answer;
mod briefing;
mod event;
mod export;
mod guard;
mod patch;
mod payload;
mod place;
mod report;
mod settings;
mod setup;
mod shell;
mod table;

pub(crate) use answer::silence;
pub use answer::{HookAnswer, render};
pub use briefing::{BRIEFING_LIMIT, briefing, screen_lines};
pub use event::{HostEvent, PayloadReading, ReportedExit, Tool, read_event};
pub use export::{EXPORT_SURFACES, Export, read_export};
pub(crate) use guard::unreadable;
pub use guard::{GoalAccess, GuardMode, GuardVerdict, Mutation, guard, is_excluded};
pub use patch::patched_paths;
pub use place::{LinkAt, Location, WorkTree, locate};
pub use report::{HostReport, KEPT_ITEMS, SessionKey, report, reported};
pub use settings::{SettingsFault, hook_command, hooked_events, with_hooks, without_hooks};
pub use setup::{SetupFile, is_own_text, plugin_files, setup_files};
pub use shell::{is_permitted_while_closed, shell_words};
pub use table::{EVENTS, EventMeaning, EventRow, HOSTS, Host, HostRow, event_row};
