//! Reconcile: conditions, screens, the queue, and the laws.

mod conditions;
mod state;
