//! The files that a patch names.

/// The headers of `apply_patch` that name a file which is written.
const HEADERS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// Lists the paths in the headers of a patch; `None` when the text is no patch, or names no file.
#[must_use]
pub fn patched_paths(text: &str) -> Option<Vec<String>> {
    if !text.contains("*** Begin Patch") {
        return None;
    }
    let header = |line: &str| {
        let line = line.trim_start();
        HEADERS.iter().find_map(|header| line.strip_prefix(header)).map(|path| path.trim_end().to_owned())
    };
    let paths: Vec<String> = text.lines().filter_map(header).collect();
    (!paths.is_empty()).then_some(paths)
}

#[cfg(test)]
mod tests {
    use super::patched_paths;

    #[test]
    fn all_four_headers_name_a_file() {
        let patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+*** Add File: no\n  *** Add File: b\n\
                     *** Move to: c \r\n*** Delete File: d\n*** End Patch\n";
        assert_eq!(patched_paths(patch).expect("a patch"), ["a", "b", "c", "d"]);
        assert_eq!(patched_paths("echo hi"), None);
        assert_eq!(patched_paths("*** Begin Patch\n*** End Patch"), None);
    }
}
