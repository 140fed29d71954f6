//! `GET /o/{slug}/risks/acceptances`: the acceptances of all risks, what ends first first.

use askama::Template;
use domain::decision::DecisionState;
use domain::scale::{Grade, Scales};
use http::page::{List, Page};
use store::View;
use store::acceptances::{AcceptanceDetails, AcceptanceFilter, AcceptancePosition};

use super::READ;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// What ends within so many days is said to end soon.
const SOON_DAYS: i64 = 30;

domain::words! {
    "ConsoleAcceptances"
    /// Which acceptances the page has.
    enum Which {
        /// Those that are accepted and have not ended.
        InForce = "in_force",
        /// The open requests.
        Requested = "requested",
        /// Those in force that end soon.
        Ending = "ending",
        /// All of them.
        All = "all",
    }
}

#[derive(Template)]
#[template(path = "risks/acceptances.html")]
struct AcceptancesPage {
    frame: Layout,
    shown: Which,
    rows: Vec<AcceptanceDetails>,
    scales: Scales,
    next: Option<String>,
    is_first: bool,
}

/// `GET /o/{slug}/risks/acceptances?show=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut query = request.query();
    let page = Page::<AcceptancePosition>::read(&request.list_id(), &mut query);
    let shown = query.words("show").pop().unwrap_or(Which::InForce);
    query.finish()?;
    let (mut tx, organization, filter) = (request.read().await?, request.id(), shown.filter());
    let after = page.after.as_ref();
    let found = store::acceptances::list(&mut tx, organization, &filter, after, page.limit).await?;
    let scales = store::scales::known(&mut tx, organization, View::now()).await?;
    let frame = Layout::of(&request, &mut tx, texts::ACCEPTANCES, Section::Risks).await?;
    let position = |row: &AcceptanceDetails| {
        let decision = &row.acceptance.decision;
        (decision.until.to_string(), decision.seq)
    };
    let List { data: rows, next_cursor: next, .. } =
        List::of(&request.list_id(), found, None, position, |row| row);
    request.show(&AcceptancesPage { frame, shown, rows, scales, next, is_first: page.after.is_none() })
}

impl Which {
    fn filter(self) -> AcceptanceFilter {
        let (state, expiring) = match self {
            Self::InForce => (vec![DecisionState::Accepted, DecisionState::Stale], None),
            Self::Requested => (vec![DecisionState::Requested], None),
            Self::Ending => (Vec::new(), Some(SOON_DAYS)),
            Self::All => (Vec::new(), None),
        };
        AcceptanceFilter { state, expiring }
    }

    fn title(self) -> &'static str {
        match self {
            Self::InForce => texts::IN_FORCE,
            Self::Requested => texts::REQUESTED,
            Self::Ending => texts::ENDING,
            Self::All => texts::ALL,
        }
    }
}

impl AcceptancesPage {
    /// The tabs: the word of the address, the title, and whether it is shown.
    fn tabs(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let shown = self.shown;
        Which::ALL.iter().map(move |it| (it.as_str(), it.title(), *it == shown))
    }

    /// The band of what was accepted or asked for.
    fn grade_of(&self, it: &AcceptanceDetails) -> Option<Grade> {
        self.scales.grade(it.acceptance.rating, it.acceptance.scale_version)
    }
}
