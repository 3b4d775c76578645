//! Scopes: which paths a glob stands for, and when every path of one glob surely is one of others.
//!
//! `*` and `?` stay inside one folder, `**` is any number of folders, `[…]` is one character of a set and `{a,b}` is
//! either. What cannot be shown to be inside is outside: the proof is by pattern, and a pattern it does not understand
//! is only inside itself.

use globset::GlobBuilder;

use super::text::Glob;

/// The most forms that the braces of one glob may stand for.
const MOST_FORMS: usize = 64;

impl Glob {
    /// Whether this is a glob over paths below the repository's root.
    #[must_use]
    pub fn is_below_repository(&self) -> bool {
        self.forms().is_some()
    }

    /// Whether every path of this glob surely is a path of one of the others.
    #[must_use]
    pub fn is_within(&self, outer: &[Self]) -> bool {
        let Some(inner) = self.forms() else { return false };
        let outer: Vec<String> = outer.iter().filter_map(Self::forms).flatten().collect();
        inner.iter().all(|form| outer.iter().any(|outer| covers(outer, form)))
    }

    /// Every form that the braces stand for; `None` when this is no glob below the repository.
    fn forms(&self) -> Option<Vec<String>> {
        let text = self.as_str();
        GlobBuilder::new(text).literal_separator(true).build().ok()?;
        let climbs = |part: &str| matches!(part, "" | "." | ".." | "~") || part.contains(':');
        let leaves = |form: &String| form.starts_with(['!', '~']) || form.split('/').any(climbs);
        forms(text).filter(|forms| !forms.iter().any(leaves))
    }
}

/// Every form that the braces of a glob stand for; `None` when there are too many, or braces do not match.
fn forms(glob: &str) -> Option<Vec<String>> {
    let mut forms = vec![glob.to_owned()];
    // The innermost braces go first, so each round leaves one pair fewer in every form.
    while forms[0].contains('}') {
        let mut next = Vec::new();
        for form in &forms {
            let close = form.find('}')?;
            let open = form[..close].rfind('{')?;
            let either = form[open + 1..close].split(',');
            next.extend(either.map(|part| format!("{}{part}{}", &form[..open], &form[close + 1..])));
        }
        if next.len() > MOST_FORMS {
            return None;
        }
        forms = next;
    }
    forms.iter().all(|form| !form.contains(['{', '}'])).then_some(forms)
}

/// Whether every path of `inner` surely is a path of `outer`.
///
/// `reached[i]` says that the parts of `outer` so far cover the first `i` parts of `inner`.
fn covers(outer: &str, inner: &str) -> bool {
    let outer: Vec<&str> = outer.split('/').collect();
    let inner: Vec<&str> = inner.split('/').collect();
    let mut reached: Vec<bool> = (0..=inner.len()).map(|count| count == 0).collect();
    for (number, part) in outer.iter().enumerate() {
        let mut next = vec![false; inner.len() + 1];
        for count in 0..=inner.len() {
            let before = count > 0 && part_covers(part, inner[count - 1]);
            next[count] = match *part {
                // At the end `**` is at least one part: `docs/**` is not `docs`.
                "**" if number + 1 == outer.len() => count > 0 && (next[count - 1] || reached[count - 1]),
                "**" => reached[count] || (count > 0 && next[count - 1]),
                _ => before && reached[count - 1],
            };
        }
        reached = next;
    }
    reached[inner.len()]
}

/// Whether every name of the part `inner` surely is a name of the part `outer`.
fn part_covers(outer: &str, inner: &str) -> bool {
    if outer == inner {
        return true;
    }
    let many = |part: &str| part.contains("**");
    if many(inner) || many(outer) || [outer, inner].iter().any(|part| part.contains(['[', ']', '\\'])) {
        return false;
    }
    let inner: Vec<char> = inner.chars().collect();
    let mut reached: Vec<bool> = (0..=inner.len()).map(|count| count == 0).collect();
    for character in outer.chars() {
        let mut next = vec![false; inner.len() + 1];
        for count in 0..=inner.len() {
            let before = count.checked_sub(1);
            next[count] = match character {
                '*' => reached[count] || before.is_some_and(|before| next[before]),
                '?' => before.is_some_and(|before| inner[before] != '*' && reached[before]),
                _ => before.is_some_and(|before| inner[before] == character && reached[before]),
            };
        }
        reached = next;
    }
    reached[inner.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(inner: &str, outer: &[&str]) -> bool {
        let outer: Vec<Glob> = outer.iter().map(|glob| Glob::new(*glob)).collect();
        Glob::new(inner).is_within(&outer)
    }

    #[test]
    fn what_is_shown_to_be_inside() {
        for (inner, outer) in [
            ("services/ledger/config/**", "services/ledger/**"),
            ("services/ledger/**", "services/ledger/**"),
            ("services/ledger/*.rs", "services/**"),
            ("services/ledger/main.rs", "services/*/*.rs"),
            ("services/{ledger,billing}/**", "services/**"),
            ("docs/a/b/c.md", "docs/**/*.md"),
            ("docs/c.md", "docs/**/*.md"),
            ("docs/**/x.md", "docs/**/*.md"),
            ("docs/x-?.md", "docs/x-*.md"),
            ("a/**/b", "**"),
            ("services/[ab]/x", "services/[ab]/*"),
            ("anything/**", "**"),
        ] {
            assert!(inside(inner, &[outer]), "{inner} in {outer}");
        }
        assert!(inside("services/{a,b}/**", &["services/a/**", "services/b/**"]));
        assert!(inside("docs/x", &["{docs,notes}/*"]));
    }

    #[test]
    fn what_is_outside_or_cannot_be_shown() {
        for (inner, outer) in [
            ("services/**", "services/ledger/**"),
            ("services/ledger", "services/ledger/**"),
            ("services/ledgers/**", "services/ledger/**"),
            ("**", "services/**"),
            ("docs/**", "docs/*"),
            ("docs/*", "docs/?"),
            ("docs/*.md", "docs/*.rs"),
            ("services/../secret/**", "services/**"),
            ("/services/ledger/**", "**"),
            ("~/x", "**"),
            ("services/ledger/{a,b", "services/**"),
            ("services/[a-z]/x", "services/[a-y]/x"),
            ("docs/**x", "docs/*x"),
            ("docs//x", "docs/**"),
            ("docs/{a/..,b}/x", "docs/**"),
        ] {
            assert!(!inside(inner, &[outer]), "{inner} in {outer}");
        }
        assert!(!inside("a/b", &[]));
        let many = "{a,b}".repeat(30);
        assert!(!inside(&many, &["*"]));
    }
}
