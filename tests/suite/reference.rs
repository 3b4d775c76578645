//! `docs/reference/rules/`: one page for each rule, made from its texts and its fixtures, and two pages of tables beside;
//! `SNAPSHOTS=overwrite` rewrites them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use loopx::document::to_json_pretty;
use loopx::rules::lifecycle::{Constraint, LifecycleRow, constraints};
use loopx::rules::{ALL, Rule};
use loopx::vocabulary::{ClosedWords, Kind, bare_schema, schema, schema_of_all};

use crate::fixture::{files_below, unescaped};
use crate::rules::report_of_bad;
use crate::writeback_page;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a fixture's side by name, as they are written.
fn side(rule: &Rule, side: &str) -> BTreeMap<String, String> {
    let folder = root().join("fixtures/rules").join(rule.id).join(side);
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(&folder).expect("below").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a fixture is text"))
    };
    files_below(&folder).iter().map(read).collect()
}

/// Shows the files of one side that the other side does not have in the same words.
fn shown(page: &mut String, files: &BTreeMap<String, String>, other: &BTreeMap<String, String>) {
    for (name, text) in files.iter().filter(|(name, text)| other.get(*name) != Some(text)) {
        let plain = unescaped(name);
        if let Some(link) = plain.strip_suffix(".link") {
            writeln!(page, "\n`{link}` is a symbolic link.").expect("text");
        } else if let Some(name) = plain.strip_suffix(".refused") {
            writeln!(page, "\n`{name}` cannot be read.").expect("text");
        } else {
            let language = plain.rsplit('.').next().unwrap_or_default();
            writeln!(page, "\n`{plain}`\n\n```{language}\n{}\n```", text.trim_end()).expect("text");
        }
    }
}

fn page(rule: &Rule) -> String {
    let mut page = format!("# {}\n\n{}\n\n{}\n", rule.id, sentence(rule.summary), rule.why);
    let comment = match rule.is_suppressible() {
        true => "a comment that says why may set it aside",
        false => "no comment sets it aside",
    };
    writeln!(page, "\nLevel: {}; {comment}.", rule.level.word()).expect("text");
    if rule.is_of_history() {
        page.push_str("\nNo file shows it, only the history in git: `loopx receipts verify` looks there.\n");
        return page;
    }
    if rule.is_of_change() {
        page.push_str(
            "\nNo file shows it, only a change: `loopx review` looks there. The table of changes: \
             [transitions](../../transitions.md).\n",
        );
        return page;
    }
    let held = constraints(|_, law| law.rule.id == rule.id).collect::<Vec<_>>();
    if !held.is_empty() {
        page.push('\n');
        table(&mut page, &held);
    }
    let (bad, good) = (side(rule, "bad"), side(rule, "good"));
    page.push_str("\n## Refused\n");
    shown(&mut page, &bad, &good);
    writeln!(page, "\n```text\n{}\n```", report_of_bad(rule).trim_end()).expect("text");
    let mut accepted = String::new();
    shown(&mut accepted, &good, &bad);
    if !accepted.is_empty() {
        page.push_str("\n## Accepted\n");
        page.push_str(&accepted);
    }
    page
}

