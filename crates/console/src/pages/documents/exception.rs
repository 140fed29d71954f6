//! `/o/{slug}/documents/{document}/exceptions/{number}`: one exception, and the steps that can follow.

use askama::Template;
use db::Tx;
use domain::accepting::Revocation;
use domain::decision::DecisionState;
use domain::document::{Document, PlacedItem};
use domain::exception::ExceptionDecision;
use domain::json::body;
use domain::{Author, OrgId, ResourceKind, Scope};
use store::View;
use store::exceptions::ExceptionDetails;

use super::READ;
use super::show::slug;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const DECISION: &[(&str, As)] =
    &[("decision", As::Text), ("note", As::TextOrNull), ("document_version", As::Integer)];
const REASON: &[(&str, As)] = &[("reason", As::Text)];

/// What deciding about it needs, and revoking it.
const APPROVE: &[Scope] = &[Scope::DocumentsApprove];

#[derive(Template)]
#[template(path = "documents/exception.html")]
struct ExceptionPage {
    frame: Layout,
    it: ExceptionDetails,
    document: Document,
    /// The item that it is about, if the document has it.
    item: Option<PlacedItem>,
    may_decide: bool,
    may_withdraw: bool,
    may_revoke: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/exceptions/{number}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = exception_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/exceptions/{number}`: accepts or refuses it, withdraws or revokes it.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    // The store asks more of who decides or withdraws.
    request.require(if form.is("step", "decide") || form.is("step", "revoke") { APPROVE } else { READ })?;
    let (slug, number) = which(&request)?;
    let to = request.to(&format!("/documents/{slug}/exceptions/{number}"));
    let taken = async {
        let step = match form.text("step") {
            "decide" => Step::Decide(form.read_as(DECISION, &request.clock, body::<ExceptionDecision>)?),
            "revoke" => Step::Revoke(form.read_as(REASON, &request.clock, body::<Revocation>)?),
            _ => Step::Withdraw,
        };
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let which = (slug.as_str(), number);
            match &step {
                Step::Decide(it) => store::exceptions::decide(tx, organization, author, which, it).await,
                Step::Revoke(it) => store::exceptions::revoke(tx, organization, author, which, it).await,
                Step::Withdraw => store::exceptions::withdraw(tx, organization, author, which).await,
            }
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let taken = taken.await;
    let done = texts::exception_step(form.text("step"), form.text("decision"));
    let again = async |problems| exception_page(&request, form, problems).await;
    request.answer(taken, (done, false), again).await
}

enum Step {
    Decide(ExceptionDecision),
    Revoke(Revocation),
    Withdraw,
}

/// The document and the number of the exception in the path.
fn which(request: &PageRequest) -> Result<(String, i64)> {
    let number = request.path(1, ResourceKind::Exception, |text| text.parse::<i64>().ok())?;
    Ok((slug(request)?, number))
}

async fn exception_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ExceptionPage> {
    request.require(READ)?;
    let ((slug, number), organization) = (which(request)?, request.id());
    let mut tx = request.read().await?;
    let it = store::exceptions::get(&mut tx, organization, View::now(), &slug, number).await?;
    let document = store::documents::get(&mut tx, organization, &slug).await?;
    let actor = request.member.actor();
    let four_eyes = store::organizations::four_eyes(&mut tx, organization, actor.person().as_slice()).await?;
    let is_requested = it.state == DecisionState::Requested;
    let may_approve = request.may(Scope::DocumentsApprove);
    let may_decide = is_requested && may_approve && it.exception.may_decide(&actor, &four_eyes);
    let may_withdraw = is_requested && it.exception.may_withdraw(&document.document, &actor);
    let may_revoke = it.state.is_live() && may_approve;
    let frame = Layout::of(request, &mut tx, texts::exception(number), Section::Documents).await?;
    let id = it.exception.node_id.as_deref();
    let item = document.items.into_iter().find(|placed| Some(placed.item.id.as_str()) == id);
    let document = document.document;
    Ok(ExceptionPage { frame, it, document, item, may_decide, may_withdraw, may_revoke, form, problems })
}

impl ExceptionPage {
    /// The address of the exceptions to the document.
    fn list(&self) -> String {
        format!("{}/documents/{}/exceptions", self.frame.base, self.document.slug)
    }

    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/{}", self.list(), self.it.exception.number)
    }

    /// The version that a decision is about.
    fn version(&self) -> i64 {
        self.document.published_version.unwrap_or(self.it.exception.document_version)
    }

    /// Whether the item that it is about is there no longer.
    fn is_item_gone(&self) -> bool {
        self.it.exception.node_id.is_some() && self.item.is_none()
    }
}
