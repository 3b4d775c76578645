//! The privacy wall over documents; its corpora and hostile inputs stand in `crates/privacy/tests`.

#[path = "../../../crates/privacy/tests/suite/chance.rs"]
mod chance;
#[path = "../../../crates/privacy/tests/suite/clean.rs"]
mod clean;
#[expect(dead_code, reason = "the crate's own tests measure all of it")]
#[path = "../../../crates/privacy/tests/suite/corpora.rs"]
mod corpora;
mod field_cases;
mod metamorphic;
#[path = "../../../crates/privacy/tests/suite/shapes.rs"]
mod shapes;
#[path = "../../../crates/privacy/tests/suite/unseen/mod.rs"]
mod unseen;
mod vectors;
#[path = "../../../crates/privacy/tests/suite/wrappers.rs"]
mod wrappers;
