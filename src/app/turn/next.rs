//! What one agent may do now (`loopx next`): a pure read.

use std::path::Path;

use super::scope::TurnScope;
use crate::app::error::Error;
use crate::git::Repository;
use crate::privacy::Text;
use crate::reconcile::AgentView;
use crate::turn::{Cursor, TurnHistory, TurnInput, TurnPacket, fit, packet};
use crate::vocabulary::{Facts, HostSurface, Id, Instant, Priority, Todo, TurnDecision};

/// What a caller of `next` asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NextRequest {
    /// The agent; its whole id.
    pub agent: String,
    /// One of its goals; `None`: the first one to turn to.
    pub goal: Option<String>,
    /// The session that works for it; `None`: its only live one.
    pub session: Option<Id>,
    /// The host whose timer is asked about; `Some(None)` where it is not known.
    pub host: Option<Option<HostSurface>>,
    /// What that host gave back.
    pub cursor: Option<Cursor>,
}

/// What an agent may do now.
#[derive(Debug)]
pub struct NextTurn {
    /// The packet, within its limit.
    pub packet: TurnPacket,
    /// How many versions of files git was asked for.
    pub blobs_read: usize,
    /// How many documents were read.
    pub documents_read: usize,
}

/// Says what an agent may do now.
///
/// # Errors
/// There is no state directory, git cannot be read, or no goal lists the agent.
pub fn next(place: &Path, request: &NextRequest, as_of: Instant) -> Result<NextTurn, Error> {
    let scope = TurnScope::of_agent(place, &request.agent, request.goal.as_deref(), as_of)?;
    let packet = scope.next(request)?;
    let blobs_read = scope.repository.as_ref().map_or(0, Repository::blobs_read);
    let documents_read = scope.workspace.entries.len();
    Ok(NextTurn { packet, blobs_read, documents_read })
}

impl TurnScope {
    /// The packet of the first goal to turn to.
    pub(super) fn next(&self, request: &NextRequest) -> Result<TurnPacket, Error> {
        let (views, notes) = self.views(&request.agent);
        let packets = views.iter().map(|view| {
            let history = self.history(view.goal_id.as_str());
            let packet = self.packet(view, &history, request, &notes, &[]);
            let priority = view.goal.as_ref().map_or(Priority::P1, |goal| goal.priority);
            (packet.rank(priority), view, history, packet.decision)
        });
        let mut packets: Vec<_> = packets.collect();
        packets.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        let others: Vec<(Id, TurnDecision)> =
            packets.iter().skip(1).map(|(_, view, _, decision)| (view.goal_id.clone(), *decision)).collect();
        let (_, view, history, _) = packets.first().ok_or_else(|| self.unknown_agent(&request.agent))?;
        let packet = self.packet(view, history, request, &notes, &others);
        Ok(fit(packet, self.wall()))
    }

    fn packet(
        &self,
        view: &AgentView,
        history: &TurnHistory,
        request: &NextRequest,
        notes: &[Text],
        others: &[(Id, TurnDecision)],
    ) -> TurnPacket {
        self.with_input(view, history, request, notes, others, packet)
    }

    /// Gives what a packet is made of to a function.
    pub(super) fn with_input<T>(
        &self,
        view: &AgentView,
        history: &TurnHistory,
        request: &NextRequest,
        notes: &[Text],
        others: &[(Id, TurnDecision)],
        function: impl FnOnce(&TurnInput<'_>) -> T,
    ) -> T {
        let todo_here = |id: &str| -> Option<&Todo> { self.todo(view.goal_id.as_str(), id) };
        let facts_here = |session: &str| -> Option<&Facts> { self.facts(session) };
        function(&TurnInput {
            view,
            history,
            wall: self.wall(),
            as_of: self.as_of,
            session: request.session.as_ref(),
            todo_here: &todo_here,
            facts_here: &facts_here,
            has_repository: self.repository.is_some(),
            prefix: &self.prefix,
            host: request.host,
            cursor: request.cursor.as_ref(),
            others,
            notes,
        })
    }
}
