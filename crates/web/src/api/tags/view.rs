//! A tag as answers show it.

use domain::tag::Tag;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::shared::Moment;

/// A tag of the organization.
#[derive(Serialize, ToSchema)]
#[schema(as = Tag)]
pub(crate) struct TagView {
    /// Its id.
    id: Uuid,
    /// Its name, unique without regard to case.
    #[schema(min_length = 1, max_length = 50, examples("phishing"))]
    name: String,
    /// `#rrggbb`.
    #[schema(pattern = "^#[0-9a-fA-F]{6}$", examples("#64748b"))]
    color: String,
    /// What it is for.
    description: Option<String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_date: Moment,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_date: Moment,
    /// Counts its changes from 1.
    #[schema(minimum = 1)]
    version: i64,
}

impl From<Tag> for TagView {
    fn from(it: Tag) -> Self {
        Self {
            id: it.id.uuid(),
            name: it.name,
            color: it.color,
            description: it.description,
            created_date: it.created_date.into(),
            updated_date: it.updated_date.into(),
            version: it.version,
        }
    }
}
