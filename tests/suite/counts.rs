//! What was drawn, counted: kinds, words of vocabularies, reasons.

use std::collections::BTreeMap;

use loopx::rules::judge;
use loopx::vocabulary::{Kind, schema};
use loopx::workspace::MemoryFiles;
use serde_json::Value;

use crate::generator::{Generated, steady};

/// How often each thing was drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    /// Documents by kind.
    pub(crate) kinds: BTreeMap<&'static str, usize>,
    /// Words by vocabulary and word.
    pub(crate) words: BTreeMap<(String, String), usize>,
}

impl Counts {
    /// Counts one document: its kind, and every word that its schema says is of a vocabulary.
    pub(crate) fn document(&mut self, kind: Kind, document: &Value) {
        *self.kinds.entry(kind.row().version).or_default() += 1;
        let root = schema(kind);
        let mut waiting = vec![(root, document)];
        while let Some((schema, value)) = waiting.pop() {
            let schema = match schema.get("$ref").and_then(Value::as_str) {
                Some(pointer) => root.pointer(pointer.trim_start_matches('#')).expect("a definition"),
                None => schema,
            };
            if let (Some(name), Some(word)) = (schema.get("x-vocabulary").and_then(Value::as_str), value.as_str()) {
                self.word(name, word);
            }
            match value {
                Value::Object(object) => {
                    for (key, child) in object {
                        let named = schema.get("properties").and_then(|properties| properties.get(key));
                        if let Some(schema) = named.or_else(|| schema.get("additionalProperties")) {
                            waiting.push((schema, child));
                        }
                    }
                }
                Value::Array(items) => {
                    if let Some(schema) = schema.get("items") {
                        waiting.extend(items.iter().map(|item| (schema, item)));
                    }
                }
                _ => {}
            }
        }
    }

    /// Counts one word.
    pub(crate) fn word(&mut self, vocabulary: &str, word: &str) {
        *self.words.entry((vocabulary.to_owned(), word.to_owned())).or_default() += 1;
    }
}

/// The figures of small runs are their own: a program that measures and has grown large is not part of them.
#[test]
fn what_measures_is_not_measured() {
    let benches = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    let script = "import measure\nlarge = bytearray(200 << 20)\nlarge[::4096] = b'x' * len(large[::4096])\n\
                  print(measure.once(['true'])[2])";
    let mut python = std::process::Command::new("python3");
    let output = match python.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(benches).args(["-c", script]).output() {
        Ok(output) => output,
        Err(_) => return crate::store::report("SKIPPED: what measures is not measured; python3 is not installed"),
    };
    let peak: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().expect("MiB");
    assert!((0.1..100.0).contains(&peak), "{peak} MiB");
}

#[test]
fn the_directory_that_speed_is_measured_on_is_clean_and_of_the_stated_size() {
    let goals = 20;
    let files = steady(7, goals).files;
    let bytes: usize = files.values().map(Vec::len).sum();
    assert_eq!(files.len(), 14 * goals + 2);
    let mean = bytes / files.len();
    assert!((900..1150).contains(&mean), "{mean} bytes a document");
    let findings = judge(&MemoryFiles::new(files), Generated::now()).findings;
    assert_eq!(findings.len(), 0, "{:?}", findings.first());
}
