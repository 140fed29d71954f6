//! A document to create.

use domain::Faults;
use domain::document::{self, NewDocument};
use http::json::{Fields, Json, Pointer};
use utoipa::ToSchema;
use uuid::Uuid;

use super::items::{NewItemInput, read_items};

/// A document to create.
#[derive(ToSchema)]
#[schema(as = NewDocument)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub struct NewDocumentInput {
    /// The document's name in URLs, unique in the organization.
    #[schema(max_length = 80, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", examples("access-control"))]
    slug: String,
    /// One line, not blank.
    #[schema(min_length = 1, max_length = 200, examples("Access control"))]
    title: String,
    /// Markdown, at most 64 KiB.
    #[schema(max_length = 65536)]
    description: Option<String>,
    /// The owner's id: a member of the organization.
    owner: Option<Uuid>,
    /// The items, in the order of the document.
    #[schema(min_items = 1, max_items = 500)]
    items: Vec<NewItemInput>,
}

/// Reads a document to create.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewDocument> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let slug = fields.required_text("slug", document::slug);
    let title = fields.required_text("title", document::title);
    let description = fields.optional_text("description", document::description);
    let owner = fields.optional("owner");
    let items = fields.required_with("items", read_items);
    fields.read_only(&[
        "status",
        "published_version",
        "open_proposal",
        "created_date",
        "updated_date",
        "version",
    ]);
    fields.finish();
    Some(NewDocument {
        slug: slug?,
        title: title?,
        description: description.unwrap_or_default(),
        owner,
        items: items?,
    })
}
