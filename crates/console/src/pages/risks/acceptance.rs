//! `/o/{slug}/risks/{id}/acceptances/{number}`: one acceptance, and the steps that can follow.

use askama::Template;
use db::Tx;
use domain::accepting::{
    AcceptanceDecision, FourEyesWaiver, RecordedAcceptance, Revocation, check_acceptable, check_withdrawer,
};
use domain::decision::{DecisionState, Verdict};
use domain::json::body;
use domain::risk::{Rating, Risk, Treatment};
use domain::scale::{Grade, Scales};
use domain::{Author, OrgId, Prose, ResourceKind, RiskNumber, Scope};
use store::View;
use store::acceptances::AcceptanceDetails;

use super::acceptances_of;
use super::deciders::who_decides;
use super::{READ, number};
use crate::frame::clock::Clock;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const DECISION: &[(&str, As)] = &[
    ("decision", As::Text),
    ("note", As::TextOrNull),
    ("evaluation", As::Integer),
    ("risk_version", As::Integer),
];
const RECORDED: &[(&str, As)] = &[
    ("decision", As::Text),
    ("note", As::TextOrNull),
    ("evaluation", As::Integer),
    ("risk_version", As::Integer),
    ("decided_by", As::Text),
    ("decided_date", As::Text),
    ("minutes", As::Text),
];
const REASON: &[(&str, As)] = &[("reason", As::Text)];

/// What recording a decision of others needs, and revoking an acceptance.
const ACCEPT: &[Scope] = &[Scope::RisksAccept];

/// What letting those decide needs who have asked.
const ADMIN: &[Scope] = &[Scope::UsersAdmin];

