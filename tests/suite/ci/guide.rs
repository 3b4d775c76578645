//! `docs/guide/ci.md` runs as it is written, against a local bare remote.

use crate::receipts::guide::follow;

#[test]
fn the_guide_to_ci_runs_as_it_is_written() {
    follow("docs/guide/ci.md", 4);
}
