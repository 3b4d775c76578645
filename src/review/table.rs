//! The one table of changes: which change of which document breaks which rule. `loopx review` and the reference read it.

use super::laws::{self, Check};
use crate::rules::transition as t;
use crate::rules::{Rule, receipt};
use crate::vocabulary::Kind;

/// One change that a rule speaks of.
pub struct Law {
    /// The rule.
    pub rule: &'static Rule,
    /// The kinds of documents; none: every kind.
    pub kinds: &'static [Kind],
    /// The change, in words.
    pub change: &'static str,
    /// What stays free, in words; empty: nothing.
    pub unless: &'static str,
    /// What looks at one document; `None`: it shows only where what both revisions permit is compared as a whole.
    pub(super) check: Option<Check>,
}

const fn law(
    rule: &'static Rule,
    kinds: &'static [Kind],
    change: &'static str,
    unless: &'static str,
    check: Check,
) -> Law {
    Law { rule, kinds, change, unless, check: Some(check) }
}

const fn whole(rule: &'static Rule, kinds: &'static [Kind], change: &'static str, unless: &'static str) -> Law {
    Law { rule, kinds, change, unless, check: None }
}

/// Every change that a rule speaks of, by what it is about.
pub const TABLE: &[Law] = &[
    law(
        &t::AGENT_DECIDES,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act of a person is added or edited in a commit that an agent or a host wrote, committed or co-authored",
        "",
        laws::agent_decides,
    ),
    law(
        &t::AGENT_DECIDES,
        &[Kind::Todo],
        "a todo of a person is done in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit; where the base knows nobody it is only looked at",
        laws::agent_does,
    ),
    law(
        &t::ASKER_DECIDES,
        &[Kind::Gate],
        "a decision is added or edited in a commit of whoever asked",
        "",
        laws::asker_decides,
    ),
    law(
        &t::OTHER_AUTHOR,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act is added or edited in the commit of somebody else than the person it names, or names nobody whom the base knows",
        "that person reviewed the change",
        laws::other_author,
    ),
    law(
        &t::CLASS_NOT_GIVEN,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act is added or edited in a class that the base does not give the person it names",
        "the class is owner, and the base has the person as the goal's owner",
        laws::class_not_given,
    ),
    law(
        &t::UNVERIFIED,
        &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal],
        "an act of a person is added or edited, and nobody vouches for it",
        "the commit has a valid signature of that person, or that person reviewed the change",
        laws::unverified,
    ),
    law(
        &t::DECISION_EDITED,
        &[Kind::Gate],
        "a decided gate is edited, or its revision goes back",
        "a known person changes `evidence`, it is withdrawn, or its revision is raised",
        laws::decision_edited,
    ),
    law(
        &t::REMOVED,
        &[Kind::Gate, Kind::Handoff],
        "the document is removed while it is decided, approved or holds work up",
        "its whole goal is removed",
        laws::removed,
    ),
    law(
        &t::GATE_NARROWED,
        &[Kind::Gate],
        "an undecided gate no longer blocks a todo that is not done",
        "another closed gate blocks that todo; a known decider's own commit is only looked at",
        laws::gate_narrowed,
    ),
    law(
        &t::DECIDER_CHANGED,
        &[Kind::Gate],
        "`required_actor` of an undecided gate changes",
        "it becomes `owner`, or the revision is raised",
        laws::decider_changed,
    ),
    law(
        &t::APPROVED_EDITED,
        &[Kind::Handoff],
        "an approved or accepted handoff is edited",
        "a known person changes `evidence`, it is accepted or withdrawn",
        laws::approved_edited,
    ),
    law(&t::RETARGETED, &[Kind::Handoff], "`to_agent` of a handoff changes", "", laws::retargeted),
    law(
        &t::WIDER,
        &[Kind::Goal, Kind::Handoff, Kind::Binding],
        "scopes, agents, quota or capabilities are wider; a goal begins; owner, stop condition or validation command are others",
        "",
        laws::widened,
    ),
    law(
        &t::AGENT_WIDENS,
        &[Kind::Goal],
        "the same in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit; where the base knows nobody it is only looked at",
        laws::agent_widens,
    ),
    law(
        &t::APPROVED_WORK_CHANGED,
        &[Kind::Todo],
        "`title`, `task_class`, `assignee` or `after` of an unfinished todo that an approved gate lists changes in a commit of no known person",
        "the gate's revision is raised",
        laws::approved_work_changed,
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
        "an agent may start a todo, or go further with it, than the base and what known persons wrote allow",
        "it is a new todo inside the boundary, follows from a todo that an agent was permitted to finish, is the acceptance of an approved handoff by its agent, or ends what the same agent deferred, blocked, claimed or drafted",
    ),
    whole(
        &t::WAIT_ENDED,
        &[Kind::Gate, Kind::Todo],
        "an undecided gate or an open todo of a person is no longer there or no longer open",
        "a known person's commit ended it",
    ),
    whole(&t::NEW_WORK, &[Kind::Todo], "a todo that may start at once is added by no known person", ""),
    law(&t::MODE_CHANGED, &[Kind::Binding], "`session_mode` of a binding changes", "", laws::mode_changed),
    law(
        &t::DIGEST_MISMATCH,
        &[Kind::WritebackRequest],
        "`mode` becomes `apply` and the approved digest is not that of the preview",
        "",
        laws::digest_mismatch,
    ),
    law(&receipt::EDITED, &[Kind::Receipt], "a receipt changes by a single byte", "", laws::receipt_edited),
    law(&receipt::DELETED, &[Kind::Receipt], "a receipt is removed or moved", "", laws::receipt_deleted),
    law(
        &receipt::INVENTED,
        &[Kind::Receipt],
        "a receipt is added whose decision stands in no document",
        "a host brought the effect about",
        laws::receipt_invented,
    ),
    law(
        &t::POLICY_CHANGED,
        &[Kind::Policy, Kind::Workspace],
        "a policy or `loopx.yaml` changes",
        "",
        laws::policy_changed,
    ),
    law(
        &t::AGENT_CHANGES_POLICY,
        &[Kind::Policy, Kind::Workspace],
        "the same in a commit of an agent, a host or an unknown name",
        "a person whom the base knows reviewed an unknown name's commit; where the base knows nobody it is only looked at",
        laws::agent_changes_policy,
    ),
    law(&t::KIND_CHANGED, &[], "an id of the goal names a document of another kind", "", laws::kind_changed),
    law(
        &t::IDENTITY_CHANGED,
        &[],
        "what an id stands for changes: who asked and when, whose session, what is judged",
        "the revision of a gate is raised",
        laws::identity_changed,
    ),
    law(
        &t::DECIDED_TWICE,
        &[],
        "both sides answered one question otherwise, or gave one id away",
        "both say the same",
        laws::decided_twice,
    ),
    law(&t::BOTH_SIDES, &[], "both sides changed one document otherwise", "", laws::both_sides),
];