/// A fragment as a sentence.
fn sentence(fragment: &str) -> String {
    let mut characters = fragment.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

fn table(page: &mut String, held: &[(&LifecycleRow, &Constraint)]) {
    page.push_str("| document | where | holds |\n|---|---|---|\n");
    for (step, law) in held {
        writeln!(page, "| {} | {} | {} |", step.kind.row().name, step.given, law.says).expect("text");
    }
}

fn index() -> String {
    let mut page = String::from(
        "# Rules\n\nEach rule has a page with an example that it refuses, the report it gives, and one that it accepts. \
         In the\nexamples `{{a|b}}` stands for `ab`, `{{3*ab}}` for `ababab` and `{{\\xff}}` for that byte.\n",
    );
    let mut area = "";
    for rule in ALL.iter() {
        if rule.area() != area {
            area = rule.area();
            writeln!(page, "\n## {area}\n\n| rule | level | what is wrong |\n|---|---|---|").expect("text");
        }
        writeln!(page, "| [{}]({}.md) | {} | {} |", rule.id, rule.id, rule.level.word(), rule.summary).expect("text");
    }
    page
}

fn lifecycles() -> String {
    let mut page = String::from(
        "# Lifecycles\n\nFor each act and status: what must stand beside it, what must not, and what may follow. Lint \
         reports what breaks a row\nby the rule named beside it.\n\n| document | where | holds | rule |\n|---|---|---|---|\n",
    );
    for (step, law) in constraints(|_, _| true) {
        let (name, rule) = (step.kind.row().name, law.rule.id);
        writeln!(page, "| {name} | {} | {} | [{rule}](rules/{rule}.md) |", step.given, law.says).expect("text");
    }
    page
}

/// The table of changes, as `loopx review` has it.
fn transitions() -> String {
    let mut page = String::from(
        "# Transitions\n\nWhich change of which document breaks which rule. `loopx review` compares what the base says \
         with what it says once the\nchange is merged. The base judges: its policies, actors, exceptions and comments; a \
         change of those is shown first and\ncounts once it is merged. A row of the level error is refused (exit 1), one \
         of the level warning is to be looked at.\n\n| document | change | unless | rule | level |\n|---|---|---|---|---|\n",
    );
    for law in loopx::review::TABLE {
        let kinds: Vec<&str> = law.kinds.iter().map(|kind| kind.row().name).collect();
        let kinds = if kinds.is_empty() { "any".to_owned() } else { kinds.join(", ") };
        let unless = if law.unless.is_empty() { "-" } else { law.unless };
        let (rule, level) = (law.rule.id, law.rule.level.word());
        writeln!(page, "| {kinds} | {} | {unless} | [{rule}](rules/{rule}.md) | {level} |", law.change).expect("text");
    }
    page.push_str(
        "\n## What a team adds\n\nThe section `rules` of a policy sets the level of each rule, also by path: a team that \
         wants every decision vouched for sets\n`transition/unverified: error`. The section `transitions` is a table of \
         the team's own. Of each field the first row that\nfits decides; `refuse` is the rule \
         [transition/by-policy](rules/transition/by-policy.md), `allow` keeps later rows from refusing. No row\nlifts what \
         stands above. In `from` and `to`, `none` stands for no value.\n\n```yaml\ntransitions:\n  - actor_class: agent\n    \
         kind: todo\n    field: priority\n    to: P0\n    verdict: refuse\n    message: only people raise a todo to P0\n```\n",
    );
    page
}

#[test]
fn every_rule_of_changes_stands_in_the_table() {
    let told: Vec<&str> = loopx::review::TABLE.iter().map(|law| law.rule.id).collect();
    for rule in ALL.iter().filter(|rule| rule.is_of_change() && rule.id != "transition/by-policy") {
        assert!(told.contains(&rule.id), "{} stands in no row", rule.id);
    }
}

/// Compares generated pages with what stands in the docs, and looks for pages of nothing below a folder that they own.
fn are_fresh(pages: &BTreeMap<PathBuf, String>, folder: &Path) {
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        let _ = std::fs::remove_dir_all(folder);
        for (path, page) in pages {
            std::fs::create_dir_all(path.parent().expect("a page stands in a folder")).expect("writable");
            std::fs::write(path, page).expect("writable");
        }
    }
    let stale: Vec<_> = pages
        .iter()
        .filter(|(path, page)| std::fs::read_to_string(path).unwrap_or_default() != **page)
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(stale.is_empty(), "stale (SNAPSHOTS=overwrite rewrites): {}", stale.join(", "));
    for path in files_below(folder) {
        assert!(pages.contains_key(&path), "{} is of nothing", path.display());
    }
}

#[test]
fn the_pages_of_the_rules_are_fresh() {
    let reference = root().join("docs/reference");
    let mut pages: BTreeMap<PathBuf, String> =
        ALL.iter().map(|rule| (reference.join("rules").join(format!("{}.md", rule.id)), page(rule))).collect();
    pages.insert(reference.join("rules/README.md"), index());
    pages.insert(reference.join("lifecycles.md"), lifecycles());
    pages.insert(reference.join("writeback.md"), writeback_page::page());
    pages.insert(reference.join("transitions.md"), transitions());
    are_fresh(&pages, &reference.join("rules"));
}

#[test]
fn the_bare_schemas_are_fresh() {
    let folder = root().join("src/vocabulary/bare_schemas");
    let text = |kind: Kind| format!("{}\n", bare_schema(kind));
    let file = |kind: &Kind| (folder.join(format!("{}.json", kind.row().version)), text(*kind));
    are_fresh(&Kind::ALL.iter().map(file).collect(), &folder);
}

#[test]
fn the_schemas_are_fresh() {
    let folder = root().join("docs/reference/schema");
    let mut pages: BTreeMap<PathBuf, String> = Kind::ALL
        .iter()
        .map(|kind| (folder.join(format!("{}.json", kind.row().version)), to_json_pretty(schema(*kind))))
        .collect();
    for (shape, _, version) in loopx::app::AnswerShape::ALL {
        pages.insert(folder.join(format!("{version}.json")), to_json_pretty(&shape.schema()));
    }
    pages.insert(folder.join("loopx.schema.json"), to_json_pretty(&schema_of_all()));
    are_fresh(&pages, &folder);
}
