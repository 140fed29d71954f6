//! `/o/{slug}/documents/{document}/properties`: what is known of a document beside the text that is approved.

use askama::Template;
use domain::document::{Document, PropertiesPatch};
use domain::json;
use domain::person::{Member, Person};

use super::WRITE;
use super::show::slug;
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

/// The members that can be changed here.
const MEMBERS: &[(&str, As)] = &[
    ("owner", As::TextOrNull),
    ("review_every_days", As::Integer),
    ("acknowledge_every_days", As::Integer),
    ("earlier", As::TextOrNull),
    ("description", As::Text),
];

#[derive(Template)]
#[template(path = "documents/properties.html")]
struct PropertiesPage {
    frame: Layout,
    it: Document,
    people: Vec<Member>,
    /// An owner who is not among them.
    owner: Option<Person>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/properties`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = properties_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/properties`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let sent = request.form().await?;
    let (request, sent, slug) = (&request, &sent, slug.as_str());
    let current = || async move {
        let mut tx = request.read().await?;
        Ok(form_of(&store::documents::get(&mut tx, request.id(), slug).await?.document))
    };
    let write = |form: Form| async move {
        let to = request.to(&format!("/documents/{slug}"));
        let (expected, version) = (form.expected(), form.version());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, json::body::<PropertiesPatch>)?;
        let slug = slug.to_owned();
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            let changed =
                store::documents::update_properties(tx, organization, author, &slug, &expected, &patch)
                    .await?;
            Ok(Some(changed.document.version) != version)
        };
        request.write(sent, change, move |is_changed| Next::after(is_changed, to.clone())).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| properties_page(request, Some(form), problems).await;
    request.answer(changed, (texts::PROPERTIES_UPDATED, true), again).await
}

async fn properties_page(
    request: &PageRequest,
    sent: Option<Form>,
    problems: Problems,
) -> Result<PropertiesPage> {
    request.require(WRITE)?;
    let (slug, organization) = (slug(request)?, request.id());
    let mut tx = request.read().await?;
    let it = store::documents::get(&mut tx, organization, &slug).await?.document;
    let people = store::people::first(&mut tx, organization, MOST_CHOICES).await?;
    let frame = Layout::of(request, &mut tx, texts::properties_of(&it.title), Section::Documents).await?;
    // An owner who cannot be chosen stays, unless another one is.
    let owner = it.owner.clone().filter(|owner| people.iter().all(|it| it.person.id != owner.id));
    let form = sent.unwrap_or_else(|| form_of(&it));
    Ok(PropertiesPage { frame, it, people, owner, form, problems })
}

fn form_of(it: &Document) -> Form {
    let days = |days: Option<i64>| days.map(|days| days.to_string()).unwrap_or_default();
    let values = [
        ("owner", it.owner.as_ref().map(|owner| owner.id.to_string()).unwrap_or_default()),
        ("review_every_days", days(it.review_every_days)),
        ("acknowledge_every_days", days(it.acknowledge_every_days)),
        ("earlier", it.earlier.as_deref().unwrap_or_default().to_owned()),
        ("description", it.description.to_string()),
    ];
    Form::with_originals(values, it.version)
}

impl PropertiesPage {
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
