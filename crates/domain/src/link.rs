//! Links from an incident to risks, documents, other incidents and addresses of other systems.

mod iri;

use jiff::Timestamp;
use macros::{Body, Record};

use crate::actor::Actor;
use crate::fault::{FaultCode, Faults};
use crate::ids::{IncidentNumber, RiskNumber};
use crate::json::{self, Fields, FromJson as _, Json, Pointer};
use crate::schema::Schema;
use crate::text::{self, Line};

/// The most characters of an address.
pub const URL_CHARACTERS: usize = 2_048;

crate::words! {
    "LinkKind"
    /// The relationship of a linked record to the incident of the link.
    pub enum LinkKind {
        /// The risk has materialised in the incident.
        Materialised = "materialised",
        /// The incident makes this risk more likely.
        Threatens = "threatens",
        /// The incident violates this document.
        Violates = "violates",
        /// This other incident is the cause.
        CausedBy = "caused_by",
        /// This other incident is an earlier occurrence.
        RecurrenceOf = "recurrence_of",
        /// This other incident is related.
        Related = "related",
        /// The work is tracked at this address.
        Ticket = "ticket",
        /// The incident is discussed at this address.
        Chat = "chat",
        /// Further information is at this address.
        Reference = "reference",
    }
}

crate::words! {
    "LinkedType"
    /// What a link leads to.
    pub enum LinkedType {
        /// An incident.
        Incident = "incident",
        /// A risk.
        Risk = "risk",
        /// A document.
        Document = "document",
        /// An address of another system.
        Url = "url",
    }
}

crate::words! {
    "LinkDirection"
    /// Which end of a link the record is that it is read at.
    pub enum LinkDirection {
        /// The link belongs to the record.
        Outgoing = "outgoing",
        /// The link belongs to the incident at the other end.
        Incoming = "incoming",
    }
}

impl LinkedType {
    /// The kinds of links that lead to it.
    pub fn kinds(self) -> &'static [LinkKind] {
        match self {
            Self::Incident => &[LinkKind::CausedBy, LinkKind::RecurrenceOf, LinkKind::Related],
            Self::Risk => &[LinkKind::Materialised, LinkKind::Threatens],
            Self::Document => &[LinkKind::Violates],
            Self::Url => &[LinkKind::Ticket, LinkKind::Chat, LinkKind::Reference],
        }
    }
}

/// What a link leads to: a record by its id, or an address.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(tag = "type")]
pub enum LinkTarget {
    /// An incident.
    #[body(name = "IncidentTarget")]
    Incident {
        /// Its id.
        #[body(example = "INC-0001")]
        id: IncidentNumber,
    },
    /// A risk.
    #[body(name = "RiskTarget")]
    Risk {
        /// Its id.
        #[body(example = "RSK-1")]
        id: RiskNumber,
    },
    /// A document.
    #[body(name = "DocumentTarget")]
    Document {
        /// Its slug.
        #[body(schema = Schema::text(0, 200, text::ANY), example = "nis2-policy")]
        id: String,
    },
    /// An address.
    #[body(name = "UrlTarget")]
    Url {
        /// With `http` or `https`, without user name and password. An IRI is converted to a URI.
        #[body(read = read_url, schema = Schema::text(0, URL_CHARACTERS, text::ANY), example = "https://tickets.example/4711")]
        url: String,
        /// What it is called.
        #[body(example = "Ticket 4711")]
        title: Option<Line>,
    },
}

impl LinkTarget {
    /// The number of the incident that it is.
    pub fn incident(&self) -> Option<i64> {
        match self {
            Self::Incident { id } => Some(id.number()),
            _ => None,
        }
    }

    /// What it is.
    pub fn linked_type(&self) -> LinkedType {
        match self {
            Self::Incident { .. } => LinkedType::Incident,
            Self::Risk { .. } => LinkedType::Risk,
            Self::Document { .. } => LinkedType::Document,
            Self::Url { .. } => LinkedType::Url,
        }
    }
}

