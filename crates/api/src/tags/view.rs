//! A tag as responses show it, by itself and on a record.

use domain::tag::{Tag, TagLabel};
use http::timestamp::Timestamp;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A tag of the organization.
#[derive(Serialize, ToSchema, View)]
#[schema(as = Tag)]
#[view(Tag)]
pub(crate) struct TagView {
    /// The tag's id.
    id: Uuid,
    /// Its name, unique without regard to case.
    #[schema(min_length = 1, max_length = 50, examples("phishing"))]
    name: String,
    /// The colour, as `#rrggbb`.
    #[schema(pattern = "^#[0-9a-fA-F]{6}$", examples("#64748b"))]
    color: String,
    /// The purpose of the tag.
    description: Option<String>,
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
#[schema(as = TagLabel)]
pub(crate) struct TagLabelView {
    /// The tag's id.
    id: Uuid,
    /// The tag's current name.
    #[schema(examples("phishing"))]
    name: String,
    /// The colour, as `#rrggbb`.
    #[schema(examples("#64748b"))]
    color: String,
}

impl From<TagLabel> for TagLabelView {
    fn from(it: TagLabel) -> Self {
        Self { id: it.id.uuid(), name: it.name.into(), color: it.color.into() }
    }
}
