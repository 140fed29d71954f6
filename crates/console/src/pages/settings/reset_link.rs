//! `/o/{slug}/settings/people/{id}/reset-link`: a link with which a member chooses another password.

use auth::secret::ResetToken;
use auth::secret_link;
use db::Tx;
use domain::Error as E;
use domain::person::Member;
use domain::reset_link::ResetLink;
use http::Error;
use http::answer::Answer;
use http::write::Transaction;

use super::person::{person_page, read};
use super::{MANAGE_PEOPLE, SecretsPage};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// `POST /o/{slug}/settings/people/{id}/reset-link`: shows the link, once.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let form = request.form().await?;
    let member = read(&request, &mut request.read().await?).await?;
    match create(&request, &form, &member).await {
        Ok(answer) => {
            let mut tx = request.read().await?;
            let frame = Layout::of(&request, &mut tx, texts::SEND_THIS_LINK, Section::Settings).await?;
            let secrets = SecretsPage::read(&answer.body)?;
            let about = texts::RESET_LINK_WORKS_ONCE;
            let next = request.to(&format!("/settings/people/{}", member.person.id));
            request.show(&SecretsPage { frame, about, secrets, next })
        }
        Err(error) => {
            let problems: Problems = request.problems(error)?;
            request.show_again(&person_page(&request, None, problems).await?)
        }
    }
}

/// `POST /o/{slug}/settings/people/{id}/reset-link/withdraw`
pub(crate) async fn withdraw(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let form = request.form().await?;
    let member = read(&request, &mut request.read().await?).await?.person.id;
    let page = format!("/settings/people/{member}");
    let to = request.to(&page);
    let change = async move |tx: &mut Tx, organization, author: &domain::Author| {
        store::reset_links::withdraw(tx, organization, author, member).await
    };
    match request.write(&form, change, move |()| to.clone()).await {
        Ok(answer) => Ok(request.lead(answer, texts::RESET_LINK_WITHDRAWN, false)),
        Err(Error::Domain(E::NotFound(_))) => Ok(request.lead_to(&page, texts::RESET_LINK_IS_GONE)),
        Err(error) => Err(error),
    }
}

async fn create(request: &PageRequest, form: &Form, member: &Member) -> Result<Answer> {
    // Generated before the write, which may run twice.
    let token = ResetToken::generate(&**request.app.db().random());
    let link = secret_link::reset(&request.app.auth().public_url, &token);
    let (id, email, hash) = (member.person.id, member.person.email.clone(), token.hash());
    let (clock, location) = (request.clock.clone(), request.to("/settings/people"));
    let change = async move |tx: &mut Tx, organization, author: &domain::Author| {
        store::reset_links::create(tx, organization, author, id, &hash).await
    };
    let respond = move |made: ResetLink| {
        let label = texts::until(&email, &clock.with_offset(&made.expires_date));
        Answer::shown_once(location.clone(), &[(label, &link)])
    };
    request.write_with(form, Transaction::Shared, change, respond).await
}