#[derive(Template)]
#[template(path = "risks/acceptance.html")]
struct AcceptancePage {
    frame: Layout,
    it: AcceptanceDetails,
    risk: Risk,
    scales: Scales,
    /// Who decides about a request.
    who: String,
    may_decide: bool,
    may_record: bool,
    may_withdraw: bool,
    may_revoke: bool,
    may_waive: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/{id}/acceptances/{number}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = acceptance_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/risks/{id}/acceptances/{number}`: accepts or refuses it, records that others did, withdraws or revokes it.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    request.require(needs(form.text("step")))?;
    let which = which(&request)?;
    let to = request.to(&format!("/risks/{}/acceptances/{}", which.0, which.1));
    let taken = async {
        let step = Step::read(&form, &request.clock)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            step.take(tx, organization, author, which).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let taken = taken.await;
    let done = texts::acceptance_step(form.text("step"), form.text("decision"));
    let again = async |problems| acceptance_page(&request, form, problems).await;
    request.answer(taken, (done, false), again).await
}

/// What a step needs. The store asks more of who decides or withdraws.
fn needs(step: &str) -> &'static [Scope] {
    match step {
        "record" | "revoke" => ACCEPT,
        "waive" => ADMIN,
        _ => READ,
    }
}

/// The risk and the number of the acceptance in the path.
fn which(request: &PageRequest) -> Result<(RiskNumber, i64)> {
    let number_of = |text: &str| text.parse::<i64>().ok();
    Ok((number(request)?, request.path(1, ResourceKind::Acceptance, number_of)?))
}

enum Step {
    Decide(AcceptanceDecision),
    Record(RecordedAcceptance),
    Withdraw,
    Revoke(Revocation),
    Waive(FourEyesWaiver),
}

impl Step {
    fn read(form: &Form, clock: &Clock) -> Result<Self> {
        Ok(match form.text("step") {
            "decide" => Self::Decide(form.read_as(DECISION, clock, body::<AcceptanceDecision>)?),
            "record" => Self::Record(form.read_as(RECORDED, clock, body::<RecordedAcceptance>)?),
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
        which: (RiskNumber, i64),
    ) -> store::Result<AcceptanceDetails> {
        let (decision, recorded) = match self {
            Self::Decide(decision) => (decision, None),
            Self::Record(RecordedAcceptance { decision, recorded }) => (decision, Some(recorded)),
            Self::Withdraw => return store::acceptances::withdraw(tx, organization, author, which).await,
            Self::Waive(it) => {
                return store::acceptances::waive_four_eyes(tx, organization, author, which, it).await;
            }
            Self::Revoke(it) => return store::acceptances::revoke(tx, organization, author, which, it).await,
        };
        store::acceptances::decide(tx, organization, author, which, decision, recorded).await
    }
}

async fn acceptance_page(request: &PageRequest, form: Form, problems: Problems) -> Result<AcceptancePage> {
    request.require(READ)?;
    let ((risk, number), organization) = (which(request)?, request.id());
    let mut tx = request.read().await?;
    let it = store::acceptances::get(&mut tx, organization, View::now(), risk, number).await?;
    let risk = store::risks::get(&mut tx, organization, risk, View::now()).await?;
    let scales = store::scales::known(&mut tx, organization, View::now()).await?;
    let actor = request.member.actor();
    let known = store::acceptances::deciders(&mut tx, organization, &scales, &actor).await?;
    let by = (&actor, request.permissions().scopes());
    let is_requested = it.state == DecisionState::Requested;
    let may_decide = is_requested && known.may_decide(&it.acceptance, (&risk, &scales), by);
    let may_record = is_requested && known.may_record(&it.acceptance, by);
    let may_withdraw = is_requested && check_withdrawer(&it.acceptance, &risk, &actor).is_ok();
    let may_revoke = it.state.is_live() && request.may(Scope::RisksAccept);
    let is_waived = it.acceptance.decision.four_eyes_waived.is_some();
    let may_waive = is_requested && !is_waived && request.may(Scope::UsersAdmin);
    let who = who_decides(&mut tx, organization, &risk, &scales).await?;
    let title = texts::acceptance_of(number, risk.number);
    let frame = Layout::of(request, &mut tx, title, Section::Risks).await?;
    Ok(AcceptancePage {
        frame,
        it,
        risk,
        scales,
        who,
        may_decide,
        may_record,
        may_withdraw,
        may_revoke,
        may_waive,
        form,
        problems,
    })
}

impl AcceptancePage {
    /// The address of the acceptances of the risk.
    fn list(&self) -> String {
        acceptances_of::address(&self.frame, self.risk.number)
    }

    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/{}", self.list(), self.it.acceptance.number)
    }

    fn is_requested(&self) -> bool {
        self.it.state == DecisionState::Requested
    }

    /// Whether the risk was evaluated again since it was asked for.
    fn has_changed(&self) -> bool {
        self.is_requested() && self.evaluation() != self.it.acceptance.evaluation
    }

    /// The evaluation that a decision is about: the latest one.
    fn evaluation(&self) -> i64 {
        self.risk.current.map_or(self.it.acceptance.evaluation, |it| it.evaluation)
    }

    /// The rating that a decision is about, later the one that it was about.
    fn rating(&self) -> (Rating, Option<Grade>) {
        let it = &self.it.acceptance;
        let current = self.risk.current.filter(|_| self.is_requested());
        let (rating, version) =
            current.map_or((it.rating, it.scale_version), |it| (it.rating, it.scale_version));
        (rating, self.scales.grade(rating, version))
    }

    /// The treatment and its plan that a decision is about, or was.
    fn treatment(&self) -> (Treatment, Option<&Prose>) {
        match self.is_requested() {
            true => (self.risk.treatment, self.risk.treatment_plan.as_ref()),
            false => (self.it.acceptance.treatment, self.it.acceptance.treatment_plan.as_ref()),
        }
    }

    /// Whether the request can be accepted; otherwise it can be refused.
    fn is_acceptable(&self) -> bool {
        check_acceptable(&self.risk, &self.scales).is_ok()
    }

    /// What can be decided.
    fn verdicts(&self) -> &'static [Verdict] {
        if self.is_acceptable() { Verdict::ALL } else { &[Verdict::Refused] }
    }
}
