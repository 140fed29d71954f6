//! Policy documents: their items, and what is published.

mod cost;
mod earlier;
mod facets;
mod item;
mod journaled;
mod library;
mod publish;
mod read;
mod reviews;
mod steps;
mod tag_links;
mod tags;
mod undone;
mod versions;
mod write;

use domain::Prose;
use domain::document::{ApprovalStep, Document};

pub(crate) use cost::costs;
pub(crate) use earlier::{PUBLISHED_ENTRY, as_of_proposal};
pub use facets::facets;
use item::ItemRow;
pub(crate) use item::items_among;
pub(crate) use journaled::{
    adopted_field, change_set_field, edit_field, fields_field, recorded, value_field, version_field,
};
pub(crate) use library::{keep_library_text, library_text};
pub(crate) use publish::publish;
pub use read::{DocumentFilter, among, count, existing, get, list, read, require};
pub(crate) use read::{check_reference, exists, items};
pub(crate) use reviews::confirm;
pub use reviews::{count_reviews, review, reviews};
pub(crate) use steps::check_steps;
pub(crate) use tag_links::TAGS;
pub use tags::{add_tag, count_tags, list_tags, put_tag, remove_tag};
pub(crate) use undone::UNDOABLE;
pub(crate) use versions::all_versions;
pub use versions::{count_versions, in_force, newest, version, version_with_hash, versions};
pub(crate) use write::{DELETED, delete, replace, replace_all};
pub use write::{create, create_each, import, patch_faults, update_properties};

use crate::ledger::journal::Subject;

crate::ledger::record::record! {
    Document in "document" {
        slug: Plain => Key,
        kind: AWord => Journaled,
        title: Plain => Journaled,
        description: Plain => Journaled,
        owner: APerson => Journaled,
        reference: Plain => Journaled,
        classification: AWord => Journaled,
        audience: Plain => Journaled,
        language: Plain => Journaled,
        earlier: Plain => Journaled,
        review_every_days: Plain => Journaled,
        acknowledge_every_days: Plain => Journaled,
        status: AWord => Journaled,
        published_version: Plain => Journaled,
        reviewed_date: Plain => Journaled,
        next_review_date: Plain => Journaled,
        archived_date: Plain => Journaled,
        status_reason: Plain => Journaled,
        library_policy: Plain => Journaled,
        library_sha256: Plain => Journaled,
        library_release: Plain => Journaled,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        version: Plain => Counted,
    }
    without {
        in_force_version: None,
        open_proposal: None,
        proposal_status: None,
        taken_sha256: None,
        taken_release: None,
        tags: Vec::new(),
    }
}

/// A document with its template and its steps, which lists do not read.
pub(crate) struct WithTemplate {
    document: Document,
    template: Option<Prose>,
    approval_steps: Vec<ApprovalStep>,
}

crate::ledger::record::record! {
    WithTemplate in "document" with document: Document {
        template: Plain => Journaled,
        approval_steps: AStepList => Journaled,
    }
}

/// The subject of a document's entries.
pub(crate) fn subject(slug: &str) -> Subject {
    Subject::new("document", slug)
}
