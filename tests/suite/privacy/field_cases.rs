//! Real bug reports of scanners, by the ids of the team's list. S25 is `receipts::canaries`; S26 and S38 hold by
//! construction, since a finding has no field for a value (it shows no length and no digest of it either); S35 holds
//! since an exception is rule, document and field, without a line, a time of writing or a digest; Y19 is in `fieldcases`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use loopx::document::{Format, parse};
use loopx::privacy::{Decoder, FieldPath, Grammar, Wall, scan_document};

use super::chance::{ALNUM, BASE64, Chance, HEX};

fn classes(text: &str) -> Vec<&'static str> {
    let mut classes: Vec<&str> = Wall::shipped().scan_text(text).iter().map(|hit| hit.rule.class.rule()).collect();
    classes.dedup();
    classes
}

/// The rules that a YAML document breaks, with the names of its fields judged.
fn rules(text: &str) -> Vec<&'static str> {
    let document = parse(text.as_bytes(), Format::Yaml).document.unwrap_or_else(|| panic!("no YAML: {text}"));
    let found = scan_document(Wall::shipped(), &document, text, &|_: &FieldPath| Grammar::Free);
    found.iter().map(|found| found.hit.rule.class.rule()).collect()
}

fn token() -> String {
    format!("gh{}_{}", "p", Chance::of(&["field cases"]).run(ALNUM, 36))
}

fn password() -> String {
    Chance::of(&["field cases", "password"]).run(ALNUM, 14)
}

fn key_block(label: &str, headers: &str) -> String {
    let body = Chance::of(&["field cases", label]).run(BASE64, 64);
    format!("-----BEGIN {label}-----\n{headers}{body}\n-----END {label}-----")
}

#[test]
fn what_only_looks_refused_passes() {
    let chance = &mut Chance::of(&["field cases", "clean"]);
    for (id, text) in [
        ("S01", "tokenization_id: f865288c97ca4913887373728b8dfc4c".to_owned()),
        ("S02", format!("integrity: sha512-{}aWs4{}==", chance.run(BASE64, 41), chance.run(BASE64, 41))),
        ("S04", "api_key: ${ENV}, token: <redacted>, secret: {{ vault.x }}, pass: REDACTED".to_owned()),
        ("S05", "authentication required; approve_with_id pending".to_owned()),
        ("S13", format!("paste nothing starting with -----BEGIN {}PRIVATE {}-----", "RSA ", "KEY")),
        ("S19", "https://u:%2A%2A%2A%2A%2A%2A@h".to_owned()),
        ("S28", "observed: 1750000000, serial 2026092201".to_owned()),
        ("S29", "127.0.0.1, ::1, 0.0.0.0, 192.0.2.7, 2001:db8::1, version 10.4.3.1".to_owned()),
        ("S32", "https://example.com/home/page and docs/home/index.md".to_owned()),
        ("S37", format!("digest: sha512:{}", chance.run(HEX, 128))),
    ] {
        assert_eq!(classes(&text), [""; 0], "{id} {text}");
    }
    // A field of this name is refused all the same: by its name, not by its value.
    assert_eq!(rules("password: REDACTED\n"), ["privacy/forbidden-field"], "S04");
}

