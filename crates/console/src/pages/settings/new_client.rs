//! `/o/{slug}/settings/clients/new`: adds a client, and shows its secret once.

use askama::Template;
use auth::clients::NewCredentials;
use domain::Scope;
use domain::client::NewClient;
use domain::json;
use http::answer::Answer;
use http::write::Transaction;

use super::{CLIENTS, SecretsPage};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The members of a new client, as the form has them.
const MEMBERS: &[(&str, As)] = &[("name", As::Text), ("scopes", As::Words)];

#[derive(Template)]
#[template(path = "settings/new_client.html")]
struct NewClientPage {
    frame: Layout,
    /// What the person can give: what they have themselves.
    scopes: Vec<Scope>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/clients/new`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = new_client_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/clients/new`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(CLIENTS)?;
    let form = request.form().await?;
    match add(&request, &form).await {
        Ok(answer) => {
            let mut tx = request.read().await?;
            let frame = Layout::of(&request, &mut tx, texts::COPY_THE_SECRET_NOW, Section::Settings).await?;
            let about = texts::COPY_ID_AND_SECRET;
            let (secrets, next) = (SecretsPage::read(&answer.body)?, answer.location.unwrap_or_default());
            request.show(&SecretsPage { frame, about, secrets, next })
        }
        Err(error) => {
            let page = new_client_page(&request, form, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}

async fn add(request: &PageRequest, form: &Form) -> Result<Answer> {
    let new = form.read_as(MEMBERS, &request.clock, json::body::<NewClient>)?;
    let credentials = NewCredentials::draw(request.app.db());
    let (id, secret) = (credentials.id.to_string(), credentials.secret.expose().to_owned());
    let location = request.to(&format!("/settings/clients/{id}"));
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        credentials.register(tx, organization, author, &new).await
    };
    let respond = move |_| {
        Answer::shown_once(location.clone(), &[(texts::CLIENT_ID, &id), (texts::CLIENT_SECRET, &secret)])
    };
    request.write_with(form, Transaction::Shared, change, respond).await
}

async fn new_client_page(request: &PageRequest, form: Form, problems: Problems) -> Result<NewClientPage> {
    request.require(CLIENTS)?;
    let mut tx = request.read().await?;
    let frame = Layout::of(request, &mut tx, texts::ADD_CLIENT, Section::Settings).await?;
    let scopes = Scope::ALL.iter().copied().filter(|scope| request.may(*scope)).collect();
    Ok(NewClientPage { frame, scopes, form, problems })
}

impl NewClientPage {
    fn has_scope(&self, scope: &Scope) -> bool {
        self.form.is("scopes", scope.as_str())
    }
}
