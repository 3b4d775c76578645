//! Tells what a generator wrote from words, names and code.

/// The letters that follow each letter in nineteen of twenty pairs of English and of identifiers; measured on the sources
/// of some hundred crates.
const FOLLOWERS: [&[u8]; 26] = [
    b"bcdfgiklmnprstuvwxy",
    b"aceilorsuy",
    b"acefhiklorstu",
    b"adegiorsu",
    b"abcdefglmnpqrstvwxy",
    b"adefgilmnorstu",
    b"einrs",
    b"aeiort",
    b"abcdefglmnoprstvxz",
    b"aeou",
    b"aei",
    b"adefilostuy",
    b"abeilmopstu",
    b"acdefgiklnopstuvwy",
    b"bcdfiklmnoprstuvw",
    b"aeiloprstuy",
    b"u",
    b"acdegikmnorstuy",
    b"acehiloprstuy",
    b"acdefhilmoprstuy",
    b"abcdefgilmnprst",
    b"aei",
    b"aehior",
    b"abcdefpt",
    b"npst",
    b"e",
];

/// For each letter the set of letters that often follow it.
const OFTEN: [u32; 26] = {
    let mut often = [0; 26];
    let mut first = 0;
    while first < 26 {
        let mut at = 0;
        while at < FOLLOWERS[first].len() {
            often[first] |= 1 << (FOLLOWERS[first][at] - b'a');
            at += 1;
        }
        first += 1;
    }
    often
};

/// What each kind of change between neighbours weighs, in hundredths of a pair that no word has.
const CHANGE: usize = 60;

/// How disorderly the letters and digits of a value are, from 0 to 100: words stay below 30, whatever joins them; drawn
/// from letters of both cases and digits nearly everything is above 40, from hex digits above 15.
pub(super) fn disorder(value: &[u8]) -> usize {
    let (mut pairs, mut weight) = (0, 0);
    for pair in value.windows(2) {
        let [first, second] = [pair[0], pair[1]];
        if !first.is_ascii_alphanumeric() || !second.is_ascii_alphanumeric() {
            continue;
        }
        pairs += 1;
        weight += match (first.is_ascii_digit(), second.is_ascii_digit()) {
            (false, false) if first.is_ascii_lowercase() != second.is_ascii_lowercase() => CHANGE,
            (false, false) if !follows_often(first, second) => 100,
            (true, false) | (false, true) => CHANGE,
            _ => 0,
        };
    }
    weight / pairs.max(1)
}

fn follows_often(first: u8, second: u8) -> bool {
    let place = |letter: u8| letter.to_ascii_lowercase() - b'a';
    OFTEN[usize::from(place(first))] >> place(second) & 1 == 1
}

/// How many letters and how many digits a value holds.
pub(super) fn counts(value: &[u8]) -> (usize, usize) {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    (letters, value.iter().filter(|byte| byte.is_ascii_digit()).count())
}

/// Whether a value is five groups of hex digits as a UUID has them, and not one digit over and over.
pub(super) fn is_uuid(value: &[u8]) -> bool {
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    let fits = |(at, byte): (usize, &u8)| if DASHES.contains(&at) { *byte == b'-' } else { byte.is_ascii_hexdigit() };
    let repeats = || value.iter().filter(|byte| **byte == value[0]).count() >= 24;
    value.len() == 36 && value.iter().enumerate().all(fits) && !repeats()
}

/// Whether a value looks drawn by a generator, given that something already says that it is a key.
pub(super) fn is_generated(value: &[u8]) -> bool {
    let (letters, digits) = counts(value);
    let length = letters + digits;
    if is_uuid(value) {
        return true;
    }
    if letters == 0 {
        return length >= 20 && !is_counted(value);
    }
    if digits == 0 {
        return length >= 16 && disorder(value) >= 42 && !is_counted(value);
    }
    if value.iter().all(u8::is_ascii_hexdigit) {
        return length >= 11 && digits >= 2 && letters >= 2 && disorder(value) >= 8 && !is_counted(value);
    }
    let is_part = |byte: &u8| !byte.is_ascii_alphanumeric();
    let longest = value.split(is_part).max_by_key(|part| part.len()).unwrap_or_default();
    if longest.len() >= 20 && longest.len() < value.len() && longest.iter().all(u8::is_ascii_hexdigit) {
        return is_generated(longest);
    }
    let least = if length < 16 { 34 } else { 27 };
    length >= 11 && digits >= 1 && disorder(value) >= least && !is_counted(value)
}

/// Whether most characters are the successors of those before, or the same: `0123456789`, `abcdef`, `0000`.
pub(super) fn is_counted(value: &[u8]) -> bool {
    let steps = value.windows(2).filter(|pair| pair[1] == pair[0] || pair[1] == pair[0].wrapping_add(1)).count();
    steps * 2 >= value.len()
}

#[cfg(test)]
mod tests {
    use super::{disorder, is_generated, is_uuid};

    #[test]
    fn words_names_and_code_are_in_order() {
        for name in [
            "Draft7DependentSchemasIgnoredWithTypeValidator",
            "NL80211_WOWLAN_TRIG_NET_DETECT",
            "x86_64_unknown_linux_gnu",
            "proc_macro2::TokenStream",
            "SslExpandPreSharedKeyFn",
            "GB18030_2022_OVERRIDE_PUA",
            "db-credentials-v2",
            "IndentOfToken",
            "0123456789abcdef",
        ] {
            assert!(!is_generated(name.as_bytes()), "{name} {}", disorder(name.as_bytes()));
        }
    }

    #[test]
    fn what_was_drawn_is_generated() {
        for drawn in ["k7Qz2mXw9RbT4vNc", "q8z2mxw9rbt4vnc8lpjd3", "3f2b8c1e1c2d4e5f8a9b0c1d", "QKZ2MXW5RBT4VNC6LPJQ"] {
            assert!(is_generated(drawn.as_bytes()), "{drawn} {}", disorder(drawn.as_bytes()));
        }
        assert!(is_uuid(b"3f2b8c1e-1c2d-4e5f-8a9b-0c1d2e3f4a5b"));
        assert!(!is_uuid(b"00000000-0000-4000-0000-000000000000"));
    }
}
