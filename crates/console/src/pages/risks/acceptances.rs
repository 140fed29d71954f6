//! `/o/{slug}/risks/acceptances`: the acceptances of all risks, what ends first first, and confirming several of them.

use std::borrow::Cow;

use askama::Template;
use db::Tx;
use domain::accepting::AcceptanceConfirmation;
use domain::decision::DecisionState;
use domain::json;
use domain::scale::{Grade, Scales};
use domain::{Author, OrgId};
use http::json::{Json, read_value};
use http::page::{List, Page};
use store::View;
use store::acceptances::{AcceptanceDetails, AcceptanceFilter, AcceptancePosition, Confirmed};

use super::READ;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
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
        /// Those in force that the person may confirm, because who accepted them has left.
        ToConfirm = "to_confirm",
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
    let scales = store::scales::known(&mut tx, organization, View::now()).await?;
    let after = page.after.as_ref();
    let found = match shown {
        Which::ToConfirm => {
            let by = (&request.member.actor(), request.permissions().scopes());
            store::acceptances::to_confirm(&mut tx, organization, &scales, by, after, page.limit).await?
        }
        _ => store::acceptances::list(&mut tx, organization, View::now(), &filter, after, page.limit).await?,
    };
    let frame = Layout::of(&request, &mut tx, texts::ACCEPTANCES, Section::Risks).await?;
    let position = |row: &AcceptanceDetails| {
        let decision = &row.acceptance.decision;
        (decision.until.to_string(), decision.seq)
    };
    let List { data: rows, next_cursor: next, .. } =
        List::of(&request.list_id(), found, None, position, |row| row);
    request.show(&AcceptancesPage { frame, shown, rows, scales, next, is_first: page.after.is_none() })
}

/// `POST /o/{slug}/risks/acceptances`: confirms the chosen ones.
pub(crate) async fn confirm(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let form = request.form().await?;
    let path = format!("/risks/acceptances?show={}", Which::ToConfirm.as_str());
    if !form.has("ids") {
        return Ok(request.lead_to(&path, texts::NOTHING_SELECTED));
    }
    let chosen = read_value(chosen(&form), json::body::<AcceptanceConfirmation>)?;
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::acceptances::confirm(tx, organization, author, &chosen).await
    };
    let to = request.to(&path);
    let next = move |results: Vec<Confirmed>| {
        let count = results.iter().filter(|(_, result)| result.is_ok()).count();
        Next::telling(to.clone(), texts::acceptances_confirmed(count, results.len()))
    };
    let answer = request.write(&form, change, next).await?;
    Ok(request.lead_on(answer, texts::NOTHING_CHANGED, false))
}

/// The ticked acceptances as the API takes them. The value of a box is the risk and the number of the acceptance that the page has
/// shown: `RSK-1/1`.
fn chosen(form: &Form) -> Json<'static> {
    let object = |id: &str| {
        let (risk, number) = id.split_once('/').unwrap_or((id, ""));
        let number = number.parse().map_or(Json::Null, Json::Integer);
        let risk = Json::String(Cow::Owned(risk.to_owned()));
        Json::Object(vec![(Cow::Borrowed("risk"), risk), (Cow::Borrowed("number"), number)])
    };
    let all = Json::Array(form.all("ids").map(object).collect());
    Json::Object(vec![(Cow::Borrowed("acceptances"), all)])
}

impl Which {
    fn filter(self) -> AcceptanceFilter {
        let state = match self {
            Self::InForce => vec![DecisionState::Accepted, DecisionState::Stale],
            Self::Requested => vec![DecisionState::Requested],
            Self::Ending | Self::ToConfirm | Self::All => Vec::new(),
        };
        let expiring = (self == Self::Ending).then_some(SOON_DAYS);
        AcceptanceFilter { state, expiring, decider: None }
    }

    fn title(self) -> &'static str {
        match self {
            Self::InForce => texts::IN_FORCE,
            Self::Requested => texts::REQUESTED,
            Self::Ending => texts::ENDING,
            Self::ToConfirm => texts::TO_CONFIRM,
            Self::All => texts::ALL,
        }
    }
}

impl AcceptancesPage {
    fn is_to_confirm(&self) -> bool {
        self.shown == Which::ToConfirm
    }

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
