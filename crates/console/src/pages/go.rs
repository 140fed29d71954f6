//! `GET /o/{slug}/go`: goes to anything by its number, or by the beginning of a word in its name.

use std::collections::HashSet;

use askama::Template;
use db::Tx;
use domain::incident::Incident;
use domain::risk::Risk;
use domain::saved_view::SavedView;
use domain::search::{SearchKind, SearchQuery};
use domain::{IncidentNumber, RiskNumber, Scope, text};
use http::location;
use store::saved_views::SavedViewFilter;

use super::records::{Shown, by_number, number, readable};
use super::{settings, views};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many people and views are looked through, by name.
const LOOKED_THROUGH: i64 = 10_000;

/// So many records of each kind are shown.
const SHOWN: i64 = 6;

/// So many records are shown that the browser showed lately.
const MOST_RECENT: usize = 6;

#[derive(Template)]
#[template(path = "go.html")]
struct GoPage {
    frame: Layout,
    asked: String,
    groups: Vec<Group>,
    /// Where everything is searched for it.
    search: Option<String>,
}

/// Places of one kind.
struct Group {
    name: &'static str,
    icon: &'static str,
    places: Vec<Place>,
}

impl Group {
    fn is_recent(&self) -> bool {
        self.name == texts::RECENT
    }
}

/// Somewhere to go.
struct Place {
    name: String,
    /// Its number.
    id: String,
    address: String,
}

/// `GET /o/{slug}/go?q=…`: the number of an incident or a risk leads there at once.
pub(crate) async fn page(request: PageRequest) -> Result {
    let query = request.asked();
    let asked = query.text("q").trim().to_owned();
    let mut tx = request.read().await?;
    if !query.has("live")
        && let Some(address) = by_number(&request, &mut tx, &asked).await?
    {
        return Ok(location::see_other(&address));
    }
    let mut groups = vec![recent(&request, &mut tx, &query, &asked).await?];
    if !asked.is_empty() {
        let numbers = numbers(&asked);
        for kind in readable(&request) {
            groups.push(records(&request, &mut tx, kind, (&asked, &numbers)).await?);
        }
        groups.push(saved_views(&request, &mut tx, &asked).await?);
        groups.push(people(&request, &mut tx, &asked).await?);
    }
    groups.push(screens(&request, &asked));
    let mut seen = HashSet::new();
    for group in &mut groups {
        group.places.retain(|place| seen.insert(place.address.clone()));
    }
    groups.retain(|group| !group.places.is_empty());
    let frame = Layout::of(&request, &mut tx, texts::GO_TO, Section::Go).await?;
    let search = Form::of([("q", asked.clone())]).query();
    let search = (!asked.is_empty()).then(|| request.to(&format!("/search?{search}")));
    request.show(&GoPage { frame, asked, groups, search })
}

/// The records that the browser showed lately, whose numbers it sends, in their order.
async fn recent(request: &PageRequest, tx: &mut Tx, query: &Form, asked: &str) -> Result<Group> {
    let ids: Vec<&str> = query.all("recent").take(MOST_RECENT).collect();
    let (mut places, readable) = (Vec::new(), readable(request));
    if readable.contains(&SearchKind::Incident) {
        let numbers: Vec<IncidentNumber> = ids.iter().filter_map(|id| IncidentNumber::parse(id)).collect();
        places.extend(incidents(request, tx, &numbers).await?);
    }
    if readable.contains(&SearchKind::Risk) {
        let numbers: Vec<RiskNumber> = ids.iter().filter_map(|id| RiskNumber::parse(id)).collect();
        places.extend(risks(request, tx, &numbers).await?);
    }
    places.retain(|place| begins(&place.name, asked) || begins(&place.id, asked));
    places.sort_by_key(|place| ids.iter().position(|id| *id == place.id));
    Ok(Group { name: texts::RECENT, icon: "clock", places })
}

