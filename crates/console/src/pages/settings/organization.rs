//! `/o/{slug}/settings/organization`: its name, its address, its time zone, and how long the trash keeps.

use askama::Template;
use domain::organization::Organization;
use domain::{ExpectedVersion, Scope};
use web::http::answer::Answer;
use web::http::write::Transaction;
use web::input::organizations::read_patch;

use super::Tab;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::words;
use crate::texts;

/// The members that can be changed, as the form has them.
const MEMBERS: &[(&str, As)] =
    &[("name", As::Text), ("slug", As::Text), ("time_zone", As::Text), ("trash_days", As::Integer)];

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
    let form = request.form().await?;
    let version = form.text("version").parse().unwrap_or_default();
    let changed = async {
        let patch = form.read_as(&form.changed(MEMBERS), &request.clock, read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            let expected = ExpectedVersion::OneOf(vec![version]);
            store::organizations::update(tx, organization, author, &expected, &patch).await
        };
        let respond = |changed: Organization| {
            Ok(Answer::see_other(format!("/o/{}/settings/organization", changed.slug)))
        };
        request.write_with(&form, Transaction::Instance, change, respond).await
    };
    let changed = changed.await;
    let again = async |problems| organization_page(&request, Some(form), problems).await;
    request.answer(changed, (texts::ORGANIZATION_CHANGED, false), again).await
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
    let current = form_of(&organization);
    let form = match sent {
        Some(sent) if problems.is_stale => sent.onto(current),
        sent => sent.unwrap_or(current),
    };
    let (tabs, may_write) = (super::tabs(request), request.may(Scope::OrganizationsWrite));
    Ok(OrganizationPage { frame, tabs, organization, may_write, form, problems })
}

fn form_of(organization: &Organization) -> Form {
    let values = [
        ("name", organization.name.clone()),
        ("slug", organization.slug.clone()),
        ("time_zone", organization.time_zone_name().to_owned()),
        ("trash_days", organization.trash_days.to_string()),
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
