//! `/o/{slug}/risks/new`: adding a risk to the register.

use askama::Template;
use domain::json;
use domain::person::{Member, Person};
use domain::record::Record as _;
use domain::risk::{NewRisk, Risk, Treatment};
use domain::scale::Scale;
use store::View;

use super::{Choice, MEMBERS, WRITE};
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::asked::with_asked;
use crate::texts;

#[derive(Template)]
#[template(path = "risks/add.html")]
struct AddPage {
    frame: Layout,
    people: Vec<Member>,
    scale: Scale,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/new`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = add_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/risks/new`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let base = request.to("/risks");
    let added = async {
        let new = form.read_as(&with_asked::<Risk>(MEMBERS), &request.clock, json::body::<NewRisk>)?;
        let generation = form.generation();
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::scales::require_generation(tx, organization, generation, "#/inherent").await?;
            store::risks::create(tx, organization, author, &new).await
        };
        let next =
            move |it: Risk| Next::telling(format!("{base}/{}", it.number), texts::risk_added(it.number));
        request.write(&form, change, next).await
    };
    let added = added.await;
    let again = async |problems| add_page(&request, form, problems).await;
    request.answer(added, (String::new(), false), again).await
}

async fn add_page(request: &PageRequest, form: Form, problems: Problems) -> Result<AddPage> {
    request.require(WRITE)?;
    let mut tx = request.read().await?;
    let people = store::people::first(&mut tx, request.id(), MOST_CHOICES).await?;
    let scale = store::scales::known(&mut tx, request.id(), View::now()).await?.present().clone();
    let frame = Layout::of(request, &mut tx, texts::ADD_RISK, Section::Risks).await?;
    Ok(AddPage { frame, people, scale, form, problems })
}

impl AddPage {
    /// Nobody has it yet.
    fn other_owner(&self) -> Option<&Person> {
        None
    }

    /// The attributes of the field for the next review.
    fn review_day(&self) -> &'static str {
        "type=date"
    }

    fn choices(&self) -> [Choice; 4] {
        super::choices(&self.scale, true)
    }
}
