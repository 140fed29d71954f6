//! What a member is responsible for, across all kinds of records, and how somebody else takes it over.

mod hand_over;
mod read;

pub use hand_over::hand_over;
pub use read::{DUTIES_SHOWN, DutiesOf, NamedDocument, NamedReview, counts, get, none_left};

use db::Value;
use domain::document::{Document, DocumentStatus};
use domain::incident::{Category, Incident, Status, Viewer};
use domain::review::Review;
use domain::risk::{Risk, RiskStatus};
use domain::task::TaskStatus;
use domain::{OrgId, UserId, Word};

use crate::ledger::list::{Filter, Select};
use crate::ledger::view::View;
use crate::tasks::{TaskKey, TaskRow};

/// The open incidents that a member leads, of those that the caller sees.
fn incidents<'q>(organization: OrgId, viewer: &'q Viewer, member: UserId) -> Select<'q, Incident> {
    let open = Status::ALL.iter().copied().filter(|status| status.category() == Category::Open);
    Select::of(organization, View::now())
        .filter(Filter::is("assigned_to", member.uuid().into()))
        .filter(one_of_words("status", open))
        .filter(Filter::SeenBy(viewer))
}

/// The tasks that a member owns and has to do, of the records that the caller sees.
fn tasks<'q, K: TaskKey>(organization: OrgId, viewer: &'q Viewer, member: UserId) -> Select<'q, TaskRow<K>> {
    Select::of(organization, View::now())
        .filter(Filter::is("owner", member.uuid().into()))
        .filter(one_of_words("status", TaskStatus::OPEN))
        .filter(K::seen(viewer))
}

/// The reviews that a member owns and that are not published, of the incidents that the caller sees.
fn reviews<'q>(organization: OrgId, viewer: &'q Viewer, member: UserId) -> Select<'q, Review> {
    Select::of(organization, View::with_deleted())
        .filter(Filter::is("owner", member.uuid().into()))
        .filter(Filter::is("published_date", Value::Null))
        .filter(Filter::OfSeenIncident(viewer))
}

/// The open risks that a member owns.
fn risks<'q>(organization: OrgId, member: UserId) -> Select<'q, Risk> {
    Select::of(organization, View::now())
        .filter(Filter::is("owner", member.uuid().into()))
        .filter(Filter::is("status", RiskStatus::Open.as_str().into()))
}

/// The documents that a member owns and that are in use.
fn documents<'q>(organization: OrgId, member: UserId) -> Select<'q, Document> {
    let in_use = DocumentStatus::ALL.iter().copied().filter(|status| *status != DocumentStatus::Archived);
    Select::of(organization, View::with_deleted())
        .filter(Filter::is("owner", member.uuid().into()))
        .filter(one_of_words("status", in_use))
}

fn one_of_words<'q, W: Word>(column: &'static str, words: impl IntoIterator<Item = W>) -> Filter<'q> {
    Filter::OneOf(column, words.into_iter().map(|word| word.as_str().into()).collect())
}
