//! `/o/{slug}/incidents/{id}/review`: what happened, why, and what is to be done about it.

use domain::json::body as read_body;
use std::borrow::Cow;

use askama::Template;
use domain::incident::Viewer;
use domain::person::Member;
use domain::record::Record as _;
use domain::review::{MAX_ACTIONS, Review, ReviewPatch, ReviewSection, ReviewState};
use domain::{Error as E, Faults, Prose, ResourceKind, Scope};
use http::json::{self, Json};
use jiff::Timestamp;
use lists::printed_file::Form as FileForm;
use lists::review_file::ReviewFile;
use store::reviews::ReviewDetails;

use super::{READ, WRITE, address, number};
use crate::frame::clock::Clock;
use crate::frame::form::{As, Form, MOST_CHOICES, ZONE};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
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

/// The fields of an action, in the rows of the form. The last one is the moment that the third shows.
const ACTION: [&str; 5] = ["action_title", "action_owner", "action_due", "action_task", "action_due_instant"];

/// The most editions that are named.
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

impl Part {
    /// What the label says besides.
    fn note(&self) -> &'static str {
        if self.is_required { "" } else { texts::OPTIONAL }
    }
}

/// `GET /o/{slug}/incidents/{id}/review`: the latest edition.
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = review_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `GET /o/{slug}/incidents/{id}/review/word` and `…/pdf`
pub(crate) async fn file(request: PageRequest, form: FileForm) -> Result {
    request.require(READ)?;
    let number = number(&request)?;
    request.query().finish()?;
    let mut tx = request.read().await?;
    let file = ReviewFile::read(&mut tx, request.id(), &request.viewer(), number).await?;
    drop(tx);
    file.file(&request.app, form).await
}

/// `POST /o/{slug}/incidents/{id}/review`: changes what differs from the version that the form was made of.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let sent = request.form().await?;
    let actions = said(&sent, &request.clock);
    let sent = sent.and([("actions", actions)]);
    let (request, sent) = (&request, &sent);
    let current = || async move {
        let mut tx = request.read().await?;
        let form = form_of(latest(request, &mut tx).await?.as_ref(), &request.clock);
        // Nobody publishes, or lets others read, what they have not seen.
        let state = sent.has("state").then(|| ("theirs_state", String::new()));
        Ok(form.and(state))
    };
    let write = |form: Form| async move {
        let form = with_actions_of(sent, form);
        let to = format!("{}/review", address(request, number));
        let (expected, version) = (form.expected(), form.version());
        let patch = json::read_value(changes(&form, &request.clock), |body, faults| {
            check_dues(&form, &request.clock, faults);
            read_body::<ReviewPatch>(body, faults)
        })?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::reviews::update(tx, organization, author, number, &expected, &patch).await
        };
        let next = move |it: ReviewDetails| Next::after(Some(it.review.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let form = with_actions_of(sent, form);
    let again = async |problems| review_page(request, Some(form), problems).await;
    request.answer(changed, (texts::review_saved(sent.text("state")), false), again).await
}

/// `POST /o/{slug}/incidents/{id}/review/actions/{number}`: makes a task of an action.
pub(crate) async fn to_task(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let incident = number(&request)?;
    let number = request.path(1, ResourceKind::ReviewAction, |text| text.parse::<i64>().ok())?;
    let form = request.form().await?;
    let (to, expected) = (format!("{}/review", address(&request, incident)), form.expected());
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        let viewer = Viewer::of(author);
        let before = store::reviews::get(tx, organization, &viewer, incident).await?.review;
        expected.check(before.version)?;
        store::reviews::action_to_task(tx, organization, author, incident, number).await
    };
    let made = request.write(&form, change, move |_| to.clone()).await;
    let again = async |problems| review_page(&request, None, problems).await;
    request.answer(made, (texts::TASK_CREATED, false), again).await
}

/// The members that differ from what the form showed first.
fn changes(form: &Form, clock: &Clock) -> Json<'static> {
    let mut json = form.json(&form.changed(MEMBERS, clock), clock);
    if let Json::Object(members) = &mut json
        && said(form, clock) != form.text("was_actions")
    {
        members.push((Cow::Borrowed("actions"), actions(form, clock)));
    }
    json
}

/// The rows of the actions that have a title, each as a form of its own.
fn rows(form: &Form) -> Vec<Form> {
    let columns = ACTION.map(|name| form.all(name).collect::<Vec<_>>());
    let row = |place: usize| {
        let fields = ACTION.into_iter().zip(&columns);
        Form::of(
            fields.map(|(name, column)| (name, column.get(place).copied().unwrap_or_default().to_owned())),
        )
        .and([(ZONE, form.text(ZONE).to_owned())])
    };
    let count = form.all("action_title").count();
    (0..count).map(row).filter(|row| !row.text("action_title").trim().is_empty()).collect()
}

/// What the rows say as one text, to be compared with what they said.
fn said(form: &Form, clock: &Clock) -> String {
    let row = |row: &Form| {
        let due = row.time("action_due", clock);
        [row.text("action_title"), row.text("action_owner"), &due, row.text("action_task")].join("\t")
    };
    rows(form).iter().map(row).collect::<Vec<_>>().join("\n")
}

fn actions(form: &Form, clock: &Clock) -> Json<'static> {
    let action = |row: &Form| {
        let members = [
            ("action/title", As::Text),
            ("action/owner", As::TextOrNull),
            ("action/due", As::Time),
            ("action/task", As::Integer),
        ];
        match row.json(&members, clock) {
            Json::Object(mut members) => members.pop().map_or(Json::Null, |(_, action)| action),
            other => other,
        }
    };
    Json::Array(rows(form).iter().take(MAX_ACTIONS + 1).map(action).collect())
}

