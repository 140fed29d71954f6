//! `/o/{slug}/risks/{id}/edit`: changes the fields of a risk.

use askama::Template;
use domain::json;
use domain::person::{Member, Person};
use domain::record::Record as _;
use domain::risk::{Risk, RiskPatch, Treatment};
use domain::scale::Scale;
use store::View;

use super::{Choice, MEMBERS, WRITE, number};
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::asked::form_of;
use crate::pages::listed::change::edit;
use crate::texts;

#[derive(Template)]
#[template(path = "risks/edit.html")]
struct EditPage {
    frame: Layout,
    risk: Risk,
    people: Vec<Member>,
    scale: Scale,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/{id}/edit`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = edit_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/risks/{id}/edit`
pub(crate) async fn submit(request: PageRequest) -> Result {
    edit::<Risk, _>(request, (MEMBERS, json::body::<RiskPatch>), edit_page).await
}

async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (number, organization) = (number(request)?, request.id());
    let mut tx = request.read().await?;
    let risk = store::risks::get(&mut tx, organization, number, View::now()).await?;
    let people = store::people::first(&mut tx, organization, MOST_CHOICES).await?;
    let scale = store::scales::known(&mut tx, organization, View::now()).await?.present().clone();
    let frame = Layout::of(request, &mut tx, texts::edit(number), Section::Risks).await?;
    let form = sent.unwrap_or_else(|| form_of(&risk, risk.version, MEMBERS, &request.clock));
    let record = ("risk", number.to_string());
    let problems = news::of_record(request, &mut tx, record, None, problems).await?;
    Ok(EditPage { frame, risk, people, scale, form, problems })
}

impl EditPage {
    /// The attributes of the field for the next review: one that follows from a cadence, only a review moves.
    fn review_day(&self) -> &'static str {
        match self.risk.next_review_date.is_some() && self.risk.review_every_days.is_some() {
            true => "type=date readonly",
            false => "type=date",
        }
    }

    /// What is rated by an earlier scale may not be among the levels, and stays.
    fn choices(&self) -> [Choice; 4] {
        super::choices(&self.scale, !self.risk.grades.is_outdated)
    }

    /// The owner, if they cannot be chosen: without them the form would take the risk away from them.
    fn other_owner(&self) -> Option<&Person> {
        let is_there = |person: &Person| self.people.iter().any(|it| it.person.id == person.id);
        self.risk.owner.as_ref().filter(|person| !is_there(person))
    }

    /// The fields that a person does not see. After the scale has changed all ratings are sent, also those that keep their number: what
    /// each was is a text that no level is.
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_rated_again = self.risk.grades.is_outdated && self.problems.is_scale_outdated();
        let is_rating = |name: &str| name.starts_with("was_inherent_") || name.starts_with("was_target_");
        let all = self.form.hidden();
        all.map(move |(name, was)| (name, if is_rated_again && is_rating(name) { "-" } else { was }))
    }
}
