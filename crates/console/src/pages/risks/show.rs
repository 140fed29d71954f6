//! `GET /o/{slug}/risks/{id}`: how great the risk is, whether it becomes better or worse, and why.

use askama::Template;
use domain::Scope;
use domain::evaluation::Evaluation;
use domain::risk::Risk;
use store::View;

use super::chart::Chart;
use super::{IMPACTS, LIKELIHOODS, READ, number};
use crate::frame::form::{Form, Problems};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};

/// So many evaluations are on the page.
const SHOWN: i64 = 50;

#[derive(Template)]
#[template(path = "risks/show.html")]
pub(super) struct ShowPage {
    frame: Layout,
    risk: Risk,
    evaluations: Vec<Evaluation>,
    has_more: bool,
    chart: Option<Chart>,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = show_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// The page of the risk in the path, with a form that was refused.
pub(super) async fn show_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ShowPage> {
    request.require(READ)?;
    let (number, organization) = (number(request)?, request.id());
    let mut tx = request.read().await?;
    let risk = store::risks::get(&mut tx, organization, number, View::now()).await?;
    let found = store::evaluations::list(&mut tx, organization, number, None, SHOWN).await?;
    let frame = Layout::of(request, &mut tx, risk.title.clone(), Section::Risks).await?;
    let chart = Chart::of(&risk, &found.rows, &request.clock);
    let (evaluations, has_more) = (found.rows, found.has_more);
    let may_write = request.may(Scope::RisksWrite);
    Ok(ShowPage { frame, risk, evaluations, has_more, chart, may_write, form, problems })
}

impl ShowPage {
    fn likelihoods(&self) -> [(i64, &'static str); 5] {
        LIKELIHOODS
    }

    fn impacts(&self) -> [(i64, &'static str); 5] {
        IMPACTS
    }

    /// Whether a level is chosen: the one that was sent, or the current one.
    fn is_likelihood(&self, level: &i64) -> bool {
        let current = self.risk.current.map(|current| current.rating.likelihood);
        self.is_level("likelihood", *level, current)
    }

    fn is_impact(&self, level: &i64) -> bool {
        let current = self.risk.current.map(|current| current.rating.impact);
        self.is_level("impact", *level, current)
    }

    fn is_level(&self, name: &str, level: i64, current: Option<i64>) -> bool {
        if self.form.has(name) { self.form.is(name, level.to_string()) } else { current == Some(level) }
    }
}
