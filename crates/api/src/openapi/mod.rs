//! The OpenAPI 3.1 document: the descriptions of the handlers, and what applies to every operation.

use auth::PublicUrl;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::Scope;
use http::api_request::Needs;
use http::route::Caching;
use hyper::Method;
use hyper::header::CONTENT_TYPE;
use serde_json::Value;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem, Paths};
use utoipa::openapi::security::{
    ClientCredentials, Flow, HttpAuthScheme, HttpBuilder, OAuth2, Scopes, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{
    ComponentsBuilder, Header, InfoBuilder, LicenseBuilder, ObjectBuilder, OpenApi, OpenApiBuilder, Ref,
    RefOr, Required, Type,
};

mod answers;
mod bounds;
mod choices;
mod conditional;
mod examples;
mod finish;
mod forms;
mod headers;
mod instances;
mod json;
mod links;
mod problems;
mod share;
mod tags;
mod texts;
mod write;

/// The security scheme of clients.
const SCHEME: &str = "oauth2";

/// Where clients get tokens.
const TOKEN: &str = "/v1/oauth/token";

/// The security scheme of people.
const SESSION: &str = "session";

/// The operations that compute something from their body and change nothing: they take no Idempotency-Key.
const COMPUTATIONS: &[&str] = &["/v1/severity/assess"];

const DESCRIPTION: &str = "\
The register of incidents, risks and policy documents of an organization.

Dates are RFC 3339; an offset is required on input, and answers are in UTC with six fractional digits. \
Errors are `application/problem+json` (RFC 9457) with a stable `code`, and name every fault of a request \
at once. Unknown members of a body and unknown query parameters are refused. `Idempotency-Key` makes a \
retry of any write safe for 24 hours. [Every error is explained](docs/errors).";

/// The parts that do not depend on routes: title, licence, security.
pub(crate) fn base() -> OpenApi {
    let license = LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build();
    let info = InfoBuilder::new()
        .title("Bailiwick")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .license(Some(license))
        .build();
    let scopes = Scope::ALL.iter().map(|scope| (scope.as_str(), scope.meaning())).collect::<Scopes>();
    let mut flow = ClientCredentials::new(TOKEN, scopes);
    flow.refresh_url = Some(TOKEN.to_owned());
    let scheme = OAuth2::with_description(
        [Flow::ClientCredentials(flow)],
        "Access tokens are JWTs by RFC 9068, checked as RFC8725 asks, and live 15 minutes.",
    );
    let mut components = ComponentsBuilder::new()
        .security_scheme(SCHEME, SecurityScheme::OAuth2(scheme))
        .security_scheme(SESSION, session_scheme())
        .responses_from_iter(problems::responses());
    for (name, schema) in problems::schemas() {
        components = components.schema(name, schema);
    }
    let mut components = components.build();
    components.headers.extend(headers::components());
    components.parameters.insert("IdempotencyKey".to_owned(), RefOr::T(idempotency_key()));
    OpenApiBuilder::new().info(info).components(Some(components)).build()
}

fn session_scheme() -> SecurityScheme {
    let description = "The token of a person's session, from `POST /v1/session`: opaque, and good for 12 hours after \
        its last use. It allows what the person's roles allow at the moment.";
    let http = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description));
    SecurityScheme::Http(http.build())
}

fn idempotency_key() -> Parameter {
    let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(255));
    let text = text.pattern(Some(r#"^([!#-~][!-~]{0,254}|"[!-~]{1,253}")$"#));
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "Visible ASCII, quoted or not. A repetition with the same key gets the answer of the first, for 24 hours.",
        ))
        .schema(Some(text.build()))
        .build()
}

