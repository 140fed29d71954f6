//! A tag as responses show it, by itself and on a record.

use domain::tag::{Color, Tag, TagLabel, TagName};
use domain::{ProseOrEmpty, TagId};
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

/// A tag of the organization.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Tag, examples(json!({"name": "phishing", "description": "Mail that asks for credentials."})))]
#[view(Tag)]
pub(crate) struct TagView {
    /// The tag's id.
    id: TagId,
    /// Its name, unique without regard to case.
    name: TagName,
    /// The colour, as `#rrggbb`.
    color: Color,
    /// The purpose of the tag.
    description: Option<ProseOrEmpty>,
    /// When the tag was created.
    created_date: Timestamp,
    /// When the tag was last changed.
    updated_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

/// A tag as records show it.
#[derive(Serialize, ToSchema)]
#[schema(as = TagLabel, examples(json!({"name": "phishing"})))]
pub(crate) struct TagLabelView {
    /// The tag's id.
    id: TagId,
    /// The tag's current name.
    name: TagName,
    /// The colour, as `#rrggbb`.
    color: Color,
}

impl From<TagLabel> for TagLabelView {
    fn from(it: TagLabel) -> Self {
        Self { id: it.id, name: it.name, color: it.color }
    }
}
