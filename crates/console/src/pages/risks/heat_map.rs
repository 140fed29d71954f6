//! `GET /o/{slug}/risks/heat-map`: where the open risks cluster. Each cell leads to its risks.

use askama::Template;
use db::Tx;
use domain::OrgId;
use domain::risk::{LEVELS, Rating, Risk, RiskStatus};
use domain::scale::{Grade, Scale, Scales};
use domain::text::folded;
use store::risks::{HeatMap, Rated, RatingBasis, RiskFilter, RiskQuery};
use store::{Page, View};

use super::{READ, levels};
use crate::frame::clock::Clock;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::texts;

/// So many risks of the chosen cell are listed.
const SHOWN: i64 = 50;

/// A cell with so many risks or fewer names them.
const NAMED: i64 = 3;

/// So many risks are drawn with arrows; if there are more, only those of a chosen cell.
const DRAWN: i64 = 10;

#[derive(Template)]
#[template(path = "risks/heat_map.html")]
struct HeatMapPage {
    frame: Layout,
    basis: RatingBasis,
    scales: Scales,
    map: HeatMap,
    chosen: Option<Rating>,
    /// The risks of the chosen cell, or all of them if they are few.
    risks: Page<Risk>,
    /// The day that was asked for, as it was typed.
    day: String,
    problem: Option<&'static str>,
    /// The last journal entry that counts, if it is not today's.
    seq: Option<i64>,
}

/// The way of a risk on the map.
struct Way {
    risk: String,
    /// Where its inherent rating is.
    from: Place,
    /// Where it is now: where its current rating is, if there is one.
    now: Place,
    has_moved: bool,
    /// Where its target is, if that is elsewhere.
    target: Option<Place>,
}

/// The middle of a cell, in per cent from the left and from the top.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    x: i64,
    y: i64,
}

/// `GET /o/{slug}/risks/heat-map?basis=…&cell=3x4&day=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let basis = query.word("basis").unwrap_or(RatingBasis::Current);
    for name in ["cell", "day"] {
        query.text(name);
    }
    query.finish()?;
    let asked = request.asked();
    let chosen = cell(asked.text("cell"));
    let organization = request.id();
    let mut tx = request.read().await?;
    let day = asked.text("day").to_owned();
    let view = view_of(&mut tx, organization, &day, &request.clock).await?;
    let problem = view.is_none().then_some(texts::NOT_IN_THE_PAST);
    let view = view.unwrap_or_else(View::now);
    let scales = store::scales::known(&mut tx, organization, view).await?;
    let filter = RiskFilter { status: vec![RiskStatus::Open], ..RiskFilter::default() };
    let map = store::risks::heat_map(&mut tx, organization, view, (basis, &scales), &filter, NAMED).await?;
    let risks = match chosen {
        Some(rating) => {
            let rated = (basis, &scales);
            store::risks::list_by_rating(&mut tx, organization, view, rated, &filter, (rating, SHOWN)).await?
        }
        None => {
            let query = RiskQuery { filter, ..RiskQuery::of(view) };
            store::risks::list_graded(&mut tx, organization, &query, &scales, DRAWN).await?
        }
    };
    let frame = Layout::of(&request, &mut tx, texts::HEAT_MAP, Section::Risks).await?;
    let seq = view.as_of_seq;
    request.show(&HeatMapPage { frame, basis, scales, map, chosen, risks, day, problem, seq })
}

/// The register at the end of the day that is asked for; as it stands without one, and until the day is over. None for a day that is
/// still to come, and for a text that is no day.
async fn view_of(tx: &mut Tx, organization: OrgId, day: &str, clock: &Clock) -> store::Result<Option<View>> {
    let has_begun = clock.start_of_day(day, 0).is_some_and(|begin| begin <= clock.now());
    if !day.is_empty() && !has_begun {
        return Ok(None);
    }
    let end = clock.end_of_day(day).filter(|end| *end < clock.now());
    let as_of = match end {
        Some(end) => store::journal::resolve(tx, organization, Some(end), None).await?,
        None => None,
    };
    Ok(Some(as_of.map_or_else(View::now, |as_of| View::as_of(as_of.seq).at(as_of.at))))
}

/// The cell of an address, such as `3x4`: likelihood and impact.
fn cell(text: &str) -> Option<Rating> {
    let (likelihood, impact) = text.split_once('x')?;
    let level = |text: &str| text.parse().ok().filter(|level| LEVELS.contains(level));
    Some(Rating { likelihood: level(likelihood)?, impact: level(impact)? })
}

