//! What a team adds to the shipped table.

use super::exception::Exception;
use super::piece::alternatives;

/// What a team adds to the shipped table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Prefixes of the team's internal tickets, such as `ACME`; literal text.
    pub ticket_prefixes: Vec<String>,
    /// Host names that must not be named; literal text, sub-domains included.
    pub private_hosts: Vec<String>,
    /// Reviewed exceptions; the wall reports all the same, [`Exception::excuses`] says what to leave out.
    pub exceptions: Vec<Exception>,
}

impl Policy {
    /// The prefixes without the dash before the number, less those that are nothing else.
    pub(super) fn ticket_words(&self) -> impl Iterator<Item = &str> {
        filled(&self.ticket_prefixes, |prefix| prefix.trim_end_matches('-'))
    }

    /// The hosts without outer dots, less those that are nothing else.
    pub(super) fn host_words(&self) -> impl Iterator<Item = &str> {
        filled(&self.private_hosts, |host| host.trim_matches('.'))
    }

    /// The pattern of the team's tickets.
    pub(super) fn tickets(&self) -> Option<String> {
        self.ticket_words().next()?;
        // Behind a space a year is no number of a ticket.
        let number = r"(?:[-_#]?|[-_]? #)[0-9]{1,9}| (?:[03-9][0-9]{0,8}|[12][0-8][0-9]{0,7}|[12][0-9]{1,2}|[12][0-9]{4,8}|[12])\b";
        Some(format!("(?iu:{})(?:{number})", alternatives(self.ticket_words())))
    }

    /// The pattern of the team's hosts.
    pub(super) fn hosts(&self) -> Option<String> {
        self.host_words().next()?;
        Some(format!(r"(?i:(?:[a-z0-9-]{{1,63}}\.){{0,8}})(?iu:{})", alternatives(self.host_words())))
    }
}

/// The words of a list that hold a letter or a digit once `trimmed`.
fn filled(entries: &[String], trimmed: fn(&str) -> &str) -> impl Iterator<Item = &str> {
    entries.iter().map(move |entry| trimmed(entry.trim()).trim()).filter(|word| word.contains(char::is_alphanumeric))
}
