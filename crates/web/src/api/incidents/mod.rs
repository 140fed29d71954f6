//! Incidents: events that happened, with their dates.

pub(crate) mod create;
pub(crate) mod delete;
mod filter;
pub(crate) mod list;
mod many;
pub(crate) mod read;
pub(crate) mod redact;
pub(crate) mod restore;
pub(crate) mod severity;
pub(crate) mod timeline;
pub(crate) mod transitions;
pub(crate) mod update;
mod view;

use domain::Author;
use domain::incident::Viewer;

use view::IncidentView;

/// The incidents that the author of a change sees.
pub(crate) fn viewer_of(author: &Author) -> Viewer {
    Viewer::new(&author.actor, author.scopes())
}
