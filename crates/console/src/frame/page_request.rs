//! A request to a page of an organization: whose session it is, what that person may do there, and where in it they are.

mod answer;

use std::time::Duration;

use auth::Source;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use db::Tx;
use domain::incident::Viewer;
use domain::organization::Organization;
use domain::person::Member;
use domain::{Author, OrgId, Permissions, ResourceKind, Scope};
use http::answer::Answer;
use http::elements::elements;
use http::idempotency::IdempotencyKey;
use http::location;
use http::page::ListId;
use http::query::Query;
use http::rate::Account;
use http::write::{Change, Respond, Transaction, Write};
use http::{App, Error};
use hyper::header::ACCEPT_LANGUAGE;
use hyper::{Method, Uri};
use lists::export::{Separator, Spreadsheet};
use macros::boxed;
use store::sessions::{ConsoleOrganization, ConsoleSession};
use store::{Deleted, View};

use super::clock::Clock;
use super::cookie::Cookie;
use super::display::Display;
use super::done::Done;
use super::entrance;
use super::form::{Form, ONCE};
use super::next::Next;
use super::open_page::OpenPage;

/// How many times to check whether the search knows a change, and the pause between two checks: a second in total.
const SEARCH_TRIES: usize = 20;
const SEARCH_PAUSE: Duration = Duration::from_millis(50);

/// The result of a handler.
pub(crate) type Result<T = Response, E = Error> = std::result::Result<T, E>;

/// A request of a person who is signed in and a member of the organization in the path.
pub(crate) struct PageRequest {
    /// The shared state.
    pub(crate) app: App,
    /// The organization.
    pub(crate) organization: Organization,
    /// The person, as the organization knows them.
    pub(crate) member: Member,
    /// Every organization that the person can sign in to.
    pub(crate) organizations: Vec<OrganizationLink>,
    /// The session.
    pub(crate) session: ConsoleSession,
    /// Where the request comes from.
    pub(crate) source: Source,
    /// Makes the times of the page.
    pub(crate) clock: Clock,
    /// How the device shows the pages.
    pub(crate) display: Display,
    /// What was done before this page, to be told on it.
    pub(crate) done: Option<Done>,
    permissions: Permissions,
    open: OpenPage,
    /// The address without what was left empty or was not chosen in its query.
    asked: Uri,
    path: Vec<String>,
}

impl FromRequest<App> for PageRequest {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        Self::admit(request, app).await
    }
}

impl PageRequest {
    /// Leads to the page for signing in without a session, and to today's address of a renamed organization.
    #[boxed]
    async fn admit(request: Request, app: &App) -> Result<Self, Response> {
        let mut open = OpenPage::from_request(request, app).await.map_err(IntoResponse::into_response)?;
        match find(&mut open, false).await.map_err(IntoResponse::into_response)? {
            Found::Nobody if open.parts.method == Method::POST => {
                Err(entrance::keep(open).await.unwrap_or_else(IntoResponse::into_response))
            }
            Found::Nobody => Err(to_sign_in(&open)),
            Found::Moved(path) => Err(location::moved(&open.public_url().path_to(&path))),
            Found::Member(found) => Ok(Self::new(open, *found)),
        }
    }
}

/// A request of an open page that asks whether its record has changed. It does not prolong the session.
pub(crate) struct WatchRequest(pub(crate) PageRequest);

impl FromRequest<App> for WatchRequest {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let mut open = OpenPage::from_request(request, app).await?;
        match find(&mut open, true).await? {
            Found::Member(found) => Ok(Self(PageRequest::new(open, *found))),
            Found::Nobody | Found::Moved(_) => Err(Error::not_found(ResourceKind::Session)),
        }
    }
}

/// An organization that the person can go to.
#[derive(Debug, Clone)]
pub(crate) struct OrganizationLink {
    /// Its name.
    pub(crate) name: String,
    /// What names it in addresses.
    pub(crate) slug: String,
}

/// What was found for a request.
enum Found {
    /// No session.
    Nobody,
    /// The organization is at this path of the service today.
    Moved(String),
    /// A member.
    Member(Box<FoundMember>),
}

/// A member, and where they are.
struct FoundMember {
    opened: ConsoleOrganization,
    organizations: Vec<OrganizationLink>,
    session: ConsoleSession,
    /// The parameters of the path.
    path: Vec<String>,
}

