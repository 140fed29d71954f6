//! `/o/{slug}/risks/new`: adding a risk to the register.

use std::borrow::Cow;

use askama::Template;
use domain::person::Member;
use web::http::json::{self, Json};
use web::input::risks::read_new;

use super::{IMPACTS, LIKELIHOODS, WRITE};
use crate::frame::form::{As, Form, Problems};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};

/// The members of a new risk besides its ratings, as the form has them.
const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("description", As::TextOrNull),
    ("category", As::TextOrNull),
    ("owner", As::TextOrNull),
];

/// The most people that can be chosen.
const MOST_PEOPLE: i64 = 200;

#[derive(Template)]
#[template(path = "risks/add.html")]
struct AddPage {
    frame: Layout,
    people: Vec<Member>,
    form: Form,
    problems: Problems,
}

/// A level to choose: the name of the field, its label, and the levels with their names.
struct Choice {
    name: &'static str,
    label: &'static str,
    levels: [(i64, &'static str); 5],
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
    let added = match json::read_value(risk(&form, &request), read_new) {
        Ok(new) => {
            request
                .write(
                    &form,
                    async move |tx, organization, author| {
                        store::risks::create(tx, organization, author, &new).await
                    },
                    move |risk| format!("{base}/{}", risk.number),
                )
                .await
        }
        Err(error) => Err(error),
    };
    match added {
        Ok(answer) => Ok(request.lead(answer, "The risk is in the register.", false)),
        Err(error) => {
            let page = add_page(&request, form, Problems::of(error)?).await?;
            request.show_again(&page)
        }
    }
}

/// The risk of a form, as the API takes it.
fn risk(form: &Form, request: &PageRequest) -> Json<'static> {
    let Json::Object(mut members) = form.json(MEMBERS, &request.clock) else { return Json::Null };
    for name in ["inherent", "target"] {
        let level = |part: &'static str| {
            let text = form.text(&format!("{name}_{part}"));
            (Cow::Borrowed(part), text.parse().map_or(Json::Null, Json::Integer))
        };
        members.push((Cow::Borrowed(name), Json::Object(vec![level("likelihood"), level("impact")])));
    }
    Json::Object(members)
}

async fn add_page(request: &PageRequest, form: Form, problems: Problems) -> Result<AddPage> {
    request.require(WRITE)?;
    let mut tx = request.read().await?;
    let people = store::people::list(&mut tx, request.id(), &[], None, MOST_PEOPLE).await?;
    let frame = Layout::of(request, &mut tx, "Add a risk", Section::Risks).await?;
    Ok(AddPage { frame, people, form, problems })
}

impl AddPage {
    fn choices(&self) -> [Choice; 4] {
        let choice = |name, label, levels| Choice { name, label, levels };
        [
            choice("inherent_likelihood", "Without any measure: how likely?", LIKELIHOODS),
            choice("inherent_impact", "Without any measure: how bad?", IMPACTS),
            choice("target_likelihood", "The aim: how likely?", LIKELIHOODS),
            choice("target_impact", "The aim: how bad?", IMPACTS),
        ]
    }

    fn is_chosen(&self, name: &str, level: &i64) -> bool {
        self.form.is(name, level.to_string())
    }
}