/// The form with the actions that were typed, if they were.
fn with_actions_of(sent: &Form, form: Form) -> Form {
    match sent.text("actions") == sent.text("was_actions") {
        true => form,
        false => form.with_fields_of(&[&ACTION[..], &[ZONE]].concat(), sent),
    }
}

/// Adds a fault for each due date that exists twice or not at all, where the person has not chosen yet.
fn check_dues(form: &Form, clock: &Clock, faults: &mut Faults) {
    for (place, row) in rows(form).iter().enumerate() {
        row.check_time("action_due", format_args!("#/actions/{place}/due"), clock, faults);
    }
}

/// The review of the incident in the path, if it was begun.
async fn latest(request: &PageRequest, tx: &mut db::Tx) -> Result<Option<Review>> {
    match store::reviews::get(tx, request.id(), &request.viewer(), number(request)?).await {
        Ok(found) => Ok(Some(found.review)),
        Err(store::Error(E::NotFound(ResourceKind::Review))) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn review_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<ReviewPage> {
    request.require(READ)?;
    let (number, organization, viewer) = (number(request)?, request.id(), request.viewer());
    let mut tx = request.read().await?;
    let incident = store::incidents::get(&mut tx, organization, &viewer, number, store::View::now()).await?;
    let review = latest(request, &mut tx).await?;
    let editions = match review {
        Some(_) => store::reviews::editions(&mut tx, organization, &viewer, number, None, MOST).await?.rows,
        None => Vec::new(),
    };
    let people = store::people::first(&mut tx, organization, MOST_CHOICES).await?;
    let frame = Layout::of(request, &mut tx, texts::review_of(number), Section::Incidents).await?;
    let form = sent.unwrap_or_else(|| form_of(review.as_ref(), &request.clock));
    let problems = news::of_incident(request, &mut tx, number, None, problems).await?;
    let may_write = request.may(Scope::IncidentsWrite);
    Ok(ReviewPage { frame, incident, review, editions, people, form, problems, may_write })
}

/// The form as it is shown first: every field, and what it was. A review that was not begun has version 0.
fn form_of(review: Option<&Review>, clock: &Clock) -> Form {
    let text = |of: fn(&Review) -> &Option<Prose>| {
        review.and_then(|review| of(review).as_deref()).unwrap_or_default().to_owned()
    };
    let owner = review.and_then(|review| review.owner.as_ref());
    let mut values = vec![
        ("owner", owner.map(|it| it.id.to_string()).unwrap_or_default()),
        ("summary", text(|it| &it.summary)),
        ("root_cause", text(|it| &it.root_cause)),
        ("contributing_factors", text(|it| &it.contributing_factors)),
        ("impact", text(|it| &it.impact)),
        ("went_well", text(|it| &it.went_well)),
        ("lessons", text(|it| &it.lessons)),
    ];
    let mut fields = Vec::new();
    for action in review.iter().flat_map(|review| &review.actions) {
        let due = action.due.map(|at| clock.field(&at)).unwrap_or_default();
        let exact = action.due.map(domain::time::format).unwrap_or_default();
        let owner = action.owner.map(|it| it.to_string()).unwrap_or_default();
        let task = action.task.map(|it| it.to_string()).unwrap_or_default();
        fields.extend(ACTION.into_iter().zip([action.title.to_string(), owner, due, task, exact]));
    }
    values.push(("actions", said(&Form::of(fields.clone()), clock)));
    let version = review.map_or(0, |review| review.version);
    Form::with_originals(values, version).with_times([], clock).and(fields)
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
        let part = |name, hint| {
            let title = Review::field(name).map_or("", |field| field.label);
            let is_required = ReviewSection::REQUIRED.iter().any(|section| section.as_str() == name);
            Part { name, title, hint, is_required }
        };
        [
            part("summary", texts::SUMMARY_HINT),
            part("root_cause", texts::ROOT_CAUSE_HINT),
            part("contributing_factors", texts::CONTRIBUTING_FACTORS_HINT),
            part("impact", texts::IMPACT_HINT),
            part("went_well", texts::WHAT_WENT_WELL_HINT),
            part("lessons", texts::LESSONS_LEARNED_HINT),
        ]
    }

    /// The rows of the actions.
    fn saved_rows(&self) -> Vec<Form> {
        rows(&self.form)
    }

    /// The same with an empty one to fill.
    fn rows(&self) -> Vec<Form> {
        let mut found = self.saved_rows();
        if self.is_open() {
            found.push(Form::default());
        }
        found
    }

    /// Who does an action, if they cannot be chosen: without them the form would take it away from them.
    fn other_owner(&self, id: &str) -> Option<String> {
        let is_there = self.people.iter().any(|it| it.person.id.to_string() == id);
        let owner = self.review.as_ref().and_then(|review| review.owner.as_ref());
        let named = owner.filter(|owner| owner.id.to_string() == id).map(|owner| owner.name.clone());
        (!is_there && !id.is_empty()).then(|| named.unwrap_or_else(|| texts::FORMER_MEMBER.to_owned()))
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
        found.map_or_else(|| texts::UNASSIGNED.to_owned(), |it| it.person.name.clone())
    }

    /// When an action is due.
    fn due(&self, row: &Form) -> Option<Timestamp> {
        row.time("action_due", &self.frame.clock).parse().ok()
    }
}