async fn find(open: &mut OpenPage, is_watching: bool) -> Result<Found> {
    let Some(session) = open.session(is_watching).await? else { return Ok(Found::Nobody) };
    open.app.take_rate(&session.person.to_string(), &open.parts.extensions)?;
    let app = open.app.clone();
    let path: Vec<String> = match RawPathParams::from_request_parts(&mut open.parts, &app).await {
        Ok(params) => params.iter().map(|(_, value)| value.to_owned()).collect(),
        Err(_) => Vec::new(),
    };
    let slug = path.first().map_or("", String::as_str);
    let mut tx = app.db().read().await?;
    let mut all = store::sessions::organizations_of(&mut tx, session.person).await?;
    let link = |it: &ConsoleOrganization| OrganizationLink {
        name: it.organization.name.clone(),
        slug: it.organization.slug.clone(),
    };
    let organizations = all.iter().map(link).collect();
    let opened = match all.iter().position(|it| it.organization.slug == slug) {
        Some(place) => Some(all.swap_remove(place)),
        // A former address of it.
        None => store::sessions::opened(&mut tx, session.person, slug).await?,
    };
    let opened = opened.ok_or(Error::not_found(ResourceKind::Organization))?;
    if opened.organization.slug != slug && open.parts.method == Method::GET {
        let rest = address(&open.parts.uri);
        let rest = rest.strip_prefix("/o/").and_then(|rest| rest.strip_prefix(slug)).unwrap_or_default();
        return Ok(Found::Moved(format!("/o/{}{rest}", opened.organization.slug)));
    }
    Ok(Found::Member(Box::new(FoundMember { opened, organizations, session, path })))
}

impl PageRequest {
    fn new(open: OpenPage, found: FoundMember) -> Self {
        let FoundMember { opened, organizations, session, path } = found;
        let ConsoleOrganization { organization, member } = opened;
        let now = (open.app.db().clock())();
        let display = Cookie::Display.of(&open.parts.headers, open.scope());
        let display = display.map(Display::open).unwrap_or_default();
        let clock = match display.time_zone() {
            Some((zone, name)) => Clock::new(now, zone, name),
            None => Clock::new(now, organization.time_zone(), organization.time_zone_name()),
        };
        Self {
            app: open.app.clone(),
            permissions: Permissions::new(member.roles.scopes()),
            source: open.source.clone(),
            display,
            done: Cookie::Done.of(&open.parts.headers, open.scope()).and_then(Done::open),
            organization,
            member,
            organizations,
            session,
            asked: without_empty(&open.parts.uri, &clock),
            clock,
            open,
            path,
        }
    }

    /// The id of the organization.
    pub(crate) fn id(&self) -> OrgId {
        self.organization.id
    }

    /// The address of a page of the organization.
    pub(crate) fn to(&self, page: &str) -> String {
        format!("{}/o/{}{page}", self.root(), self.organization.slug)
    }

    /// What is before every path of the service in an address; empty if it has the whole host.
    pub(crate) fn root(&self) -> String {
        self.open.root()
    }

    /// Whether a page is asked for, and no form was sent.
    pub(crate) fn is_get(&self) -> bool {
        self.open.parts.method == Method::GET
    }

    /// The address of this page, with its query.
    pub(crate) fn address(&self) -> String {
        self.open.public_url().path_to(&address(&self.open.parts.uri))
    }

    /// A part of the path after the organization.
    pub(crate) fn path<T>(
        &self,
        index: usize,
        noun: ResourceKind,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        self.path.get(index + 1).and_then(|text| parse(text)).ok_or(Error::not_found(noun))
    }

