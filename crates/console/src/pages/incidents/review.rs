//! `/o/{slug}/incidents/{id}/review`: what happened, why, and what is to be done about it.

use std::borrow::Cow;

use askama::Template;
use domain::person::Member;
use domain::review::{MAX_ACTIONS, Review, ReviewSection, ReviewState};
use domain::{Error as E, ExpectedVersion, ResourceKind, Scope};
use store::reviews::ReviewDetails;
use web::http::json::{self, Json};
use web::input::reviews::read_patch;

use super::{READ, WRITE, address, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The members of a review besides its actions, as the form has them.
const MEMBERS: &[(&str, As)] = &[
    ("owner", As::TextOrNull),
    ("summary", As::TextOrNull),
    ("root_cause", As::TextOrNull),
    ("contributing_factors", As::TextOrNull),
    ("impact", As::TextOrNull),
    ("went_well", As::TextOrNull),
    ("lessons", As::TextOrNull),
    ("state", As::Text),
];

/// The fields of an action, in the rows of the form.
const ACTION: [&str; 4] = ["action_title", "action_owner", "action_due", "action_task"];

/// The most people that can be chosen, and editions that are named.
const MOST: i64 = 200;

#[derive(Template)]
#[template(path = "incidents/review.html")]
struct ReviewPage {
    frame: Layout,
    incident: domain::incident::Incident,
    review: Option<Review>,
    editions: Vec<ReviewDetails>,
    people: Vec<Member>,
    form: Form,
    problems: Problems,
    may_write: bool,
}

/// A section of the review: its field, its heading, and what it asks.
struct Part {
    name: &'static str,
    title: &'static str,
    hint: &'static str,
    is_required: bool,
}

/// `GET /o/{slug}/incidents/{id}/review`: the latest edition.
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = review_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/{id}/review`: changes what differs from the version that the form was made of.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let to = format!("{}/review", address(&request, number));
    let expected = match form.text("version").parse() {
        Ok(version) => ExpectedVersion::OneOf(vec![version]),
        Err(_) => ExpectedVersion::Any,
    };
    let changed = async {
        let patch = json::read_value(changes(&form, &request), read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::reviews::update(tx, organization, author, number, &expected, &patch).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| review_page(&request, Some(form), problems).await;
    request.answer(changed, (texts::REVIEW_SAVED, false), again).await
}

/// `POST /o/{slug}/incidents/{id}/review/actions/{number}`: makes a task of an action.
pub(crate) async fn to_task(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let incident = number(&request)?;
    let number = request.path(1, ResourceKind::ReviewAction, |text| text.parse::<i64>().ok())?;
    let form = request.form().await?;
    let to = format!("{}/review", address(&request, incident));
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::reviews::action_to_task(tx, organization, author, incident, number).await
    };
    let made = request.write(&form, change, move |_| to.clone()).await;
    let again = async |problems| review_page(&request, None, problems).await;
    request.answer(made, (texts::ACTION_MADE_A_TASK, false), again).await
}

/// The members that differ from what the form showed first.
fn changes(form: &Form, request: &PageRequest) -> Json<'static> {
    let mut json = form.json(&form.changed(MEMBERS), &request.clock);
    if let Json::Object(members) = &mut json
        && rows(form) != form.text("was_actions")
    {
        members.push((Cow::Borrowed("actions"), actions(form, request)));
    }
    json
}

/// The rows of the actions as one text, to be compared with what they were.
fn rows(form: &Form) -> String {
    let columns = ACTION.map(|name| form.all(name).collect::<Vec<_>>());
    let [titles, ..] = &columns;
    let row = |place: usize| columns.each_ref().map(|column| column.get(place).copied().unwrap_or_default());
    let rows = (0..titles.len()).map(row).filter(|[title, ..]| !title.trim().is_empty());
    rows.map(|row| row.join("\t")).collect::<Vec<_>>().join("\n")
}

fn actions(form: &Form, request: &PageRequest) -> Json<'static> {
    let rows = rows(form);
    let action = |row: &str| {
        let fields = ACTION.into_iter().zip(row.split('\t')).map(|(name, value)| (name, value.to_owned()));
        let members = [
            ("action/title", As::Text),
            ("action/owner", As::TextOrNull),
            ("action/due", As::Time),
            ("action/task", As::Integer),
        ];
        match Form::of(fields).json(&members, &request.clock) {
            Json::Object(mut members) => members.pop().map_or(Json::Null, |(_, action)| action),
            other => other,
        }
    };
    Json::Array(rows.lines().take(MAX_ACTIONS + 1).map(action).collect())
}

async fn review_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<ReviewPage> {
    request.require(READ)?;
    let (number, organization, viewer) = (number(request)?, request.id(), request.viewer());
    let mut tx = request.read().await?;
    let incident = store::incidents::get(&mut tx, organization, &viewer, number, store::View::now()).await?;
    let review = match store::reviews::get(&mut tx, organization, &viewer, number).await {
        Ok(found) => Some(found.review),
        Err(store::Error(E::NotFound(ResourceKind::Review))) => None,
        Err(error) => return Err(error.into()),
    };
    let editions = match review {
        Some(_) => store::reviews::editions(&mut tx, organization, &viewer, number, None, MOST).await?.rows,
        None => Vec::new(),
    };
    let people = store::people::first(&mut tx, organization, MOST).await?;
    let frame = Layout::of(request, &mut tx, texts::review_of(number), Section::Incidents).await?;
    let current = review.as_ref().map_or_else(Form::default, |it| form_of(it, request));
    let form = match sent {
        Some(sent) if problems.is_stale => merged(&sent, current),
        sent => sent.unwrap_or(current),
    };
    let may_write = request.may(Scope::IncidentsWrite);
    Ok(ReviewPage { frame, incident, review, editions, people, form, problems, may_write })
}

/// The form on the review as it is now; actions that were typed replace those of somebody else.
fn merged(sent: &Form, current: Form) -> Form {
    let are_typed = rows(sent) != sent.text("was_actions");
    let merged = sent.clone().onto(current);
    if are_typed { merged.with_fields_of(&ACTION, sent) } else { merged }
}

/// The form as it is shown first: every field, and what it was.
fn form_of(review: &Review, request: &PageRequest) -> Form {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut values = vec![
        ("owner", review.owner.as_ref().map(|it| it.id.to_string()).unwrap_or_default()),
        ("summary", text(&review.summary)),
        ("root_cause", text(&review.root_cause)),
        ("contributing_factors", text(&review.contributing_factors)),
        ("impact", text(&review.impact)),
        ("went_well", text(&review.went_well)),
        ("lessons", text(&review.lessons)),
    ];
    let mut fields = Vec::new();
    for action in &review.actions {
        let due = action.due.map(|at| request.clock.field(&at)).unwrap_or_default();
        let owner = action.owner.map(|it| it.to_string()).unwrap_or_default();
        let task = action.task.map(|it| it.to_string()).unwrap_or_default();
        fields.extend(ACTION.into_iter().zip([action.title.clone(), owner, due, task]));
    }
    values.push(("actions", rows(&Form::of(fields.clone()))));
    Form::with_originals(values, review.version).and(fields)
}

impl ReviewPage {
    /// The address of the incident.
    fn address(&self) -> String {
        format!("{}/incidents/{}", self.frame.base, self.incident.number)
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    fn parts(&self) -> [Part; 6] {
        let part = |name, title, hint| {
            let is_required = ReviewSection::REQUIRED.iter().any(|section| section.as_str() == name);
            Part { name, title, hint, is_required }
        };
        [
            part("summary", texts::SUMMARY, texts::SUMMARY_HINT),
            part("root_cause", texts::ROOT_CAUSE, texts::ROOT_CAUSE_HINT),
            part("contributing_factors", texts::WHAT_CONTRIBUTED, texts::WHAT_CONTRIBUTED_HINT),
            part("impact", texts::WHAT_IT_DID, texts::WHAT_IT_DID_HINT),
            part("went_well", texts::WHAT_WENT_WELL, texts::WHAT_WENT_WELL_HINT),
            part("lessons", texts::WHAT_WE_LEARNED, texts::WHAT_WE_LEARNED_HINT),
        ]
    }

    /// The rows of the actions, with an empty one to fill.
    fn rows(&self) -> Vec<[String; 4]> {
        let rows = rows(&self.form);
        let row = |row: &str| {
            let mut fields = row.split('\t').map(str::to_owned);
            std::array::from_fn(|_| fields.next().unwrap_or_default())
        };
        let mut found: Vec<[String; 4]> = rows.lines().map(row).collect();
        if self.is_open() {
            found.push(Default::default());
        }
        found
    }

    /// Whether it is written still.
    fn is_open(&self) -> bool {
        self.may_write && self.review.as_ref().is_none_or(|review| review.state != ReviewState::Published)
    }

    /// The sections without which it is not published.
    fn missing(&self) -> Vec<&'static str> {
        let is_missing = |part: &Part| part.is_required && self.form.text(part.name).trim().is_empty();
        self.parts().into_iter().filter(is_missing).map(|part| part.title).collect()
    }

    fn owner_name(&self, id: &str) -> String {
        let found = self.people.iter().find(|it| it.person.id.to_string() == id);
        found.map_or_else(|| texts::NOBODY.to_owned(), |it| it.person.name.clone())
    }

    /// The time of a field, as people read it.
    fn due(&self, field: &str) -> String {
        let at = self.frame.clock.instant(field).parse();
        at.map_or_else(|_| String::new(), |at| self.frame.clock.short(&at))
    }
}
