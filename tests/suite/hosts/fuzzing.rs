//! A fuzzer of payloads: samples that are cut, flipped, doubled and joined. Ten minutes: `HOSTS_FUZZ_SECONDS=600`.

use std::time::{Duration, Instant};

use loopx::hosts::{
    EVENTS, HOSTS, HookAnswer, Host, HostReport, PayloadReading, SessionKey, event_row, read_event, render, report,
    reported,
};
use loopx::vocabulary::Instant as Moment;

use super::{event_of, folder};

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).expect("small")
    }
}

const PIECES: &[&[u8]] = &[
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"1e999",
    b"\\ud800",
    b"\\u0000",
    b"\xff",
    b"\"session_id\":\"x\",",
    b"\"tool_input\":{\"file_path\":\"../../x\"},",
    b"\"hook_event_name\":\"Stop\",",
    b"*** Add File: ../x\\n",
    b"-0",
    b"\xef\xbb\xbf",
];

fn mutated(numbers: &mut Numbers, sample: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len() + 1);
        match numbers.below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
            2 => drop(bytes.splice(at..at, PIECES[numbers.below(PIECES.len())].iter().copied())),
            3 => {
                let (from, to) = (numbers.below(other.len()), numbers.below(other.len()));
                drop(bytes.splice(at..at, other[from.min(to)..from.max(to)].iter().copied()));
            }
            4 => {
                let end = (at + numbers.below(40)).min(bytes.len());
                drop(bytes.drain(at.min(end)..end));
            }
            _ => bytes.extend_from_within(at.min(bytes.len())..),
        }
        bytes.truncate(20_000);
    }
    bytes
}

fn samples() -> Vec<(Host, String, Vec<u8>)> {
    let mut samples = Vec::new();
    for row in HOSTS {
        for entry in std::fs::read_dir(folder(row.host)).expect("samples").flatten() {
            let name = entry.file_name().to_string_lossy().trim_end_matches(".json").to_owned();
            samples.push((row.host, event_of(row.host, &name), std::fs::read(entry.path()).expect("a sample")));
        }
    }
    samples
}

#[test]
#[expect(clippy::print_stdout, reason = "says what a long run by hand measured")]
fn any_payload_gets_a_valid_answer() {
    let seconds = std::env::var("HOSTS_FUZZ_SECONDS").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let samples = samples();
    let mut numbers = Numbers(std::env::var("HOSTS_FUZZ_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(41));
    let validation = ["make".to_owned(), "ledger-check".to_owned()];
    let at = Moment::parse("2026-03-07T17:00:00Z").expect("an instant");
    let (mut executions, mut events) = (0_u64, 0_u64);
    while Instant::now() < end {
        let (host, event, sample) = &samples[numbers.below(samples.len())];
        let other = &samples[numbers.below(samples.len())].2;
        let payload = mutated(&mut numbers, sample, other);
        // Now and then under the name of another event or host.
        let (host, event) = match numbers.below(10) {
            0 => {
                let row = &EVENTS[numbers.below(EVENTS.len())];
                (row.host, row.name.to_owned())
            }
            _ => (*host, event.clone()),
        };
        executions += 1;
        let PayloadReading::Event(read) = read_event(host, &event, &payload) else { continue };
        events += 1;
        let key = SessionKey { surface: host.row().surface, session_id: "s".to_owned(), epoch: 1, todo_id: None };
        let told = report(&read, &[&validation]).unwrap_or(HostReport::Working);
        let facts = reported(None, &key, told, at).expect("the first report is written");
        assert!(facts.outcomes.len() <= 1 && facts.events.len() <= 1);
        let row = event_row(host, &event).expect("a row");
        for answer in [
            HookAnswer::Silence,
            HookAnswer::Inject(event.clone()),
            HookAnswer::Refuse(event.clone()),
            HookAnswer::Ask(event.clone()),
        ] {
            let text = render(row, &answer);
            assert!(text.is_empty() || serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        }
    }
    println!("fuzzed {executions} payloads, {events} of them events");
    assert!(executions > 100 && events > 10, "{executions} {events}");
}
