//! Who makes a change.

use crate::vocabulary::{self, ActorClass, Id, Instant, Line};

/// Who acts, in which class, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Who.
    pub by: Id,
    /// The class of who, as a claim.
    pub actor_class: ActorClass,
    /// When.
    pub at: Instant,
}

impl Actor {
    /// When, one second later where the request is of this very second: an answer follows its request.
    pub(super) fn answering(&self, requested: Instant) -> Instant {
        if self.at == requested { self.at.after(vocabulary::Duration::seconds(1)) } else { self.at }
    }

    /// An act whose class nothing asks for.
    pub(super) fn act(&self, reason: Option<&Line>) -> vocabulary::Act {
        vocabulary::Act { by: self.by.clone(), actor_class: None, at: self.at, reason: reason.cloned() }
    }

    /// An act with its class.
    pub(super) fn classed_act(&self, reason: Option<&Line>) -> vocabulary::ClassedAct {
        let (by, actor_class, at) = (self.by.clone(), self.actor_class, self.at);
        vocabulary::ClassedAct { by, actor_class, at, reason: reason.cloned() }
    }
}
