//! `/begin`: the first run. A link that `serve` prints for an empty register leads here; it is dead once there is an
//! organization.

use askama::Template;
use auth::PublicUrl;
use auth::people::first_run::{self, FirstRun};
use auth::people::{Password, sign_in_to_console};
use domain::ResourceKind;
use http::Error;

use crate::frame::form::Form;
use crate::frame::open_page::{OpenPage, show, show_again};
use crate::frame::page_request::Result;
use crate::frame::problems::Problems;
use crate::texts;

/// The path of the page.
const PATH: &str = "/begin";

/// The link with which a register begins. The code is in the fragment, which a browser does not send.
pub fn link(public_url: &PublicUrl, code: &str) -> String {
    format!("{}#{code}", public_url.to(PATH))
}

#[derive(Template)]
#[template(path = "begin.html")]
struct BeginPage {
    root: String,
    form: Form,
    problems: Problems,
}

/// `GET /begin`: not there once the register has begun.
pub(crate) async fn page(request: OpenPage) -> Result {
    match request.app.auth().is_first_run().await? {
        true => {
            let (root, form, problems) = (request.root(), Form::default(), Problems::default());
            show(&BeginPage { root, form, problems })
        }
        false => Err(Error::not_found(ResourceKind::Path)),
    }
}

/// `POST /begin`: ends signed in, at the form of the first incident.
pub(crate) async fn submit(mut request: OpenPage) -> Result {
    let form = request.form().await?;
    let text = |name: &str| form.text(name).trim().to_owned();
    let password = || Password::new(form.text("password").to_owned());
    let asked = FirstRun {
        code: text("code"),
        organization: text("organization"),
        time_zone: text("time_zone"),
        name: text("name"),
        email: text("email"),
        password: password(),
    };
    let problems =
        match first_run::begin(request.app.auth(), asked, &request.source).await.map_err(Error::from) {
            Ok(organization) => {
                let (auth, email, source) = (request.app.auth(), text("email"), &request.source);
                let (token, _) =
                    sign_in_to_console(auth, &email, password(), request.device(), source).await?;
                let to = format!("/o/{}/incidents/new", organization.slug);
                return Ok(request.signed_in(token.expose(), &to));
            }
            Err(Error::InvitationNotValid) => Problems::with(texts::WRONG_SETUP_CODE),
            Err(error) => Problems::of(error)?,
        };
    show_again(&BeginPage { root: request.root(), form, problems })
}
