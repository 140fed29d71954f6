//! The report of the risks for a board: the register at the end of a day, and what changed since another one.

mod file;
mod kept;
mod words;

pub use file::listed;
pub use kept::{check, has_present_wording, kept};
pub use words::{FORMULA, label};

use db::Tx;
use domain::OrgId;
use domain::performance::DEFAULT_PERIOD_DAYS;
use domain::risk::{Risk, RiskStatus};
use domain::risk_change::{RiskChangeKind, Span};
use domain::scale::Scales;
use http::error::Result;
use store::list::{Direction, Sort};
use store::performance::{Performance, Period};
use store::risk_changes::RiskChange;
use store::risks::{HeatMap, RatingBasis, RiskFilter, RiskQuery, RiskSort};
use store::{Page, View};

use crate::input::risk_span::SpanParams;

/// So many of the worst risks are listed.
pub const WORST: i64 = 20;

/// So many risks of a cell are named.
const NAMED: i64 = 10;

/// What a report says.
#[derive(Debug)]
pub struct RiskReport {
    /// The two days.
    pub span: Span,
    /// The scales of the later one.
    pub scales: Scales,
    /// The open risks by each of their ratings.
    pub maps: Vec<(RatingBasis, HeatMap)>,
    /// The worst open risks, the worst first.
    pub worst: Page<Risk>,
    /// How far the planned reduction was reached.
    pub figure: Performance,
    /// What changed, and what was decided.
    pub changes: Vec<RiskChange>,
}

impl RiskReport {
    /// The report of the register at the end of one day, with the changes since the end of another: the first `listed` of them with
    /// their reasons.
    pub async fn read(tx: &mut Tx, organization: OrgId, days: SpanParams, listed: usize) -> Result<Self> {
        let span = days.resolve(tx, organization).await?;
        Ok(Self::of(tx, organization, span, listed).await?)
    }

    /// The report of these registers.
    async fn of(tx: &mut Tx, organization: OrgId, span: Span, listed: usize) -> store::Result<Self> {
        let view = View::as_of(span.to.seq).at(span.to.at);
        let scales = store::scales::known(tx, organization, view).await?;
        let open = RiskFilter { status: vec![RiskStatus::Open], ..RiskFilter::default() };
        let mut maps = Vec::new();
        for basis in RatingBasis::ALL {
            let rated = (*basis, &scales);
            let map = store::risks::heat_map(tx, organization, view, rated, &open, NAMED).await?;
            maps.push((*basis, map));
        }
        let sort = Sort { by: RiskSort::CurrentScore, direction: Direction::Descending };
        let query = RiskQuery { filter: open, sort, ..RiskQuery::of(view) };
        let worst = store::risks::list_graded(tx, organization, &query, &scales, WORST).await?;
        let period = Period { days: DEFAULT_PERIOD_DAYS, until: span.to.at, as_of_seq: Some(span.to.seq) };
        let figure =
            store::performance::compute(tx, organization, period, &RiskFilter::default()).await?.figure;
        let mut changes = store::risk_changes::between(tx, organization, span.entries()).await?;
        let end = listed.min(changes.len());
        let first = changes.get_mut(..end).unwrap_or_default();
        store::risk_changes::add_reasons(tx, organization, first).await?;
        Ok(Self { span, scales, maps, worst, figure, changes })
    }

    /// The open risks by their current rating.
    pub fn current(&self) -> Option<&HeatMap> {
        self.maps.iter().find(|(basis, _)| *basis == RatingBasis::Current).map(|(_, map)| map)
    }

    /// How many risks are open.
    pub fn open(&self) -> i64 {
        self.current().map_or(0, HeatMap::total)
    }

    /// How many open risks are in each band by their current rating, from the worst on.
    pub fn bands(&self) -> Vec<(String, i64)> {
        let scale = self.scales.present();
        let cells = self.current().map(|map| map.cells.as_slice()).unwrap_or_default();
        let count =
            |place| cells.iter().filter(|it| scale.band_of(it.rating) == place).map(|it| it.count).sum();
        let bands =
            (0..).zip(&scale.content.bands).map(|(place, band)| (band.name.to_string(), count(place)));
        let mut bands: Vec<(String, i64)> = bands.collect();
        bands.reverse();
        bands
    }

    /// What became of the current rating of a risk since the earlier day; none if it is the same, or if there is none.
    pub fn trend(&self, risk: &Risk) -> Option<RiskChangeKind> {
        const TRENDS: [RiskChangeKind; 5] = [
            RiskChangeKind::Worse,
            RiskChangeKind::Better,
            RiskChangeKind::NotComparable,
            RiskChangeKind::FirstEvaluated,
            RiskChangeKind::New,
        ];
        let is_of_it = |it: &&RiskChange| it.risk.as_ref().is_some_and(|(number, _)| *number == risk.number);
        self.changes.iter().filter(is_of_it).map(|it| it.kind).find(|kind| TRENDS.contains(kind))
    }
}
