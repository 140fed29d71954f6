//! `/o/{slug}/settings/clients/{id}`: what a client may do, its secrets, and what it was refused.

use askama::Template;
use auth::clients::parse_client_id;
use auth::secret::ClientSecret;
use domain::client::{ClientPatch, NewSecret};
use domain::json;
use domain::{ClientId, ResourceKind, Scope};
use http::answer::Answer;
use http::write::Transaction;
use store::clients::Details;
use store::refusals::Refusal;
use uuid::Uuid;

use super::{CLIENTS, SecretsPage};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::{Problems, gone};
use crate::frame::save::save;
use crate::texts;

/// The members that can be changed, as the form has them.
const MEMBERS: &[(&str, As)] = &[("name", As::Text), ("scopes", As::Words)];

/// So many refusals are shown, the latest first.
const MOST_REFUSALS: i64 = 50;

#[derive(Template)]
#[template(path = "settings/one_client.html")]
struct ClientPage {
    frame: Layout,
    it: Details,
    scopes: Vec<Scope>,
    refusals: Vec<Refusal>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/clients/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = client_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/clients/{id}`: changes the name or the scopes, or switches the client off or on.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(CLIENTS)?;
    let id = id(&request)?;
    let sent = request.form().await?;
    let (request, sent, id) = (&request, &sent, &id);
    let current = || async move {
        let mut tx = request.read().await?;
        Ok(form_of(&store::clients::get(&mut tx, request.id(), id).await?))
    };
    let write = |form: Form| async move {
        let (to, expected, version, id) = (address(request, id), form.expected(), form.version(), id.clone());
        let members = match form.has("disabled") {
            true => vec![("disabled", As::YesOrNo)],
            false => form.changed(MEMBERS, &request.clock),
        };
        let patch = form.read_as(&members, &request.clock, json::body::<ClientPatch>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::clients::update(tx, organization, author, &id, &expected, &patch).await
        };
        let next = move |it: Details| Next::after(Some(it.record.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    // Switching it off or on fits no other version than the one that was shown.
    let (changed, form) = match sent.has("disabled") {
        true => (write(sent.clone()).await, None),
        false => {
            let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
            (changed, Some(form))
        }
    };
    request.app.auth().apply_revocations().await;
    let again = async |problems| client_page(request, form, problems).await;
    request.answer(changed, (texts::client_changed(sent.text("disabled")), false), again).await
}

/// `POST /o/{slug}/settings/clients/{id}/secrets`: another secret, shown once.
pub(crate) async fn add_secret(mut request: PageRequest) -> Result {
    request.require(CLIENTS)?;
    let id = id(&request)?;
    let form = request.form().await?;
    let made = async {
        let NewSecret { expires_date: expires } =
            form.read_as(&[("expires_date", As::Time)], &request.clock, json::body)?;
        let secret = ClientSecret::generate(&**request.app.db().random());
        let (client, hash, location) = (id.clone(), secret.hash(), address(&request, &id));
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::clients::add_secret(tx, organization, author, &client, &hash, expires).await
        };
        let (id, secret) = (id.to_string(), secret.expose().to_owned());
        let respond = move |_| {
            Answer::shown_once(location.clone(), &[(texts::CLIENT_ID, &id), (texts::CLIENT_SECRET, &secret)])
        };
        request.write_with(&form, Transaction::Shared, change, respond).await
    };
    match made.await {
        Ok(answer) => {
            let mut tx = request.read().await?;
            let frame = Layout::of(&request, &mut tx, texts::COPY_THE_SECRET_NOW, Section::Settings).await?;
            let about = texts::USE_THE_NEW_SECRET;
            let (secrets, next) = (SecretsPage::read(&answer.body)?, answer.location.unwrap_or_default());
            request.show(&SecretsPage { frame, about, secrets, next })
        }
        Err(error) => {
            let page = client_page(&request, Some(form), request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}

/// `POST /o/{slug}/settings/clients/{id}/secrets/{secret}`: deletes a secret, and revokes the tokens made with it.
pub(crate) async fn delete_secret(mut request: PageRequest) -> Result {
    request.require(CLIENTS)?;
    let id = id(&request)?;
    let secret = request.path(1, ResourceKind::Secret, |text| Uuid::try_parse(text).ok())?;
    let form = request.form().await?;
    let to = address(&request, &id);
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::clients::delete_secret(tx, organization, author, &id, secret).await
    };
    let deleted = request.write(&form, change, move |_| to.clone()).await.map_err(gone);
    request.app.auth().apply_revocations().await;
    let again = async |problems| client_page(&request, None, problems).await;
    request.answer(deleted, (texts::SECRET_DELETED, false), again).await
}

fn id(request: &PageRequest) -> Result<ClientId> {
    request.path(0, ResourceKind::Client, parse_client_id)
}

fn address(request: &PageRequest, id: &ClientId) -> String {
    request.to(&format!("/settings/clients/{id}"))
}

async fn client_page(request: &PageRequest, form: Option<Form>, problems: Problems) -> Result<ClientPage> {
    request.require(CLIENTS)?;
    let (id, organization) = (id(request)?, request.id());
    let mut tx = request.read().await?;
    let it = store::clients::get(&mut tx, organization, &id).await?;
    let refusals = store::refusals::list(&mut tx, organization, &id, None, MOST_REFUSALS).await?.rows;
    let problems = news::of_record(request, &mut tx, ("client", id.to_string()), None, problems).await?;
    let form = match form {
        Some(form) if form.has("version") => form,
        // The form for another secret has its own fields only.
        other => form_of(&it).joined(other.unwrap_or_default()),
    };
    let title = it.record.client.name.clone();
    let frame = Layout::of(request, &mut tx, title, Section::Settings).await?;
    let has = |scope: &Scope| request.may(*scope) || it.record.client.scopes.has(*scope);
    let scopes = Scope::ALL.iter().copied().filter(has).collect();
    Ok(ClientPage { frame, it, scopes, refusals, form, problems })
}

/// The form as it is shown first: every field, and what it was.
fn form_of(it: &Details) -> Form {
    let client = &it.record.client;
    let scopes = client.scopes.iter().map(|scope| ("scopes", scope.as_str().to_owned()));
    // So that the form has the field where there are none.
    let values = [("name", client.name.clone()), ("scopes", String::new())];
    Form::with_originals(values.into_iter().chain(scopes), it.record.version)
}

impl ClientPage {
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/settings/clients/{}", self.frame.base, self.it.record.client.id)
    }

    fn has_scope(&self, scope: &Scope) -> bool {
        self.form.is("scopes", scope.as_str())
    }

    /// Why a request was refused, in words.
    fn why(&self, refusal: &Refusal) -> String {
        refusal.reason.replace('_', " ")
    }
}
