//! The risk performance as responses show it.

use domain::performance::{Exclusion, FORMULA, FORMULA_OF_RISK, FORMULA_VERSION};
use domain::{Line, OrgId, RiskNumber};
use http::as_of::AsOfShown;
use http::page::List;
use http::timestamp::Timestamp;
use http::word::OneOf;
use serde::Serialize;
use store::performance::{Computed, Coverage, Part, Performance, Period, Point};
use utoipa::ToSchema;

type ExclusionView = OneOf<Exclusion>;

/// The achieved share of the planned risk reduction.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskPerformance)]
pub(super) struct PerformanceView {
    /// The organization's id.
    org_id: OrgId,
    /// The number of days looked back.
    #[schema(value_type = i32, minimum = 1, maximum = 3650, examples(90))]
    period_days: i64,
    /// The number of risks with a target, including closed ones, whose latest evaluation is in the period. Deleted risks
    /// do not count.
    #[schema(value_type = i32, examples(1))]
    total_risks_evaluated: i64,
    /// The average performance of those evaluations in per cent, rounded half up; 0 if there are none.
    #[schema(value_type = i32, minimum = 0, maximum = 100, examples(57))]
    average_performance_percentage: i64,
    /// The figure of the period before, as it was known at its end, if `compare=previous` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = PointView, required = false)]
    previous: Option<PointView>,
    /// How the figure is computed, if `explain=true` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = FormulaView, required = false)]
    formula: Option<FormulaView>,
    /// How many risks the figure covers, on all pages, if `explain=true` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = CoverageView, required = false)]
    coverage: Option<CoverageView>,
    /// The risks of this page that count, in the order of their numbers, if `explain=true` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ContributionView>, required = false, max_items = 200)]
    contributions: Option<Vec<ContributionView>>,
    /// The risks of this page that do not count, in the order of their numbers, if `explain=true` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<ExcludedView>, required = false, max_items = 200)]
    excluded: Option<Vec<ExcludedView>>,
    /// Whether more risks follow, if `explain=true` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    has_more: Option<bool>,
    /// What to send as `cursor` for the next page of risks; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 1024)]
    next_cursor: Option<String>,
    /// The number of risks of all pages together, if `include_total` was sent with `explain=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    total: Option<i64>,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    as_of_seq: Option<i64>,
}

impl PerformanceView {
    /// The figure alone.
    pub(super) fn new(org_id: OrgId, period_days: i64, figure: Performance) -> Self {
        Self {
            org_id,
            period_days,
            total_risks_evaluated: figure.total_risks_evaluated,
            average_performance_percentage: figure.average_performance_percentage,
            previous: None,
            formula: None,
            coverage: None,
            contributions: None,
            excluded: None,
            has_more: None,
            next_cursor: None,
            total: None,
            as_of: None,
            as_of_seq: None,
        }
    }

