//! Connected hosts: their payloads, what they report, what they are answered, and what the guard permits.

mod fuzzing;
mod guarding;
mod hostile;
mod ingesting;
mod running;
mod samples;
mod storm;

use std::path::{Path, PathBuf};

use loopx::hosts::Host;

/// The folder of the samples of a host.
fn folder(host: Host) -> PathBuf {
    let name = host.word().replace('_', "-");
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hosts/hooks").join(name)
}

/// A sample with a home folder in place of its placeholder.
fn sample(host: Host, name: &str, home: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(folder(host).join(format!("{name}.json"))).expect("a sample");
    text.replace("{{HOME}}", home).into_bytes()
}

/// The event that a sample is of: what stands before the first hyphen, or what its envelope names.
fn event_of(host: Host, name: &str) -> String {
    if host == Host::Opencode {
        let text = std::fs::read_to_string(folder(host).join(format!("{name}.json"))).expect("a sample");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let hook = value["hook"].as_str().expect("a hook").trim_start_matches("v2:");
        return if hook == "event" {
            value["input"]["event"]["type"].as_str().expect("a type").to_owned()
        } else {
            hook.to_owned()
        };
    }
    let text = std::fs::read_to_string(folder(host).join(format!("{name}.json"))).expect("a sample");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    value["hook_event_name"].as_str().expect("an event").to_owned()
}
