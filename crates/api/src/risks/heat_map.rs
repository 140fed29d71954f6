//! `GET /v1/risks/heatmap`

use domain::Scope;
use domain::risk::{Rating, RiskStatus};
use domain::scale::{ScaleColor, Scales};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfShown, Seen, SeenParams};
use http::error::Result;
use http::query::{OneWord, SearchParam};
use http::timestamp::Timestamp;
use http::word::OneOf;
use lists::input::risk_filter::{self, RiskFilterParams};
use serde::Serialize;
use store::risks::{HeatMap, Rated, RatingBasis, RiskFilter};
use utoipa::ToSchema;

use super::NamedRiskView;
use crate::scale::LevelView;
use crate::search::searched_up_to;

type RatingBasisView = OneOf<RatingBasis>;
type ScaleColorView = OneOf<ScaleColor>;

/// So many risks of a cell are named.
const NAMED: i64 = 10;

http::parameters! {
    /// Which ratings are counted.
    struct BasisParam {
        /// The rating that is counted; `current` unless it is sent.
        basis: OneWord<RatingBasis>,
    }
}

/// How many risks have each rating. The counts of the cells, `not_placed` and `not_evaluated` add up to the total of the list of
/// risks with these filters.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskHeatMap)]
pub(super) struct HeatMapView {
    /// The rating that is counted.
    basis: RatingBasisView,
    /// The version of the scale that the cells are of.
    #[schema(minimum = 1)]
    scale_version: i64,
    /// The levels of likelihood, from the lowest.
    #[schema(max_items = 10)]
    likelihood: Vec<LevelView>,
    /// The levels of impact, from the lowest.
    #[schema(max_items = 10)]
    impact: Vec<LevelView>,
    /// The cells, also those without a risk: by likelihood, then by impact.
    #[schema(max_items = 100)]
    cells: Vec<CellView>,
    /// How many risks have a rating by an earlier scale that cannot be compared with this one.
    #[schema(minimum = 0)]
    not_placed: i64,
    /// How many risks have no such rating: they were never evaluated, or have no target.
    #[schema(minimum = 0)]
    not_evaluated: i64,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    as_of_seq: Option<i64>,
}

/// A cell of the heat map.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskHeatMapCell)]
struct CellView {
    /// The level of likelihood, from 1.
    #[schema(minimum = 1, maximum = 10)]
    likelihood: i64,
    /// The level of impact, from 1.
    #[schema(minimum = 1, maximum = 10)]
    impact: i64,
    /// Likelihood times impact.
    #[schema(minimum = 1, maximum = 100)]
    score: i64,
    /// The name of the band that the cell is in.
    #[schema(max_length = 80, examples("High"))]
    band: String,
    /// The colour of the band.
    color: ScaleColorView,
    /// How many risks have this rating.
    #[schema(minimum = 0)]
    count: i64,
    /// The risks, if they are at most 10.
    #[schema(max_items = 10)]
    risks: Vec<NamedRiskView>,
}

/// Count risks by rating
///
/// The heat map: how many of the risks have each rating by the present scale, or by the scale of `as_of`. The filters are those of
/// the list, but open risks are counted unless `status` is sent.
#[utoipa::path(
    get,
    path = "/v1/risks/heatmap",
    operation_id = "read_risk_heat_map",
    tag = "Risks",
    params(BasisParam, RiskFilterParams, SearchParam, SeenParams),
    responses((status = 200, description = "The heat map", body = HeatMapView))
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let basis = BasisParam::read(&mut query).basis.unwrap_or(RatingBasis::Current);
    let seen = Seen::read(request.permissions(), &mut query, Scope::RisksDelete)?;
    let filter = risk_filter::read(&mut query, request.actor());
    query.finish()?;
    let filter = if_not_asked_open(filter);
    let organization = request.organization();
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let scales = store::scales::known(&mut tx, organization, view).await?;
    let found = store::risks::heat_map(&mut tx, organization, view, (basis, &scales), &filter, NAMED).await?;
    let search_seq = searched_up_to(&mut tx, organization, filter.q.as_ref()).await?;
    Ok(Answer::record(None, &HeatMapView::of(basis, &scales, &found, named))?.searched(search_seq))
}

/// Open risks unless the filter says of which status.
fn if_not_asked_open(filter: RiskFilter) -> RiskFilter {
    if filter.status.is_empty() { RiskFilter { status: vec![RiskStatus::Open], ..filter } } else { filter }
}

impl HeatMapView {
    pub(super) fn of(basis: RatingBasis, scales: &Scales, found: &HeatMap, named: AsOfShown) -> Self {
        let scale = scales.present();
        let (likelihood, impact) = scale.content.size();
        let ratings = (1..=likelihood)
            .flat_map(|likelihood| (1..=impact).map(move |impact| Rating { likelihood, impact }));
        let levels = |of: &[domain::scale::ScaleLevel]| of.iter().cloned().map(LevelView::from).collect();
        Self {
            basis: basis.into(),
            scale_version: scale.number,
            likelihood: levels(&scale.content.likelihood),
            impact: levels(&scale.content.impact),
            cells: ratings.map(|rating| CellView::of(rating, scales, &found.cells)).collect(),
            not_placed: found.not_placed,
            not_evaluated: found.not_evaluated,
            as_of: named.as_of,
            as_of_seq: named.as_of_seq,
        }
    }
}

impl CellView {
    fn of(rating: Rating, scales: &Scales, cells: &[Rated]) -> Self {
        let grade = scales.grade(rating, scales.present().number);
        let found = cells.iter().find(|it| it.rating == rating);
        let few = found.filter(|it| it.count <= NAMED);
        let risks = few.map(|it| it.numbers.iter().zip(&it.titles)).into_iter().flatten();
        Self {
            likelihood: rating.likelihood,
            impact: rating.impact,
            score: rating.score(),
            color: grade.as_ref().map_or(ScaleColor::Red, |grade| grade.color).into(),
            band: grade.map(|grade| grade.name).unwrap_or_default(),
            count: found.map_or(0, |it| it.count),
            risks: risks.map(|(id, title)| NamedRiskView { id: *id, title: title.clone() }).collect(),
        }
    }
}
