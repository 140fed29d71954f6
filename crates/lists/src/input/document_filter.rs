//! The filters of the list of documents.

use domain::Actor;
use domain::document::{Classification, DocumentStatus, ReviewStatus};
use http::query::{OneWord, People, Query, Risks, Tags, Time, Words};
use store::documents::DocumentFilter;
use store::list::{Match, TagFilter};
use store::proposals::AskedDocuments;

http::parameters! {
    /// The filters.
    pub struct DocumentFilterParams {
        /// Documents with one of these statuses.
        status: Words<DocumentStatus>,
        /// Documents of one of these owners; `none` is a document without one.
        owner: People,
        /// Documents with one of these classifications.
        classification: Words<Classification>,
        /// Documents, an item of which concerns one of these risks.
        risk: Risks,
        /// Documents with these tags.
        tag: Tags,
        /// How many of these tags a document must have; `any` unless it is sent.
        tag_mode: OneWord<Match>,
        /// Documents whose next review is in one of these states now.
        review: Words<ReviewStatus>,
        /// Documents whose next review is due at this time or later.
        next_review_from: Time,
        /// Documents whose next review is due before this time.
        next_review_to: Time,
        /// Documents whose open proposal waits for one of these people, who can do what it needs next (`proposal_next`);
        /// `none` is a proposal that nobody can act on.
        waiting_for: People,
    }
}

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> AskedDocuments {
    let it = DocumentFilterParams::read(query);
    let filter = DocumentFilter {
        status: it.status,
        owner: query.people("owner", &it.owner, caller),
        classification: it.classification,
        risk: it.risk,
        tags: TagFilter { tags: it.tag, mode: it.tag_mode },
        review: it.review,
        next_review: query
            .times(("next_review_from", it.next_review_from), ("next_review_to", it.next_review_to)),
        q: query.search(),
        slugs: None,
    };
    AskedDocuments { filter, waiting_for: query.people("waiting_for", &it.waiting_for, caller) }
}
