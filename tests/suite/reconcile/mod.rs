//! Reconcile: conditions, verdicts, and what contract 2 accepts.

mod conditions;
mod projections;
mod shown;
mod state;
mod until;
mod writebacks;
