//! A state directory, read: every file judged for text, shape and place, every record found by one look-up.
//!
//! Comes in: files by name (a folder, a git tree, memory) and what rules want to see of each file. Goes out: the
//! [`Workspace`]: records, indexes, policies. Must not know: which rules exist, git, or the clock.

mod loaded_file;
mod content;
mod display;
mod documents;
mod emitted;
mod files;
mod folder;
mod index;
mod incremental;
mod load;
mod locate;
mod misplaced;
mod named;
mod overlay;
mod plain;
mod policies;
mod reading;
mod shape;
mod stamp;
mod suppression;
mod walk;
mod path_class;

pub use content::{ContentId, Identify};
pub use display::DisplayPaths;
pub use emitted::Emitted;
pub use files::{Files, MemoryFiles, ReadFault};
pub use folder::{DiscoverError, Folder, MARK, discover, is_judged, plain_files};
pub use incremental::{Before, IncrementalWorkspace, LookOptions};
pub use index::{GoalIndex, Index};
pub use load::{Earlier, Inspect, Inspected, LoadedFile, PathFields, Scope, WORTH_THREADS, Workspace, load};
pub use locate::locate;
pub use misplaced::{LAYOUT, Misplaced};
pub use named::{NamedError, NamedTarget, display_prefix, is_state_directory, named};
pub use overlay::Overlay;
pub use path_class::PathClass;
pub use plain::Plain;
pub use policies::{Policies, has_levels, path_glob};
pub use reading::{Reading, read};
pub use shape::{FaultTarget, Shape, ShapeFault};
pub use stamp::Stamp;
pub use suppression::{Suppression, known_comments};
