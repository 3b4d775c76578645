//! What a path below a state directory means to somebody who watches it.

use super::folder::{EMITTED, MARK, is_hidden};
use super::misplaced::LAYOUT;

/// What a change at a path may concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathClass {
    /// The document there, or every document below when it is a folder.
    Document,
    /// Every document: it is the state directory itself, its mark, or a policy.
    Everything,
    /// An output, which nobody but reconcile writes.
    Output,
    /// No verdict: files of editors, and whatever stands outside the layout.
    Nothing,
}

impl PathClass {
    /// Places a path below the state directory; the empty path is the directory itself.
    #[must_use]
    pub fn of(path: &str) -> Self {
        let first = path.split('/').next().unwrap_or_default();
        if path.is_empty() || path == MARK || first == "policies" {
            Self::Everything
        } else if EMITTED.contains(&first) {
            Self::Output
        } else if LAYOUT.contains(&first) && !path.split('/').any(is_hidden) {
            Self::Document
        } else {
            Self::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PathClass::{self, Document, Everything, Nothing, Output};

    #[test]
    fn each_path_concerns_what_it_says() {
        let cases = [
            ("", Everything),
            ("loopx.yaml", Everything),
            ("policies/team.yaml", Everything),
            ("goals", Document),
            ("goals/a/gates/b.yaml", Document),
            ("facts/custom_worker/s.json", Document),
            ("receipts/a/0f/run-0f.yaml", Document),
            ("projections", Output),
            ("projections/a/b.json", Output),
            ("attention.md", Output),
            ("goals/a/gates/.b.yaml.swp", Nothing),
            ("goals/a/gates/b.yaml~", Nothing),
            ("goals/.tmp/b.yaml", Nothing),
            (".loopx/stage-1/0", Nothing),
            (".git/HEAD", Nothing),
            ("docs/a.yaml", Nothing),
            ("attention.txt", Nothing),
        ];
        for (path, path_class) in cases {
            assert_eq!(PathClass::of(path), path_class, "{path}");
        }
    }
}