/// Adds to each operation what the route table knows: its requirements, and the errors it shares with others. What the
/// handler describes itself stays.
pub(crate) fn describe(paths: &mut Paths, needs: Needs) {
    for (path, item) in &mut paths.paths {
        let writes = [&mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        let operations = [(&mut item.get, false)].into_iter().chain(writes.map(|it| (it, true)));
        for (operation, is_write) in operations.filter_map(|(it, is_write)| Some((it.as_mut()?, is_write))) {
            let is_write = is_write && !COMPUTATIONS.contains(&path.as_str());
            operation.security = Some(security(needs));
            share_responses(operation, path.contains('{'), is_write, needs);
        }
    }
}

/// The methods of a path.
pub(crate) fn methods(item: &PathItem) -> impl Iterator<Item = Method> {
    let all = [
        (&item.get, Method::GET),
        (&item.post, Method::POST),
        (&item.put, Method::PUT),
        (&item.patch, Method::PATCH),
        (&item.delete, Method::DELETE),
    ];
    all.into_iter().filter_map(|(operation, method)| operation.as_ref().map(|_| method))
}

/// Adds the `Cache-Control` of the operations' responses, unless it is that of nearly all operations.
pub(crate) fn describe_caching(paths: &mut Paths, caching: Caching) {
    if caching == Caching::Private {
        return;
    }
    for item in paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            for (status, response) in &mut operation.responses.responses {
                if let (RefOr::T(response), true) = (response, status.starts_with('2')) {
                    let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(200));
                    let mut header = Header::new(text.build());
                    header.description = Some(format!("`{}`", caching.value()));
                    response.headers.insert("Cache-Control".to_owned(), RefOr::T(header));
                }
            }
        }
    }
}

/// The alternative ways to authenticate, each of which suffices.
fn security(needs: Needs) -> Vec<SecurityRequirement> {
    let session = SecurityRequirement::new(SESSION, [] as [&str; 0]);
    match needs {
        Needs::Nothing => vec![SecurityRequirement::default()],
        Needs::Token => vec![SecurityRequirement::new(SCHEME, [] as [&str; 0]), session],
        Needs::Session => vec![session],
        Needs::AnyScope(scopes) => {
            let ways = scopes.iter().map(|scope| SecurityRequirement::new(SCHEME, [scope.as_str()]));
            ways.chain([session]).collect()
        }
    }
}

fn share_responses(operation: &mut Operation, has_path_id: bool, is_write: bool, needs: Needs) {
    let mut statuses = vec!["400", "406", "414", "429", "431", "500", "503"];
    if needs != Needs::Nothing {
        statuses.push("401");
    }
    if matches!(needs, Needs::AnyScope(_)) {
        statuses.push("403");
    }
    if is_write && needs != Needs::Nothing {
        // The errors of an Idempotency-Key.
        statuses.extend(["409", "422"]);
    }
    if has_path_id {
        statuses.push("404");
    }
    if operation.request_body.is_some() {
        statuses.extend(["408", "413", "415", "422"]);
    }
    for status in statuses {
        let shared = Ref::from_response_name(problems::response_name(status));
        let responses = &mut operation.responses.responses;
        responses.entry(status.to_owned()).or_insert_with(|| RefOr::Ref(shared));
    }
    for (status, response) in &mut operation.responses.responses {
        if let (RefOr::T(described), true) = (response, status.starts_with(['4', '5'])) {
            problems::give_body(described);
        }
    }
}

/// The finished document of all routes, in which everything stands where it applies.
pub(crate) fn finished(document: &OpenApi) -> Value {
    // Strings and maps only: serializing them cannot fail.
    finish::finish(serde_json::to_value(document).unwrap_or_default())
}

/// The document of the service at this URL.
pub(crate) fn at(public_url: &PublicUrl, mut document: Value) -> Value {
    let flow = format!("/components/securitySchemes/{SCHEME}/flows/clientCredentials");
    let (path, token) = (public_url.path(), public_url.path_to(TOKEN));
    let places = [
        ("/servers/0/url".to_owned(), if path.is_empty() { "/" } else { path }.to_owned()),
        (format!("{flow}/tokenUrl"), token.clone()),
        (format!("{flow}/refreshUrl"), token),
    ];
    for (place, address) in places {
        if let Some(found) = document.pointer_mut(&place) {
            *found = Value::String(address);
        }
    }
    document
}

/// The document as it is served, printed and committed: what it repeats is in its components.
pub fn text(document: &Value) -> String {
    write::text(&share::shared(document.clone()))
}

pub(crate) async fn answer(document: Bytes) -> Response {
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}
