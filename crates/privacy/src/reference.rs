//! The table of the wall, as people read it.

use std::fmt::Write as _;

use super::class::Class;
use super::piece::Piece;
use super::row::{Find, Row};

/// How many passing examples a row shows.
const SHOWN: usize = 3;

/// Writes the reference page of the wall: every class with its rows, all from the table.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(HEAD);
    for class in Class::all() {
        let (title, rule, why) = (class.title(), class.rule(), class.why());
        let exception =
            if class.can_be_excepted() { "A policy may except one field for a time." } else { "Knows no exception." };
        write!(page, "\n## {title}\n\n`{rule}`: {why} {exception}\n\n| row | refuses | passes | known from |\n|---|---|---|---|\n")
            .expect("writing to a string succeeds");
        for row in class.rows() {
            writeln!(page, "| {} | {} | {} | {} |", row.id, cell(&row.description()), passing(row), row.source)
                .expect("writing to a string succeeds");
        }
    }
    page
}

const HEAD: &str = "# The privacy wall

Generated from the table in `crates/privacy/rows`; `SNAPSHOTS=overwrite cargo test -p loopx-privacy` rewrites it.

Every text is searched as it stands, and as a person, a parser or a decoder would read it: compatibility forms, look-alike
letters and invisible characters read plainly; percent, backslash and HTML escapes decoded; words joined that a fold or a
list has split; base64, base64url and hex decoded, UTF-16 and gzip within them read. Views lie at most six deep over one
another and hold at most sixteen times the text; what is packed deeper is refused as it is.
";

impl Row {
    /// What it refuses; of a token also its shape.
    #[must_use]
    pub fn description(&self) -> String {
        let Find::Token { heads, tail } = self.find else { return self.what.to_owned() };
        let heads: Vec<String> = heads.iter().map(|head| format!("`{head}`")).collect();
        let tail: Vec<String> = tail.iter().map(|piece| spoken(*piece)).collect();
        format!("{}: {}, then {}", self.what, heads.join(" or "), tail.join(", "))
    }
}

fn spoken(piece: Piece) -> String {
    match piece {
        Piece::Lit(text) => format!("`{text}`"),
        Piece::Run(alphabet, least, most) if least == most => format!("{least} {}", alphabet.name),
        Piece::Run(alphabet, least, _) => format!("{least} or more {}", alphabet.name),
    }
}

/// Some texts that only look like the material of a row.
fn passing(row: &Row) -> String {
    let shown = row
        .clean_examples()
        .filter(|text| text.len() < 60 && !text.contains(['`', '\n']) && !text.contains(char::is_control));
    let shown: Vec<String> = shown.take(SHOWN).map(|text| format!("`{text}`")).collect();
    cell(&shown.join(", "))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
