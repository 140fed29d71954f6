//! What is sent about links of incidents.

use domain::link::{self, LinkKind, LinkTarget, LinkedType, NewLink};
use domain::{FaultCode, Faults, IncidentNumber, RiskNumber};
use http::json::{Fields, Json, Pointer};
use http::word::{OneOf, word};
use utoipa::ToSchema;

type LinkKindInput = OneOf<LinkKind>;

/// A link to add to an incident.
#[derive(ToSchema)]
#[schema(as = NewLink)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub struct NewLinkInput {
    /// What the link leads to.
    to: LinkTargetInput,
    /// What that is to the incident: `caused_by`, `recurrence_of` or `related` for an incident, `materialised` or
    /// `threatens` for a risk, `violates` for a document, `ticket`, `chat` or `reference` for a URL.
    #[schema(value_type = LinkKindInput)]
    kind: LinkKindInput,
}

/// What a link leads to: a record by its id, or an address.
#[derive(ToSchema)]
#[schema(as = LinkTarget)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the body, which `target` reads")]
pub(crate) enum LinkTargetInput {
    Risk(RiskTargetInput),
    Incident(IncidentTargetInput),
    Document(DocumentTargetInput),
    Url(UrlTargetInput),
}

/// An incident.
#[derive(ToSchema)]
#[schema(as = IncidentTarget)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct IncidentTargetInput {
    /// Its id.
    #[schema(pattern = "^([Ii][Nn][Cc]-)?0{0,4}[1-9][0-9]{0,13}$", examples("INC-0001"))]
    id: String,
}

/// A risk.
#[derive(ToSchema)]
#[schema(as = RiskTarget)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct RiskTargetInput {
    /// Its id.
    #[schema(pattern = "^RSK-[1-9][0-9]{0,17}$", examples("RSK-1"))]
    id: String,
}

/// A document.
#[derive(ToSchema)]
#[schema(as = DocumentTarget)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct DocumentTargetInput {
    /// Its slug.
    #[schema(max_length = 200, examples("nis2-policy"))]
    id: String,
}

/// An address.
#[derive(ToSchema)]
#[schema(as = UrlTarget)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct UrlTargetInput {
    /// With `http` or `https`, without user name and password. An IRI is converted to a URI.
    #[schema(max_length = 2048, examples("https://tickets.example/4711"))]
    url: String,
    /// What it is called.
    #[schema(max_length = 200, examples("Ticket 4711"))]
    title: Option<String>,
}

/// Reads a link to add.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewLink> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let to = fields.required_with("to", target);
    let kind = fields.required_with("kind", word);
    if let (Some(to), Some(kind)) = (&to, kind) {
        link::kind_of(to.linked_type(), kind, fields.faults());
    }
    fields.read_only(&["number", "incident", "direction", "record", "created_date", "created_by"]);
    fields.finish();
    Some(NewLink { to: to?, kind: kind? })
}

fn target(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<LinkTarget> {
    let mut fields = Fields::of(value, at, faults)?;
    let target = match fields.required_with("type", word) {
        Some(LinkedType::Incident) => {
            id(&mut fields, IncidentNumber::parse, "an incident, such as INC-0001").map(LinkTarget::Incident)
        }
        Some(LinkedType::Risk) => {
            id(&mut fields, RiskNumber::parse, "a risk, such as RSK-1").map(LinkTarget::Risk)
        }
        Some(LinkedType::Document) => fields.required("id").map(LinkTarget::Document),
        Some(LinkedType::Url) => {
            let url = fields.required::<String>("url").map(link::to_uri);
            if let Some(url) = &url {
                fields.check_with("url", |pointer, faults| link::url(url, pointer, faults));
            }
            let title = fields.optional_text("title", link::title);
            fields.misplaced(&["id"], "does not go with the type url");
            url.map(|url| LinkTarget::Url { url, title })
        }
        None => {
            fields.read_and_forget(&["id", "url", "title"]);
            None
        }
    };
    fields.misplaced(&["url", "title"], "only goes with the type url");
    fields.finish();
    target
}

fn id<T>(fields: &mut Fields<'_, '_>, parse: fn(&str) -> Option<T>, noun: &str) -> Option<T> {
    let text: String = fields.required("id")?;
    let id = parse(&text);
    if id.is_none() {
        fields.fault("id", FaultCode::Format, format_args!("must be the id of {noun}"));
    }
    id
}
