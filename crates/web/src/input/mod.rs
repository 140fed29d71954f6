//! What callers send: one reader for each kind of record. It takes a JSON value, collects every fault, and returns an
//! input of `domain`. The structs named `…Input` describe the same bodies for the OpenAPI document.

pub(crate) mod clients;
pub(crate) mod comments;
pub(crate) mod documents;
pub(crate) mod entries;
pub(crate) mod evaluations;
pub(crate) mod incident_changes;
pub(crate) mod incidents;
pub(crate) mod invitations;
pub(crate) mod links;
pub(crate) mod me;
pub(crate) mod organizations;
mod ratings;
pub(crate) mod redactions;
pub(crate) mod reviews;
pub(crate) mod risks;
pub(crate) mod session;
pub(crate) mod severity;
pub(crate) mod tags;
pub(crate) mod tasks;
pub(crate) mod undo;
pub(crate) mod users;
