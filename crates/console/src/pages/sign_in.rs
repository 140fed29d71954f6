//! Signing in and out.

use askama::Template;
use auth::people::{Password, sign_in_to_console};
use db::Tx;
use domain::OrgId;
use http::Error;
use hyper::StatusCode;

use crate::frame::entrance::{SIGN_IN_BYTES, SignInPage, destination, kept_form};
use crate::frame::form::Form;
use crate::frame::open_page::{OpenPage, show};
use crate::frame::page_request::Result;
use crate::frame::problems::Problems;
use crate::texts;

/// A form that was kept while its person signed in again.
#[derive(Template)]
#[template(path = "resume.html")]
struct ResumePage {
    root: String,
    to: String,
    fields: Vec<(String, String)>,
}

/// `GET /`: home of the person's first organization, or the page for signing in.
pub(crate) async fn index(request: OpenPage) -> Result {
    let Some(session) = request.session(false).await? else {
        return Ok(request.see_other("/sign-in"));
    };
    let mut tx = request.app.db().read().await?;
    let organizations = store::sessions::organizations_of(&mut tx, session.person).await?;
    Ok(match organizations.first() {
        Some(first) => request.see_other(&format!("/o/{}", first.organization.slug)),
        // They were removed from every organization.
        None => request.signed_out("/sign-in"),
    })
}

/// `GET /sign-in`
pub(crate) async fn page(request: OpenPage) -> Result {
    let query = form_urlencoded::parse(request.parts.uri.query().unwrap_or_default().as_bytes());
    let to = query.filter(|(name, _)| name == "to").map(|(_, value)| value.into_owned()).next();
    let to = destination(&to.unwrap_or_default());
    if request.session(false).await?.is_some() {
        return Ok(request.see_other(&to));
    }
    let (root, email, kept, problems) = (request.root(), String::new(), String::new(), Problems::default());
    show(&SignInPage { root, email, to, kept, problems })
}

/// `POST /sign-in`
pub(crate) async fn submit(mut request: OpenPage) -> Result {
    let form = Form::parse(&request.sent(SIGN_IN_BYTES).await?);
    let (email, to) = (form.text("email").trim().to_owned(), destination(form.text("to")));
    let password = Password::new(form.text("password").to_owned());
    let signed_in =
        sign_in_to_console(request.app.auth(), &email, password, request.device(), &request.source).await;
    let problem = match signed_in.map_err(Error::from) {
        Ok((token, _)) => {
            let Some(kept) = kept_form(form.text("kept")) else {
                return Ok(request.signed_in(token.expose(), &to));
            };
            let page = ResumePage { root: request.root(), to, fields: kept.into_fields() };
            return Ok(request.shown_signed_in(token.expose(), show(&page)?));
        }
        Err(Error::InvalidCredentials) => Problems::with(texts::WRONG_ADDRESS_OR_PASSWORD),
        Err(error) => Problems::of(error)?,
    };
    let (root, kept) = (request.root(), form.text("kept").to_owned());
    let mut response = show(&SignInPage { root, email, to, kept, problems: problem })?;
    *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    Ok(response)
}

/// `POST /sign-out`
pub(crate) async fn sign_out(request: OpenPage) -> Result {
    if let Some(session) = request.session(true).await? {
        let (author, id) = (session.author(request.source.request_id()), session.id);
        let ended: store::Result<bool> = request
            .app
            .db()
            .write_instance(async move |tx: &mut Tx| {
                store::sessions::end(tx, OrgId::INSTANCE, &author, id).await
            })
            .await;
        ended?;
    }
    Ok(request.signed_out("/sign-in"))
}
