//! `POST /o/{slug}/documents/{document}/proposals/{number}`: submits, returns, withdraws, rejects or approves it.
//! `…/resolve`, `…/take-back`: adopts a value, takes one back.

use db::Tx;
use domain::document::{Approval, ProposalStep, Resolution, StepReason, Submission};
use domain::json::body;
use domain::{Author, Error as E, ExpectedVersion, OrgId, Scope};
use http::Error;
use lists::proposal_step;
use store::proposals::Draft;

use super::proposal::{proposal_page, which};
use super::proposal_draft::approved_beside;
use crate::frame::clock::Clock;
use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const SUBMISSION: &[(&str, As)] = &[
    ("summary", As::Text),
    ("material/value", As::Flag),
    ("material/reason", As::TextOrNull),
    ("effective_date", As::TextOrNull),
];
const APPROVAL: &[(&str, As)] = &[("sha256", As::Text), ("note", As::TextOrNull)];
const REASON: &[(&str, As)] = &[("reason", As::Text)];
const RESOLUTION: &[(&str, As)] = &[("node_id", As::Text), ("change_set", As::Integer)];

/// What settling conflicts needs, and returning a proposal.
const EITHER: &[Scope] = &[Scope::DocumentsWrite, Scope::DocumentsApprove];

/// `POST /o/{slug}/documents/{document}/proposals/{number}`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    request.require(needs(form.text("step")))?;
    let (slug, number) = which(&request)?;
    let to = request.to(&format!("/documents/{slug}/proposals/{number}"));
    let taken = async {
        let step = step(&form, &request.clock)?;
        let mut tx = request.read().await?;
        let draft = proposal_step::before(&mut tx, request.id(), (slug.as_str(), number), &step).await?;
        drop(tx);
        let expected = match form.is("step", "approve") {
            // Approvals of others since the page was shown do not matter; what the page showed does.
            true => as_shown(&form, &draft)?,
            false => form.expected(),
        };
        let mut draft = Some(draft);
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let (which, read) = ((slug.as_str(), number), draft.take());
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
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let taken = taken.await;
    let is_other_text = form.is("step", "approve") && taken.as_ref().is_err_and(is_changed);
    let done = texts::proposal_step(form.text("step"));
    let again = async |problems| {
        let problems = if is_other_text { Problems::with(texts::TEXT_CHANGED) } else { problems };
        proposal_page(&request, form, problems).await
    };
    request.answer(taken, (done, false), again).await
}

/// Whether an approval failed because the proposal is another one by now.
fn is_changed(error: &Error) -> bool {
    matches!(error, Error::Domain(E::ProposalChanged { .. } | E::NotNext(_) | E::Outdated { .. }))
}

/// The version of the proposal, if what an approval approves beside the text is what the page showed.
fn as_shown(form: &Form, draft: &Draft) -> Result<ExpectedVersion, Error> {
    if form.text("beside") != approved_beside(&draft.proposal) {
        return Err(Error::Domain(E::Outdated { current: Some(draft.proposal.version) }));
    }
    Ok(ExpectedVersion::OneOf(vec![draft.proposal.version]))
}

/// The scopes of which a step needs one.
fn needs(step: &str) -> &'static [Scope] {
    match step {
        "approve" | "reject" => &[Scope::DocumentsApprove],
        "return" => EITHER,
        // The store asks anybody but an author for more.
        "withdraw" => super::READ,
        _ => super::WRITE,
    }
}

fn step(form: &Form, clock: &Clock) -> Result<ProposalStep> {
    let reason = || form.read_as(REASON, clock, body::<StepReason>);
    Ok(match form.text("step") {
        "approve" => ProposalStep::Approve(form.read_as(APPROVAL, clock, body::<Approval>)?),
        "reject" => ProposalStep::Reject(reason()?),
        "return" => ProposalStep::Return(reason()?),
        "withdraw" => ProposalStep::Withdraw(reason()?),
        _ => ProposalStep::Submit(form.read_as(SUBMISSION, clock, body::<Submission>)?),
    })
}

/// `POST /o/{slug}/documents/{document}/proposals/{number}/resolve`
pub(crate) async fn resolve(mut request: PageRequest) -> Result {
    request.require(EITHER)?;
    let form = request.form().await?;
    let resolved = async {
        let resolution = form.read_as(RESOLUTION, &request.clock, body::<Resolution>)?;
        let ((slug, number), expected) = (which(&request)?, form.expected());
        let to = request.to(&format!("/documents/{slug}/proposals/{number}"));
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let which = (slug.as_str(), number);
            store::proposals::resolve(tx, organization, author, which, &expected, &resolution).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let resolved = resolved.await;
    let again = async |problems| proposal_page(&request, Form::default(), problems).await;
    request.answer(resolved, (texts::VALUE_ADOPTED, false), again).await
}

/// `POST /o/{slug}/documents/{document}/proposals/{number}/take-back`
pub(crate) async fn take_back(mut request: PageRequest) -> Result {
    request.require(super::WRITE)?;
    let form = request.form().await?;
    let taken = async {
        let ((slug, number), expected) = (which(&request)?, form.expected());
        let (to, item) =
            (request.to(&format!("/documents/{slug}/proposals/{number}")), form.text("item").to_owned());
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let which = (slug.as_str(), number);
            store::proposals::take_back(tx, organization, author, which, &expected, &item).await
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let taken = taken.await;
    let again = async |problems| proposal_page(&request, Form::default(), problems).await;
    request.answer(taken, (texts::CHANGE_TAKEN_BACK, false), again).await
}
