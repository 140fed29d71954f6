//! `/o/{slug}/documents/{document}/exceptions/{number}`: one exception, and the steps that can follow.

use askama::Template;
use db::Tx;
use domain::accepting::{FourEyesWaiver, Revocation};
use domain::decision::{DecisionState, Verdict};
use domain::document::{Document, PlacedItem};
use domain::exception::{ExceptionDecision, RecordedException};
use domain::json::body;
use domain::{Author, OrgId, ResourceKind, Scope};
use store::exceptions::ExceptionDetails;
use store::{View, exceptions};

use super::READ;
use super::show::slug;
use crate::frame::clock::Clock;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const DECISION: &[(&str, As)] =
    &[("decision", As::Text), ("note", As::TextOrNull), ("document_version", As::Integer)];
const RECORDED: &[(&str, As)] = &[
    ("decision", As::Text),
    ("note", As::TextOrNull),
    ("document_version", As::Integer),
    ("decided_by", As::Text),
    ("decided_date", As::Text),
    ("minutes", As::Text),
];
const REASON: &[(&str, As)] = &[("reason", As::Text)];

/// What deciding about it needs, recording a decision of others, and revoking it.
const APPROVE: &[Scope] = &[Scope::DocumentsApprove];

/// What letting those decide needs who have asked.
const ADMIN: &[Scope] = &[Scope::UsersAdmin];

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
    may_waive: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/exceptions/{number}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = exception_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/exceptions/{number}`: accepts or refuses it, records that others did,
/// waives four eyes, withdraws or revokes it.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    request.require(needs(form.text("step")))?;
    let (slug, number) = which(&request)?;
    let to = request.to(&format!("/documents/{slug}/exceptions/{number}"));
    let taken = async {
        let step = Step::read(&form, &request.clock)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            step.take(tx, organization, author, (&slug, number)).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let taken = taken.await;
    let done = texts::exception_step(form.text("step"), form.text("decision"));
    let again = async |problems| exception_page(&request, form, problems).await;
    request.answer(taken, (done, false), again).await
}

/// What a step needs. The store asks more of who decides or withdraws.
fn needs(step: &str) -> &'static [Scope] {
    match step {
        "decide" | "record" | "revoke" => APPROVE,
        "waive" => ADMIN,
        _ => READ,
    }
}

enum Step {
    Decide(ExceptionDecision),
    Record(RecordedException),
    Withdraw,
    Revoke(Revocation),
    Waive(FourEyesWaiver),
}

impl Step {
    fn read(form: &Form, clock: &Clock) -> Result<Self> {
        Ok(match form.text("step") {
            "decide" => Self::Decide(form.read_as(DECISION, clock, body::<ExceptionDecision>)?),
            "record" => Self::Record(form.read_as(RECORDED, clock, body::<RecordedException>)?),
            "waive" => Self::Waive(form.read_as(REASON, clock, body::<FourEyesWaiver>)?),
            "revoke" => Self::Revoke(form.read_as(REASON, clock, body::<Revocation>)?),
            _ => Self::Withdraw,
        })
    }

    async fn take(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        which: (&str, i64),
    ) -> store::Result<ExceptionDetails> {
        let (decision, recorded) = match self {
            Self::Decide(decision) => (decision, None),
            Self::Record(RecordedException { decision, recorded }) => (decision, Some(recorded)),
            Self::Withdraw => return exceptions::withdraw(tx, organization, author, which).await,
            Self::Waive(it) => return exceptions::waive_four_eyes(tx, organization, author, which, it).await,
            Self::Revoke(it) => return exceptions::revoke(tx, organization, author, which, it).await,
        };
        exceptions::decide(tx, organization, author, which, decision, recorded).await
    }
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
    let it = exceptions::get(&mut tx, organization, View::now(), &slug, number).await?;
    let document = store::documents::get(&mut tx, organization, &slug).await?;
    let actor = request.member.actor();
    let four_eyes = store::organizations::four_eyes(&mut tx, organization, actor.person().as_slice()).await?;
    let is_requested = it.state == DecisionState::Requested;
    let may_approve = request.may(Scope::DocumentsApprove);
    let may_decide = is_requested && may_approve && it.exception.may_decide(&actor, &four_eyes);
    let may_withdraw = is_requested && it.exception.may_withdraw(&document.document, &actor);
    let may_revoke = it.state.is_live() && may_approve;
    let is_waived = it.exception.decision.four_eyes_waived.is_some();
    let may_waive = is_requested && !is_waived && request.may(Scope::UsersAdmin);
    let frame = Layout::of(request, &mut tx, texts::exception(number), Section::Documents).await?;
    let id = it.exception.node_id.as_deref();
    let item = document.items.into_iter().find(|placed| Some(placed.item.id.as_str()) == id);
    let document = document.document;
    Ok(ExceptionPage {
        frame,
        it,
        document,
        item,
        may_decide,
        may_withdraw,
        may_revoke,
        may_waive,
        form,
        problems,
    })
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
