//! The program as people start it: what it says where, and with which exit code.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use loopx::cli::{Exit, command_line, exit_codes};
use serde_json::Value;
use snapbox::{assert_data_eq, file};
use tempfile::TempDir;

const NOW: &str = "2026-03-07T17:00:00Z";
const GATE: &str = "schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: cutover-2f8q\n\
                    question: May codex-main switch the flag?\nrequired_actor: owner\nblocks: none\n\
                    requested: { by: codex-main, at: 2026-03-05T09:10:00Z }\n";

/// What one run said.
#[derive(Debug)]
struct Run {
    out: String,
    err: String,
    code: i32,
}

/// A folder of its own for one test.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    /// One that holds a new state directory.
    fn with_state() -> Self {
        let place = Self::new();
        assert_eq!(place.run(&["--now", NOW, "init"]).code, 0);
        place
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.path().join(path)).expect("a file")
    }

    /// Every file with its text, hidden ones of the program's own left out.
    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut waiting = vec![self.0.path().to_owned()];
        while let Some(folder) = waiting.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder").filter_map(Result::ok) {
                let path = entry.path();
                if path.is_dir() && path.file_name().is_some_and(|name| name != ".loopx") {
                    waiting.push(path);
                } else if path.is_file() {
                    let name = path.strip_prefix(self.0.path()).expect("below").to_string_lossy().replace('\\', "/");
                    files.insert(name, std::fs::read_to_string(&path).expect("text"));
                }
            }
        }
        files
    }

    /// The only file whose path ends so.
    fn file(&self, end: &str) -> String {
        let files = self.files();
        files.into_keys().find(|path| path.ends_with(end) || path.contains(end)).expect("a file of this name")
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    /// Runs the program with nothing of this machine around it, and makes sure that it names no absolute path.
    fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        let mut child = program(self.0.path(), arguments).spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A program that needs no input may have ended.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let run = Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap_or(-1) };
        let own = self.0.path().to_string_lossy().into_owned();
        assert!(!run.out.contains(&own) && !run.err.contains(&own), "{arguments:?} names its place: {run:?}");
        run
    }
}

fn program(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopx"));
    command.current_dir(place).args(arguments).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn what_init_writes_is_clean_in_any_format() {
    let place = Place::with_state();
    let run = place.run(&["lint"]);
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), ("4 documents clean (1 goal, 1 agent).\n", "", 0));
    let run = place.run(&["lint", "--format", "concise"]);
    assert_eq!((run.out.as_str(), run.code), ("", 0));
    assert_eq!(run.err, "4 documents clean (1 goal, 1 agent).\n");
    assert_eq!(place.run(&["-q", "lint"]).out, "");
}

#[test]
fn init_is_repeatable_where_the_time_is_given() {
    let (one, other) = (Place::with_state(), Place::with_state());
    assert_eq!(one.files(), other.files());
    assert!(one.files().contains_key("loopx/loopx.yaml"));
}

