//! The official Python client of the protocol drives the server, in both of its handshakes.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::turn::{Example, NOW, has};

/// The release of the client that the test was written for.
const CLIENT: &str = "mcp==2.3.0";

/// Set: a client that cannot be had is a failure, not a reason to skip.
const NEEDED: &str = "LOOPX_NEEDS_MCP_CLIENT";

/// A Python that has the client, made once; why not, where it cannot be had.
fn python() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-client");
    let python = folder.join("bin/python");
    let run = |program: &Path, arguments: &[&str]| -> Result<(), String> {
        let output = Command::new(program).args(arguments).output();
        match output {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Err(error.to_string()),
        }
    };
    if run(&python, &["-c", "import mcp.client.client"]).is_err() {
        run(Path::new("python3"), &["-m", "venv", "--clear", &folder.to_string_lossy()])?;
        let quick = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"];
        run(&python, &[&["-m", "pip", "install"], &quick[..], &[CLIENT]].concat())?;
    }
    Ok(python)
}

fn drive(python: &Path, example: &Example, mode: &str) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mcp/client.py");
    let mut command = Command::new(python);
    example.sandbox.scrub(&mut command);
    command.current_dir(&example.repo).arg(script).args([env!("CARGO_BIN_EXE_loopx"), NOW, mode]);
    let output = command.output().expect("Python runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&said).expect("JSON")
}

#[test]
fn the_official_client_works_a_turn() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => {
            assert!(std::env::var_os(NEEDED).is_none(), "{CLIENT} cannot be had: {why}");
            let skipped = "SKIPPED: the official client of MCP was not tried";
            crate::store::report(&format!("{skipped}, since {CLIENT} cannot be had: {why}"));
            return;
        }
    };
    for (mode, version) in [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")] {
        let example = Example::new();
        let told = drive(&python, &example, mode);
        has(
            &told,
            &[
                ("/version", json!(version)),
                ("/tools", json!(["claim", "explain", "lint", "next", "request_gate", "settle", "status"])),
                ("/next/decision", json!("work")),
                ("/settle/result", json!("done")),
                ("/again/replayed", json!(true)),
                ("/refused", json!(true)),
                ("/unknown", json!(-32602)),
                ("/resource/schema_version", json!("loopx_turn_v0")),
                ("/prompt", json!("You are agent claude-review; loopx holds all state.")),
            ],
        );
        assert_eq!(example.receipts("turn").len(), 1, "{mode}");
    }
}
