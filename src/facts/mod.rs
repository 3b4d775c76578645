//! What the world outside the documents says, as plain data.
//!
//! Comes in: a directory. Goes out: what its git repository records, who recorded it and when. Only reads: it moves no
//! ref and writes no object; it starts no process but git's own where a signature is to be verified. Must not know: what any document means.

mod git;

pub use git::{
    Authority, BlobId, Branch, Change, ChangeKind, Commit, CommitId, Difference, Error, Fault, Fetch, Files, Head,
    History, Kind, LeftOut, Listing, Operation, Reach, Repository, Signature, Skipped, quoted,
};