#[test]
fn init_overwrites_nothing() {
    let place = Place::new();
    place.write("loopx/.gitignore", "mine\n");
    let run = place.run(&["init"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("loopx/.gitignore is left as it is\n      /facts/\n"), "{}", run.out);
    let before = place.files();
    let run = place.run(&["init"]);
    assert!(run.out.starts_with("The state directory was there; nothing was written."), "{}", run.out);
    assert_eq!(place.files(), before);
    assert_eq!(place.read("loopx/.gitignore"), "mine\n");
    assert_eq!(place.run(&["init", "loopx/inside"]).code, 3);
}

/// All that would be written and is there already is named, whether it differs or not.
#[test]
fn init_lists_all_that_it_leaves() {
    let place = Place::with_state();
    place.write("loopx/.gitignore", "mine\n");
    let run = place.run(&["init"]);
    for path in [".gitattributes", ".gitignore", ".vscode/loopx.schema.json", ".vscode/settings.json"] {
        let line = format!("  = loopx/{path} is left as it is\n");
        assert!(run.out.contains(&line), "{path}: {}", run.out);
    }
    let run = place.run(&["init", "--format", "json"]);
    let said: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((said["written"].as_array().map(Vec::len), said["left"].as_array().map(Vec::len)), (Some(0), Some(4)));
}

#[test]
fn the_version_is_for_programs_too() {
    let run = Place::new().run(&["version", "--format", "json"]);
    let said: Value = serde_json::from_str(&run.out).expect("JSON");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(said, serde_json::json!({ "schema_version": "loopx_version_v0", "name": "loopx", "version": version }));
    assert_eq!(Place::new().run(&["version", "--format", "concise"]).out, format!("loopx {version}\n"));
}

#[test]
fn shells_complete_every_command() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.run(&["completions", shell]);
        assert_eq!(script.code, 0, "{script:?}");
        assert!(["loopx", "settle", "execute", "approve"].iter().all(|word| script.out.contains(word)), "{shell}");
    }
    // What bash makes of it, where there is one.
    place.write("loopx.bash", &place.run(&["completions", "bash"]).out);
    let ask = "source loopx.bash; COMP_WORDS=(loopx se); COMP_CWORD=1; _loopx loopx se loopx; echo ${COMPREPLY[@]}";
    if let Ok(said) = Command::new("bash").current_dir(place.0.path()).args(["-c", ask]).output() {
        assert_eq!(String::from_utf8_lossy(&said.stdout), "settle session\n", "{said:?}");
    }
    assert_eq!(place.run(&["completions", "cmd"]).code, 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let written = place.run(&["man", "man1"]);
    let pages = place.files();
    assert_eq!(written.out, format!("{} pages\n", pages.len()), "{written:?}");
    let help = place.run(&["todo", "--help"]).out;
    let commands = command_line().lines().filter(|line| line.starts_with("## loopx")).count();
    assert!(pages.len() >= commands && commands > 40, "{} pages, {commands} commands", pages.len());
    let about = help.lines().next().expect("a line");
    assert!(pages["man1/loopx-todo.1"].contains(about), "{about}");
    assert!(place.run(&["man"]).out.contains("loopx\\-todo(1)"));
}

#[test]
fn a_file_is_no_place_to_start_in() {
    let place = Place::with_state();
    for (path, reason) in [("loopx/loopx.yaml", "not a directory"), ("nowhere", "entity not found")] {
        let run = place.run(&["-C", path, "lint"]);
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{run:?}");
        assert!(run.err.starts_with("error[cannot_read]: ") && run.err.contains(reason), "{}", run.err);
    }
    let run = place.run(&["-C", "loopx/loopx.yaml", "version"]);
    assert_eq!(run.code, 3, "{run:?}");
}

/// Nothing came in: what is said fits what was asked for.
#[test]
fn an_empty_input_is_told_what_fits() {
    let place = Place::with_state();
    for (arguments, code, advice) in
        [(["lint", "-"], "empty_document", "loopx lint -"), (["project", "-"], "empty_summaries", "loopx project FILE")]
    {
        for input in ["", "\n \n"] {
            let run = place.run_with(&arguments, input);
            assert_eq!((run.code, run.out.as_str()), (3, ""), "{arguments:?}: {run:?}");
            assert!(run.err.starts_with(&format!("error[{code}]")) && run.err.contains(advice), "{}", run.err);
        }
    }
    // Nothing that could be refused is an answer of a scan.
    let run = place.run_with(&["scan", "-"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "1 file clean.\n"));
}

