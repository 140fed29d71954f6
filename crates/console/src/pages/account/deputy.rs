//! `POST /o/{slug}/account/deputy`: who approves documents in the person's place.

use db::Tx;
use domain::document::NewDeputy;
use domain::json::body;
use domain::person::Member;
use domain::{Author, OrgId, Role, Scope};
use store::people::MemberFilter;

use super::{AccountPage, account_page};
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

const DEPUTY: &[(&str, As)] = &[("user", As::Text), ("until", As::Text)];

/// The deputy as the form shows it, and those to choose from; nobody if the person may not approve.
pub(super) async fn choices(request: &PageRequest, tx: &mut Tx) -> Result<(Form, Vec<Member>)> {
    if !request.may(Scope::DocumentsApprove) {
        return Ok((Form::default(), Vec::new()));
    }
    let person = request.member.person.id;
    let deputy = store::people::deputy(tx, request.id(), person).await?;
    let (user, until) = deputy.map(|it| (it.user.id.to_string(), it.until.to_string())).unwrap_or_default();
    let approves = |role: &&Role| role.scopes().has(Scope::DocumentsApprove);
    let roles = Role::ALL.iter().filter(approves).copied().collect();
    let filter = MemberFilter { roles, ..MemberFilter::default() };
    let mut members = store::people::list(tx, request.id(), &filter, None, MOST_CHOICES).await?;
    members.retain(|it| it.person.id != person && it.activated_date.is_some());
    Ok((Form::of([("user", user), ("until", until)]), members))
}

/// `POST /o/{slug}/account/deputy`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::DocumentsApprove])?;
    let form = request.form().await?;
    let (person, to) = (request.member.person.id, request.to("/account"));
    let changed = async {
        let new = match form.text("user") {
            "" => None,
            _ => Some(form.read_as(DEPUTY, &request.clock, body::<NewDeputy>)?),
        };
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::people::set_deputy(tx, organization, author, person, new.as_ref()).await
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| {
        let page = account_page(&request, problems).await?;
        Ok(AccountPage { deputy: form, ..page })
    };
    request.answer(changed, (texts::DEPUTY_CHANGED, false), again).await
}
