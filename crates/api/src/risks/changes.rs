//! `GET /v1/risks/changes`

use domain::Line;
use domain::risk_change::RiskChangeKind;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::Words;
use http::timestamp::Timestamp;
use http::word::OneOf;
use lists::input::risk_span::SpanParams;
use macros::View;
use serde::Serialize;
use store::risk_changes::{Placed, RiskChange};
use utoipa::ToSchema;

use super::NamedRiskView;
use super::rating::RatingView;
use super::view::TreatmentView;
use crate::shared::{ActorView, PersonView};

type RiskChangeKindView = OneOf<RiskChangeKind>;

http::parameters! {
    /// Which changes.
    struct KindParam {
        /// Changes of one of these kinds.
        kind: Words<RiskChangeKind>,
    }
}

/// A change of a risk, or a decision about risks.
#[derive(Serialize, ToSchema, View)]
#[schema(as = RiskChange)]
#[view(RiskChange)]
pub(super) struct ChangeView {
    /// What it is.
    kind: RiskChangeKindView,
    /// The risk; null if it is about all risks.
    #[view(it.risk.map(|(id, title)| NamedRiskView { id, title }))]
    risk: Option<NamedRiskView>,
    /// The rating before, of what is about a rating; null if there was none.
    #[view(it.before.as_ref().map(rating))]
    before: Option<RatingView>,
    /// The rating after it.
    #[view(it.after.as_ref().map(rating))]
    after: Option<RatingView>,
    /// The treatment before, of a changed treatment.
    #[view(it.treatments.map(|(before, _)| TreatmentView::from(before)))]
    treatment_before: Option<TreatmentView>,
    /// The treatment after it.
    #[view(it.treatments.map(|(_, after)| TreatmentView::from(after)))]
    treatment_after: Option<TreatmentView>,
    /// When it was recorded.
    #[view(it.cause.at)]
    at: Timestamp,
    /// Who did it.
    #[view(it.cause.by)]
    by: ActorView,
    /// Who decided, if `by` recorded the decision of people who do not sign in, such as a board; null otherwise.
    #[schema(examples("The board"))]
    #[view(it.cause.board)]
    decided_by: Option<Line>,
    /// The person in whose place `by` decided as a deputy; null otherwise.
    #[view(it.cause.on_behalf_of)]
    on_behalf_of: Option<PersonView>,
    /// Why, if that was said: the note of the evaluation, of a decision, the reason for closing, ending or changing the scale.
    #[schema(max_length = 65536, examples("The second site is under contract."))]
    #[view(it.cause.reason)]
    reason: Option<String>,
    /// The journal entry.
    #[schema(minimum = 1)]
    #[view(it.cause.seq)]
    seq: i64,
}

fn rating(it: &Placed) -> RatingView {
    RatingView::of(it.rating.0, it.rating.1, it.grade.as_ref())
}

/// List changes of risks between two days
///
/// What became of the risks between the registers at the ends of two days: new, closed, reopened, worse, better, gone or not comparable;
/// and each decision between them, such as a moved target, another treatment or a change of the scale. By kind, then by risk.
#[utoipa::path(
    get,
    path = "/v1/risks/changes",
    operation_id = "list_risk_changes",
    tag = "Risks",
    params(SpanParams, KindParam, PageParams),
    responses((status = 200, description = "Changes", body = List<ChangeView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<(usize, i64, i64)>(&mut query);
    let days = SpanParams::of(&mut query);
    let kinds = KindParam::read(&mut query).kind;
    query.finish()?;
    let organization = request.organization();
    let mut tx = request.app.db().read().await?;
    let span = days.resolve(&mut tx, organization).await?;
    let mut all = store::risk_changes::between(&mut tx, organization, span.entries()).await?;
    all.retain(|it| kinds.is_empty() || kinds.contains(&it.kind));
    let count = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let total = page.total(async { Ok(count) }).await?;
    let mut rows = page.of_all(all, RiskChange::position);
    store::risk_changes::add_reasons(&mut tx, organization, &mut rows.rows).await?;
    let list = request.list(rows, total, RiskChange::position, ChangeView::from);
    Answer::list(&List { time_zone: Some(span.time_zone), ..list })
}