/// The records of a kind with words in their titles that begin like those that were typed, after those with the number.
async fn records(
    request: &PageRequest,
    tx: &mut Tx,
    kind: SearchKind,
    (asked, numbers): (&str, &[i64]),
) -> Result<Group> {
    let mut places = match kind {
        SearchKind::Incident if !numbers.is_empty() => {
            let numbers: Vec<IncidentNumber> = numbers.iter().copied().map(IncidentNumber).collect();
            incidents(request, tx, &numbers).await?
        }
        SearchKind::Risk if !numbers.is_empty() => {
            let numbers: Vec<RiskNumber> = numbers.iter().copied().map(RiskNumber).collect();
            risks(request, tx, &numbers).await?
        }
        _ => Vec::new(),
    };
    let (query, Shown { name, folder, icon }) = (SearchQuery::beginnings(asked), Shown::of(kind));
    for hit in store::hits::titled(tx, request.id(), &request.viewer(), (kind, &query), SHOWN).await? {
        let (id, address) = (number(&hit).unwrap_or_default(), format!("/{folder}/{}", hit.id));
        places.push(Place { name: hit.title, id, address: request.to(&address) });
    }
    places.truncate(usize::try_from(SHOWN).unwrap_or(usize::MAX));
    Ok(Group { name, icon, places })
}

/// The incidents with these numbers.
async fn incidents(request: &PageRequest, tx: &mut Tx, numbers: &[IncidentNumber]) -> Result<Vec<Place>> {
    let mut found = store::incidents::get_many(tx, request.id(), &request.viewer(), numbers).await?;
    found.retain(|it| it.deleted_date.is_none());
    found.sort_by_key(|it| it.number);
    let place = |it: Incident| Place {
        address: request.to(&format!("/incidents/{}", it.number)),
        id: it.number.to_string(),
        name: it.title.into(),
    };
    Ok(found.into_iter().map(place).collect())
}

/// The risks with these numbers.
async fn risks(request: &PageRequest, tx: &mut Tx, numbers: &[RiskNumber]) -> Result<Vec<Place>> {
    let mut found = store::risks::get_many(tx, request.id(), numbers).await?;
    found.retain(|it| it.deleted_date.is_none());
    found.sort_by_key(|it| it.number);
    let place = |it: Risk| Place {
        address: request.to(&format!("/risks/{}", it.number)),
        id: it.number.to_string(),
        name: it.title.into(),
    };
    Ok(found.into_iter().map(place).collect())
}

