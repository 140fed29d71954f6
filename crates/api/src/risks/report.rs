//! `GET /v1/risks/report`

use axum::response::{IntoResponse as _, Response};
use domain::RiskNumber;
use domain::risk::Risk;
use domain::risk_change::End;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::error_codes::ParameterCode;
use http::query::{OneWord, Query};
use http::timestamp::Timestamp;
use lists::input::risk_span::SpanParams;
use lists::printed_file::Form;
use lists::risk_report::{self, FORMULA, RiskReport};
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;

use super::RiskView;
use super::changes::ChangeView;
use super::heat_map::HeatMapView;

/// So many changes are in the JSON; the list of changes has all.
const MOST_CHANGES: usize = 200;

domain::words! {
    "RiskReportFormat"
    /// The form of a report of the risks.
    pub(crate) enum ReportFormat {
        /// JSON.
        Json = "json",
        /// A Word file.
        Docx = "docx",
        /// A PDF file (PDF/UA-1).
        Pdf = "pdf",
        /// A workbook of Excel, with all changes.
        Xlsx = "xlsx",
    }
}

http::parameters! {
    /// In which form.
    struct FormatParam {
        /// The form, `json` unless it is sent.
        format: OneWord<ReportFormat>,
    }
}

/// The risks at the end of a day, and what changed since the end of another one.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskReport)]
struct ReportView {
    /// The register that the changes are told from.
    from: EndView,
    /// The register that the report stands for.
    to: EndView,
    /// The time zone of the days.
    #[schema(max_length = 64, examples("Europe/Berlin"))]
    time_zone: String,
    /// The report in three sentences: what is there, what changed, how far the treatment is.
    #[schema(max_items = 3, max_length = 2000, examples(json!(["1 risk open: 1 High, 0 Low."])))]
    summary: Vec<String>,
    /// How many risks are open.
    #[schema(minimum = 0)]
    open: i64,
    /// How many open risks are in each band by their current rating, from the worst on.
    #[schema(max_items = 10)]
    bands: Vec<BandCountView>,
    /// The heat maps by the inherent, the current and the target rating.
    #[schema(max_items = 3)]
    heat_maps: Vec<HeatMapView>,
    /// The worst open risks, the worst first.
    #[schema(max_items = 20)]
    worst: Vec<RiskView>,
    /// What became of the current ratings of these risks, in their order.
    #[schema(max_items = 20)]
    trends: Vec<TrendView>,
    /// How far the planned reduction is reached.
    performance: FigureView,
    /// The first changes and decisions, as in `GET /v1/risks/changes`.
    #[schema(max_items = 200)]
    changes: Vec<ChangeView>,
    /// How many changes and decisions there are.
    #[schema(minimum = 0)]
    changes_total: usize,
}

/// The register at the end of a day.
#[derive(Serialize, ToSchema, View)]
#[schema(as = RiskReportEnd)]
#[view(End)]
pub(crate) struct EndView {
    /// The day.
    #[schema(max_length = 10, format = "date", examples("2026-03-01"))]
    #[view(it.day.to_string())]
    day: String,
    /// When it ended; now if it has not.
    at: Timestamp,
    /// The last journal entry that counts.
    #[schema(minimum = 0)]
    seq: i64,
}

/// How many risks are in a band.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskBandCount)]
struct BandCountView {
    /// The name of the band.
    #[schema(max_length = 80, examples("High"))]
    band: String,
    /// How many open risks are in it.
    #[schema(minimum = 0)]
    count: i64,
}

/// What became of a risk.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskTrend)]
struct TrendView {
    /// The risk.
    risk: RiskNumber,
    /// What became of its current rating, in words.
    #[schema(max_length = 80, examples("Unchanged"))]
    trend: String,
}

/// How far the planned reduction is reached.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskReportFigure)]
struct FigureView {
    /// The risks that were evaluated in the 90 days before.
    #[schema(minimum = 0)]
    total_risks_evaluated: i64,
    /// Their average performance in per cent.
    #[schema(minimum = 0, maximum = 100)]
    average_performance_percentage: i64,
    /// The formula in words.
    #[schema(max_length = 1000, examples("The mean of the planned reductions that are reached."))]
    formula: &'static str,
}

/// Report risks
///
/// For a board: the open risks at the end of a day in three sentences, as heat maps and by name, and what changed and was decided since the
/// end of another day. As JSON, or as a file; each says the day and the journal entry that it stands for.
#[utoipa::path(
    get,
    path = "/v1/risks/report",
    operation_id = "read_risk_report",
    tag = "Risks",
    params(FormatParam, SpanParams),
    responses(
        (status = 200, description = "The report", content(
            (ReportView = "application/json"),
            (String = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            (String = "application/pdf"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
            headers(("ETag" = String, description = "It changes with all that the report says"))),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let form = form(&mut query);
    let days = SpanParams::of(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let listed = form.map_or(MOST_CHANGES, risk_report::listed);
    let report = RiskReport::read(&mut tx, request.organization(), days, listed).await?;
    drop(tx);
    match form {
        Some(form) => report.file(&request.app, form).await,
        None => Ok(Answer::record(None, &ReportView::of(report))?.into_response()),
    }
}

/// The form of the file; none for JSON.
fn form(query: &mut Query<'_>) -> Option<Form> {
    let format = FormatParam::read(query).format.unwrap_or(ReportFormat::Json);
    if format == ReportFormat::Pdf && !render::PRINTS_PDF {
        query.fault(
            "format",
            ParameterCode::Enum,
            "is json, docx or xlsx: this program was built without PDF",
        );
    }
    match format {
        ReportFormat::Json => None,
        ReportFormat::Docx => Some(Form::Word),
        ReportFormat::Pdf => Some(Form::Pdf),
        ReportFormat::Xlsx => Some(Form::Workbook),
    }
}

impl ReportView {
    fn of(it: RiskReport) -> Self {
        let trend = |risk: &Risk| TrendView { risk: risk.number, trend: it.trend_words(risk) };
        let heat_map = |(basis, map)| HeatMapView::of(basis, &it.scales, &map, Default::default());
        Self {
            summary: it.summary().to_vec(),
            open: it.open(),
            bands: it.bands().into_iter().map(|(band, count)| BandCountView { band, count }).collect(),
            trends: it.worst.rows.iter().map(trend).collect(),
            changes_total: it.changes.len(),
            heat_maps: it.maps.clone().into_iter().map(heat_map).collect(),
            from: it.span.from.into(),
            to: it.span.to.into(),
            time_zone: it.span.time_zone,
            worst: it.worst.rows.into_iter().map(RiskView::from).collect(),
            performance: FigureView {
                total_risks_evaluated: it.figure.total_risks_evaluated,
                average_performance_percentage: it.figure.average_performance_percentage,
                formula: FORMULA,
            },
            changes: it.changes.into_iter().take(MOST_CHANGES).map(ChangeView::from).collect(),
        }
    }
}
