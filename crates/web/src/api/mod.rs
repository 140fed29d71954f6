//! The operations of the JSON API: one folder per resource and one file per operation. Each file holds the operation's
//! description and its handler; bodies are read in `input`.

mod bulk;
pub(crate) mod by_path;
pub(crate) mod clients;
pub(crate) mod documents;
pub(crate) mod evaluations;
pub(crate) mod facets;
pub(crate) mod incidents;
pub(crate) mod invitations;
pub(crate) mod journal;
pub(crate) mod links;
mod listed;
pub(crate) mod me;
pub(crate) mod notes;
pub(crate) mod organizations;
pub(crate) mod reset_links;
pub(crate) mod reviews;
pub(crate) mod risks;
pub(crate) mod search;
pub(crate) mod session;
pub(crate) mod severity;
pub(crate) mod shared;
pub(crate) mod tags;
pub(crate) mod tasks;
pub(crate) mod undo;
pub(crate) mod users;
pub(crate) mod views;
