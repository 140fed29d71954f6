//! A request to the API, as every handler receives it. Handlers call its methods in the order of the checks: path,
//! query, body, write.

use auth::{Caller, Source};
use aws_lc_rs::digest;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use bytes::Bytes;
use db::Tx;
use domain::incident::Viewer;
use domain::saved_view::ViewReader;
use domain::{
    Actor, Author, ExpectedVersion, FaultCode, Faults, OrgId, Permissions, ResourceKind, Scope, SessionId,
};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use jiff::Timestamp;
use macros::boxed;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::app::App;
use crate::conditional;
use crate::error::{Error, Result};
use crate::front::entrance;
use crate::idempotency::{self, IdempotencyKey};
use crate::json::{self, Json};
use crate::page::{List, ListId, Page};
use crate::query::Query;
use crate::rate::Account;
use crate::write::{Change, Respond, Transaction, Write};
use crate::{body, caller, limits, source, upload};

/// What a route requires of its caller; the route table attaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// No token: the request body carries the credentials, and the route takes no [`ApiRequest`].
    Nothing,
    /// A token of any kind.
    Token,
    /// The token of a session.
    Session,
    /// A token with one of these scopes. The first is the usual one; the others suffice for narrower uses.
    AnyScope(&'static [Scope]),
}

impl Needs {
    /// Checks whether this caller may use the route. A missing session is not recorded as a refusal: the resource just
    /// does not exist for a client.
    fn admit(self, caller: &Caller) -> domain::Result<()> {
        match self {
            Self::AnyScope(scopes) => caller.require_any(scopes),
            Self::Session if caller.session.is_none() => Err(domain::Error::NotFound(ResourceKind::Session)),
            Self::Session | Self::Token => Ok(()),
            Self::Nothing => Err(domain::Error::Internal("an open route takes a call".to_owned())),
        }
    }
}

