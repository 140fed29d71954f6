//! `/o/{slug}/incidents/new`: declaring an incident with one typed field.

use domain::incident::NewIncident;
use std::collections::HashSet;

use askama::Template;
use db::Tx;
use domain::Scope::{self, IncidentsDeclare, IncidentsWrite};
use domain::incident::{Incident, Kind};
use domain::record::Record as _;
use store::View;
use store::incidents::{self, IncidentFilter, IncidentSort};
use store::list::ListQuery;

use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::asked::with_asked;
use crate::texts;

const DECLARE: &[Scope] = &[IncidentsWrite, IncidentsDeclare];

/// The members of a new incident, as the form has them, but for the lines that it asks for.
const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("description", As::Text),
    ("detected_date", As::Time),
    ("occurred_date", As::Time),
    ("assigned_to", As::TextOrNull),
    ("kind", As::TextOrNull),
];

#[derive(Template)]
#[template(path = "incidents/declare.html")]
struct DeclarePage {
    frame: Layout,
    form: Form,
    problems: Problems,
    /// The id of the person, if they can take incidents.
    me: Option<String>,
    /// Incidents of today that may be the same.
    similar: Vec<Incident>,
}

/// So many of the latest incidents are compared.
const COMPARED: i64 = 200;

/// So many words of the title must be shared.
const SHARED_WORDS: usize = 2;

/// So many similar incidents are shown.
const SHOWN: usize = 5;

/// `GET /o/{slug}/incidents/new`: with a title in the query it shows what of today is similar.
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(DECLARE)?;
    let form = request.asked();
    let page = declare_page(&request, form, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/new`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(DECLARE)?;
    let form = request.form().await?;
    let (now, base) = (request.clock.now(), request.to("/incidents"));
    let declared = async {
        let new = form.read_as(&with_asked::<Incident>(MEMBERS), &request.clock, |body, faults| {
            NewIncident::read_or_untitled(body, now, faults)
        })?;
        let change = async move |tx: &mut Tx, organization, author: &domain::Author| {
            incidents::create(tx, organization, author, &new).await
        };
        let next =
            move |it: Incident| Next::telling(format!("{base}/{}", it.number), texts::declared(it.number));
        request.write(&form, change, next).await
    };
    let declared = declared.await;
    let again = async |problems| declare_page(&request, form, problems).await;
    request.answer(declared, (String::new(), false), again).await
}

async fn declare_page(request: &PageRequest, form: Form, problems: Problems) -> Result<DeclarePage> {
    let mut tx = request.read().await?;
    let frame = Layout::of(request, &mut tx, texts::DECLARE_INCIDENT, Section::Declare).await?;
    let me = request.may(IncidentsWrite).then(|| request.member.person.id.to_string());
    let similar = similar(request, &mut tx, form.text("title")).await?;
    Ok(DeclarePage { frame, form, problems, me, similar })
}

impl DeclarePage {
    fn kinds(&self) -> &'static [Kind] {
        Kind::ALL
    }

    /// Whether something is wrong with what a person says only if they know it already.
    fn is_more_wrong(&self) -> bool {
        let asked = Incident::asked().map(|field| field.name);
        asked.chain(["detected_date", "occurred_date", "kind"]).any(|name| self.problems.has(name))
    }
}

/// The incidents declared today whose titles share words with this one.
async fn similar(request: &PageRequest, tx: &mut Tx, title: &str) -> Result<Vec<Incident>> {
    let typed = words(title);
    if typed.len() < SHARED_WORDS {
        return Ok(Vec::new());
    }
    let query = ListQuery::<IncidentFilter, IncidentSort>::of(View::now());
    let latest = incidents::list(tx, request.id(), &request.viewer(), &query, COMPARED).await?.rows;
    let is_similar = |it: &Incident| {
        request.clock.is_today(&it.created_date)
            && words(&it.title).intersection(&typed).count() >= SHARED_WORDS
    };
    Ok(latest.into_iter().filter(is_similar).take(SHOWN).collect())
}

/// The words of a title, without regard to case; those of one or two letters say nothing.
fn words(title: &str) -> HashSet<String> {
    let words = title.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.map(domain::text::folded).collect()
}
