//! `POST /o/{slug}/account/job-title`: what the person does in the organization.

use db::Tx;
use domain::json::body;
use domain::person::{Member, MemberPatch};
use domain::{Author, OrgId};

use super::{AccountPage, account_page};
use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

const MEMBERS: &[(&str, As)] = &[("job_title", As::TextOrNull)];

/// The job title as the form shows it.
pub(super) fn form_of(member: &Member) -> Form {
    Form::of([("job_title", member.job_title.as_deref().unwrap_or_default().to_owned())])
}

/// `POST /o/{slug}/account/job-title`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let (person, to) = (request.member.person.id, request.to("/account"));
    let changed = async {
        let patch = form.read_as(MEMBERS, &request.clock, body::<MemberPatch>)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::people::set_job_title(tx, organization, author, person, &patch.job_title).await
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| {
        let page = account_page(&request, problems).await?;
        Ok(AccountPage { profile: form, ..page })
    };
    request.answer(changed, (texts::JOB_TITLE_CHANGED, false), again).await
}