impl HeatMapPage {
    fn bases(&self) -> &'static [RatingBasis] {
        RatingBasis::ALL
    }

    fn basis_words(&self) -> &'static str {
        match self.basis {
            RatingBasis::Inherent => texts::BASIS_INHERENT,
            RatingBasis::Current => texts::BASIS_CURRENT,
            RatingBasis::Target => texts::BASIS_TARGET,
        }
    }

    fn scale(&self) -> &Scale {
        self.scales.present()
    }

    fn likelihoods(&self) -> Vec<(i64, String)> {
        levels(&self.scale().content.likelihood)
    }

    /// The levels of impact from the lowest on, as the columns have them.
    fn impacts(&self) -> Vec<(i64, String)> {
        levels(&self.scale().content.impact).into_iter().rev().collect()
    }

    fn rated(&self, likelihood: &i64, impact: &i64) -> Option<&Rated> {
        let rating = Rating { likelihood: *likelihood, impact: *impact };
        self.map.cells.iter().find(|it| it.rating == rating)
    }

    /// The titles that a cell has room for.
    fn titles<'a>(&self, cell: &'a Rated) -> &'a [String] {
        if cell.count <= NAMED { &cell.titles } else { &[] }
    }

    fn is_chosen(&self, likelihood: &i64, impact: &i64) -> bool {
        self.chosen == Some(Rating { likelihood: *likelihood, impact: *impact })
    }

    /// The band of a cell.
    fn grade_of(&self, likelihood: &i64, impact: &i64) -> Option<Grade> {
        let rating = Rating { likelihood: *likelihood, impact: *impact };
        self.scales.grade(rating, self.scale().number)
    }

    /// How many risks lie in each band, from the worst on: how it is drawn, its name, and the count.
    fn bands(&self) -> Vec<(&'static str, &str, i64)> {
        let bands = self.scale().content.bands.iter().enumerate().rev().map(|(place, band)| {
            let in_band = self
                .map
                .cells
                .iter()
                .filter(|it| usize::try_from(self.scale().band_of(it.rating)) == Ok(place));
            (words::drawn(band.color), band.name.as_str(), in_band.map(|it| it.count).sum())
        });
        bands.collect()
    }

    /// The query of the register that lists the open risks in a band; it knows today's current ratings alone. The register finds
    /// the name in every scale: there is no query while it may list risks that have no place here and are not counted.
    fn register(&self, band: &str) -> Option<String> {
        let has_name =
            |(_, scale): (i64, &Scale)| scale.content.bands.iter().any(|it| folded(&it.name) == folded(band));
        let finds_more = self.map.not_placed > 0 && self.scales.generations().skip(1).any(has_name);
        let query =
            || form_urlencoded::Serializer::new("status=open&".to_owned()).append_pair("band", band).finish();
        (self.basis == RatingBasis::Current && self.seq.is_none() && !finds_more).then(query)
    }

    /// The ways of the risks that are listed, unless they are too many.
    fn ways(&self) -> Vec<Way> {
        let few = !self.risks.has_more && self.risks.rows.len() <= usize::try_from(DRAWN).unwrap_or_default();
        let shown = if few { self.risks.rows.as_slice() } else { &[] };
        shown.iter().filter_map(|risk| self.way(risk)).collect()
    }

    fn way(&self, risk: &Risk) -> Option<Way> {
        let of_risk = |rating| self.place(rating, risk.scale_version);
        let from = of_risk(risk.inherent)?;
        let now = risk.current.and_then(|it| self.place(it.rating, it.scale_version)).unwrap_or(from);
        let target = risk.target.and_then(of_risk).filter(|target| *target != now);
        let has_moved = now != from;
        let way = Way { risk: risk.number.to_string(), from, now, has_moved, target };
        (has_moved || target.is_some()).then_some(way)
    }

    /// Where a rating is, if it is by the scale of the map.
    fn place(&self, rating: Rating, version: i64) -> Option<Place> {
        let (likelihoods, impacts) = self.scale().content.size();
        self.scales.is_present(version).then(|| Place {
            x: (2 * rating.impact - 1) * 50 / impacts,
            y: 100 - (2 * rating.likelihood - 1) * 50 / likelihoods,
        })
    }

    /// The address of the map by another rating, on the same past day.
    fn by(&self, basis: &RatingBasis) -> String {
        let day = self.seq.map_or_else(String::new, |_| format!("&day={}", self.day));
        format!("?basis={}{day}", basis.as_str())
    }

    fn name(&self, levels: &[(i64, String)], level: i64) -> String {
        levels
            .iter()
            .find(|(found, _)| *found == level)
            .map_or_else(String::new, |(_, name)| name.to_lowercase())
    }

    /// The chosen cell in words: `possible and major`.
    fn chosen_words(&self) -> String {
        self.chosen.map_or_else(String::new, |rating| {
            let likelihood = self.name(&self.likelihoods(), rating.likelihood);
            texts::both(&likelihood, &self.name(&self.impacts(), rating.impact))
        })
    }
}
