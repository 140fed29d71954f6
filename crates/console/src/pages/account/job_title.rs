//! `POST /o/{slug}/account/job-title`: what the person does in the organization.

use db::Tx;
use domain::json::body;
use domain::person::{Member, MemberPatch};
use domain::{Author, OrgId, ResourceKind};
use http::Error;

use super::{AccountPage, account_page};
use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::save::save;
use crate::texts;

const MEMBERS: &[(&str, As)] = &[("job_title", As::TextOrNull)];

/// The form as it is shown first: the job title, and what it was.
pub(super) fn form_of(member: &Member) -> Form {
    let job_title = member.job_title.as_deref().unwrap_or_default().to_owned();
    Form::with_originals([("job_title", job_title)], member.version)
}

/// `POST /o/{slug}/account/job-title`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let (person, to) = (request.member.person.id, &request.to("/account"));
    let current = || async move {
        let found = store::people::get(&mut request.read().await?, request.id(), person).await?;
        Ok(form_of(&found.ok_or(Error::not_found(ResourceKind::User))?))
    };
    let write = |form: Form| async move {
        let (expected, to) = (form.expected(), to.clone());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, body::<MemberPatch>)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let job_title = &patch.job_title;
            store::people::set_job_title(tx, organization, author, person, &expected, job_title).await
        };
        request.write(sent, change, move |()| to.clone()).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| {
        let page = account_page(request, problems).await?;
        Ok(AccountPage { profile: form, ..page })
    };
    request.answer(changed, (texts::JOB_TITLE_CHANGED, false), again).await
}
