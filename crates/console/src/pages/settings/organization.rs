//! `/o/{slug}/settings/organization`: its name, its address, its time zone, how long the trash keeps, and how long the
//! names of people who have left.

use askama::Template;
use domain::json;
use domain::organization::{Organization, OrganizationPatch};
use domain::{ResourceKind, Scope};
use http::Error;
use http::write::Transaction;

use super::Tab;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::frame::words;
use crate::texts;

/// The members that can be changed, as the form has them.
const MEMBERS: &[(&str, As)] = &[
    ("name", As::Text),
    ("slug", As::Text),
    ("time_zone", As::Text),
    ("trash_days", As::Integer),
    ("four_eyes", As::Flag),
    ("pseudonym_days", As::Integer),
];

#[derive(Template)]
#[template(path = "settings/organization.html")]
struct OrganizationPage {
    frame: Layout,
    tabs: Vec<Tab>,
    organization: Organization,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/organization`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = organization_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/organization`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::OrganizationsWrite])?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let current = || async move {
        let mut tx = request.read().await?;
        let found = store::organizations::get(&mut tx, request.id()).await?;
        Ok(form_of(&found.ok_or(Error::not_found(ResourceKind::Organization))?))
    };
    let write = |form: Form| async move {
        let root = request.root();
        let (expected, version) = (form.expected(), form.version());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, json::body::<OrganizationPatch>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::organizations::update(tx, organization, author, &expected, &patch).await
        };
        let respond = move |changed: Organization| {
            let address = format!("{root}/o/{}/settings/organization", changed.slug);
            Ok(Next::after(Some(changed.version) != version, address).answer())
        };
        request.write_with(sent, Transaction::Instance, change, respond).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| organization_page(request, Some(form), problems).await;
    request.answer(changed, (texts::ORGANIZATION_UPDATED, false), again).await
}

async fn organization_page(
    request: &PageRequest,
    sent: Option<Form>,
    problems: Problems,
) -> Result<OrganizationPage> {
    request.require(&[Scope::OrganizationsRead])?;
    let mut tx = request.read().await?;
    let frame = Layout::of(request, &mut tx, texts::ORGANIZATION, Section::Settings).await?;
    let organization = request.organization.clone();
    let form = sent.unwrap_or_else(|| form_of(&organization));
    let record = ("organization", request.id().to_string());
    let problems = news::of_record(request, &mut tx, record, None, problems).await?;
    let (tabs, may_write) = (super::tabs(request), request.may(Scope::OrganizationsWrite));
    Ok(OrganizationPage { frame, tabs, organization, may_write, form, problems })
}

fn form_of(organization: &Organization) -> Form {
    let values = [
        ("name", organization.name.clone()),
        ("slug", organization.slug.clone()),
        ("time_zone", organization.time_zone_name().to_owned()),
        ("trash_days", organization.trash_days.to_string()),
        ("four_eyes", if organization.four_eyes { "on" } else { "" }.to_owned()),
        ("pseudonym_days", organization.pseudonym_days.map(|days| days.to_string()).unwrap_or_default()),
    ];
    Form::with_originals(values, organization.version)
}

impl OrganizationPage {
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    fn zones(&self) -> Vec<String> {
        words::zones()
    }
}
