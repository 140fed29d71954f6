//! A saved view as responses show it.

use std::collections::{BTreeMap, BTreeSet};

use domain::saved_view::{SavedView, ViewedList};
use http::timestamp::Timestamp;
use http::word::OneOf;
use lists::input::filter_object::FilterShown;
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::ActorView;

type ViewedListView = OneOf<ViewedList>;

/// A saved view of a list.
#[derive(Serialize, ToSchema, View)]
#[schema(as = SavedView, examples(json!({
    "owner": {"type": "user", "id": "0190163d-8694-739b-aea5-966c26f8ad91", "name": "Ada"},
})))]
#[view(SavedView)]
pub(crate) struct SavedViewView {
    /// The view's id.
    id: Uuid,
    /// The list.
    list: ViewedListView,
    /// Its name, unique among its owner's views of the list without regard to case.
    #[schema(min_length = 1, max_length = 80, examples("Waiting for me"))]
    name: String,
    /// The filters of the list, each with its values. `me` is the reader of the list.
    #[schema(value_type = FilterShown)]
    #[view(it.filter.0)]
    filter: BTreeMap<String, BTreeSet<String>>,
    /// The order, as the list's parameter `sort` has it; null: its own.
    #[schema(max_length = 40, pattern = "^-?[a-z_]+$", examples("-detected_date"))]
    sort: Option<String>,
    /// Whether everyone in the organization who reads the list sees the view.
    shared: bool,
    /// Who saved it.
    owner: ActorView,
    /// When the view was saved.
    created_date: Timestamp,
    /// When the view was last changed.
    updated_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}