/// The saved views that the person sees.
async fn saved_views(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Group> {
    let (reader, filter) = (views::reader(request), SavedViewFilter::default());
    let found =
        store::saved_views::list(tx, request.id(), &reader, &filter, None, LOOKED_THROUGH).await?.rows;
    let place = |it: &SavedView| Place {
        address: views::address_of(request, it),
        id: String::new(),
        name: it.name.clone(),
    };
    let places = found.iter().filter(|it| begins(&it.name, asked)).map(place);
    Ok(Group { name: texts::VIEWS, icon: "flag", places: places.collect() })
}

async fn people(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Group> {
    let rows = match request.may(Scope::UsersRead) {
        true => store::people::first(tx, request.id(), LOOKED_THROUGH).await?,
        false => Vec::new(),
    };
    let place = |it: domain::person::Member| Place {
        address: request.to(&format!("/settings/people/{}", it.person.id)),
        id: String::new(),
        name: it.person.name,
    };
    let places = rows.into_iter().filter(|it| begins(&it.person.name, asked)).map(place);
    let most = usize::try_from(SHOWN).unwrap_or(usize::MAX);
    Ok(Group { name: texts::PEOPLE, icon: "user", places: places.take(most).collect() })
}

/// The screens and the actions that the person may open.
fn screens(request: &PageRequest, asked: &str) -> Group {
    let may = |scope| request.may(scope);
    let declares = may(Scope::IncidentsWrite) || may(Scope::IncidentsDeclare);
    let reads_incidents = may(Scope::IncidentsRead) || may(Scope::IncidentsDeclare);
    let mut all = vec![
        (true, texts::HOME, ""),
        (declares, texts::DECLARE_INCIDENT, "/incidents/new"),
        (reads_incidents, texts::INCIDENTS, "/incidents"),
        (may(Scope::IncidentsRead), texts::INCIDENT_FIGURES, "/incidents/figures"),
        (may(Scope::IncidentsDelete), texts::INCIDENT_TRASH, "/incidents/trash"),
        (may(Scope::RisksRead), texts::RISKS, "/risks"),
        (may(Scope::RisksWrite), texts::ADD_RISK, "/risks/new"),
        (may(Scope::DocumentsWrite), texts::NEW_DOCUMENT, "/documents/new"),
        (may(Scope::RisksRead), texts::HEAT_MAP, "/risks/heat-map"),
        (may(Scope::RisksRead), texts::PERFORMANCE, "/risks/performance"),
        (may(Scope::RisksRead), texts::ACCEPTANCES, "/risks/acceptances"),
        (may(Scope::RisksRead), texts::RISK_CHANGES, "/risks/changes"),
        (may(Scope::RisksRead), texts::RISK_REPORT, "/reports/risks"),
        (may(Scope::RisksRead), texts::SCALE, "/risks/scale"),
        (may(Scope::RisksDelete), texts::RISK_TRASH, "/risks/trash"),
        (may(Scope::TagsRead), texts::TAGS, "/tags"),
        (may(Scope::DocumentsRead), texts::DOCUMENTS, "/documents"),
        (may(Scope::DocumentsRead), texts::EXCEPTIONS, "/exceptions"),
        (may(Scope::JournalRead), texts::AUDIT_LOG, "/journal"),
        (may(Scope::UsersAdmin), texts::INVITE_PEOPLE, "/settings/people/invite"),
        (may(Scope::ClientsAdmin), texts::ADD_CLIENT, "/settings/clients/new"),
    ];
    all.extend(settings::tabs(request).into_iter().map(|tab| (true, tab.name, tab.page)));
    all.extend([(true, texts::YOUR_ACCOUNT, "/account"), (true, texts::KEYBOARD_SHORTCUTS, "/keys")]);
    let permitted = all.into_iter().filter(|(is_permitted, name, _)| *is_permitted && begins(name, asked));
    let place = |(_, name, page): (bool, &str, &str)| Place {
        name: name.to_owned(),
        id: String::new(),
        address: request.to(page),
    };
    Group { name: texts::PAGES_AND_ACTIONS, icon: "chev", places: permitted.map(place).collect() }
}

/// Whether a name, or a word in it, begins with what was typed; nothing typed begins everything.
fn begins(name: &str, asked: &str) -> bool {
    let (name, asked) = (text::folded(name), text::folded(asked));
    name.starts_with(&asked)
        || name.match_indices([' ', '-', '/', '(']).any(|(at, _)| name[at + 1..].starts_with(&asked))
}

/// The numbers that begin with the digits that were typed: the number itself, and those with one more digit.
fn numbers(asked: &str) -> Vec<i64> {
    let digits = asked.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let is_about_numbers = asked.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let Some(number) = digits.parse::<i64>().ok().filter(|number| is_about_numbers && *number > 0) else {
        return Vec::new();
    };
    let longer = number
        .checked_mul(10)
        .into_iter()
        .flat_map(|tens| (0..10).filter_map(move |more| tens.checked_add(more)));
    std::iter::once(number).chain(longer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_the_beginning_of_a_word() {
        for (name, asked) in [
            ("Cold room failed", "co"),
            ("Cold room failed", "ROO"),
            ("Überfall", "über"),
            ("A (b)", "b"),
            ("x", ""),
        ] {
            assert!(begins(name, asked), "{name}: {asked}");
        }
        assert!(!begins("Cold room failed", "old") && !begins("", "a"));
    }

    #[test]
    fn a_number_is_found_by_itself_or_without_its_last_digit() {
        for (asked, first, last) in [("4", 4, 49), ("INC-0045", 45, 459), ("rsk-7", 7, 79)] {
            let found = numbers(asked);
            assert_eq!(
                (found.len(), found.first(), found.last()),
                (11, Some(&first), Some(&last)),
                "{asked}"
            );
        }
        for asked in ["", "INC-", "room 4", "0", "99999999999999999999"] {
            assert_eq!(numbers(asked), [0; 0], "{asked}");
        }
        assert_eq!(numbers("9223372036854775807"), [i64::MAX]);
    }
}
