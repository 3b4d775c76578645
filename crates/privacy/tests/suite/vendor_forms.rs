//! The forms in which vendors' keys really stand.

use loopx_privacy::Wall;

use super::forms::{Kind, forms};

/// The seeds that values are drawn with: one draw can be lucky.
const SEEDS: [&str; 3] = ["first", "second", "third"];

/// How many of the forms with a secret are found, in hundredths.
const LEAST: usize = 97;

#[test]
fn what_vendors_keys_look_like_is_found() {
    let wall = Wall::shipped();
    let forms = forms();
    let secrets: Vec<_> = forms.iter().filter(|form| form.kind == Kind::Secret).collect();
    assert!(secrets.len() > 600, "the fixture is whole");
    let is_missed = |text: &String| wall.scan_text(text).is_empty();
    let missed: Vec<String> =
        SEEDS.iter().flat_map(|seed| secrets.iter().map(|form| form.drawn(seed)).filter(is_missed)).collect();
    let all = SEEDS.len() * secrets.len();
    assert!((all - missed.len()) * 100 >= all * LEAST, "{} of {all} are missed:\n{}", missed.len(), missed.join("\n"));
}
