//! `GET /o/{slug}/risks/changes`: what became of the risks between two days, and what was decided about them.

use askama::Template;
use domain::risk_change::{RiskChangeKind, Span};
use http::page::{List, Page};
use http::query::Words;
use lists::input::risk_span::SpanParams;
use store::risk_changes::RiskChange;

use super::READ;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

http::parameters! {
    /// Which changes.
    struct KindParam {
        /// Changes of one of these kinds.
        kind: Words<RiskChangeKind>,
    }
}

#[derive(Template)]
#[template(path = "risks/changes.html")]
struct ChangesPage {
    frame: Layout,
    span: Span,
    /// How many there are of each kind that occurs.
    counts: Vec<(RiskChangeKind, usize)>,
    kinds: Vec<RiskChangeKind>,
    /// How many there are of these kinds.
    total: usize,
    changes: Vec<RiskChange>,
    next: Option<String>,
    /// The query of the page, without its cursor.
    search: String,
    is_first: bool,
}

/// `GET /o/{slug}/risks/changes?from=2026-06-30&to=2026-09-30&kind=…`; without days the last three months.
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let page = Page::<(usize, i64, i64)>::read(&request.list_id(), &mut query);
    let days = SpanParams::of(&mut query);
    let kinds = KindParam::read(&mut query).kind;
    query.finish()?;
    let mut tx = request.read().await?;
    let span = days.resolve(&mut tx, request.id()).await?;
    let mut changes = store::risk_changes::between(&mut tx, request.id(), span.entries()).await?;
    let counts = RiskChange::counts(&changes);
    changes.retain(|it| kinds.is_empty() || kinds.contains(&it.kind));
    let (total, is_first) = (changes.len(), page.after.is_none());
    let mut found = page.of_all(changes, RiskChange::position);
    store::risk_changes::add_reasons(&mut tx, request.id(), &mut found.rows).await?;
    let List { data: changes, next_cursor: next, .. } =
        List::of(&request.list_id(), found, None, RiskChange::position, |it| it);
    let search = request.asked().filled().without(&["cursor", "limit"]).query();
    let frame = Layout::of(&request, &mut tx, texts::RISK_CHANGES, Section::Risks).await?;
    request.show(&ChangesPage { frame, span, counts, kinds, total, changes, next, search, is_first })
}

impl ChangesPage {
    fn days(&self) -> String {
        format!("from={}&to={}", self.span.from.day, self.span.to.day)
    }

    fn is_chosen(&self, kind: &RiskChangeKind) -> bool {
        self.kinds.contains(kind)
    }

    fn day(&self, day: &jiff::civil::Date) -> String {
        self.frame.clock.date(&day.to_string())
    }
}
