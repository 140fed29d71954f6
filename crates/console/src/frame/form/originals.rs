//! What the fields of a form were when the page showed them. Only what a person has changed since is sent on, so nobody
//! overwrites what others save meanwhile in other fields.

use domain::ExpectedVersion;
use jiff::Timestamp;

use super::times::{INSTANT, ZONE};
use super::{As, Form, field_of};
use crate::frame::clock::{Clock, Typed};

/// Begins the names of hidden fields with what a field was.
const WAS: &str = "was_";

/// Begins the names of fields with what somebody else made of a field.
const THEIRS: &str = "theirs_";

impl Form {
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

    /// The same with times of the zone of a page.
    #[must_use]
    pub(crate) fn with_times<'v>(
        mut self,
        times: impl IntoIterator<Item = (&'v str, Option<Timestamp>)>,
        clock: &Clock,
    ) -> Self {
        self.pairs.push((ZONE.to_owned(), clock.zone().to_owned()));
        for (name, at) in times {
            let exact = at.map(domain::time::format).unwrap_or_default();
            self.pairs.push((format!("{WAS}{name}"), exact.clone()));
            self.pairs.push((name.to_owned(), at.map(|at| clock.field(&at)).unwrap_or_default()));
            self.pairs.push((format!("{name}{INSTANT}"), exact));
        }
        self
    }

    /// The fields that a person does not see: the version, what each field was, and the zone of the times.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_hidden = |name: &str| name == "version" || name == ZONE || name.starts_with(WAS);
        let pairs = self.pairs.iter().filter(move |(name, _)| is_hidden(name));
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The version of the record that the page showed; none of a form without one.
    pub(crate) fn version(&self) -> Option<i64> {
        self.text("version").parse().ok()
    }

    /// The generation of the scale whose levels the page showed; 0, which no scale has, of a form without one.
    pub(crate) fn generation(&self) -> i64 {
        self.text("generation").parse().unwrap_or_default()
    }

    /// The version that a change of the record is based on. A form without one is never up to date.
    pub(crate) fn expected(&self) -> ExpectedVersion {
        ExpectedVersion::OneOf(self.version().into_iter().collect())
    }

    /// The members whose fields differ from what the form showed first: its hidden fields `was_…`.
    pub(crate) fn changed(&self, members: &[(&'static str, As)], clock: &Clock) -> Vec<(&'static str, As)> {
        let is_changed = |(path, kind): &(&str, As)| {
            let field = field_of(path);
            let was = format!("{WAS}{field}");
            match kind {
                As::Time => self.time(&field, clock) != self.text(&was),
                _ => self.sorted(&field) != self.sorted(&was),
            }
        };
        members.iter().copied().filter(is_changed).collect()
    }

    /// The values of a field in a fixed order.
    fn sorted(&self, name: &str) -> Vec<&str> {
        let mut values: Vec<&str> = self.filled_values(name).collect();
        values.sort_unstable();
        values
    }

    /// The form on the record as it is now, after somebody else was faster: what was typed stays, and what was not typed
    /// is theirs. A field that both changed has theirs beside it.
    #[must_use]
    pub(crate) fn onto(self, current: &Self, clock: &Clock) -> Self {
        let is_moment = |name: &str| name.strip_suffix(INSTANT).is_some_and(|time| current.has(time));
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &current.pairs {
            if !is_moment(name) && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let fields = names.into_iter().flat_map(|name| match current.has(&format!("{name}{INSTANT}")) {
            true => self.time_onto(name, current, clock),
            false => self.field_onto(name, current),
        });
        Self { pairs: fields.collect() }
    }

    fn field_onto(&self, name: &str, current: &Self) -> Vec<(String, String)> {
        let was = format!("{WAS}{name}");
        let of = |form: &Self| -> Vec<(String, String)> {
            form.all(name).map(|value| (name.to_owned(), value.to_owned())).collect()
        };
        let (typed, before, now) = (self.sorted(name), self.sorted(&was), current.sorted(name));
        if !self.has(&was) || typed == before {
            return of(current);
        }
        let mut pairs = of(self);
        if pairs.is_empty() {
            // A box without a tick is not sent.
            pairs.push((name.to_owned(), String::new()));
        }
        if now != before && now != typed {
            pairs.push((format!("{THEIRS}{name}"), now.join(", ")));
        }
        pairs
    }

    /// The same of a field for a time, and of the moment beside it. What was typed in another zone is shown in that of the
    /// page.
    fn time_onto(&self, name: &str, current: &Self, clock: &Clock) -> Vec<(String, String)> {
        let instant = format!("{name}{INSTANT}");
        let field = |shown: String, exact: String| vec![(name.to_owned(), shown), (instant.clone(), exact)];
        let (typed, before) = (self.time(name, clock), self.text(&format!("{WAS}{name}")));
        let (now, shown) = (current.text(&instant), current.text(name));
        if typed == before {
            return field(shown.to_owned(), now.to_owned());
        }
        let mut pairs = match self.typed(name, clock) {
            Typed::Moment(at) => field(clock.field(&at), typed.clone()),
            _ => field(self.text(name).to_owned(), String::new()),
        };
        if now != before && now != typed {
            let theirs = now.parse().map_or_else(|_| String::new(), |at| clock.long(&at));
            pairs.push((format!("{THEIRS}{name}"), theirs));
        }
        pairs
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

    /// Whether both changed a field.
    pub(crate) fn has_theirs(&self) -> bool {
        self.pairs.iter().any(|(name, _)| name.starts_with(THEIRS))
    }
}