/// Reads a parsed body; a large one on a thread of its own.
pub trait Read<T>: FnOnce(Json<'_>, &mut Faults) -> Option<T> + Send + 'static {}

impl<T, F: FnOnce(Json<'_>, &mut Faults) -> Option<T> + Send + 'static> Read<T> for F {}

/// How a body is parsed.
struct Parsing {
    /// The most elements of an array.
    most_elements: usize,
    /// Whether even a short body can take long.
    is_converted: bool,
}

const SHORT: Parsing = Parsing { most_elements: limits::ARRAY_ELEMENTS, is_converted: false };

/// A request that passed the checks of token, rate limit and scope.
pub struct ApiRequest {
    /// The shared state.
    pub app: App,
    caller: Caller,
    permissions: Permissions,
    source: Source,
    parts: Parts,
    path: Vec<String>,
    body: Body,
    keyed: Option<IdempotencyKey>,
    expected: Option<ExpectedVersion>,
}

impl FromRequest<App> for ApiRequest {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        Self::admit(request, app).await
    }
}

impl ApiRequest {
    /// Fails with 401, then 429, then 403.
    #[boxed]
    async fn admit(request: Request, app: &App) -> Result<Self> {
        let source = source::of(&request);
        let (mut parts, body) = request.into_parts();
        // A route without declared requirements is a bug; it is refused to every caller.
        let needs = parts.extensions.get::<Needs>().copied();
        let needs = needs.ok_or_else(|| Error::internal("the route does not say what it needs"))?;
        let caller = caller::of(app.auth(), &parts.headers, &source).await?;
        let counted = app.rate_limit().take(&caller.actor.id, &parts.extensions);
        let admitted = counted.and_then(|()| Ok(needs.admit(&caller)?));
        admitted.inspect_err(|error| caller::note_refusal(app.auth(), &caller, error, &source))?;
        if source.request_id.is_none() {
            return Err(Error::internal("the request has no id"));
        }
        let path = match RawPathParams::from_request_parts(&mut parts, app).await {
            Ok(params) => params.iter().map(|(_, value)| value.to_owned()).collect(),
            // No path parameters, or one that is not UTF-8: no record has such an id.
            Err(_) => Vec::new(),
        };
        let permissions = Permissions::new(caller.scopes);
        let app = app.clone();
        Ok(Self { app, caller, permissions, source, parts, path, body, keyed: None, expected: None })
    }

    /// The organization of the token.
    pub fn organization(&self) -> OrgId {
        self.caller.organization
    }

    /// The caller.
    pub fn actor(&self) -> &Actor {
        &self.caller.actor
    }

    /// The session of a person; a client has none.
    pub fn session(&self) -> Option<SessionId> {
        self.caller.session
    }

    /// What the token allows. An operation that needs more scopes than its route checks them with
    /// [`Permissions::require`], so that they are checked again before a stored response is replayed.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// The incidents that the caller sees.
    pub fn viewer(&self) -> Viewer {
        Viewer::new(&self.caller.actor, self.permissions.scopes())
    }

    /// The saved views that exist to the caller.
    pub fn view_reader(&self) -> ViewReader {
        ViewReader::new(&self.caller.actor, self.permissions.scopes())
    }

    /// Where the request comes from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The author to whom the journal attributes a change.
    pub fn author(&self) -> Author {
        Author::new(self.caller.actor.clone(), self.source.request_id()).with(self.permissions.clone())
    }

    /// The id at `index` in the path; a malformed one is reported as a `noun` that was not found.
    pub fn path<T>(
        &self,
        index: usize,
        noun: ResourceKind,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        self.path.get(index).and_then(|text| parse(text)).ok_or(Error::not_found(noun))
    }

    /// The query parameters, to be read and then finished with [`Query::finish`].
    pub fn query(&self) -> Query<'_> {
        Query::new(self.parts.uri.query())
    }

    /// Whether `Accept` names `one` of two media types with more weight than the `other`.
    pub fn prefers(&self, one: &str, other: &str) -> bool {
        entrance::prefers(&self.parts.headers, one, other)
    }

    /// Refuses any query parameter.
    pub fn no_query(&self) -> Result<()> {
        match self.parts.uri.query() {
            None => Ok(()),
            Some(_) => self.query().finish(),
        }
    }

    /// Reads `limit`, `cursor` and `include_total`.
    pub fn page<P: DeserializeOwned>(&self, query: &mut Query<'_>) -> Page<P> {
        Page::read(&self.list_id(), query)
    }

    /// The response for one page; see [`List::of`].
    pub fn list<R, P: Serialize, T>(
        &self,
        page: store::Page<R>,
        total: Option<i64>,
        position: impl Fn(&R) -> P,
        view: impl FnMut(R) -> T,
    ) -> List<T> {
        List::of(&self.list_id(), page, total, position, view)
    }

    fn list_id(&self) -> ListId<'_> {
        ListId::of(&self.app, self.caller.organization, &self.parts.uri)
    }

    /// Reads the body of up to 1 MiB as JSON.
    pub async fn json<T: Send + 'static>(&mut self, read: impl Read<T>) -> Result<T> {
        self.json_within(body::JSON, SHORT, read).await
    }

    /// The same with a maximum of `most_elements` for every array; a longer array is not built.
    pub async fn json_of<T: Send + 'static>(
        &mut self,
        most_elements: usize,
        read: impl Read<T>,
    ) -> Result<T> {
        self.json_within(body::JSON, Parsing { most_elements, ..SHORT }, read).await
    }

    /// The same where reading even a short body can take long: see [`App::convert`].
    pub async fn json_converted<T: Send + 'static>(
        &mut self,
        most_elements: usize,
        read: impl Read<T>,
    ) -> Result<T> {
        self.json_within(body::JSON, Parsing { most_elements, is_converted: true }, read).await
    }

    /// Reads a merge patch of up to 1 MiB.
    pub async fn merge_patch<T: Send + 'static>(&mut self, read: impl Read<T>) -> Result<T> {
        self.json_within(body::MERGE_PATCH, SHORT, read).await
    }

    /// The same for a record with rules that depend on several members. If the patch has faults, those that only the
    /// record shows are reported together with them.
    pub async fn merge_patch_of_record<T: Send + 'static>(
        &mut self,
        read: impl Read<T>,
        faults_of_record: impl AsyncFnOnce(&mut Tx, OrgId, &T, Timestamp) -> store::Result<Faults>,
    ) -> Result<T> {
        let key = self.write_headers()?;
        let bytes = self.bytes(body::MERGE_PATCH).await?;
        let (patch, mut faults) = self.read_json(key, bytes, SHORT, read).await?;
        if faults.is_empty() {
            return Ok(patch);
        }
        let (mut tx, now) = (self.app.db().read().await?, (self.app.db().clock())());
        faults.extend(faults_of_record(&mut tx, self.organization(), &patch, now).await?);
        Err(domain::Error::from(faults).into())
    }

    /// Reads the body of up to 1 MiB as JSON; an absent body reads as `null`.
    pub async fn json_or_null<T: Send + 'static>(&mut self, read: impl Read<T>) -> Result<T> {
        let key = self.write_headers()?;
        let bytes = self.bytes(body::JSON).await?;
        let bytes = if bytes.is_empty() { Bytes::from_static(b"null") } else { bytes };
        let (read, faults) = self.read_json(key, bytes, SHORT, read).await?;
        Ok(faults.or(read)?)
    }

    async fn json_within<T: Send + 'static>(
        &mut self,
        types: &'static [&'static str],
        parsing: Parsing,
        read: impl Read<T>,
    ) -> Result<T> {
        let key = self.write_headers()?;
        let bytes = self.bytes(types).await?;
        let (read, faults) = self.read_json(key, bytes, parsing, read).await?;
        Ok(faults.or(read)?)
    }

    async fn read_json<T: Send + 'static>(
        &mut self,
        key: Option<String>,
        bytes: Bytes,
        Parsing { most_elements, is_converted }: Parsing,
        read: impl Read<T>,
    ) -> Result<(T, Faults)> {
        let key = key.map(|key| {
            let seal = self.app.auth().answers_key();
            (key, self.parts.method.clone(), self.parts.uri.clone(), seal)
        });
        let (read, keyed) = body::parse(&self.app, bytes, is_converted, move |bytes| {
            let value = json::parse_within(bytes, most_elements)?;
            let keyed = key
                .map(|(key, method, uri, seal)| IdempotencyKey::new(key, &method, &uri, Some(&value), &seal));
            Ok((json::read_with_faults(value, read)?, keyed))
        })
        .await?;
        self.keyed = keyed;
        Ok(read)
    }

    async fn bytes(&mut self, types: &'static [&'static str]) -> Result<Bytes> {
        let (body, timeout) = (std::mem::take(&mut self.body), self.app.settings().body_timeout);
        body::read(&self.parts.headers, body, limits::BODY_BYTES, types, timeout).await
    }

    /// Whether the body is sent as JSON.
    pub fn is_json(&self) -> bool {
        body::check_type(&self.parts.headers, true, body::JSON).is_ok()
    }

    /// Reads the body of up to `most` bytes as a file of one of these media types, or the first file of a form with its name.
    /// A body of another type is not read to its end.
    pub async fn file(
        &mut self,
        most: usize,
        types: &'static [&'static str],
    ) -> Result<(Option<String>, Bytes)> {
        let key = self.write_headers()?;
        let (body, timeout) = (std::mem::take(&mut self.body), self.app.settings().body_timeout);
        let is_known = body::check_type(&self.parts.headers, true, types).is_ok();
        let limit_bytes = if is_known { most } else { limits::BODY_BYTES };
        let bytes = body::read(&self.parts.headers, body, limit_bytes, types, timeout).await?;
        let media_type = self.media_type();
        let (name, file) = match upload::is_form(&media_type) {
            true => self.app.convert(move || first_file(&media_type, &bytes)).await?,
            false => (None, bytes),
        };
        let seal = self.app.auth().answers_key();
        self.keyed = key.map(|key| {
            let digest = hex::encode(digest::digest(&digest::SHA256, &file));
            let body = Json::String(digest.into());
            IdempotencyKey::new(key, &self.parts.method, &self.parts.uri, Some(&body), &seal)
        });
        Ok((name, file))
    }

    fn media_type(&self) -> String {
        let sent = self.parts.headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        String::from_utf8_lossy(sent).into_owned()
    }

    /// Checks that a write without a body has none.
    pub fn no_body(&mut self) -> Result<()> {
        let key = self.write_headers()?;
        let seal = self.app.auth().answers_key();
        self.keyed =
            key.map(|key| IdempotencyKey::new(key, &self.parts.method, &self.parts.uri, None, &seal));
        Ok(())
    }

    /// Reads the headers of a write: its Idempotency-Key, and its If-Match.
    fn write_headers(&mut self) -> Result<Option<String>> {
        self.expected = conditional::expected_version(&self.parts.headers)?;
        idempotency::key(&self.parts.headers)
    }

    /// The version of the record that this change is based on, for the store function that makes the change. A handler
    /// that does not call this refuses every If-Match.
    pub fn expected_version(&mut self) -> ExpectedVersion {
        let unsaid = match self.app.settings().require_if_match {
            true => ExpectedVersion::Unsaid,
            false => ExpectedVersion::Any,
        };
        self.expected.take().unwrap_or(unsaid)
    }

    /// Makes a change in the caller's organization, once per Idempotency-Key, and from its value the response: see
    /// [`Write::run`].
    pub async fn write<T: Send + 'static>(
        self,
        change: impl Change<T>,
        respond: impl Respond<T>,
    ) -> Result<Answer> {
        self.into_write().run(Transaction::Shared, change, respond).await
    }

    /// The same for a change of this many rows. Beyond a thousand, it gets a transaction of its own.
    pub async fn write_rows<T: Send + 'static>(
        self,
        rows: usize,
        change: impl Change<T>,
        respond: impl Respond<T>,
    ) -> Result<Answer> {
        self.into_write().run(Transaction::of_rows(rows), change, respond).await
    }

    /// The same for a change of records that belong to the instance, such as people.
    pub async fn write_instance<T: Send + 'static>(
        self,
        change: impl Change<T>,
        respond: impl Respond<T>,
    ) -> Result<Answer> {
        self.into_write().run(Transaction::Instance, change, respond).await
    }

    /// The change, for what the others do not fit: one of many records.
    pub fn into_write(self) -> Write {
        let (organization, author, account) =
            (self.organization(), self.author(), Account::of(&self.parts.extensions));
        let Self { app, keyed: key, expected: unchecked_version, .. } = self;
        Write { app, organization, author, key, unchecked_version, account }
    }
}

/// The first file of a form, with its name.
fn first_file(media_type: &str, body: &Bytes) -> Result<(Option<String>, Bytes)> {
    let first = upload::read(media_type, body).files.into_iter().next();
    let missing = || domain::Error::invalid("#", FaultCode::Required, "must have a file");
    let (name, file) = first.ok_or_else(missing)?;
    Ok((Some(name), body.slice_ref(file)))
}