/// A link to add to an incident.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(check = kind_of(to, kind), read_only = &["number", "incident", "direction", "record", "created_date", "created_by"])]
pub struct NewLink {
    /// What the link leads to.
    #[body(json = r#"{"type": "risk", "id": "RSK-1"}"#)]
    pub to: LinkTarget,
    /// What that is to the incident: `caused_by`, `recurrence_of` or `related` for an incident, `materialised` or
    /// `threatens` for a risk, `violates` for a document, `ticket`, `chat` or `reference` for a URL.
    #[body(example = "materialised")]
    pub kind: LinkKind,
}

/// A link of an incident. It is never changed, only removed.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
pub struct IncidentLink {
    /// The incident that it belongs to.
    pub incident: IncidentNumber,
    /// Counted per incident from 1, never reused.
    pub number: i64,
    /// What the other end is to the incident.
    #[record(label = "Kind", holds = Word)]
    pub kind: LinkKind,
    /// The incident that it leads to.
    #[record(label = "Incident", holds = Incident)]
    pub to_incident: Option<IncidentNumber>,
    /// The risk that it leads to.
    #[record(label = "Risk", holds = Risk)]
    pub to_risk: Option<RiskNumber>,
    /// The slug of the document that it leads to.
    #[record(label = "Document", holds = Document)]
    pub to_document: Option<String>,
    /// The address that it leads to.
    #[record(label = "Address", holds = Url, redacted, searched)]
    pub url: Option<String>,
    /// What the address is called.
    #[record(label = "Title", holds = Line, redacted, searched)]
    pub title: Option<String>,
    /// When it was made.
    pub created_date: Timestamp,
    /// Who made it.
    pub created_by: Actor,
    /// When it was removed, if it was.
    pub removed_date: Option<Timestamp>,
    /// The journal's number of its making.
    pub seq_from: i64,
    /// The journal's number of its latest change.
    pub seq: i64,
}

impl IncidentLink {
    /// What it leads to.
    pub fn to(&self) -> LinkTarget {
        if let Some(incident) = self.to_incident {
            LinkTarget::Incident { id: incident }
        } else if let Some(risk) = self.to_risk {
            LinkTarget::Risk { id: risk }
        } else if let Some(slug) = &self.to_document {
            LinkTarget::Document { id: slug.clone() }
        } else {
            LinkTarget::Url {
                url: self.url.clone().unwrap_or_default(),
                title: self.title.as_deref().map(Line::stored),
            }
        }
    }
}

impl NewLink {
    /// The link with this number, made at `at`. The journal's numbers are still 0.
    pub fn make(&self, incident: IncidentNumber, number: i64, by: Actor, at: Timestamp) -> IncidentLink {
        let mut link = IncidentLink {
            incident,
            number,
            kind: self.kind,
            to_incident: None,
            to_risk: None,
            to_document: None,
            url: None,
            title: None,
            created_date: at,
            created_by: by,
            removed_date: None,
            seq_from: 0,
            seq: 0,
        };
        match self.to.clone() {
            LinkTarget::Incident { id } => link.to_incident = Some(id),
            LinkTarget::Risk { id } => link.to_risk = Some(id),
            LinkTarget::Document { id } => link.to_document = Some(id),
            LinkTarget::Url { url, title } => (link.url, link.title) = (Some(url), title.map(Into::into)),
        }
        link
    }

    /// Checks that it does not lead back to the incident that it belongs to.
    pub fn check(&self, incident: IncidentNumber) -> crate::Result<()> {
        if (self.to != LinkTarget::Incident { id: incident }) {
            return Ok(());
        }
        let detail = "An incident cannot be linked to itself.";
        Err(crate::Error::invalid("#/to/id", FaultCode::LinkToItself, detail))
    }
}

