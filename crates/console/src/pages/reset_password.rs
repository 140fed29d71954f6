//! `/reset-password`: choosing another password with a reset link. The code is the fragment of the link; a script puts it
//! into the first form, and without scripts it is typed.

use askama::Template;
use auth::people::{Password, Reset, reset_for, reset_password, sign_in_to_console};
use auth::secret::ResetToken;
use domain::json;
use domain::person::Member;
use http::Error;

use crate::frame::clock::Clock;
use crate::frame::form::{As, Form};
use crate::frame::open_page::{OpenPage, show, show_again};
use crate::frame::page_request::Result;
use crate::frame::problems::Problems;
use crate::texts;

/// The members of a reset, as the form has them.
const MEMBERS: &[(&str, As)] = &[("token", As::Text), ("password", As::Text)];

#[derive(Template)]
#[template(path = "reset_password.html")]
struct ResetPage {
    root: String,
    /// The person, once the code is known.
    member: Option<Member>,
    form: Form,
    problems: Problems,
}

/// `GET /reset-password`: asks for the code.
pub(crate) async fn page(request: OpenPage) -> Result {
    show(&ResetPage::new(&request, None, Form::default(), Problems::default()))
}

/// `POST /reset-password`: asks the person of the link with this code for a password, and sets it. That ends signed in.
pub(crate) async fn submit(mut request: OpenPage) -> Result {
    let form = request.form().await?.with_code("token");
    let member = match find(&request, &form).await {
        Ok(member) => member,
        Err(error) => return show_again(&ResetPage::new(&request, None, Form::default(), problems(error)?)),
    };
    if !form.has("password") {
        return show(&ResetPage::new(&request, Some(member), form, Problems::default()));
    }
    match reset(&request, &form).await {
        Ok(()) => sign_in(&request, &form, &member).await,
        Err(error) => show_again(&ResetPage::new(&request, Some(member), form, problems(error)?)),
    }
}

async fn find(request: &OpenPage, form: &Form) -> Result<Member> {
    let token = ResetToken::parse(form.text("token")).ok_or(Error::ResetLinkNotValid)?;
    let (_, member) = reset_for(request.app.auth(), &token, &request.source).await?;
    Ok(member)
}

async fn reset(request: &OpenPage, form: &Form) -> Result<()> {
    let clock = Clock::utc((request.app.db().clock())());
    let asked: Reset = form.read_as(MEMBERS, &clock, json::body)?;
    reset_password(request.app.auth(), asked, &request.source).await?;
    Ok(())
}

/// Signs in with the new password. Who tried too often before has to wait; the password is set all the same.
async fn sign_in(request: &OpenPage, form: &Form, member: &Member) -> Result {
    let password = Password::new(form.text("password").to_owned());
    let (auth, email, source) = (request.app.auth(), &member.person.email, &request.source);
    match sign_in_to_console(auth, email, password, request.device(), source).await {
        Ok((token, _)) => Ok(request.signed_in(token.expose(), "/")),
        Err(_) => Ok(request.see_other("/sign-in")),
    }
}

fn problems(error: Error) -> Result<Problems> {
    match error {
        Error::ResetLinkNotValid => Ok(Problems::with(texts::RESET_LINK_NOT_VALID)),
        Error::Domain(domain::Error::Conflict(_)) => Ok(Problems::with(texts::RESET_BY_THE_OPERATOR)),
        error => Problems::of(error),
    }
}

impl ResetPage {
    fn new(request: &OpenPage, member: Option<Member>, form: Form, problems: Problems) -> Self {
        Self { root: request.root(), member, form, problems }
    }
}
