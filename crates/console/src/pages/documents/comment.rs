//! `POST /o/{slug}/documents/{document}/proposals/{number}/comments`: comments on a proposal or replies to a comment. `…/resolve`,
//! `…/adopt`: resolves a comment, makes its suggestion an edit.

use db::Tx;
use domain::document::NewProposalComment;
use domain::json::body;
use domain::{Author, OrgId, ResourceKind};

use super::proposal::{proposal_page, which};
use super::{READ, WRITE};
use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

const COMMENT: &[(&str, As)] = &[("text", As::Text), ("node_id", As::TextOrNull), ("reply_to", As::Integer)];
const SUGGESTION: &[(&str, As)] = &[
    ("text", As::Text),
    ("node_id", As::TextOrNull),
    ("suggestion/node_id", As::Text),
    ("suggestion/value", As::Text),
];

/// `POST /o/{slug}/documents/{document}/proposals/{number}/comments`
pub(crate) async fn write(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let form = request.form().await?;
    let (slug, number) = which(&request)?;
    let to = comments(&request, &slug, number);
    let written = async {
        let new = match suggested(&form) {
            Some(form) => form.read_as(SUGGESTION, &request.clock, body::<NewProposalComment>)?,
            None => form.read_as(COMMENT, &request.clock, body::<NewProposalComment>)?,
        };
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::proposals::comment(tx, organization, author, (&slug, number), &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let written = written.await;
    let again = async |problems| proposal_page(&request, form, problems).await;
    request.answer(written, (texts::COMMENTED, false), again).await
}

/// The form of a comment that suggests an option: the choice names the item and the option, with a space between.
fn suggested(form: &Form) -> Option<Form> {
    let (item, option) = form.text("suggestion").split_once(' ')?;
    let fields = [("suggestion_node_id", item), ("suggestion_value", option), ("node_id", item)];
    let text = ("text", form.text("text").to_owned());
    Some(Form::of(fields.map(|(name, value)| (name, value.to_owned())).into_iter().chain([text])))
}

/// `POST /o/{slug}/documents/{document}/proposals/{number}/comments/{comment}/resolve`
pub(crate) async fn resolve(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let form = request.form().await?;
    let ((slug, number), comment) = (which(&request)?, comment(&request)?);
    let to = comments(&request, &slug, number);
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::proposals::resolve_comment(tx, organization, author, (&slug, number), comment).await
    };
    let resolved = request.write(&form, change, move |_| to.clone()).await;
    let again = async |problems| proposal_page(&request, Form::default(), problems).await;
    request.answer(resolved, (texts::COMMENT_RESOLVED, false), again).await
}

/// `POST /o/{slug}/documents/{document}/proposals/{number}/comments/{comment}/adopt`
pub(crate) async fn adopt(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let ((slug, number), comment) = (which(&request)?, comment(&request)?);
    let (to, most_bytes) = (comments(&request, &slug, number), request.app.settings().proposal_bytes);
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::proposals::adopt(tx, organization, author, (&slug, number), comment, most_bytes).await
    };
    let adopted = request.write(&form, change, move |_| to.clone()).await;
    let again = async |problems| proposal_page(&request, Form::default(), problems).await;
    request.answer(adopted, (texts::SUGGESTION_ADOPTED, false), again).await
}

/// The number of the comment in the path.
fn comment(request: &PageRequest) -> Result<i64> {
    request.path(2, ResourceKind::Comment, |text| text.parse::<i64>().ok())
}

/// The place of the comments on the page of a proposal.
fn comments(request: &PageRequest, slug: &str, number: i64) -> String {
    request.to(&format!("/documents/{slug}/proposals/{number}#comments"))
}