#[test]
fn what_other_scanners_missed_is_found() {
    let (token, password) = (token(), password());
    let block = key_block(&["PRIVATE ", "KEY"].concat(), "");
    let home = ["/ho", "me/alice"].concat();
    let users = ["Us", "ers"].concat();
    let secret = "privacy/secret";
    let path = "privacy/local-path";
    let mut cases = vec![
        ("S07", secret, STANDARD.encode(&token)),
        ("S10", secret, STANDARD.encode(format!("{{\"key\": {}}}", serde_json::to_string(&block).expect("JSON")))),
        ("S13", secret, format!("-----BEGIN PRIVATE {}-----\n{}", "KEY", Chance::of(&["line"]).run(BASE64, 64))),
        ("S14", secret, key_block(&["ENCRYPTED PRIVATE ", "KEY"].concat(), "")),
        (
            "S14",
            secret,
            key_block(&["RSA PRIVATE ", "KEY"].concat(), "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"),
        ),
        ("S14", secret, key_block(&["OPENSSH PRIVATE ", "KEY"].concat(), "")),
        ("S14", secret, key_block(&["PGP PRIVATE ", "KEY BLOCK"].concat(), "Version: 2\n\n")),
        ("S14", secret, format!("PuTTY-User-Key-{}-3: ssh-ed25519\nEncryption: none\n", "File")),
        ("S16", secret, format!("https://user%3A{password}%40host.example/x")),
        ("S16", secret, format!("https://user:pass%21{password}@h.example/x")),
        ("S17", secret, format!("https://alice:pa%ssword@h.example/x?api_key={password}")),
        ("S20", secret, format!("{}\u{200b}{}", &token[..5], &token[5..])),
        ("S20", "privacy/personal-data", format!("alice.li{}\u{200b}gmail.com", "@")),
        ("S22", secret, format!("{}\n{}", &token[..18], &token[18..])),
        ("S37", secret, format!("digest: sha512:{token}")),
        ("S29", "privacy/private-network", ["host 10.", "20.30.40"].concat()),
        ("S32", path, format!("wrapper: {home}/.w.py")),
    ];
    for skipped in 0..3 {
        cases.push((
            "S08",
            secret,
            format!("{{\"k\": \"{}\"}}", STANDARD.encode(format!("{}{block}", "x".repeat(skipped)))),
        ));
    }
    for form in [
        format!("C:\\{users}\\alice\\x"),
        format!("C:\\\\{users}\\\\alice"),
        format!("C:/{users}/alice"),
        format!("\\\\?\\C:\\{users}\\alice"),
        format!("C:%5C{users}%5Calice"),
    ] {
        cases.push(("S31", path, form));
    }
    for (root, rest) in [
        ("/va", "r/mail/alice"),
        ("/ru", "n/user/1000/alice"),
        ("/mn", "t/c/Users/alice"),
        ("/Vol", "umes/Alice/x"),
        ("~al", "ice/x"),
        ("file:/", "//home/alice"),
        ("\\\\s", "rv\\alice$"),
    ] {
        cases.push(("S34", path, [root, rest].concat()));
    }
    for (id, class, text) in cases {
        assert!(classes(&text).contains(&class), "{id} {class} {text:?} {:?}", classes(&text));
    }
}

#[test]
fn a_hidden_secret_is_reported_where_it_is_hidden() {
    let text = format!("summary: {}", STANDARD.encode(token()));
    let hits = Wall::shipped().scan_text(&text);
    assert_eq!((hits[0].span.start, hits[0].decoder), ("summary: ".len(), Some(Decoder::Base64)), "S07");
    let text = format!("{}\u{200b}{}", &token()[..5], &token()[5..]);
    let hits = Wall::shipped().scan_text(&text);
    assert!(hits.iter().any(|hit| hit.rule.class.rule() == "privacy/invisible-character" && hit.span == (5..8)), "S20");
}

#[test]
fn every_style_of_yaml_shows_the_same() {
    let key = Chance::of(&["field cases", "hex"]).run(HEX, 64);
    for (style, text) in [
        ("literal", format!("notes: |\n  api_keys:\n    prod: {key}\n")),
        ("folded", format!("notes: >\n  api_keys:\n    prod: {key}\n")),
        ("quoted", format!("notes: \"api_keys:\\n  prod: {key}\"\n")),
        ("plain", format!("notes: api_keys=prod={key}\n")),
        ("flow", format!("notes: {{ 'api_keys': '{key}' }}\n")),
    ] {
        assert!(rules(&text).contains(&"privacy/secret"), "S11 {style} {text}");
    }
}

#[test]
fn every_place_of_a_document_is_searched() {
    let token = token();
    let path = ["/ho", "me/alice/x"].concat();
    for (place, text, rule) in [
        ("key", format!("{{ {token}: true }}\n"), "privacy/secret"),
        ("key", format!("'{path}': true\n"), "privacy/local-path"),
        ("comment", format!("a: 1 # {token}\n"), "privacy/secret"),
        ("items", format!("a:\n  - {}\n  - {}\n", &token[..18], &token[18..]), "privacy/secret"),
        ("siblings", format!("part_1: {}\npart_2: {}\n", &token[..18], &token[18..]), "privacy/secret"),
    ] {
        assert!(rules(&text).contains(&rule), "S22, S23 {place} {text}");
    }
    // Anchors and tags are no part of the tree: a file that holds them is read as text too, and refused by YAML's rules.
    for text in [format!("a: &{token} x\n"), format!("a: !{token} x\n")] {
        assert!(classes(&text).contains(&"privacy/secret"), "S23 {text}");
    }
}
