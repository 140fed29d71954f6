//! Links of incidents, read from either end. A link whose other end is deleted, or is nothing that the reader sees, is absent;
//! it comes back with it.

mod add;
mod list;
mod names;
mod open;
mod remove;

pub use add::add;
pub use list::{LinkEnd, LinkQuery, Linked, LinkedRecord, count, list};
pub(crate) use names::names;
pub use open::OpenIncident;
pub(crate) use open::open_incidents;
pub use remove::remove;
pub(crate) use remove::remove_all;

use domain::incident::Viewer;
use domain::link::IncidentLink;
use domain::{Author, Scope, Scopes};

use crate::ledger::part::part;

crate::ledger::record::record! {
    IncidentLink in "incident_link" {
        incident: Plain => Key,
        number: Plain => Key,
        kind: AWord => Journaled,
        to_incident: Plain => Journaled,
        to_risk: Plain => Journaled,
        to_document: Plain => Journaled,
        url: Plain => Journaled,
        title: Plain => Journaled,
        created_date: Plain => Fixed,
        created_by: AnActor => Fixed,
        removed_date: Plain => Journaled,
        seq_from: Plain => Counted,
        seq: Plain => Counted,
    }
}

part! {
    IncidentLink as "links" |it| {
        id: it.number,
        entries: (it.seq, it.seq_from),
        made: (it.created_date, &it.created_by),
    }
}

/// What a reader sees of the things that links lead to.
#[derive(Debug, Clone)]
pub struct LinkReader {
    /// Which incidents.
    pub viewer: Viewer,
    /// Whether risks.
    pub sees_risks: bool,
    /// Whether documents.
    pub sees_documents: bool,
}

impl LinkReader {
    /// A reader with these scopes.
    pub fn new(viewer: Viewer, scopes: Scopes) -> Self {
        let (sees_risks, sees_documents) = (scopes.has(Scope::RisksRead), scopes.has(Scope::DocumentsRead));
        Self { viewer, sees_risks, sees_documents }
    }

    /// The author of a change.
    pub(crate) fn of(author: &Author) -> Self {
        Self::new(Viewer::of(author), author.scopes())
    }
}
