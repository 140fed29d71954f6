//! `GET /o/{slug}/go`: goes to anything by its number, or by the beginning of a word in its name.

use askama::Template;
use axum::response::{IntoResponse, Redirect};
use db::Tx;
use domain::{IncidentNumber, RiskNumber, Scope, text};
use store::View;
use store::documents::DocumentFilter;
use store::incidents::{IncidentFilter, IncidentSort};
use store::list::ListQuery;
use store::risks::{RiskFilter, RiskSort};

use super::settings;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many of the latest records of each kind are looked through.
const LOOKED_THROUGH: i64 = 200;

/// So many places of each kind are shown.
const SHOWN: usize = 6;

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
        return Ok(Redirect::to(&address).into_response());
    }
    let mut groups = Vec::new();
    if !asked.is_empty() {
        groups.push(incidents(&request, &mut tx, &asked).await?);
        groups.push(risks(&request, &mut tx, &asked).await?);
        groups.push(documents(&request, &mut tx, &asked).await?);
        groups.push(people(&request, &mut tx, &asked).await?);
    }
    groups.push(screens(&request, &asked));
    groups.retain(|group| !group.places.is_empty());
    let frame = Layout::of(&request, &mut tx, texts::GO_TO, Section::Go).await?;
    let search = Form::of([("q", asked.clone())]).query();
    let search = (!asked.is_empty()).then(|| request.to(&format!("/search?{search}")));
    request.show(&GoPage { frame, asked, groups, search })
}

