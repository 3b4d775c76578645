//! Keeps a packet short: a turn is one line that an agent can afford to read.

use super::packet::TurnPacket;
use crate::privacy::{Text, Wall};

/// The longest packet, in bytes of one line of JSON.
pub const PACKET_LIMIT: usize = 8_000;

/// The longest text of a packet that would be too long.
const TEXT: usize = 72;

/// So many globs are listed, and so many in a packet that would be too long.
const SCOPES: [usize; 2] = [16, 4];

/// So many steps and other goals are listed in a packet that would still be too long.
const LEAST: usize = 2;

/// Cuts a packet to its limit: texts first, then lists; ids and words are never cut.
#[must_use]
pub fn fit(mut packet: TurnPacket, wall: &Wall) -> TurnPacket {
    scopes(&mut packet, SCOPES[0]);
    if line(&packet).len() <= PACKET_LIMIT {
        return packet;
    }
    scopes(&mut packet, SCOPES[1]);
    texts(&mut packet, wall);
    if line(&packet).len() > PACKET_LIMIT {
        packet.pending_steps.truncate(LEAST);
        packet.other_goals.truncate(LEAST);
        packet.notes.truncate(LEAST);
    }
    packet
}

/// The packet as it is written: one line of JSON without its end.
#[must_use]
pub fn line(packet: &TurnPacket) -> String {
    serde_json::to_string(packet).expect("a packet is a tree with text keys")
}

fn scopes(packet: &mut TurnPacket, most: usize) {
    packet.boundary.write_scope.truncate(most);
    packet.boundary.read_scope.truncate(most);
}

fn texts(packet: &mut TurnPacket, wall: &Wall) {
    let shorten = |text: &mut Text| {
        if let Some(shorter) = shortened(text.as_ref()) {
            *text = wall.text(shorter);
        }
    };
    shorten(&mut packet.next_action);
    shorten(&mut packet.latest_validation);
    shorten(&mut packet.boundary.stop_condition);
    packet.boundary.write_scope.iter_mut().for_each(shorten);
    packet.boundary.read_scope.iter_mut().for_each(shorten);
    packet.todo.iter_mut().for_each(|todo| shorten(&mut todo.title));
    packet.gate.iter_mut().for_each(|gate| shorten(&mut gate.question));
    packet.user_todo.iter_mut().for_each(|todo| shorten(&mut todo.title));
    packet.handoff.iter_mut().for_each(|handoff| shorten(&mut handoff.next_action));
    packet.validation_command.truncate(SCOPES[0]);
    packet.validation_command.iter_mut().for_each(shorten);
    for step in &mut packet.pending_steps {
        step.command.truncate(SCOPES[0]);
        step.command.iter_mut().for_each(shorten_word(wall));
    }
    packet.notes.iter_mut().for_each(shorten);
}

/// The words of a command of the goal are document text; what this program writes is short.
fn shorten_word(wall: &Wall) -> impl Fn(&mut Text) {
    move |text| {
        if text.as_ref().chars().count() > crate::vocabulary::ID_LIMIT
            && let Some(shorter) = shortened(text.as_ref())
        {
            *text = wall.text(shorter);
        }
    }
}

fn shortened(text: &str) -> Option<String> {
    let (cut, _) = text.char_indices().nth(TEXT - 1)?;
    (text.chars().count() > TEXT).then(|| format!("{}…", &text[..cut]))
}
