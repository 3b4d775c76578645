//! What a change may not do: the rules of `loopx review`. No file shows them, only two revisions side by side; which
//! change breaks which rule is the table of the module `review`.

use super::{Rule, RuleCheck};
use crate::vocabulary::Level;

/// An agent wrote an act of a person.
pub const AGENT_DECIDES: Rule = refused(
    "transition/agent-decides",
    "an agent or a host had a part in the commit of an act that only a person does",
    "A name in a document is a claim; the commit shows whose hand wrote it, and no agent decides for a person.",
);
/// Whoever asked wrote the decision.
pub const ASKER_DECIDES: Rule = refused(
    "transition/asker-decides",
    "whoever asked committed the decision in another's name",
    "A gate exists so that somebody else looks; the asker's own commit shows nobody's look.",
);
/// A decided gate was edited.
pub const DECISION_EDITED: Rule = refused(
    "transition/decision-edited",
    "a decided gate was edited without a new revision",
    "People decided what they read; whatever is changed afterwards, nobody decided. A new revision asks them again.",
);
/// The rule for a change that removes an open question.
pub const REMOVED: Rule = refused(
    "transition/removed",
    "a gate or a handoff was removed that is decided or holds work up",
    "Taking the question away answers it without anybody; withdrawing a gate is an act with a name and a receipt.",
);
/// A gate holds less up.
pub const GATE_NARROWED: Rule = refused(
    "transition/gate-narrowed",
    "a gate no longer holds up work that nobody decided on",
    "Work that waited for a person starts without one, although the gate still looks closed.",
);
/// A gate asks somebody else.
pub const DECIDER_CHANGED: Rule = refused(
    "transition/decider-changed",
    "a gate asks another class than before, and nobody who may decide that did",
    "Who answers for a risk is settled when the question is asked, not when the answer is known.",
);
/// An approved handoff was edited.
pub const APPROVED_EDITED: Rule = refused(
    "transition/approved-edited",
    "an approved handoff was edited",
    "The approval is of what was read; another agent, scope or end needs an approval of its own.",
);
/// A handoff names another agent.
pub const RETARGETED: Rule = looked_at(
    "transition/retargeted",
    "a handoff goes to another agent",
    "Agents differ in what they are registered for; whoever approves should know who acts.",
);
/// The rule for a change that widens a boundary.
pub const WIDER: Rule = looked_at(
    "transition/wider",
    "a scope, a quota, a list of agents or of capabilities is wider than before",
    "Wider is what a reviewer is there to notice; a reformatted list hides it well.",
);
/// An agent widened its own limits.
pub const AGENT_WIDENS: Rule = refused(
    "transition/agent-widens",
    "an agent, a host or an unknown name committed wider limits of a goal",
    "Limits bind agents; whoever is bound by a limit does not move it.",
);
/// A goal is about something else.
pub const GOAL_REWORDED: Rule = looked_at(
    "transition/goal-reworded",
    "what a goal is about was changed by somebody who is no known person",
    "An objective and what is no part of it bind agents by their words alone; nobody but a reader can tell wider words from narrower ones.",
);
/// An agent changed what judges it.
pub const AGENT_CHANGES_POLICY: Rule = refused(
    "transition/agent-changes-policy",
    "an agent, a host or an unknown name committed a change of policy or settings",
    "Policies say who is who and what is refused; whoever they judge does not write them.",
);
/// What judges changes has changed.
pub const POLICY_CHANGED: Rule = looked_at(
    "transition/policy-changed",
    "policies, actors, exceptions, suppressions or the place where decisions count are changed",
    "What judges the next change is changed here; this change itself is still judged by what the base says.",
);
/// A session works in another mode.
pub const MODE_CHANGED: Rule = refused(
    "transition/mode-changed",
    "a binding changed its session mode",
    "The mode says who owns the process; a session keeps it for life, and another mode is another binding.",
);
/// An id names something of another kind.
pub const KIND_CHANGED: Rule = refused(
    "transition/kind-changed",
    "an id names a document of another kind than before",
    "Receipts and links go by id; under another kind they would speak of something nobody meant.",
);
/// An id names something else.
pub const IDENTITY_CHANGED: Rule = refused(
    "transition/identity-changed",
    "an id names another thing than before",
    "An id is never given away again; what was decided about the one would seem decided about the other.",
);
/// Two branches changed one document.
pub const BOTH_SIDES: Rule = looked_at(
    "transition/both-sides",
    "the base changed the same document since the branches parted",
    "A merge by text may take lines of both; whoever merges has to say which of them holds.",
);
/// The rule for two branches that decided one gate differently.
pub const DECIDED_TWICE: Rule = refused(
    "transition/decided-twice",
    "the base has decided otherwise, or gave the same id away",
    "One question has one answer; the second one shows up as a conflict, and a hasty merge drops either.",
);
/// An apply of something that nobody previewed.
pub const DIGEST_MISMATCH: Rule = refused(
    "transition/digest-mismatch",
    "a writeback would be applied whose approved digest is not that of its preview",
    "What is approved is the preview that was seen; another digest is of something that nobody saw.",
);
/// The commit is somebody else's.
pub const OTHER_AUTHOR: Rule = refused(
    "transition/other-author",
    "an act names a person whose commit it is not, or whom the base does not know",
    "A name in a document is a claim; one may write for another only where the other says so in a review of the change.",
);
/// Nobody vouches for an act.
pub const UNVERIFIED: Rule = Rule {
    id: "transition/unverified",
    level: Level::Off,
    summary: "an act of a person without a valid signature or a review by that person",
    why: "Names in documents and commits are claims; a team that wants proof sets this rule to error.",
    check: RuleCheck::Change,
};
/// A person acts in a class that the base does not give.
pub const CLASS_NOT_GIVEN: Rule = refused(
    "transition/class-not-given",
    "a person acts in a class that neither the base's policies nor the goal give",
    "A class says who answers for a risk; whoever could take one by writing its name would answer for everything.",
);
/// Work that was approved is other work now.
pub const APPROVED_WORK_CHANGED: Rule = refused(
    "transition/approved-work-changed",
    "the work that an approved gate names was changed by somebody who is no known person",
    "People approved what they read; under another title, class, assignee or order the approval would be of something that nobody read.",
);
/// A todo is done that nobody could do yet.
pub const FINISHED_EARLY: Rule = refused(
    "transition/finished-early",
    "an agent says that a todo is done which it was not permitted to finish",
    "What waits for a gate, a handoff or another todo, or belongs to somebody else, is not an agent's to finish; else its end would open what comes after it.",
);
/// Something opens that nobody allowed.
pub const OPENS_BY_ITSELF: Rule = refused(
    "transition/opens-by-itself",
    "agents could do more than before, and no known person allowed it",
    "An agent opens nothing by itself: whatever the change looks like, what it permits lies within what people allowed.",
);
/// A wait for a person ended without one.
pub const WAIT_ENDED: Rule = refused(
    "transition/wait-ended",
    "something no longer waits for a person, and no person ended that",
    "A wait for a person ends when a person answers, not when no agent needs the answer.",
);
/// The rule for work that an agent adds by itself.
pub const NEW_WORK: Rule = looked_at(
    "transition/new-work",
    "a todo that may start at once was added by somebody who is no known person",
    "Agents may add work inside the boundary; whoever reviews should see what begins.",
);
/// A row of the team's own table refuses it.
pub const BY_POLICY: Rule = refused(
    "transition/by-policy",
    "a row of the team's own table of transitions refuses the change",
    "The team knows which changes it wants to make in no other way than its own.",
);

pub(super) const RULES: &[Rule] = &[
    AGENT_DECIDES,
    ASKER_DECIDES,
    DECISION_EDITED,
    REMOVED,
    GATE_NARROWED,
    DECIDER_CHANGED,
    APPROVED_EDITED,
    RETARGETED,
    WIDER,
    AGENT_WIDENS,
    GOAL_REWORDED,
    AGENT_CHANGES_POLICY,
    POLICY_CHANGED,
    MODE_CHANGED,
    KIND_CHANGED,
    IDENTITY_CHANGED,
    BOTH_SIDES,
    DECIDED_TWICE,
    DIGEST_MISMATCH,
    OTHER_AUTHOR,
    UNVERIFIED,
    CLASS_NOT_GIVEN,
    APPROVED_WORK_CHANGED,
    FINISHED_EARLY,
    OPENS_BY_ITSELF,
    WAIT_ENDED,
    NEW_WORK,
    BY_POLICY,
];

const fn refused(id: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule { id, level: Level::Error, summary, why, check: RuleCheck::Change }
}

const fn looked_at(id: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule { level: Level::Warning, ..refused(id, summary, why) }
}
