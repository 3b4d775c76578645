//! The one table of changes: which change of which document breaks which rule. `loopx review` and the reference read it.

use super::checks::{self, TransitionCheck};
use crate::rules::transition as t;
use crate::rules::{Rule, receipt};
use crate::vocabulary::Kind;

/// One change that a rule speaks of.
pub struct TransitionRow {
    /// The rule.
    pub rule: &'static Rule,
    /// The kinds of documents; none: every kind.
    pub kinds: &'static [Kind],
    /// The change, in words.
    pub change: &'static str,
    /// What stays free, in words; empty: nothing.
    pub unless: &'static str,
    /// What looks at one document; `None`: it shows only where what both revisions permit is compared as a whole.
    pub(super) check: Option<TransitionCheck>,
}

const fn row(
    rule: &'static Rule,
    kinds: &'static [Kind],
    change: &'static str,
    unless: &'static str,
    check: TransitionCheck,
) -> TransitionRow {
    TransitionRow { rule, kinds, change, unless, check: Some(check) }
}

const fn whole(
    rule: &'static Rule,
    kinds: &'static [Kind],
    change: &'static str,
    unless: &'static str,
) -> TransitionRow {
    TransitionRow { rule, kinds, change, unless, check: None }
}

/// Every change that a rule speaks of, by what it is about.
pub const TABLE: &[TransitionRow] = &[
    row(
        &t::AGENT_DECIDES,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act of a person is added or edited in a commit that an agent or a host wrote, committed or co-authored",
        "",
        checks::agent_decides,
    ),
    row(
        &t::AGENT_DECIDES,
        &[Kind::Todo],
        "a todo of a person is done in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit; where the base knows nobody it is only looked at",
        checks::agent_does,
    ),
    row(
        &t::AGENT_DECIDES,
        &[Kind::WritebackRequest],
        "`mode` becomes `apply`, or the approved digest of what is applied changes, in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit",
        checks::agent_approves,
    ),
    row(
        &t::AGENT_DECIDES,
        &[Kind::Receipt],
        "a `quota_void` receipt is added in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit",
        checks::agent_voids,
    ),
    row(
        &t::ASKER_DECIDES,
        &[Kind::Gate],
        "a decision is added or edited in a commit of whoever asked",
        "",
        checks::asker_decides,
    ),
    row(
        &t::OTHER_AUTHOR,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act is added or edited in the commit of somebody else than the person it names, or names nobody whom the base knows",
        "that person reviewed the change",
        checks::other_author,
    ),
    row(
        &t::CLASS_NOT_GIVEN,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act is added or edited in a class that the base does not give the person it names",
        "the class is owner, and the base has the person as the goal's owner",
        checks::class_not_given,
    ),
    row(
        &t::UNVERIFIED,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act of a person is added or edited, and nobody vouches for it",
        "the commit has a valid signature of that person, or that person reviewed the change",
        checks::unverified,
    ),
    row(
        &t::DECISION_EDITED,
        &[Kind::Gate],
        "a decided gate is edited, or its revision goes back",
        "a known person changes `evidence`, it is withdrawn, or its revision is raised",
        checks::decision_edited,
    ),
    row(
        &t::REMOVED,
        &[Kind::Gate, Kind::Handoff],
        "the document is removed while it is decided, approved or holds work up",
        "its whole goal is removed",
        checks::removed,
    ),
    row(
        &t::GATE_NARROWED,
        &[Kind::Gate],
        "a gate, decided or not, no longer blocks a todo that is not done, or no longer the whole goal",
        "a person decided what it asks now; of a known person: it is decided, another closed gate blocks that todo, or, only looked at, that person may decide it",
        checks::gate_narrowed,
    ),
    row(
        &t::DECIDER_CHANGED,
        &[Kind::Gate],
        "`required_actor` of a gate changes",
        "it becomes `owner`; a known person raises the revision; whom it asked before decided it as it stands",
        checks::decider_changed,
    ),
    row(
        &t::APPROVED_EDITED,
        &[Kind::Handoff],
        "an approved or accepted handoff is edited, expired or not",
        "a known person changes `evidence`, it is accepted or withdrawn",
        checks::approved_edited,
    ),
    row(&t::RETARGETED, &[Kind::Handoff], "`to_agent` of a handoff changes", "", checks::retargeted),
    row(
        &t::WIDER,
        &[Kind::Goal, Kind::Handoff, Kind::Binding],
        "scopes, agents, quota or capabilities are wider; a goal begins; owner, stop condition or validation command are others",
        "",
        checks::widened,
    ),
    row(
        &t::AGENT_WIDENS,
        &[Kind::Goal],
        "the same in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit; where the base knows nobody it is only looked at",
        checks::agent_widens,
    ),
    row(
        &t::GOAL_REWORDED,
        &[Kind::Goal],
        "`title`, `objective`, `non_goals` or `authority_sources` change in a commit of no known person",
        "",
        checks::goal_reworded,
    ),
    row(
        &t::APPROVED_WORK_CHANGED,
        &[Kind::Todo],
        "`title`, `task_class`, `assignee` or `after` of an unfinished todo that an approved gate lists changes in a commit of no known person",
        "the gate's revision is raised and still blocks the todo",
        checks::approved_work_changed,
    ),
    whole(
        &t::FINISHED_EARLY,
        &[Kind::Todo],
        "a todo is done, by no known person, that waits for a gate, a handoff or another todo, or is another's",
        "",
    ),
    whole(
        &t::OPENS_BY_ITSELF,
        &[],
        "an agent may start a todo, or go further with it, than the base and what known persons wrote allow, now or once what holds it up is over",
        "it is a new todo inside the boundary, follows from a todo that an agent was permitted to finish, is the acceptance of an approved handoff by its agent, or ends what the same agent deferred, blocked, claimed or drafted",
    ),
    whole(
        &t::WAIT_ENDED,
        &[Kind::Gate, Kind::Todo],
        "an undecided gate or an open todo of a person is no longer there or no longer open",
        "a known person's commit ended it",
    ),
    whole(&t::NEW_WORK, &[Kind::Todo], "a todo that may start at once is added by no known person", ""),
    row(&t::MODE_CHANGED, &[Kind::Binding], "`session_mode` of a binding changes", "", checks::mode_changed),
    row(
        &t::DIGEST_MISMATCH,
        &[Kind::WritebackRequest],
        "`mode` becomes `apply` and the approved digest is not that of the preview",
        "",
        checks::digest_mismatch,
    ),
    row(&receipt::EDITED, &[Kind::Receipt], "a receipt changes by a single byte", "", checks::receipt_edited),
    row(&receipt::DELETED, &[Kind::Receipt], "a receipt is removed or moved", "", checks::receipt_deleted),
    row(
        &receipt::INVENTED,
        &[Kind::Receipt],
        "a receipt is added whose decision stands in no document",
        "a host brought the effect about",
        checks::receipt_invented,
    ),
    row(
        &t::POLICY_CHANGED,
        &[Kind::Policy, Kind::Workspace],
        "a policy or `loopx.yaml` changes",
        "",
        checks::policy_changed,
    ),
    row(
        &t::AGENT_CHANGES_POLICY,
        &[Kind::Policy, Kind::Workspace],
        "the same in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit; where the base knows nobody it is only looked at",
        checks::agent_changes_policy,
    ),
    row(&t::KIND_CHANGED, &[], "an id of the goal names a document of another kind", "", checks::kind_changed),
    row(
        &t::IDENTITY_CHANGED,
        &[],
        "what an id stands for changes: who asked and when, whose session, what is judged",
        "the revision of a gate is raised",
        checks::identity_changed,
    ),
    row(
        &t::DECIDED_TWICE,
        &[],
        "both sides answered one question otherwise, or gave one id away",
        "both say the same",
        checks::decided_twice,
    ),
    row(&t::BOTH_SIDES, &[], "both sides changed one document otherwise", "", checks::both_sides),
];
