//! A form as it was sent, and what was wrong with it: the page shows both again, so nothing that was typed is lost.

use std::borrow::Cow;

use axum::body::Body;
use domain::{Error as E, Fault, FaultCode, Faults};
use hyper::HeaderMap;
use jiff::Timestamp;
use web::http::json::{self, Json};
use web::http::{body, limits};
use web::{App, Error};

use super::clock::Clock;
use crate::texts;

/// The media type of forms.
const FORM: &[&str] = &["application/x-www-form-urlencoded"];

/// The name of the hidden field with the key that makes a form act once.
pub(crate) const ONCE: &str = "once";

/// Begins the names of hidden fields with what a field was.
const WAS: &str = "was_";

/// Begins the names of fields with what somebody else made of a field.
const THEIRS: &str = "theirs_";

/// How a field becomes a member of the JSON that the readers of the API take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum As {
    /// A text; an empty one stays empty.
    Text,
    /// A text; an empty one is null.
    TextOrNull,
    /// A time of the page's zone, or null.
    Time,
    /// Whether the box is ticked.
    Flag,
    /// An integer, or null.
    Integer,
    /// `yes` or `no`, or null.
    YesOrNo,
    /// The values of every box that is ticked, as an array.
    List,
    /// The values of every box that is ticked, with spaces between them.
    Words,
}

/// The fields of a form.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    pairs: Vec<(String, String)>,
}

impl Form {
    /// Reads the body of a request. Line breaks are those of Unix, as in the API.
    pub(crate) async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Self, Error> {
        let timeout = app.settings().body_timeout;
        let bytes = body::read(headers, body, limits::BODY_BYTES, FORM, timeout).await?;
        let pairs = form_urlencoded::parse(&bytes)
            .map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n")))
            .collect();
        Ok(Self { pairs })
    }

