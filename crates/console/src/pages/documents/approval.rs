//! `/o/{slug}/documents/{document}/proposals/{number}/approval`: ways out of an approval that cannot go on.

use askama::Template;
use db::Tx;
use domain::document::{
    Document, NewReplacement, Proposal, ProposalStep, RecordedDecision, StepReason, StepState,
};
use domain::json::body;
use domain::person::Person;
use domain::{Author, OrgId, Scope};
use lists::proposal_step;

use super::proposal::which;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const REPLACEMENT: &[(&str, As)] = &[("person", As::Text), ("replacement", As::Text), ("reason", As::Text)];
const WAIVER: &[(&str, As)] = &[("reason", As::Text)];
const DECISION: &[(&str, As)] = &[
    ("sha256", As::Text),
    ("decided_by", As::Text),
    ("decided_date", As::Text),
    ("minutes", As::Text),
    ("note", As::TextOrNull),
];

#[derive(Template)]
#[template(path = "documents/approval.html")]
struct ApprovalPage {
    frame: Layout,
    it: Document,
    proposal: Proposal,
    /// Whom the pending step names, and who else may approve.
    named: Vec<Person>,
    others: Vec<Person>,
    /// The pending step.
    pending: Option<String>,
    may_admin: bool,
    may_record: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/proposals/{number}/approval`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = approval_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/proposals/{number}/approval`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let is_decision = form.is("step", "record");
    request.require(if is_decision { &[Scope::DocumentsApprove] } else { &[Scope::UsersAdmin] })?;
    let (slug, number) = which(&request)?;
    let to = request.to(&format!("/documents/{slug}/proposals/{number}"));
    let taken = async {
        let (clock, expected) = (&request.clock, form.expected());
        let way = match form.text("step") {
            "record" => Way::Record(form.read_as(DECISION, clock, body::<RecordedDecision>)?),
            "replace" => Way::Replace(form.read_as(REPLACEMENT, clock, body::<NewReplacement>)?),
            _ => Way::Waive(form.read_as(WAIVER, clock, body::<StepReason>)?),
        };
        let mut draft = match &way {
            Way::Record(it) => {
                let (mut tx, step) = (request.read().await?, ProposalStep::Record(it.clone()));
                Some(proposal_step::before(&mut tx, request.id(), (slug.as_str(), number), &step).await?)
            }
            Way::Replace(_) | Way::Waive(_) => None,
        };
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let which = (slug.as_str(), number);
            match &way {
                Way::Record(it) => {
                    let (read, step) = (draft.take(), ProposalStep::Record(it.clone()));
                    store::proposals::step(
                        tx,
                        organization,
                        author,
                        which,
                        &expected,
                        (read, proposal_step::html),
                        &step,
                    )
                    .await
                }
                Way::Replace(it) => {
                    store::proposals::replace_person(tx, organization, author, which, &expected, it).await
                }
                Way::Waive(it) => {
                    let reason = &it.reason;
                    store::proposals::waive_four_eyes(tx, organization, author, which, &expected, reason)
                        .await
                }
            }
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let taken = taken.await;
    let done = texts::way_out(form.text("step"));
    let again = async |problems| approval_page(&request, form, problems).await;
    request.answer(taken, (done, false), again).await
}

enum Way {
    Record(RecordedDecision),
    Replace(NewReplacement),
    Waive(StepReason),
}

async fn approval_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ApprovalPage> {
    let (may_admin, may_approve) = (request.may(Scope::UsersAdmin), request.may(Scope::DocumentsApprove));
    request.require(&[Scope::UsersAdmin, Scope::DocumentsApprove])?;
    let (slug, number) = which(request)?;
    let mut tx = request.read().await?;
    let draft = store::proposals::draft(&mut tx, request.id(), &slug, number, None).await?;
    let (it, proposal, facts) = (draft.document.document, draft.proposal, draft.facts);
    let title = texts::OTHER_WAYS_TO_APPROVE;
    let frame = Layout::of(request, &mut tx, title, Section::Documents).await?;
    let pending = proposal.steps.iter().find(|it| it.state == StepState::Pending).map(|it| &it.step);
    let people = facts.members.iter().filter(|member| facts.has_approver(member.person.id));
    let people = people.map(|member| member.person.clone());
    let (named, mut others): (Vec<_>, Vec<_>) =
        people.partition(|person| pending.is_some_and(|step| facts.names(step, person.id)));
    others.retain(|person| facts.may_approve(&proposal, person.id));
    // Who may not approve, or not any more, can be replaced too.
    let users = pending.and_then(|step| step.users.clone()).unwrap_or_default();
    let absent = users.into_iter().filter(|id| named.iter().all(|person| person.id != *id));
    let absent = absent.filter(|id| pending.is_some_and(|step| facts.names(step, *id)));
    let absent = store::people::named(&mut tx, request.id(), absent.collect()).await?;
    let named = named.into_iter().chain(absent.into_values()).collect();
    let is_author = facts.check_four_eyes(&request.member.actor(), &proposal).is_err();
    let pending = pending.map(|step| step.name.to_string());
    let may_record = may_approve && !is_author && pending.is_some();
    Ok(ApprovalPage { frame, it, named, others, pending, may_admin, may_record, form, problems, proposal })
}

impl ApprovalPage {
    /// The hash and the version that the page showed first: what is decided on does not change while somebody fills in the form.
    fn shown(&self) -> (String, String) {
        let present = (self.proposal.sha256.clone().unwrap_or_default(), self.proposal.version.to_string());
        match self.form.is("step", "record") {
            true => (self.form.text("sha256").to_owned(), self.form.text("version").to_owned()),
            false => present,
        }
    }

    /// The address of the proposal.
    fn address(&self) -> String {
        format!("{}/documents/{}/proposals/{}", self.frame.base, self.it.slug, self.proposal.number)
    }
}