/// Where there is no git, nothing is said of a repository, and nobody is told to commit.
#[test]
fn outside_git_no_repository_is_named() {
    let place = Place::with_state();
    let todo = place.file("/todos/");
    let id = todo.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml")).expect("a todo").to_owned();
    let mut runs = vec![
        place.run(&["lint"]),
        place.run(&["status"]),
        place.run(&["plan"]),
        place.run(&["record"]),
        place.run(&["reconcile"]),
        place.run(&["receipts", "list"]),
        place.run(&["todo", "done", &id, "--evidence", "out-1", "--execute"]),
    ];
    for other in ["one", "two"] {
        place.write(&format!("{other}/loopx.yaml"), "schema_version: loopx_workspace_v0\n");
    }
    runs.push(place.run(&["lint"]));
    for run in runs {
        assert!(run.code != 2, "{run:?}");
        let said = format!("{}{}", run.out, run.err);
        assert!(!said.contains("repository") && !said.contains("commit the change"), "{said}");
    }
}

#[test]
fn the_schema_for_editors_accepts_what_init_writes() {
    let place = Place::with_state();
    let schema: Value = serde_json::from_str(&place.read("loopx/.vscode/loopx.schema.json")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let documents: Vec<_> = place.files().into_iter().filter(|(path, _)| path.ends_with(".yaml")).collect();
    assert_eq!(documents.len(), 4);
    for (path, text) in documents {
        let document: Value = serde_yaml::from_str(&text).expect("YAML");
        assert!(validator.is_valid(&document), "{path}");
    }
    assert!(!validator.is_valid(&serde_json::json!({ "schema_version": "operator_gate_v0" })));
}

#[test]
fn an_empty_folder_is_never_clean() {
    let run = Place::new().run(&["lint"]);
    assert_eq!((run.out.as_str(), run.code), ("", 3));
    assert_eq!(run.err, "error[no_state_directory]: No state directory at . or above it. Start one: loopx init\n");
}

#[test]
fn findings_name_the_place_from_where_the_program_was_started() {
    let place = Place::with_state();
    let gate = place.file("/gates/");
    place.write(&gate, &place.read(&gate).replace("required_actor: owner", "required_actor: ownr"));
    let run = place.run(&["lint"]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("error[vocabulary/unknown-value]: `ownr` is not a class that can decide a gate\n"));
    assert!(run.out.contains(&format!(" --> {gate}:6:17\n")), "{}", run.out);
    assert!(run.out.contains("\n4 documents: 3 clean, 1 with errors.\n"), "{}", run.out);
    let inside = gate.strip_prefix("loopx/").expect("below the state directory");
    let run = place.run(&["-C", "loopx", "lint", "--format", "concise"]);
    assert!(run.out.starts_with(&format!("{inside}:6:17 error ")), "{}", run.out);
    let run = place.run(&["-C", "loopx/goals", "lint", "--format", "concise"]);
    assert!(run.out.starts_with(&format!("../{inside}:6:17 error ")), "{}", run.out);
}

#[test]
fn only_what_is_named_is_reported() {
    let place = Place::with_state();
    let (gate, todo) = (place.file("/gates/"), place.file("/todos/"));
    place.write(&gate, &place.read(&gate).replace("required_actor: owner", "required_actor: ownr"));
    assert_eq!(place.run(&["lint", &todo]).out, "1 document clean (1 goal, 1 agent).\n");
    assert_eq!(place.run(&["lint", &gate]).code, 1);
    assert_eq!(place.run(&["lint", "."]).code, 1);
    let folder = Path::new(&gate).parent().expect("a folder").to_string_lossy().into_owned();
    assert!(place.run(&["lint", &folder]).out.contains("1 document: 0 clean, 1 with errors."));
    assert_eq!(place.run(&["lint", "loopx/goals/nobody"]).code, 3);
    let run = place.run(&["lint", "loopx/.gitignore"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert!(run.err.starts_with("error[nothing_to_check]"), "{}", run.err);
}

#[test]
fn a_document_outside_any_state_directory_is_judged_by_itself() {
    let place = Place::new();
    place.write("gate.yaml", GATE);
    place.write("plain.yaml", "a: 1\n");
    assert_eq!(place.run(&["lint", "gate.yaml"]).out, "1 document clean.\n");
    let run = place.run(&["lint", "gate.yaml", "plain.yaml"]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("error[shape/unknown-kind]"), "{}", run.out);
    assert!(run.out.contains("\n2 documents: 1 clean, 1 with errors.\n"), "{}", run.out);
}

#[test]
fn standard_input_is_one_document() {
    let place = Place::new();
    assert_eq!(place.run_with(&["lint", "-"], GATE).out, "1 document clean.\n");
    let run = place.run_with(&["lint", "-", "--format", "concise"], &GATE.replace("owner", "ownr"));
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("stdin.yaml:5:17 error vocabulary/unknown-value "), "{}", run.out);
    let json = r#"{"schema_version": "operator_gate_v0", "gate_id": 1}"#;
    let run = place.run_with(&["lint", "-", "--format", "concise"], json);
    assert!(run.out.starts_with("stdin.json:1:1 error shape/missing-field "), "{}", run.out);
    let run = place.run_with(&["lint", "-", "--stdin-name", "gate.yaml", "--format", "concise"], "a: [");
    assert!(run.out.starts_with("gate.yaml:1:"), "{}", run.out);
    assert_eq!(place.run(&["lint", "-", "other"]).code, 2);
}

#[test]
fn json_is_one_object_of_a_named_version() {
    let place = Place::with_state();
    let gate = place.file("/gates/");
    place.write(&gate, &place.read(&gate).replace("required_actor: owner", "required_actor: ownr"));
    let run = place.run(&["--format", "json", "lint"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert_eq!(report["schema_version"], "loopx_lint_report_v0");
    assert_eq!(report["summary"]["with_errors"], 1);
    assert_eq!(report["findings"][0]["path"], gate.as_str());
    assert_eq!(report["findings"][0]["field"], "required_actor");
}

#[test]
fn a_sure_fix_is_shown_before_it_is_written() {
    let place = Place::with_state();
    let todo = place.file("/todos/");
    let broken = place.read(&todo).replace("title: Say", "priority: P1\ntitle: 012 #");
    place.write(&todo, &broken);
    let dry = place.run(&["lint", "--fix", "--dry-run"]);
    assert!(
        dry.out.contains("- title: 012 # in a few words") && dry.out.contains("+ title: '012' # in"),
        "{}",
        dry.out
    );
    assert!(dry.out.contains("1 file to write: loopx lint --fix\n"), "{}", dry.out);
    assert_eq!((place.read(&todo), dry.code), (broken.clone(), 1));
    let run = place.run(&["lint", "--fix"]);
    assert!(run.out.ends_with("1 file written.\n\n4 documents clean (1 goal, 1 agent).\n"), "{}", run.out);
    assert_eq!((place.read(&todo), run.code), (broken.replace("012", "'012'"), 0));
    assert!(place.run(&["lint", "--fix"]).out.starts_with("Nothing has a sure fix.\n"));
}

#[test]
fn mistakes_in_the_arguments_exit_2_and_are_shown_without_what_is_private() {
    let place = Place::new();
    for arguments in
        [&["lint", "--now", "yesterday"][..], &["nonsense"], &[], &["schema", "gat"], &["lint", "--dry-run"]]
    {
        let run = place.run(arguments);
        assert_eq!((run.out.as_str(), run.code), ("", 2), "{arguments:?}");
    }
    let private = ["/ho", "me/alice/keys"].concat();
    for run in
        [place.run(&["lint", "--now", &private]), place.run(&["lint", &private]), place.run(&["explain", &private])]
    {
        assert!(!run.err.contains("alice") && !run.out.contains("alice"), "{run:?}");
        assert_ne!(run.code, 0);
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let place = Place::with_state();
    for arguments in [&["explain"][..], &["schema"], &["lint"]] {
        let mut child = program(place.0.path(), arguments).spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn colour_stands_only_where_it_is_wanted() {
    let place = Place::new();
    let run = |color: &str| place.run_with(&["lint", "-", "--color", color], "a: 1\n").out.contains('\u{1b}');
    assert_eq!([run("always"), run("auto"), run("never")], [true, false, false]);
}

/// Each row of the privacy table is explained by what it refuses, why, and what passes it; its rule lists it.
#[test]
fn every_row_of_the_privacy_table_is_explained() {
    for class in loopx::privacy::Class::all() {
        let rule = loopx::app::explain(class.rule());
        let listed: Vec<&str> = rule.meanings[0].words.iter().map(|named| named.name.as_ref()).collect();
        for row in class.rows() {
            assert!(listed.contains(&row.id), "{} lists {}", class.rule(), row.id);
            let explanation = loopx::app::explain(row.id);
            let meaning =
                explanation.meanings.iter().find(|meaning| meaning.what.as_ref() == "row of the privacy table");
            let facts = &meaning.unwrap_or_else(|| panic!("{}", row.id)).facts;
            assert!(!format!("{meaning:?}").contains("hidden:"), "{} is refused by the wall itself", row.id);
            for fact in ["rule", "why", "known from", "passes"] {
                assert!(facts.iter().any(|named| named.name.as_ref() == fact), "{} {fact}", row.id);
            }
        }
    }
    let run = Place::new().run(&["explain", "github-token"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("ghp_") && run.out.contains("privacy/secret"), "{run:?}");
}

#[test]
fn everything_that_is_listed_is_explained() {
    let place = Place::new();
    let listed = place.run(&["explain", "--format", "concise"]);
    assert_eq!(listed.code, 0);
    let vocabularies = loopx::vocabulary::vocabularies();
    let words = vocabularies.iter().flat_map(|one| one.words.iter().map(|(word, _)| *word));
    let kinds = loopx::vocabulary::Kind::ALL.iter().map(|kind| kind.row().name);
    let all: Vec<&str> = listed.out.lines().chain(words).chain(kinds).collect();
    assert!(all.len() > 200, "{} words", all.len());
    for word in all {
        let explanation = loopx::app::explain(word);
        assert!(!explanation.meanings.is_empty(), "{word}");
        for meaning in &explanation.meanings {
            assert!(!meaning.summary.as_ref().is_empty(), "{word}");
            assert!(!format!("{meaning:?}").contains("hidden:"), "{word} is refused by the wall itself");
        }
    }
    let run = place.run(&["explain", "unknown-key"]);
    assert!(run.out.starts_with("shape/unknown-key (rule)\n  a key that this kind of document does not have\n"));
}

#[test]
fn an_unknown_word_gets_the_nearest_one() {
    let run = Place::new().run(&["explain", "shape/unknown-kye"]);
    let answer = "Nothing is called `shape/unknown-kye`. Did you mean `shape/unknown-key`?\n";
    assert_eq!((run.out.as_str(), run.code), (answer, 1));
}

#[test]
fn every_kind_prints_its_schema() {
    let place = Place::new();
    let list = place.run(&["schema", "--list", "--format", "concise"]);
    let names: Vec<&str> = list.out.lines().collect();
    assert_eq!(names.len(), loopx::vocabulary::Kind::ALL.len() + loopx::app::AnswerShape::ALL.len());
    for name in names {
        assert!(loopx::app::kind_of(name).is_some() || loopx::app::AnswerShape::of(name).is_some(), "{name}");
    }
    let run = place.run(&["schema", "gate"]);
    let schema: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(schema["title"], "operator_gate_v0");
}

#[test]
fn the_reference_is_what_the_program_says() {
    assert_data_eq!(command_line(), file!["../../docs/reference/cli.md"].raw());
    assert_data_eq!(exit_codes(), file!["../../docs/reference/exit-codes.md"].raw());
    assert_eq!(Exit::ALL.iter().map(|exit| exit.code()).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn no_line_of_help_is_wider_than_a_screen() {
    let page = command_line();
    let wide: Vec<&str> = page.lines().filter(|line| line.chars().count() > 100).collect();
    assert_eq!(wide, Vec::<&str>::new());
}
