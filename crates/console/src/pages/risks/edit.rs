//! `/o/{slug}/risks/{id}/edit`: changes the fields of a risk.

use askama::Template;
use domain::ExpectedVersion;
use domain::person::Member;
use domain::risk::Risk;
use store::View;
use web::input::risks::read_patch;

use super::{Choice, MEMBERS, WRITE, address, number};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
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
    let form = request.form().await?;
    let to = address(&request, number);
    let version = form.text("version").parse().unwrap_or_default();
    let changed = async {
        let patch = form.read_as(&form.changed(MEMBERS), &request.clock, read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            let expected = ExpectedVersion::OneOf(vec![version]);
            store::risks::update(tx, organization, author, number, &expected, &patch).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| edit_page(&request, Some(form), problems).await;
    request.answer(changed, (texts::changed(number), true), again).await
}

async fn edit_page(request: &PageRequest, sent: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(WRITE)?;
    let (number, organization) = (number(request)?, request.id());
    let mut tx = request.read().await?;
    let risk = store::risks::get(&mut tx, organization, number, View::now()).await?;
    let people = store::people::first(&mut tx, organization, MOST_PEOPLE).await?;
    let frame = Layout::of(request, &mut tx, texts::edit(number), Section::Risks).await?;
    let current = form_of(&risk);
    let form = match sent {
        Some(sent) if problems.is_stale => sent.onto(current),
        sent => sent.unwrap_or(current),
    };
    Ok(EditPage { frame, risk, people, form, problems })
}

/// The form as it is shown first: every field, and what it was.
fn form_of(risk: &Risk) -> Form {
    let values = [
        ("title", risk.title.clone()),
        ("description", risk.description.clone()),
        ("category", risk.category.clone().unwrap_or_default()),
        ("owner", risk.owner.as_ref().map(|it| it.id.to_string()).unwrap_or_default()),
        ("inherent_likelihood", risk.inherent.likelihood.to_string()),
        ("inherent_impact", risk.inherent.impact.to_string()),
        ("target_likelihood", risk.target.likelihood.to_string()),
        ("target_impact", risk.target.impact.to_string()),
    ];
    Form::with_originals(values, risk.version)
}

impl EditPage {
    fn choices(&self) -> [Choice; 4] {
        super::choices()
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
