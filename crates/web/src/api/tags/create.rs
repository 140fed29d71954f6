//! `POST /v1/tags`

use domain::Faults;
use domain::tag::{self, NewTag};
use utoipa::ToSchema;

use super::TagView;
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};

/// A tag to create.
#[derive(ToSchema)]
#[schema(as = NewTag)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct NewTagInput {
    /// Its name, unique in the organization without regard to case.
    #[schema(min_length = 1, max_length = 50, examples("phishing"))]
    name: String,
    /// The colour, as `#rrggbb`; `#64748b` by default.
    #[schema(pattern = "^#[0-9a-fA-F]{6}$", examples("#64748b"))]
    color: Option<String>,
    /// The purpose of the tag, at most 64 KiB.
    #[schema(max_length = 65536)]
    description: Option<String>,
}

/// Create a tag
///
/// Names are unique in the organization without regard to case.
#[utoipa::path(
    post,
    path = "/v1/tags",
    operation_id = "create_tag",
    tag = "Tags",
    request_body = NewTagInput,
    responses(
        (status = 201, description = "Tag created", body = TagView),
        (status = 409, description = "The name is in use"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(read_body).await?;
    request
        .write(
            async move |tx, organization, author| store::tags::create(tx, organization, author, &new).await,
            |tag| Answer::created(format!("/v1/tags/{}", tag.id), tag.version, &TagView::from(tag)),
        )
        .await
}

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<NewTag> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.required_text("name", tag::name);
    let color = fields.optional_text("color", tag::color);
    let description = fields.optional_text("description", tag::description);
    fields.read_only(&["id", "created_date", "updated_date", "version"]);
    fields.finish();
    Some(NewTag { name: name?, color, description })
}
