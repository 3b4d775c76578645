//! Every rule, by id.

use std::sync::LazyLock;

use super::context::Rule;
use super::{authority, binding, fact, lifecycle, path, policy, receipt, reference, shape, tables, transition, yaml};

/// Every rule, sorted by id.
pub static ALL: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut all = [
        authority::RULES,
        binding::RULES,
        fact::RULES,
        lifecycle::RULES,
        path::RULES,
        policy::RULES,
        receipt::RULES,
        reference::RULES,
        shape::RULES,
        tables::SUPPRESSION,
        transition::RULES,
    ]
    .concat();
    all.extend(yaml::rules());
    all.extend(tables::privacy());
    all.extend(tables::contract());
    all.sort_by_key(|rule| rule.id);
    all
});

/// The rule of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    let number = ALL.binary_search_by_key(&id, |rule| rule.id).ok()?;
    Some(&ALL[number])
}