    /// The same with the figure of the period before and the requested point in time.
    pub(super) fn beside(self, previous: Option<PointView>, named: AsOfShown) -> Self {
        Self { previous, as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }

    /// The same with a page of what the figure is made of.
    pub(super) fn explained(self, computed: Computed, page: List<Part>) -> Self {
        let (excluded, counted): (Vec<_>, Vec<_>) =
            page.data.into_iter().partition(|part| part.excluded.is_some());
        let left_out = |part: Part| {
            let why = ExclusionView::from(part.excluded?);
            Some(ExcludedView { risk: part.risk.number, title: part.risk.title, why })
        };
        Self {
            formula: Some(FormulaView {
                version: FORMULA_VERSION,
                performance: FORMULA_OF_RISK,
                average: FORMULA,
                sum_basis_points: computed.basis_points,
            }),
            coverage: Some(computed.coverage.into()),
            contributions: Some(counted.into_iter().filter_map(contribution).collect()),
            excluded: Some(excluded.into_iter().filter_map(left_out).collect()),
            has_more: Some(page.has_more),
            next_cursor: page.next_cursor,
            total: page.total,
            ..self
        }
    }
}

/// The risk performance as it was known at a time.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskPerformancePoint)]
pub(super) struct PointView {
    /// The time: the end of the period.
    as_of: Timestamp,
    /// The number of risks that counted.
    #[schema(minimum = 0, examples(1))]
    total_risks_evaluated: i64,
    /// Their average performance in per cent, rounded half up; 0 if there are none.
    #[schema(minimum = 0, maximum = 100, examples(57))]
    average_performance_percentage: i64,
}

impl PointView {
    pub(super) fn of(period: Period, figure: Performance) -> Self {
        Self::from(Point { at: period.until, figure })
    }
}

impl From<Point> for PointView {
    fn from(Point { at, figure }: Point) -> Self {
        Self {
            as_of: at.into(),
            total_risks_evaluated: figure.total_risks_evaluated,
            average_performance_percentage: figure.average_performance_percentage,
        }
    }
}

/// How the figure is computed.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskPerformanceFormula)]
struct FormulaView {
    /// The version of the formula, which counts its changes.
    #[schema(minimum = 1)]
    version: i64,
    /// The performance of a risk, from the scores that were recorded with its latest evaluation.
    #[schema(max_length = 1000)]
    performance: &'static str,
    /// The average.
    #[schema(max_length = 1000)]
    average: &'static str,
    /// The sum of the basis points of all contributions, on all pages.
    #[schema(minimum = 0, examples(5714))]
    sum_basis_points: i64,
}

/// How many risks the figure covers.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskPerformanceCoverage)]
struct CoverageView {
    /// Open risks.
    #[schema(minimum = 0)]
    open: i64,
    /// Open risks whose latest evaluation is in the period, with or without a target.
    #[schema(minimum = 0)]
    evaluated: i64,
    /// Those of them whose score is above the inherent score.
    #[schema(minimum = 0)]
    worse_than_inherent: i64,
}

impl From<Coverage> for CoverageView {
    fn from(it: Coverage) -> Self {
        Self { open: it.open, evaluated: it.evaluated, worse_than_inherent: it.worse_than_inherent }
    }
}

/// A risk that counts. The scores are those that were recorded with its latest evaluation.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskContribution)]
struct ContributionView {
    /// The risk's id.
    risk: RiskNumber,
    /// Its title.
    #[schema(examples("Loss of the only data centre"))]
    title: Line,
    /// The number of the evaluation.
    #[schema(minimum = 1)]
    evaluation: i64,
    /// The time that the evaluation refers to.
    evaluated_at: Timestamp,
    /// The inherent score.
    #[schema(minimum = 1)]
    inherent: i64,
    /// The target score.
    #[schema(minimum = 1)]
    target: i64,
    /// The score of the evaluation.
    #[schema(minimum = 1)]
    current: i64,
    /// The share of the planned reduction that is achieved, in basis points: 1 is 0.01 %.
    #[schema(minimum = 0, maximum = 10000, examples(5714))]
    performance_basis_points: i64,
}

/// A risk that does not count.
#[derive(Serialize, ToSchema)]
#[schema(as = ExcludedRisk)]
struct ExcludedView {
    /// The risk's id.
    risk: RiskNumber,
    /// Its title.
    #[schema(examples("Loss of the only data centre"))]
    title: Line,
    /// Why it does not count. Deleted risks are shown to callers with `risks:delete`.
    why: ExclusionView,
}

/// What counts has an evaluation with its scores.
fn contribution(part: Part) -> Option<ContributionView> {
    let current = part.risk.current?;
    Some(ContributionView {
        risk: part.risk.number,
        title: part.risk.title,
        evaluation: current.evaluation,
        evaluated_at: current.evaluated_at.into(),
        inherent: part.inherent_score?,
        target: part.target_score?,
        current: current.rating.score(),
        performance_basis_points: current.performance_basis_points?,
    })
}
