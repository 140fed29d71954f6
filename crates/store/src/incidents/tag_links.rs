//! How tags are on incidents.

use domain::{IncidentNumber, ResourceKind};

use super::subject;
use crate::ledger::list::TagLink;
use crate::ledger::tag_links::TagLinks;

/// How tags are on incidents.
pub(crate) const TAGS: TagLinks = TagLinks {
    link: TagLink { table: "incident_tag", record: "incident", key: "number" },
    subject: |number| subject(IncidentNumber(*number)),
    added: "incident.tag_added",
    removed: "incident.tag_removed",
    missing: ResourceKind::IncidentOrTag,
    record: ResourceKind::Incident,
    noun: "An incident",
};
