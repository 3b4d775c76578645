//! Characters that hide or reorder text.

use std::ops::Range;

use crate::decode::is_invisible;

/// Finds characters that turn the direction of writing.
pub(super) fn direction_controls(text: &str) -> Vec<Range<usize>> {
    places(text, |character| matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// Finds control characters.
pub(super) fn control_characters(text: &str) -> Vec<Range<usize>> {
    places(text, |character| character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{85}'))
}

/// The most tag characters that the flag of a region needs, with the one that ends it.
const LONGEST_FLAG: i32 = 7;

fn places(text: &str, refused: fn(char) -> bool) -> Vec<Range<usize>> {
    text.char_indices()
        .filter(|(_, character)| refused(*character))
        .map(|(at, character)| at..at + character.len_utf8())
        .collect()
}

/// Finds invisible characters, except where a script or an emoji needs them.
pub(super) fn zero_width(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut before = None;
    // How many tag characters of a flag may still follow.
    let mut flag = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let behind = characters.peek().map(|(_, next)| *next);
        let is_tag = matches!(character, '\u{e0020}'..='\u{e007f}');
        flag = if character == '🏴' {
            LONGEST_FLAG
        } else if is_tag {
            flag - 1
        } else {
            0
        };
        let hides = is_invisible(character) && !matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let is_blank =
            character == '\u{2800}' && !is_braille(before) && !is_braille(behind.filter(|&next| next != '\u{2800}'));
        let hides = hides || is_blank;
        let needed = is_tag && flag >= 0 || is_needed(character, before, behind) || at == 0 && character == '\u{feff}';
        if hides && !needed {
            found.push(at..at + character.len_utf8());
        }
        before = Some(character);
    }
    found
}

/// Whether the neighbours of an invisible character are what it was made for.
fn is_needed(character: char, before: Option<char>, behind: Option<char>) -> bool {
    let joining = |neighbour: Option<char>| neighbour.is_some_and(is_joining);
    match character {
        '\u{200c}' | '\u{200d}' => joining(before) && joining(behind) || is_emoji(before) && is_emoji(behind),
        '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            joining(before) || joining(behind) || before.is_none_or(is_rtl) || behind.is_none_or(is_rtl)
        }
        '\u{fe0e}' | '\u{fe0f}' => {
            is_emoji(before)
                || before.is_some_and(|before| before.is_ascii_digit() || matches!(before, '#' | '*'))
                    && behind == Some('\u{20e3}')
        }
        '\u{fe00}'..='\u{fe0d}' => before.is_some_and(|before| !before.is_ascii() && !is_invisible(before)),
        '\u{180b}'..='\u{180f}' => before.is_some_and(|before| matches!(before, '\u{1800}'..='\u{18af}')),
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => {
            before.is_some_and(|before| matches!(before, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}'))
        }
        _ => false,
    }
}

/// A letter of Braille; its blank shows nothing to those who read no Braille.
fn is_braille(character: Option<char>) -> bool {
    character.is_some_and(|character| matches!(character, '\u{2801}'..='\u{28ff}'))
}

/// Letters of scripts whose letters join or stack.
fn is_joining(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{590}'..='\u{5ff}')
}

fn is_rtl(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

fn is_emoji(character: Option<char>) -> bool {
    character.is_some_and(|character| {
        matches!(character, '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{a9}' | '\u{ae}' | '\u{200d}')
    })
}
