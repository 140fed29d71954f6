//! `GET /o/{slug}/risks/changes`: what became of the risks between two days, and what was decided about them.

use askama::Template;
use domain::risk_change::{RiskChangeKind, Span};
use http::query::{Query, Words};
use lists::input::risk_span::SpanParams;
use store::risk_changes::RiskChange;

use super::READ;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many changes are shown.
const SHOWN: usize = 200;

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
    changes: Vec<RiskChange>,
}

/// `GET /o/{slug}/risks/changes?from=2026-06-30&to=2026-09-30&kind=…`; without days the last three months.
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query: Query<'_> = request.query();
    let days = SpanParams::of(&mut query);
    let kinds = KindParam::read(&mut query).kind;
    query.finish()?;
    let mut tx = request.read().await?;
    let span = days.resolve(&mut tx, request.id()).await?;
    let mut changes = store::risk_changes::between(&mut tx, request.id(), span.entries()).await?;
    let counts = counts(&changes);
    changes.retain(|it| kinds.is_empty() || kinds.contains(&it.kind));
    let frame = Layout::of(&request, &mut tx, texts::RISK_CHANGES, Section::Risks).await?;
    request.show(&ChangesPage { frame, span, counts, kinds, changes })
}

/// How many changes there are of each kind.
fn counts(changes: &[RiskChange]) -> Vec<(RiskChangeKind, usize)> {
    let count = |kind| changes.iter().filter(|it| it.kind == kind).count();
    RiskChangeKind::ALL.iter().map(|kind| (*kind, count(*kind))).filter(|(_, count)| *count > 0).collect()
}

impl ChangesPage {
    fn shown(&self) -> &[RiskChange] {
        self.changes.get(..SHOWN).unwrap_or(&self.changes)
    }

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
