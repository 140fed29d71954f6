//! `/invitation`: accepting an invitation. The code is the fragment of the link; a script puts it into the first form, and
//! without scripts it is typed.

use askama::Template;
use auth::people::{Accept, Password, accept_invitation, invited, sign_in_to_console};
use auth::secret::InvitationToken;
use domain::invitation::Invitation;
use domain::json;
use http::Error;

use crate::frame::clock::Clock;
use crate::frame::form::{As, Form};
use crate::frame::open_page::{OpenPage, show, show_again};
use crate::frame::page_request::Result;
use crate::frame::problems::Problems;
use crate::frame::words;
use crate::texts;

/// The members of an acceptance, as the form has them.
const MEMBERS: &[(&str, As)] = &[("token", As::Text), ("password", As::Text), ("name", As::TextOrNull)];

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    root: String,
    /// The invitation and the name of its organization, once its code is known.
    invitation: Option<(Invitation, String)>,
    clock: Clock,
    form: Form,
    problems: Problems,
}

/// `GET /invitation`: asks for the code.
pub(crate) async fn page(request: OpenPage) -> Result {
    show(&InvitationPage::new(&request, None, Form::default(), Problems::default()))
}

/// `POST /invitation`: shows the invitation with this code, and accepts it with a password. That ends signed in.
pub(crate) async fn submit(mut request: OpenPage) -> Result {
    let form = request.form().await?.with_code("token");
    let found = match InvitationToken::parse(form.text("token")) {
        Some(token) => find(&request, &token).await?,
        None => None,
    };
    let Some((invitation, organization)) = found else {
        let text = texts::INVITATION_NOT_VALID;
        return show_again(&InvitationPage::new(&request, None, Form::default(), Problems::with(text)));
    };
    if !form.has("password") {
        let page = InvitationPage::new(&request, Some((invitation, organization)), form, Problems::default());
        return show(&page);
    }
    let email = invitation.email.clone();
    let problems = match accept(&request, &form, &email).await {
        Ok(response) => return Ok(response),
        Err(Error::InvalidCredentials) => Problems::with(texts::HAS_A_PASSWORD),
        Err(error) => Problems::of(error)?,
    };
    show_again(&InvitationPage::new(&request, Some((invitation, organization)), form, problems))
}

async fn find(request: &OpenPage, token: &InvitationToken) -> Result<Option<(Invitation, String)>> {
    let (organization, invitation) = match invited(request.app.auth(), token).await.map_err(Error::from) {
        Ok(found) => found,
        Err(Error::InvitationNotValid) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, organization).await?;
    Ok(organization.map(|organization| (invitation, organization.name)))
}

async fn accept(request: &OpenPage, form: &Form, email: &str) -> Result {
    let clock = Clock::utc((request.app.db().clock())());
    let asked: Accept = form.read_as(MEMBERS, &clock, json::body)?;
    let (auth, source) = (request.app.auth(), &request.source);
    let (organization, _) = accept_invitation(auth, asked, source).await?;
    let password = Password::new(form.text("password").to_owned());
    let (token, _) = sign_in_to_console(auth, email, password, request.device(), source).await?;
    let mut tx = request.app.db().read().await?;
    let organization = store::organizations::get(&mut tx, organization).await?;
    let to = organization.map_or_else(|| "/".to_owned(), |organization| format!("/o/{}", organization.slug));
    Ok(request.signed_in(token.expose(), &to))
}

impl InvitationPage {
    fn new(
        request: &OpenPage,
        invitation: Option<(Invitation, String)>,
        form: Form,
        problems: Problems,
    ) -> Self {
        let clock = Clock::utc((request.app.db().clock())());
        Self { root: request.root(), invitation, clock, form, problems }
    }

    /// The name that the organization will show.
    fn name(&self, invitation: &Invitation) -> String {
        if self.form.has("name") { self.form.text("name").to_owned() } else { invitation.name.clone() }
    }

    fn roles(&self, invitation: &Invitation) -> String {
        words::roles(&invitation.roles).to_lowercase()
    }
}
