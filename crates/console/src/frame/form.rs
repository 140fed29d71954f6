//! A form as it was sent: the page shows it again if it was wrong, so nothing that was typed is lost.

mod days;
mod originals;
mod times;

use std::borrow::Cow;

use domain::Faults;
use http::Error;
use http::json::{self, Json};

use super::clock::Clock;

pub(crate) use days::{CONTROL, Range};
pub(crate) use times::ZONE;

/// The name of the hidden field with the key that makes a form act once.
pub(crate) const ONCE: &str = "once";

/// The most people, groups or tags that a form offers to choose from.
pub(crate) const MOST_CHOICES: i64 = 200;

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
    /// An integer of an object. If all its parts are sent and empty, the object is null.
    Part,
    /// `yes` or `no`, or null.
    YesOrNo,
    /// The values of every box that is ticked, as an array.
    List,
    /// The values of every box that is ticked, with spaces between them.
    Words,
    /// A text of values with spaces, commas or semicolons between them, as an array.
    Values,
}

/// The fields of a form.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    pairs: Vec<(String, String)>,
}

impl Form {
    /// Reads the body of a request. Line breaks are those of Unix, as in the API.
    pub(crate) fn parse(body: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(body)
            .map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n")))
            .collect();
        Self { pairs }
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

    /// The same without the statuses that the page had ticked by itself, which `default_status` has. Ticking others replaces the
    /// category.
    #[must_use]
    pub(crate) fn without_default_status(self) -> Self {
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

    /// The same with the code alone in a field into which a whole link may have been pasted: what follows the `#`.
    #[must_use]
    pub(crate) fn with_code(mut self, name: &str) -> Self {
        for (_, value) in self.pairs.iter_mut().filter(|(key, _)| key == name) {
            *value = value.trim().rsplit('#').next().unwrap_or_default().to_owned();
        }
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

    /// The same with more fields.
    pub(crate) fn and<'v>(mut self, fields: impl IntoIterator<Item = (&'v str, String)>) -> Self {
        self.pairs.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
        self
    }

    /// The same with the fields of another form.
    #[must_use]
    pub(crate) fn joined(mut self, other: Self) -> Self {
        self.pairs.extend(other.pairs);
        self
    }

    /// The value of a field; empty without one.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// Every value of a field.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Those that are not empty.
    pub(crate) fn filled_values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.all(name).filter(|value| !value.is_empty())
    }

    /// Whether the form has the field.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(key, _)| key == name)
    }

    /// Whether a field has this value, among others.
    pub(crate) fn is(&self, name: &str, value: impl AsRef<str>) -> bool {
        self.all(name).any(|found| found == value.as_ref())
    }

    /// Reads the fields as the API reads a body with these members. A time that exists twice or not at all is a fault until
    /// the person has chosen.
    pub(crate) fn read_as<T>(
        &self,
        members: &[(&'static str, As)],
        clock: &Clock,
        read: impl FnOnce(Json<'_>, &mut Faults) -> Option<T>,
    ) -> Result<T, Error> {
        json::read_value(self.json(members, clock), |body, faults| {
            self.check_times(members, clock, faults);
            read(body, faults)
        })
    }

    /// The fields as an object; of those that the form has. The member `hold/reason` is that of an object within, and
    /// its field is `hold_reason`.
    pub(crate) fn json(&self, members: &[(&'static str, As)], clock: &Clock) -> Json<'static> {
        let mut object: Vec<(Cow<'static, str>, Json<'static>)> = Vec::new();
        for (path, kind) in members {
            let field = field_of(path);
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
        for (name, value) in &mut object {
            let mut parts = members.iter().filter(|(path, _)| path.split('/').next() == Some(&**name));
            if let Json::Object(sent) = value
                && parts.all(|(_, kind)| matches!(kind, As::Part))
                && sent.len() > 1
                && sent.iter().all(|(_, part)| matches!(part, Json::Null))
            {
                *value = Json::Null;
            }
        }
        Json::Object(object)
    }

    fn member(&self, name: &str, kind: As, clock: &Clock) -> Json<'static> {
        let value = self.text(name);
        let text = |text: &str| Json::String(Cow::Owned(text.to_owned()));
        match kind {
            As::Text => text(value),
            As::Values => {
                let values = value.split([' ', ',', ';']).map(str::trim).filter(|it| !it.is_empty());
                Json::Array(values.map(text).collect())
            }
            As::Flag => Json::Bool(!value.is_empty()),
            As::List => Json::Array(self.filled_values(name).map(text).collect()),
            As::Words => text(&self.filled_values(name).collect::<Vec<_>>().join(" ")),
            _ if value.is_empty() => Json::Null,
            As::TextOrNull => text(value),
            As::Time => text(&self.time(name, clock)),
            As::Integer | As::Part => value.trim().parse().map_or_else(|_| text(value), Json::Integer),
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

/// The field of a member: `hold_reason` for `hold/reason`.
pub(crate) fn field_of(path: &str) -> String {
    path.replace('/', "_")
}

#[cfg(test)]
mod tests;
