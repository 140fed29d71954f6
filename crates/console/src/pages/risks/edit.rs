//! `/o/{slug}/risks/{id}/edit`: changes the fields of a risk.

use askama::Template;
use domain::json;
use domain::person::{Member, Person};
use domain::record::Record as _;
use domain::risk::{Risk, RiskPatch};
use store::View;

use super::{Choice, MEMBERS, WRITE, address, number};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::pages::listed::asked::{answers, with_asked};
use crate::texts;

/// The most people that can be chosen.
const MOST_PEOPLE: i64 = 200;

#[derive(Template)]
#[template(path = "risks/edit.html")]
struct EditPage {
    frame: Layout,
    risk: Risk,
    people: Vec<Member>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/{id}/edit`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = edit_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/risks/{id}/edit`: changes what differs from the version that the form was made of.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let current = || async move {
        let mut tx = request.read().await?;
        Ok(form_of(&store::risks::get(&mut tx, request.id(), number, View::now()).await?))
    };
    let write = |form: Form| async move {
        let (to, expected, version) = (address(request, number), form.expected(), form.version());
        let members = form.changed(&with_asked::<Risk>(MEMBERS), &request.clock);
        let patch = form.read_as(&members, &request.clock, json::body::<RiskPatch>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::risks::update(tx, organization, author, number, &expected, &patch).await
        };
        let next = move |it: Risk| Next::after(Some(it.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| edit_page(request, Some(form), problems).await;
    request.answer(changed, (texts::changed(number), true), again).await
}

async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (number, organization) = (number(request)?, request.id());
    let mut tx = request.read().await?;
    let risk = store::risks::get(&mut tx, organization, number, View::now()).await?;
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let frame = Layout::of(request, &mut tx, texts::edit(number), Section::Risks).await?;
    let form = sent.unwrap_or_else(|| form_of(&risk));
    let record = ("risk", number.to_string());
    let problems = news::of_record(request, &mut tx, record, None, problems).await?;
    Ok(EditPage { frame, risk, people, form, problems })
}

/// The form as it is shown first: every field, and what it was.
fn form_of(risk: &Risk) -> Form {
    let values = [
        ("title", risk.title.clone()),
        ("description", risk.description.clone()),
        ("owner", risk.owner.as_ref().map(|it| it.id.to_string()).unwrap_or_default()),
        ("inherent_likelihood", risk.inherent.likelihood.to_string()),
        ("inherent_impact", risk.inherent.impact.to_string()),
        ("target_likelihood", risk.target.likelihood.to_string()),
        ("target_impact", risk.target.impact.to_string()),
    ];
    Form::with_originals(values.into_iter().chain(answers(risk)), risk.version)
}

impl EditPage {
    fn choices(&self) -> [Choice; 4] {
        super::choices()
    }

    /// The owner, if they cannot be chosen: without them the form would take the risk away from them.
    fn other_owner(&self) -> Option<&Person> {
        let is_there = |person: &Person| self.people.iter().any(|it| it.person.id == person.id);
        self.risk.owner.as_ref().filter(|person| !is_there(person))
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