    /// The query of the request, without what was left empty.
    pub(crate) fn query(&self) -> Query<'_> {
        Query::typed(self.asked.query())
    }

    /// The same as a form, whose boxes are ticked.
    pub(crate) fn asked(&self) -> Form {
        Form::of_query(self.asked.query().unwrap_or_default())
    }

    /// The list that this page shows, for its cursors.
    pub(crate) fn list_id(&self) -> ListId<'_> {
        ListId::of(&self.app, self.id(), &self.asked)
    }

    /// How a file is written for the spreadsheets of this person.
    pub(crate) fn spreadsheet(&self) -> Spreadsheet {
        let separator = match self.display.separator {
            Some("semicolon") => Separator::Semicolon,
            Some(_) => Separator::Comma,
            None => {
                let first = elements(&self.open.parts.headers, &ACCEPT_LANGUAGE).next().flatten();
                let tag = first.and_then(|it| it.split(';').next()).unwrap_or_default();
                Separator::of_language(tag.trim())
            }
        };
        let (zone, zone_name) = (self.clock.time_zone().clone(), self.clock.zone().to_owned());
        let organization = self.organization.slug.clone();
        Spreadsheet { is_workbook: false, separator, zone, zone_name, organization }
    }

    /// What the person may do.
    pub(crate) fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Whether the person may do what needs this scope.
    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.permissions.scopes().has(scope)
    }

    /// Refuses a person who has none of these scopes.
    pub(crate) fn require(&self, scopes: &'static [Scope]) -> Result<()> {
        Ok(self.permissions.scopes().require_any(scopes)?)
    }

    /// The incidents that the person sees.
    pub(crate) fn viewer(&self) -> Viewer {
        Viewer::new(&self.member.actor(), self.permissions.scopes())
    }

    /// The register as it stands; with deleted records for those who may delete them.
    pub(crate) fn view(&self, delete: Scope) -> View {
        let deleted = if self.may(delete) { Deleted::With } else { Deleted::Without };
        View { deleted, ..View::now() }
    }

    /// The author of changes.
    pub(crate) fn author(&self) -> Author {
        Author::new(self.member.actor(), self.source.request_id()).with(self.permissions.clone())
    }

    /// The form of a POST.
    pub(crate) async fn form(&mut self) -> Result<Form> {
        self.open.form().await
    }

    /// The key that makes a form with files of up to so many bytes act once, and the names and the bytes of the files that were
    /// chosen.
    pub(crate) async fn files(&mut self, limit_bytes: usize) -> Result<(String, Vec<(String, Bytes)>)> {
        self.open.files(limit_bytes).await
    }

    /// A snapshot of the register.
    pub(crate) async fn read(&self) -> Result<Tx> {
        Ok(self.app.db().read().await?)
    }

    /// A snapshot for a list with a search. After a change of this person it is one that the search knows; if that takes longer
    /// than a second, the present one.
    pub(crate) async fn read_searched(&self, is_search: bool) -> Result<Tx> {
        let mut tx = self.read().await?;
        if !is_search || self.done.is_none() {
            return Ok(tx);
        }
        let last = store::journal::head(&mut tx, self.id()).await?.seq;
        for _ in 0..SEARCH_TRIES {
            if store::search::progress(&mut tx, self.id()).await? >= last {
                break;
            }
            drop(tx);
            tokio::time::sleep(SEARCH_PAUSE).await;
            tx = self.read().await?;
        }
        Ok(tx)
    }

    /// Makes a change once, however often its form is sent, and leads to the page that `next` names.
    pub(crate) async fn write<T: Send + 'static, N: Into<Next>>(
        &self,
        form: &Form,
        change: impl Change<T>,
        next: impl Fn(T) -> N + Send + Sync + 'static,
    ) -> Result<Answer> {
        self.write_with(form, Transaction::Shared, change, move |value| Ok(next(value).into().answer())).await
    }

    /// The same with a response of another kind, and a transaction that fits the change.
    pub(crate) async fn write_with<T: Send + 'static>(
        &self,
        form: &Form,
        transaction: Transaction,
        change: impl Change<T>,
        respond: impl Respond<T>,
    ) -> Result<Answer> {
        self.write_of(form).run(transaction, change, respond).await
    }

    /// The change that a form asks for: it is made once, however often the form is sent.
    pub(crate) fn write_of(&self, form: &Form) -> Write {
        let once = form.text(ONCE);
        let key = (!once.is_empty()).then(|| {
            let key = format!("console:{once}");
            let (fingerprint, seal) = (form.fingerprint(), self.app.auth().answers_key());
            IdempotencyKey::new(key, &Method::POST, &self.open.parts.uri, Some(&fingerprint), &seal)
        });
        let (organization, author) = (self.id(), self.author());
        let account = Account::of(&self.open.parts.extensions);
        Write { app: self.app.clone(), organization, author, key, unchecked_version: None, account }
    }

    /// A new key that makes a form act once.
    pub(crate) fn once(&self) -> String {
        let mut bytes = [0; 15];
        (self.app.db().random())(&mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

/// The path of the service and the query.
fn address(uri: &Uri) -> String {
    uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string)
}

/// An address without what was left empty or was not chosen in its query: a form sends every field that it has. Its days are
/// times.
fn without_empty(uri: &Uri, clock: &Clock) -> Uri {
    let form =
        Form::of_query(uri.query().unwrap_or_default()).filled().without_default_status().with_chosen_date();
    let query = form.with_times_of_days(clock).query();
    format!("{}?{query}", uri.path()).parse().unwrap_or_else(|_| uri.clone())
}

/// Leads to the page for signing in, and from there back to where the person was going.
fn to_sign_in(open: &OpenPage) -> Response {
    let to = address(&open.parts.uri);
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("to", &to).finish();
    open.see_other(&format!("/sign-in?{query}"))
}
