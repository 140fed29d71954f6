//! Where a document keeps its own words beside a text of the library, in responses.

use domain::document::{KeptText, TakenText};
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

/// The text of the library that a proposal has taken.
#[derive(Serialize, ToSchema, View)]
#[schema(as = TakenLibraryText)]
#[view(TakenText)]
pub(super) struct TakenView {
    /// The SHA-256 of it.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// Where the document kept its own text, the first 200 places with the first 2,000 characters of each text.
    #[schema(max_items = 200)]
    kept: Vec<KeptView>,
}

/// A place where the document keeps its own text.
#[derive(Serialize, ToSchema, View)]
#[schema(as = KeptText)]
#[view(KeptText)]
pub(super) struct KeptView {
    /// The item's id; null for paragraphs of the template.
    #[schema(max_length = 80, examples("mfa"))]
    #[view(it.item)]
    node_id: Option<String>,
    /// The member of the item, of an option with its id; null for an item as a whole.
    #[schema(max_length = 200, examples("options/all/text"))]
    member: Option<String>,
    /// What the document has; null if it was removed there. Lists are JSON.
    #[schema(max_length = 67_108_864)]
    own: Option<String>,
    /// What the library offers; null if it was removed there.
    #[schema(max_length = 67_108_864)]
    offered: Option<String>,
}