/// The address of the record with this number, if there is one that the person sees.
async fn by_number(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Option<String>> {
    let is_prefixed = |prefix: &str| asked.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    if is_prefixed("INC-")
        && let Some(number) = IncidentNumber::parse(&asked.to_ascii_uppercase())
    {
        let (viewer, view) = (request.viewer(), View::now());
        let found = store::incidents::existing(tx, request.id(), &viewer, view, &[number]).await?;
        return Ok(found.contains(&number).then(|| request.to(&format!("/incidents/{number}"))));
    }
    if is_prefixed("RSK-")
        && request.may(Scope::RisksRead)
        && let Some(number) = RiskNumber::parse(&asked.to_ascii_uppercase())
    {
        let found = store::risks::existing(tx, request.id(), View::now(), &[number]).await?;
        return Ok(found.contains(&number).then(|| request.to(&format!("/risks/{number}"))));
    }
    Ok(None)
}

async fn incidents(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Group> {
    let query = ListQuery::<IncidentFilter, IncidentSort>::of(View::now());
    let reads = request.may(Scope::IncidentsRead) || request.may(Scope::IncidentsDeclare);
    let rows = match reads {
        true => {
            let viewer = request.viewer();
            store::incidents::list(tx, request.id(), &viewer, &query, LOOKED_THROUGH).await?.rows
        }
        false => Vec::new(),
    };
    let places =
        rows.into_iter().filter(|it| begins(&it.title, asked) || is_number(it.number.number(), asked));
    let place = |it: domain::incident::Incident| Place {
        address: request.to(&format!("/incidents/{}", it.number)),
        id: it.number.to_string(),
        name: it.title,
    };
    Ok(Group { name: texts::INCIDENTS, icon: "incident", places: places.map(place).take(SHOWN).collect() })
}

async fn risks(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Group> {
    let query = ListQuery::<RiskFilter, RiskSort>::of(View::now());
    let rows = match request.may(Scope::RisksRead) {
        true => store::risks::list(tx, request.id(), &query, LOOKED_THROUGH).await?.rows,
        false => Vec::new(),
    };
    let places =
        rows.into_iter().filter(|it| begins(&it.title, asked) || is_number(it.number.number(), asked));
    let place = |it: domain::risk::Risk| Place {
        address: request.to(&format!("/risks/{}", it.number)),
        id: it.number.to_string(),
        name: it.title,
    };
    Ok(Group { name: texts::RISKS, icon: "risk", places: places.map(place).take(SHOWN).collect() })
}

async fn documents(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Group> {
    let rows = match request.may(Scope::DocumentsRead) {
        true => {
            let filter = DocumentFilter::default();
            store::documents::list(tx, request.id(), &filter, None, LOOKED_THROUGH).await?.rows
        }
        false => Vec::new(),
    };
    let place = |it: domain::document::Document| Place {
        address: request.to(&format!("/documents/{}", it.slug)),
        id: String::new(),
        name: it.title,
    };
    let places = rows.into_iter().filter(|it| begins(&it.title, asked)).map(place);
    Ok(Group { name: texts::DOCUMENTS, icon: "doc", places: places.take(SHOWN).collect() })
}

async fn people(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Group> {
    let rows = match request.may(Scope::UsersRead) {
        true => store::people::list(tx, request.id(), &[], None, LOOKED_THROUGH).await?,
        false => Vec::new(),
    };
    let place = |it: domain::person::Member| Place {
        address: request.to(&format!("/settings/people/{}", it.person.id)),
        id: String::new(),
        name: it.person.name,
    };
    let places = rows.into_iter().filter(|it| begins(&it.person.name, asked)).map(place);
    Ok(Group { name: texts::PEOPLE, icon: "user", places: places.take(SHOWN).collect() })
}

/// The screens and the actions that the person may open.
fn screens(request: &PageRequest, asked: &str) -> Group {
    let may = |scope| request.may(scope);
    let declares = may(Scope::IncidentsWrite) || may(Scope::IncidentsDeclare);
    let reads_incidents = may(Scope::IncidentsRead) || may(Scope::IncidentsDeclare);
    let mut all = vec![
        (true, texts::HOME, ""),
        (declares, texts::DECLARE_AN_INCIDENT, "/incidents/new"),
        (reads_incidents, texts::INCIDENTS, "/incidents"),
        (may(Scope::IncidentsRead), texts::INCIDENT_FIGURES, "/incidents/figures"),
        (may(Scope::IncidentsDelete), texts::TRASH_OF_INCIDENTS, "/incidents/trash"),
        (may(Scope::RisksRead), texts::RISKS, "/risks"),
        (may(Scope::RisksWrite), texts::ADD_A_RISK, "/risks/new"),
        (may(Scope::RisksRead), texts::HEAT_MAP, "/risks/heat-map"),
        (may(Scope::RisksRead), texts::PERFORMANCE, "/risks/performance"),
        (may(Scope::RisksDelete), texts::TRASH_OF_RISKS, "/risks/trash"),
        (may(Scope::TagsRead), texts::TAGS, "/tags"),
        (may(Scope::DocumentsRead), texts::DOCUMENTS, "/documents"),
        (may(Scope::JournalRead), texts::JOURNAL, "/journal"),
        (may(Scope::UsersAdmin), texts::INVITE_PEOPLE, "/settings/people/invite"),
        (may(Scope::ClientsAdmin), texts::ADD_A_CLIENT, "/settings/clients/new"),
    ];
    all.extend(settings::tabs(request).into_iter().map(|tab| (true, tab.name, tab.page)));
    all.extend([(true, texts::YOUR_ACCOUNT, "/account"), (true, texts::KEYBOARD, "/keys")]);
    let permitted = all.into_iter().filter(|(is_permitted, name, _)| *is_permitted && begins(name, asked));
    let place = |(_, name, page): (bool, &str, &str)| Place {
        name: name.to_owned(),
        id: String::new(),
        address: request.to(page),
    };
    Group { name: texts::PLACES_AND_ACTIONS, icon: "chev", places: permitted.map(place).collect() }
}

/// Whether a name, or a word in it, begins with what was typed; nothing typed begins everything.
fn begins(name: &str, asked: &str) -> bool {
    let (name, asked) = (text::folded(name), text::folded(asked));
    name.starts_with(&asked)
        || name.match_indices([' ', '-', '/', '(']).any(|(at, _)| name[at + 1..].starts_with(&asked))
}

/// Whether the digits that were typed begin a number.
fn is_number(number: i64, asked: &str) -> bool {
    let digits = asked.trim_start_matches(|letter: char| !letter.is_ascii_digit()).trim_start_matches('0');
    let is_about_numbers = asked.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    is_about_numbers && !digits.is_empty() && number.to_string().starts_with(digits)
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
    fn a_number_is_found_by_its_first_digits() {
        assert!(is_number(45, "4") && is_number(45, "INC-0045") && is_number(45, "045"));
        assert!(!is_number(45, "5") && !is_number(45, "INC-") && !is_number(45, "room 4"));
    }
}
