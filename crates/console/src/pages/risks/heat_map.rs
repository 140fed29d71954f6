//! `GET /o/{slug}/risks/heat-map`: where the open risks cluster. Each cell leads to its risks.

use askama::Template;
use domain::risk::{LEVELS, Rating, Risk};
use domain::scale::{Grade, Scale, Scales};
use store::View;
use store::risks::{Rated, RatingBasis};

use super::{READ, levels};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::texts;

/// So many risks of the chosen cell are listed.
const SHOWN: i64 = 50;

/// A cell with so many risks or fewer names them.
const NAMED: i64 = 3;

#[derive(Template)]
#[template(path = "risks/heat_map.html")]
struct HeatMapPage {
    frame: Layout,
    basis: RatingBasis,
    scales: Scales,
    cells: Vec<Rated>,
    /// How many risks have a rating by an earlier scale.
    not_placed: i64,
    chosen: Option<Rating>,
    risks: Vec<Risk>,
    has_more: bool,
    open: i64,
}

/// `GET /o/{slug}/risks/heat-map?basis=…&cell=3x4`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let asked = request.asked();
    let basis = RatingBasis::parse(asked.text("basis")).unwrap_or(RatingBasis::Current);
    let chosen = cell(asked.text("cell"));
    let organization = request.id();
    let mut tx = request.read().await?;
    let scales = store::scales::known(&mut tx, organization, View::now()).await?;
    let cells = store::risks::count_by_rating(&mut tx, organization, basis, &scales, NAMED).await?;
    let not_placed = store::risks::count_not_placed(&mut tx, organization, basis, &scales).await?;
    let (risks, has_more) = match chosen {
        Some(rating) => {
            let of = (basis, &scales);
            let page = store::risks::list_by_rating(&mut tx, organization, of, rating, SHOWN).await?;
            (page.rows, page.has_more)
        }
        None => (Vec::new(), false),
    };
    let frame = Layout::of(&request, &mut tx, texts::HEAT_MAP, Section::Risks).await?;
    let open = frame.open_risks.unwrap_or_default();
    request.show(&HeatMapPage { frame, basis, scales, cells, not_placed, chosen, risks, has_more, open })
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
        self.cells.iter().find(|it| it.rating == rating)
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
            let in_band =
                self.cells.iter().filter(|it| usize::try_from(self.scale().band_of(it.rating)) == Ok(place));
            (words::drawn(band.color), band.name.as_str(), in_band.map(|it| it.count).sum())
        });
        bands.collect()
    }

    /// The risks that have such a rating.
    fn all_rated(&self) -> i64 {
        self.cells.iter().map(|it| it.count).sum()
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
