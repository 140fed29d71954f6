//! `/o/{slug}/risks/{id}/acceptances`: the acceptances of a risk, and asking for one.

use askama::Template;
use db::Tx;
use domain::accepting::{NewAcceptance, check_acceptable};
use domain::risk::{Risk, RiskStatus};
use domain::scale::{Grade, Scales};
use domain::{Author, Error, ErrorCode, OrgId, RiskNumber, Scope};
use http::page::{List, Page};
use store::View;
use store::acceptances::AcceptanceDetails;

use super::deciders::who_decides;
use super::{READ, WRITE, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const REQUEST: &[(&str, As)] =
    &[("reason", As::Text), ("until", As::TextOrNull), ("evaluation", As::Integer)];

#[derive(Template)]
#[template(path = "risks/acceptances_of.html")]
struct AcceptancesOfPage {
    frame: Layout,
    risk: Risk,
    scales: Scales,
    rows: Vec<AcceptanceDetails>,
    next: Option<String>,
    is_first: bool,
    may_write: bool,
    /// Why the person cannot ask for one now.
    cannot: Option<&'static str>,
    /// Who would decide.
    who: String,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/{id}/acceptances`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = acceptances_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/risks/{id}/acceptances`: asks for one.
pub(crate) async fn ask(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let risk = number(&request)?;
    let to = request.to(&format!("/risks/{risk}"));
    let asked = async {
        let now = request.clock.now();
        let new =
            form.read_as(REQUEST, &request.clock, |body, faults| NewAcceptance::read(body, now, faults))?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::acceptances::ask(tx, organization, author, risk, &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let asked = asked.await;
    let again = async |problems| acceptances_page(&request, form, problems).await;
    request.answer(asked, (texts::ACCEPTANCE_REQUESTED, false), again).await
}

async fn acceptances_page(
    request: &PageRequest,
    form: Form,
    problems: Problems,
) -> Result<AcceptancesOfPage> {
    request.require(READ)?;
    let (risk, organization) = (number(request)?, request.id());
    let mut query = request.query();
    let page = Page::<i64>::read(&request.list_id(), &mut query);
    query.finish()?;
    let mut tx = request.read().await?;
    let risk = store::risks::get(&mut tx, organization, risk, View::now()).await?;
    let scales = store::scales::known(&mut tx, organization, View::now()).await?;
    let (view, number) = (View::now(), risk.number);
    let found =
        store::acceptances::list_of_risk(&mut tx, organization, view, number, page.after, page.limit).await?;
    let who = who_decides(&mut tx, organization, &risk, &scales).await?;
    let title = texts::acceptances_of(risk.number);
    let frame = Layout::of(request, &mut tx, title, Section::Risks).await?;
    let position = |row: &AcceptanceDetails| row.acceptance.number;
    let List { data: rows, next_cursor: next, .. } =
        List::of(&request.list_id(), found, None, position, |row| row);
    let (is_first, may_write) = (page.after.is_none(), request.may(Scope::RisksWrite));
    let cannot = cannot_ask(&risk, &scales);
    Ok(AcceptancesOfPage {
        frame,
        risk,
        scales,
        rows,
        next,
        is_first,
        may_write,
        cannot,
        who,
        form,
        problems,
    })
}

/// Why nobody can ask for the acceptance of a risk now.
pub(super) fn cannot_ask(risk: &Risk, scales: &Scales) -> Option<&'static str> {
    if risk.status == RiskStatus::Closed {
        return Some(texts::RISK_IS_CLOSED);
    }
    if risk.acceptance_request.is_some() {
        return Some(texts::REQUEST_IS_OPEN);
    }
    match check_acceptable(risk, scales) {
        Err(Error::Conflict(ErrorCode::NeverAccepted)) => Some(texts::BAND_NEVER_ACCEPTED),
        Err(_) => Some(texts::EVALUATE_FIRST),
        Ok(()) => None,
    }
}

impl AcceptancesOfPage {
    fn address(&self) -> String {
        address(&self.frame, self.risk.number)
    }

    /// The evaluation that the form shows.
    fn evaluation(&self) -> i64 {
        self.risk.current.map_or(0, |it| it.evaluation)
    }

    fn grade_of(&self, it: &AcceptanceDetails) -> Option<Grade> {
        self.scales.grade(it.acceptance.rating, it.acceptance.scale_version)
    }
}

/// The address of the acceptances of a risk.
pub(super) fn address(frame: &Layout, risk: RiskNumber) -> String {
    format!("{}/risks/{risk}/acceptances", frame.base)
}