/// Checks that a link of this kind can lead to a thing of this type.
fn kind_of(fields: &mut Fields<'_, '_>, to: Option<&LinkTarget>, kind: Option<&LinkKind>) {
    let (Some(linked), Some(kind)) = (to.map(LinkTarget::linked_type), kind) else { return };
    if !linked.kinds().contains(kind) {
        let words: Vec<&str> = linked.kinds().iter().map(|kind| kind.as_str()).collect();
        let detail = format!("must be one of {} for a link of type {linked}", words.join(", "));
        fields.fault("kind", FaultCode::Enum, detail);
    }
}

/// Reads an address as its URI; it may have letters of every language. One that is too long is too long in any form.
fn read_url(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<String> {
    let text = String::from_json(value, at, faults)?;
    let uri = if text.chars().count() > URL_CHARACTERS { text } else { iri::to_uri(&text).into_owned() };
    json::checked(Json::String(uri.into()), at, faults, url)
}

/// Checks the URI of an address: `http` or `https`, a host, and no name or password in it, which would be shown to every reader.
fn url(text: &str, pointer: &str, faults: &mut Faults) {
    text::at_most(text, URL_CHARACTERS, pointer, faults);
    let detail = match authority(text) {
        None => "must be an http or https URL such as https://tickets.example/4711",
        Some(authority) if authority.contains('@') => "must not contain a user name or a password",
        Some(authority) if !is_host_and_port(authority) => {
            "must have a host name or an address, and at most a port"
        }
        Some(_) => return,
    };
    faults.add(pointer, FaultCode::Format, detail);
}

/// What stands between the scheme and the path of a URL whose characters are those of RFC 3986.
fn authority(text: &str) -> Option<&str> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    let (scheme, rest) = text.split_once("://").filter(|_| text.bytes().all(is_allowed))?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let authority = rest.split(['/', '?', '#']).next().filter(|_| is_web)?;
    (!authority.is_empty()).then_some(authority)
}

fn is_host_and_port(authority: &str) -> bool {
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) => {
            if address.parse::<std::net::Ipv6Addr>().is_err() {
                return false;
            }
            ("v6", port)
        }
        None => authority.find(':').map_or((authority, ""), |colon| authority.split_at(colon)),
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    !host.is_empty()
        && host.bytes().all(is_name)
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_address(text: &str) -> bool {
        let mut faults = Faults::new();
        url(text, "#/to/url", &mut faults);
        faults.is_empty()
    }

    #[test]
    fn an_address_is_a_web_page_without_a_password() {
        for text in [
            "https://tickets.example/4711",
            "http://localhost:8080",
            "HTTPS://a.example?q=a@b#c",
            "https://[::1]:443/x",
            "https://xn--bcher-kva.example/%C3%A9",
        ] {
            assert!(is_address(text), "{text}");
        }
        for text in [
            "",
            "tickets.example",
            "javascript:alert(1)",
            "ftp://a.example",
            "https://",
            "https:///x",
            "https://ada:secret@a.example",
            "https://ada@a.example",
            "https://a.example\\@evil.example",
            "https://a b.example",
            "https://a.example/\u{e9}",
            "https://a.example/\n",
            "https://a.example:99999",
            "https://a.example:x",
            "https://:80",
            "https://[::1",
            "https://[x]/",
            "data://text",
        ] {
            assert!(!is_address(text), "{text}");
        }
        assert!(!is_address(&format!("https://a.example/{}", "x".repeat(URL_CHARACTERS))));
    }

    #[test]
    fn every_kind_leads_to_one_type() {
        for kind in LinkKind::ALL {
            let types = LinkedType::ALL.iter().filter(|linked| linked.kinds().contains(kind));
            assert_eq!(types.count(), 1, "{kind}");
        }
    }

    #[test]
    fn an_incident_is_not_linked_to_itself() {
        let link = NewLink { to: LinkTarget::Incident { id: IncidentNumber(3) }, kind: LinkKind::Related };
        assert!(link.check(IncidentNumber(3)).is_err());
        assert!(link.check(IncidentNumber(4)).is_ok());
    }
}
