//! What no schema says of a writeback, and what an adapter adds to it.

use super::words::{WriteClass, WritebackStatus};
use super::{Line, Write, WriteResult, Writeback};
use crate::vocabulary::closed::ClosedWords;
use crate::vocabulary::contract::{ContractFault, ContractRule};
use crate::vocabulary::words::WritebackMode;

/// What an adapter knows about the target when it judges a writeback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    /// A read-only projection names goal, agent, runtime and session.
    pub projection_exists: bool,
    /// The source event has its receipt.
    pub source_recorded: bool,
    /// The target can preview.
    pub previews: bool,
    /// The preview of this writeback was shown.
    pub previewed: bool,
    /// The classes that the target takes.
    pub classes: Vec<WriteClass>,
    /// The keys that the target has.
    pub keys: Vec<Line>,
}

impl Default for Knowledge {
    /// All entry criteria hold, every class is taken, and nothing was written yet.
    fn default() -> Self {
        Self {
            projection_exists: true,
            source_recorded: true,
            previews: true,
            previewed: true,
            classes: WriteClass::ALL.to_vec(),
            keys: Vec::new(),
        }
    }
}

impl Writeback {
    /// Lists what no schema says: whether target, source, class, key, mode and result belong together.
    #[must_use]
    pub fn faults(&self) -> Vec<ContractFault> {
        let source = &self.loopx_source;
        let mut faults = Vec::new();
        if self.runtime.runtime_id == *"none" {
            faults.push(ContractFault::at("runtime.runtime_id", ContractRule::NoRuntime));
        }
        if source.source_run_id.get().is_none() && source.source_todo_id.get().is_none() {
            faults.push(ContractFault::at("loopx_source", ContractRule::NoSource));
        }
        let class = source.source_event_class.write_class();
        if self.writeback.write_class != class {
            faults.push(ContractFault::at("writeback.write_class", ContractRule::ClassMismatch).about(class.word()));
        }
        if !self.has_derived_key() {
            faults.push(ContractFault::at("writeback.idempotency_key", ContractRule::KeyMismatch));
        }
        faults.extend(self.result_faults());
        faults
    }

    /// Lists which entry criteria do not hold, and what the target's keys say against the result.
    #[must_use]
    pub fn entry_faults(&self, known: &Knowledge) -> Vec<ContractFault> {
        let Write { write_class, mode, idempotency_key, .. } = &self.writeback;
        let applied_again = self.result.status == WritebackStatus::Applied && known.keys.contains(idempotency_key);
        let conditions = [
            (known.projection_exists, ContractRule::NoProjection),
            (known.source_recorded, ContractRule::SourceNotRecorded),
            (known.previews, ContractRule::NoPreviewSupport),
            (known.classes.contains(write_class), ContractRule::ClassNotTaken),
            (known.previewed || *mode == WritebackMode::DryRun, ContractRule::NotPreviewed),
            (!applied_again, ContractRule::AppliedTwice),
        ];
        let broken = conditions.into_iter().filter(|(holds, _)| !holds);
        broken.map(|(_, rule)| ContractFault::at("writeback", rule)).collect()
    }

    /// Whether the key is `goal:source run:class`. A source without a run leaves the middle open.
    fn has_derived_key(&self) -> bool {
        let key = self.writeback.idempotency_key.as_str();
        let Some(rest) = key.strip_prefix(self.goal_id.as_str()).and_then(|rest| rest.strip_prefix(':')) else {
            return false;
        };
        let class = self.writeback.write_class.word();
        let Some(run) = rest.strip_suffix(class).and_then(|rest| rest.strip_suffix(':')) else { return false };
        self.loopx_source.source_run_id.get().map_or(!run.is_empty(), |source| *source == *run)
    }

    /// Whether mode and result belong together.
    fn result_faults(&self) -> Vec<ContractFault> {
        let WriteResult { status, runtime_event_id, loopx_writeback_run_id, .. } = &self.result;
        let apply = self.writeback.mode == WritebackMode::Apply;
        let possible = match status {
            WritebackStatus::Previewed => !apply,
            WritebackStatus::Applied | WritebackStatus::Skipped => apply,
            WritebackStatus::Rejected | WritebackStatus::Failed => true,
        };
        let named = *status != WritebackStatus::Applied || runtime_event_id.get().is_some();
        let conditions = [
            (possible, "result.status", ContractRule::ImpossibleResult),
            (named, "result.runtime_event_id", ContractRule::NoRuntimeEvent),
            (loopx_writeback_run_id.get().is_some() == apply, "result.loopx_writeback_run_id", ContractRule::ResultRun),
        ];
        let broken = conditions.into_iter().filter(|(holds, _, _)| !holds);
        broken.map(|(_, field, rule)| ContractFault::at(field, rule)).collect()
    }
}
