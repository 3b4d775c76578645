//! Reads compatibility forms, look-alike letters and invisible characters as the plain letters a reader sees.

use std::collections::HashMap;
use std::sync::OnceLock;

use unicode_normalization::char::decompose_compatible;

use crate::view::View;

/// Characters that look like one ASCII character; compatibility forms are left to NFKD.
/// Facts from Unicode's confusables (UTS 39) and from the shapes seen in reports.
const LOOKALIKES: &[(char, &str)] = &[
    ('a', "аɑα⍺ꭺ"),
    ('b', "Ƅьᑲ"),
    ('c', "сϲᴄⲥꮯ"),
    ('d', "ԁᏧᑯ"),
    ('e', "еҽ℮ꬲ"),
    ('f', "ꬵքẝ"),
    ('g', "ɡցᶃƍ"),
    ('h', "һհᏂ"),
    ('i', "іıɩιꙇᎥ"),
    ('j', "јϳ"),
    ('k', "кκ"),
    ('l', "ӏƖǀ∣ⵏꓲ"),
    ('m', "мᴍ"),
    ('n', "ոռп"),
    ('o', "оοᴏօσⲟჿ"),
    ('p', "рρϱⲣ⍴"),
    ('q', "ԛգզ"),
    ('r', "гᴦꭇⲅ"),
    ('s', "ѕƽꜱꮪ"),
    ('t', "тτᴛ"),
    ('u', "υսᴜꭎʋ"),
    ('v', "νѵᴠ∨"),
    ('w', "ԝѡաɯᴡ"),
    ('x', "хχᕁ"),
    ('y', "уүγʏყ"),
    ('z', "ᴢꮓ"),
    ('A', "АΑᎪᗅꓮⲀ"),
    ('B', "ВΒᏴꓐⲂ"),
    ('C', "СϹᏟꓚⲤ"),
    ('D', "Ꭰᗞꓓ"),
    ('E', "ЕΕᎬꓰⴹⲈ"),
    ('F', "Ϝᖴꓝ"),
    ('G', "ԌᏀꓖ"),
    ('H', "НΗᎻꓧⲎ"),
    ('I', "ІΙⲒӀ"),
    ('J', "ЈᎫꓙͿ"),
    ('K', "КΚᏦꓗⲔ"),
    ('L', "ᏞᒪꓡⳐ"),
    ('M', "МΜᎷꓟⲘϺ"),
    ('N', "ΝꓠⲚ"),
    ('O', "ОΟՕꓳⲞ"),
    ('P', "РΡᏢꓑⲢ"),
    ('Q', "ⵕԚ"),
    ('R', "ᎡᏒᖇꓣ"),
    ('S', "ЅՏᏚꓢ"),
    ('T', "ТΤᎢꓔⲦ"),
    ('U', "Սᑌꓴ"),
    ('V', "ѴᏙꓦ"),
    ('W', "ԜᎳꓪ"),
    ('X', "ХΧ᙭ꓫⲬ"),
    ('Y', "УҮΥᎩꓬⲨ"),
    ('Z', "ΖᏃꓜ"),
    ('/', "∕⁄⧸╱⟋"),
    ('\\', "∖⧵⧹╲⟍"),
    ('-', "‐‑‒–—―−⁃˗"),
    ('_', "ˍ"),
    ('.', "。܁ꓸ·"),
    (':', "։׃∶ː˸ꓽ"),
    ('=', "꓿゠═"),
    ('~', "∼∽〜"),
    ('"', "“”„‟″«»"),
    ('\'', "‘’‛′ʹʼ"),
    ('<', "‹˂ᐸ"),
    ('>', "›˃ᐳ"),
    (' ', "\u{1680}\u{180e}"),
    ('\n', "\u{85}\u{2028}\u{2029}"),
];

/// The zeros of other scripts' decimal digits.
const ZEROS: &[char] = &['٠', '۰', '߀', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '๐', '໐', '༠', '၀', '០'];

/// Whether a character shows nothing and changes nothing that a reader sees.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Reads a text as it looks; nothing when it already reads so.
pub(super) fn read(text: &str) -> Option<View> {
    let mut view = View::with_capacity(text.len());
    let mut kept = 0;
    let mut plain = String::new();
    for (at, character) in text.char_indices() {
        if keeps(character) {
            continue;
        }
        plain.clear();
        look(character, &mut plain);
        let end = at + character.len_utf8();
        if plain == text[at..end] {
            continue;
        }
        view.copy_near(text, kept..at);
        view.put(&plain, at..end);
        kept = end;
    }
    (kept > 0).then(|| {
        view.copy_near(text, kept..text.len());
        view
    })
}

/// Characters that need no look-up: printable ASCII, and scripts that have no compatibility forms of ASCII.
fn keeps(character: char) -> bool {
    matches!(character, ' '..='~' | '\n' | '\r' | '\t' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{d7ff}')
}

/// Adds what a character looks like.
fn look(character: char, plain: &mut String) {
    if character.is_ascii_control() || is_invisible(character) {
        return;
    }
    decompose_compatible(character, |part| {
        if !is_combining(part) {
            plain.push(lookalikes().get(&part).copied().unwrap_or(part));
        }
    });
}

/// Marks that sit on the letter before them.
fn is_combining(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

fn lookalikes() -> &'static HashMap<char, char> {
    static MAP: OnceLock<HashMap<char, char>> = OnceLock::new();
    MAP.get_or_init(|| {
        let letters = LOOKALIKES.iter().flat_map(|(plain, others)| others.chars().map(|other| (other, *plain)));
        let digits = ZEROS.iter().flat_map(|&zero| {
            ('0'..='9').enumerate().filter_map(move |(value, digit)| {
                Some((char::from_u32(u32::from(zero) + u32::try_from(value).ok()?)?, digit))
            })
        });
        letters.chain(digits).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::{LOOKALIKES, read};

    #[test]
    fn a_disguised_word_reads_plainly() {
        for disguised in ["ｔoken", "t\u{200b}oken", "tоken", "𝐭oken", "tóken", "t\u{332}oken", "ⓣoken", "to\u{ad}ken"]
        {
            assert_eq!(read(disguised).expect("it is disguised").text, "token", "{disguised}");
        }
    }

    #[test]
    fn plain_text_and_other_scripts_stay() {
        assert!(read("plain text").is_none());
        assert_eq!(read("批准第二步").map(|view| view.text), None);
    }

    #[test]
    fn a_character_looks_like_one_thing_only() {
        let mut all: Vec<char> = LOOKALIKES.iter().flat_map(|(_, others)| others.chars()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
