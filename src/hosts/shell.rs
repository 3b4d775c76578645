//! Command lines: the words of a simple one, and the few that may run while a goal is closed.

/// Tools that only read, whatever their arguments are.
const READERS: &[&str] = &["ls", "cat", "head", "tail", "wc", "pwd", "stat", "grep", "rg", "diff", "cmp", "du"];

/// Subcommands of git that only read, or that record and move what stands already.
const GIT: &[&str] =
    &["add", "commit", "push", "fetch", "merge", "status", "log", "diff", "show", "rev-parse", "blame"];

/// Arguments that make a permitted program run another one or write a file.
const REFUSED: &[&str] =
    &["--pre", "--hostname-bin", "--upload-pack", "--receive-pack", "--exec", "--output", "--ext-diff", "--textconv"];

/// The words of one simple command; `None` when it is not one: a pipe, a list, a redirection, an expansion, an open quote.
#[must_use]
pub fn shell_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for character in command.trim().chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some('"'), '$' | '`' | '\\') => return None,
            (Some(_), '\n' | '\r') => return None,
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (
                None,
                ';' | '&' | '|' | '<' | '>' | '(' | ')' | '$' | '`' | '\\' | '\n' | '\r' | '#' | '!' | '{' | '}',
            ) => {
                return None;
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, _) if character.is_control() || (character.is_whitespace() && !character.is_ascii()) => return None,
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}

/// Whether a command may run while a goal is closed: one simple command that reads, asks or records, or the validation.
#[must_use]
pub fn is_permitted_while_closed(command: &str, validations: &[&[String]]) -> bool {
    let Some(words) = shell_words(command) else { return false };
    if validations.iter().any(|validation| !validation.is_empty() && **validation == words) {
        return true;
    }
    let is_refused = |word: &String| {
        let name = word.split('=').next().unwrap_or_default();
        // git takes a unique beginning of a long option, and an address may name a helper program.
        let is_begun = |refused: &&str| name.len() > 3 && refused.starts_with(name);
        (word.starts_with("--") && REFUSED.iter().any(is_begun)) || word.contains("::")
    };
    let arguments = &words[1..];
    match words[0].as_str() {
        "loopx" => true,
        "git" => words.get(1).is_some_and(|word| GIT.contains(&word.as_str())) && !arguments.iter().any(is_refused),
        program => READERS.contains(&program) && !arguments.iter().any(is_refused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_simple_command() {
        let words = |text| shell_words(text).map(|words| words.join("|"));
        assert_eq!(words("  make  ledger-check ").as_deref(), Some("make|ledger-check"));
        assert_eq!(words("git commit -m 'a; b' \"c d\"").as_deref(), Some("git|commit|-m|a; b|c d"));
        assert_eq!(words("x ''").as_deref(), Some("x|"));
        for not_simple in
            ["a; b", "a && b", "a | b", "a > f", "a < f", "$(a)", "`a`", "a\nb", "'a", "\"$x\"", "", "a $x"]
        {
            assert_eq!(words(not_simple), None, "{not_simple}");
        }
    }

    #[test]
    fn what_runs_while_a_goal_is_closed() {
        let validation = ["make".to_owned(), "check".to_owned()];
        let permitted = |command| is_permitted_while_closed(command, &[&validation]);
        for yes in [
            "loopx gate request x --goal g",
            "cat a b",
            "rg 'x|y' src",
            "git commit -m 'done; really'",
            "git push -u origin x",
            "git status",
            "make check",
        ] {
            assert!(permitted(yes), "{yes}");
        }
        for no in [
            "make",
            "make check x",
            "git -c core.pager=x log",
            "git log --output=f",
            "git log --out f",
            "rm x",
            "sed -i s x",
            "git push --receive-pack=x",
            "git fetch ext::sh",
            "rg --pre x y",
            "PATH=. ls",
            "cat a > b",
            "ls; rm x",
            "",
            "git checkout .",
            "git fetch --upload-pa=x o",
        ] {
            assert!(!permitted(no), "{no}");
        }
    }
}
