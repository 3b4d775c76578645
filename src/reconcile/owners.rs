//! Who can clear a condition: the gate's required actor, the todo's assignee or claimer, the binding's operator, the
//! goal's owner; and how a class becomes a name.

use super::conditions::{Concern, ConditionOwner};
use super::goal_context::GoalContext;
use super::goal_context::sole_operator;
use super::index::WorldIndex;
use super::sessions::Session;
use crate::vocabulary::{ActorClass, Id, Todo};

impl<'a> GoalContext<'a> {
    /// The goal's owner; of an unreadable goal whoever controls the process.
    pub(super) fn owner(&self) -> ConditionOwner<'a> {
        match self.goal() {
            Some(goal) => ConditionOwner { name: goal.owner.as_str(), class: ActorClass::Owner },
            None => self.index.actor(ActorClass::Controller),
        }
    }

    /// The actor of a class, as far as these agents are concerned.
    pub(super) fn actor(&self, class: ActorClass, agents: &Concern<'a>) -> ConditionOwner<'a> {
        match class {
            ActorClass::Owner => self.owner(),
            ActorClass::Operator => match self.operator_of(agents) {
                Some(name) => ConditionOwner { name, class },
                None => self.index.actor(class),
            },
            _ => self.index.actor(class),
        }
    }

    /// Who answers for a todo: its assignee or claimer, else who answers for the session, else the goal's owner.
    pub(super) fn owner_of_todo(&self, todo: Option<&'a Todo>, session: Option<&Session<'a>>) -> ConditionOwner<'a> {
        let named = todo.and_then(|todo| Some((todo, todo.assignee.as_ref().or(todo.claimed_by.as_ref())?)));
        match (named, session) {
            (Some((todo, name)), _) => ConditionOwner { name: name.as_str(), class: self.class_of(name, todo) },
            (None, Some(session)) => self.owner_of_session(session),
            (None, None) => self.owner(),
        }
    }

    /// Who answers for a session: its operator, else the goal's owner.
    pub(super) fn owner_of_session(&self, session: &Session<'a>) -> ConditionOwner<'a> {
        match &session.binding.operator {
            Some(operator) => ConditionOwner { name: operator.as_str(), class: ActorClass::Operator },
            None => self.owner(),
        }
    }

    /// The class of who answers for a todo: an agent of the goal, what policy says, else what the todo is for.
    fn class_of(&self, name: &Id, todo: &Todo) -> ActorClass {
        let by_todo = if todo.task_class.is_user() { ActorClass::User } else { ActorClass::Agent };
        match self.world.actors.get(name.as_str()) {
            _ if self.agents.contains(name.as_str()) => ActorClass::Agent,
            Some(classes) => classes.first(),
            None => by_todo,
        }
    }

    /// The one operator of these agents' live sessions.
    fn operator_of(&self, agents: &Concern<'a>) -> Option<&'a str> {
        match agents {
            Concern::All => self.operator,
            Concern::These(agents) => sole_operator(agents.iter().flat_map(|agent| self.live_sessions(agent))),
        }
    }
}

impl<'a> WorldIndex<'a> {
    /// The one actor that policy gives a class, else the bare class.
    pub(super) fn actor(&self, class: ActorClass) -> ConditionOwner<'a> {
        self.sole_actor(class).map_or(ConditionOwner::bare(class), |name| ConditionOwner { name, class })
    }
}
