//! `docs/guide/ci.md` runs as it is written, against a local bare remote.

use crate::guides::runs_as_written;

#[test]
fn the_guide_to_ci_runs_as_it_is_written() {
    runs_as_written("ci.md", 4);
}