    /// The query of an address as a form, whose boxes are ticked.
    pub(crate) fn of_query(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes());
        Self { pairs: pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect() }
    }

    /// The same without the fields that were left empty.
    #[must_use]
    pub(crate) fn filled(mut self) -> Self {
        self.pairs.retain(|(_, value)| !value.is_empty());
        self
    }

    /// The same without the statuses that a list had ticked because none was chosen, which `default_status` has. Choosing others
    /// replaces the category.
    #[must_use]
    pub(crate) fn chosen(self) -> Self {
        const DEFAULT: &str = "default_status";
        if !self.has(DEFAULT) {
            return self;
        }
        let ticked = self.all("status").collect::<Vec<_>>().join(" ");
        let other = if ticked == self.text(DEFAULT) { "status" } else { "category" };
        self.without(&[DEFAULT, other])
    }

    /// The same without these fields.
    #[must_use]
    pub(crate) fn without(mut self, names: &[&str]) -> Self {
        self.pairs.retain(|(name, _)| !names.contains(&name.as_str()));
        self
    }

    /// The fields as they were sent.
    pub(crate) fn into_fields(self) -> Vec<(String, String)> {
        self.pairs
    }

    /// The fields as a query.
    pub(crate) fn query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.pairs).finish()
    }

    /// The address of the same page with another value of one parameter. A cursor belongs to one query only.
    pub(crate) fn query_with(&self, name: &str, value: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::for_suffix(String::from("?"), 1);
        let others =
            self.pairs.iter().filter(|(key, value)| key != name && key != "cursor" && !value.is_empty());
        query.extend_pairs(others);
        query.extend_pairs(value.map(|value| (name, value)));
        query.finish()
    }

    /// A form as a page shows it first.
    pub(crate) fn of<'v>(values: impl IntoIterator<Item = (&'v str, String)>) -> Self {
        Self { pairs: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }
    }

    /// A form as a page shows it first, with the version of its record and what each field was: `was_…`.
    pub(crate) fn with_originals<'v>(
        values: impl IntoIterator<Item = (&'v str, String)>,
        version: i64,
    ) -> Self {
        let mut pairs = vec![("version".to_owned(), version.to_string())];
        for (name, value) in values {
            pairs.push((format!("{WAS}{name}"), value.clone()));
            pairs.push((name.to_owned(), value));
        }
        Self { pairs }
    }

    /// The same with more fields.
    pub(crate) fn and<'v>(mut self, fields: impl IntoIterator<Item = (&'v str, String)>) -> Self {
        self.pairs.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
        self
    }

    /// The fields that a person does not see: the version, and what each field was.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_hidden = |name: &str| name == "version" || name.starts_with(WAS);
        let pairs = self.pairs.iter().filter(move |(name, _)| is_hidden(name));
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a field; empty without one.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// Every value of a field.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether the form has the field.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(key, _)| key == name)
    }

    /// Whether a field has this value, among others.
    pub(crate) fn is(&self, name: &str, value: impl AsRef<str>) -> bool {
        self.all(name).any(|found| found == value.as_ref())
    }

    /// The form on the record as it is now, after somebody else was faster: what was typed stays, and what was not typed
    /// is theirs. A field that both changed has theirs beside it.
    #[must_use]
    pub(crate) fn onto(self, current: Self) -> Self {
        let mut pairs = Vec::new();
        for (name, now) in current.pairs {
            let was = format!("{WAS}{name}");
            if name == "version" || name.starts_with(WAS) || !self.has(&was) {
                pairs.push((name, now));
                continue;
            }
            let (typed, before) = (self.text(&name).to_owned(), self.text(&was));
            if typed == before {
                pairs.push((name, now));
                continue;
            }
            if now != before && now != typed {
                pairs.push((format!("{THEIRS}{name}"), now));
            }
            pairs.push((name, typed));
        }
        Self { pairs }
    }

    /// The form with these fields of another one instead of its own.
    #[must_use]
    pub(crate) fn with_fields_of(mut self, names: &[&str], other: &Self) -> Self {
        self.pairs.retain(|(name, _)| !names.contains(&name.as_str()));
        let fields = other.pairs.iter().filter(|(name, _)| names.contains(&name.as_str()));
        self.pairs.extend(fields.cloned());
        self
    }

    /// What somebody else made of a field meanwhile, if both changed it.
    pub(crate) fn theirs(&self, name: &str) -> Option<&str> {
        let name = format!("{THEIRS}{name}");
        self.all(&name).next()
    }

    /// The members whose fields differ from what the form showed first: its hidden fields `was_…`.
    pub(crate) fn changed(&self, members: &[(&'static str, As)]) -> Vec<(&'static str, As)> {
        let is_changed = |(path, _): &(&str, As)| {
            let field = path.replace('/', "_");
            self.text(&field) != self.text(&format!("{WAS}{field}"))
        };
        members.iter().copied().filter(is_changed).collect()
    }

    /// Reads the fields as the API reads a body with these members.
    pub(crate) fn read_as<T>(
        &self,
        members: &[(&'static str, As)],
        clock: &Clock,
        read: impl FnOnce(Json<'_>, &mut Faults) -> Option<T>,
    ) -> Result<T, Error> {
        json::read_value(self.json(members, clock), read)
    }

    /// The fields as an object; of those that the form has. The member `hold/reason` is that of an object within, and
    /// its field is `hold_reason`.
    pub(crate) fn json(&self, members: &[(&'static str, As)], clock: &Clock) -> Json<'static> {
        let mut object: Vec<(Cow<'static, str>, Json<'static>)> = Vec::new();
        for (path, kind) in members {
            let field = path.replace('/', "_");
            if !matches!(kind, As::Flag | As::List | As::Words) && !self.has(&field) {
                continue;
            }
            let value = self.member(&field, *kind, clock);
            let Some((outer, inner)) = path.split_once('/') else {
                object.push((Cow::Borrowed(*path), value));
                continue;
            };
            match object.iter_mut().find(|(name, _)| name == outer) {
                Some((_, Json::Object(members))) => members.push((Cow::Borrowed(inner), value)),
                _ => {
                    object.push((Cow::Borrowed(outer), Json::Object(vec![(Cow::Borrowed(inner), value)])));
                }
            }
        }
        Json::Object(object)
    }

    fn member(&self, name: &str, kind: As, clock: &Clock) -> Json<'static> {
        let value = self.text(name);
        let text = |text: &str| Json::String(Cow::Owned(text.to_owned()));
        match kind {
            As::Text => text(value),
            As::Flag => Json::Bool(self.has(name)),
            As::List => Json::Array(self.all(name).filter(|value| !value.is_empty()).map(text).collect()),
            As::Words => text(&self.all(name).collect::<Vec<_>>().join(" ")),
            _ if value.is_empty() => Json::Null,
            As::TextOrNull => text(value),
            As::Time => text(&clock.instant(value)),
            As::Integer => value.trim().parse().map_or_else(|_| text(value), Json::Integer),
            As::YesOrNo => Json::Bool(value == "yes"),
        }
    }

    /// All fields, for the fingerprint of the form.
    pub(crate) fn fingerprint(&self) -> Json<'_> {
        let pair = |(name, value): &'_ (String, String)| {
            [name, value].map(|text| Json::String(Cow::Owned(text.clone())))
        };
        Json::Array(self.pairs.iter().flat_map(pair).collect())
    }
}

/// What was wrong with a form.
#[derive(Debug, Clone, Default)]
pub(crate) struct Problems {
    /// What is wrong with the whole.
    pub(crate) message: Option<String>,
    /// Whether somebody else has changed the record meanwhile.
    pub(crate) is_stale: bool,
    faults: Vec<Fault>,
}

impl Problems {
    /// The same where the sentences name fields by their labels, and times as pages show them.
    #[must_use]
    pub(crate) fn labelled(mut self, label: impl Fn(&str) -> Option<&'static str>, clock: &Clock) -> Self {
        for fault in &mut self.faults {
            if let Some(label) = label(&field_of(fault)) {
                fault.detail = fault.sentence_about(&format!("“{label}”"));
            }
            fault.detail = in_words(&fault.detail, clock);
        }
        self
    }

    /// What a person can mend in the form. Any other error has a page of its own.
    pub(crate) fn of(error: Error) -> Result<Self, Error> {
        match error {
            Error::Domain(E::Invalid(faults)) => {
                let faults: Vec<Fault> = faults.iter().cloned().collect();
                Ok(Self { faults, ..Self::default() })
            }
            Error::Domain(
                E::NotFound(_) | E::Internal(_) | E::Unavailable(_) | E::OutcomeUnknown | E::Forbidden(_),
            ) => Err(error),
            Error::Domain(E::Outdated { .. }) => {
                let message = texts::CHANGED_BY_SOMEBODY_ELSE;
                Ok(Self { is_stale: true, ..Self::with(message) })
            }
            Error::Domain(E::Conflict { code: "name_taken", title }) => {
                Ok(Self::at_field("name", &format!("{title}.")))
            }
            Error::Domain(E::Conflict { code: "slug_taken", title }) => {
                Ok(Self::at_field("slug", &format!("{title}.")))
            }
            Error::Domain(_) | Error::InvalidCredentials => {
                let (_, title, detail) = error.in_words();
                Ok(Self::with(format!("{title} {detail}").trim_end()))
            }
            other => Err(other),
        }
    }

    /// A problem of the whole form.
    pub(crate) fn with(message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..Self::default() }
    }

    /// The first fault at each field.
    pub(crate) fn at_fields<'f>(faults: impl Iterator<Item = &'f Fault>) -> Self {
        let mut problems = Self::default();
        for fault in faults {
            if !problems.has(&field_of(fault)) {
                problems.faults.push(fault.clone());
            }
        }
        problems
    }

    /// A problem of one field: a sentence.
    fn at_field(name: &str, sentence: &str) -> Self {
        let fault = Fault::new(format_args!("#/{name}"), FaultCode::Duplicate, sentence);
        Self { faults: vec![fault], ..Self::default() }
    }

    /// Everything in sentences.
    pub(crate) fn sentences(&self) -> String {
        let faults = self.faults.iter().map(Fault::sentence);
        self.message.iter().cloned().chain(faults).collect::<Vec<_>>().join(" ")
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.message.is_none() && self.faults.is_empty()
    }

    /// What is wrong with a field.
    pub(crate) fn at(&self, name: &str) -> Option<String> {
        self.faults.iter().find(|fault| field_of(fault) == name).map(Fault::sentence)
    }

    /// Whether something is wrong with a field.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.at(name).is_some()
    }

    /// Whether fields are wrong.
    pub(crate) fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Every fault with the name of its field, for the summary above the form.
    pub(crate) fn all(&self) -> impl Iterator<Item = (String, String)> {
        self.faults.iter().map(|fault| (field_of(fault), fault.sentence()))
    }
}

/// A sentence with times as pages show them, and with words for the names of members: `detected date` for `detected_date`.
fn in_words(sentence: &str, clock: &Clock) -> String {
    let word = |word: &str| {
        let bare = word.trim_end_matches(['.', ',', ';', ':']);
        let rest = word.get(bare.len()..).unwrap_or_default();
        let is_name =
            bare.contains('_') && bare.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        match bare.parse::<Timestamp>() {
            Ok(at) => format!("{}{rest}", clock.long(&at)),
            Err(_) if is_name => word.replace('_', " "),
            Err(_) => word.to_owned(),
        }
    };
    sentence.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The field that a fault is about: `hold_reason` for `#/hold/reason`, `readers` for `#/readers/0`.
fn field_of(fault: &Fault) -> String {
    let path = fault.pointer.strip_prefix("#/").unwrap_or_default();
    let names = path.split('/').filter(|name| name.parse::<usize>().is_err());
    names.collect::<Vec<_>>().join("_")
}
