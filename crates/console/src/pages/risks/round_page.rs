//! `/o/{slug}/risks/{id}/evaluate`: one of several risks that are evaluated one after the other.

use askama::Template;
use domain::evaluation::Evaluation;
use domain::risk::Risk;
use domain::scale::Scales;
use domain::{Error, ResourceKind};
use http::answer::Answer;
use http::location;
use store::View;

use super::evaluate::record;
use super::round::Round;
use super::{Choice, Judged, READ, WRITE, number};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// So many characters of a description are shown.
const SHOWN: usize = 300;

#[derive(Template)]
#[template(path = "risks/evaluate.html")]
struct EvaluatePage {
    frame: Layout,
    round: Round,
    risk: Risk,
    /// The latest evaluation.
    last: Option<Evaluation>,
    scales: Scales,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/{id}/evaluate`
pub(crate) async fn page(request: PageRequest) -> Result {
    let (number, asked) = (number(&request)?, request.asked());
    let round = Round::of(&request, asked.text("of"), number);
    let rest = round.next_without(number);
    match EvaluatePage::read(&request, round, Form::default(), Problems::default()).await {
        Ok(page) => request.show(&page),
        // It was deleted since the round began.
        Err(http::Error::Domain(Error::NotFound(_))) if asked.has("of") => Ok(location::see_other(&rest)),
        Err(error) => Err(error),
    }
}

/// `POST /o/{slug}/risks/{id}/evaluate`: an evaluation, and the next risk.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let round = Round::of(&request, form.text("of"), number);
    let told = match round.following() {
        Some(_) => texts::evaluated(number),
        None => texts::evaluated_last(number, round.numbers.len()),
    };
    let (next, rest) = (round.next(), round.next_without(number));
    let recorded = record(&request, &form, number, move || Next::telling(next.clone(), told.clone())).await;
    let again = async |problems| EvaluatePage::read(&request, round, form, problems).await;
    match request.answer(recorded, (String::new(), false), again).await {
        // It was deleted meanwhile.
        Err(http::Error::Domain(Error::NotFound(ResourceKind::Risk))) => {
            Ok(request.lead(Answer::see_other(rest), texts::risk_gone(number), false))
        }
        answered => answered,
    }
}

impl EvaluatePage {
    async fn read(request: &PageRequest, round: Round, form: Form, problems: Problems) -> Result<Self> {
        request.require(READ)?;
        request.require(WRITE)?;
        let (number, organization) = (number(request)?, request.id());
        let mut tx = request.read().await?;
        let risk = store::risks::get(&mut tx, organization, number, View::now()).await?;
        let last = match &risk.current {
            Some(it) => Some(store::evaluations::get(&mut tx, organization, number, it.evaluation).await?),
            None => None,
        };
        let scales = store::scales::known(&mut tx, organization, View::now()).await?;
        let frame = Layout::of(request, &mut tx, risk.title.clone(), Section::Risks).await?;
        Ok(Self { frame, round, risk, last, scales, form, problems })
    }

    /// The beginning of the description, without its formatting.
    fn description(&self) -> String {
        let text = render::plain(&self.risk.description);
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        }
    }

    /// What is judged.
    fn judged(&self) -> [Judged; 2] {
        super::judged(self.scales.present(), &self.form, None)
    }

    /// The ratings that come with the evaluation if those of the risk are by an earlier scale.
    fn choices(&self) -> [Choice; 4] {
        super::choices(self.scales.present(), !self.scales.is_present(self.risk.scale_version))
    }
}
