//! The values of filters. A filter that takes several values is sent once for each of them.

use domain::{Actor, ActorKind, UserId, Word, nearest};
use jiff::Timestamp;
use jiff::civil::Date;
use store::list::TimeRange;

use super::Query;
use crate::error_codes::ParameterCode;
use crate::limits::FILTER_VALUES;
use crate::word::{listed, names};

/// The maximum number of characters of a text that a filter compares.
pub(super) const TEXT_CHARACTERS: usize = 200;

impl Query<'_> {
    /// Every value of a parameter that may be sent several times, read by `read`, which returns the code and the
    /// sentence of the fault if it cannot. A value that is sent twice counts once.
    fn several<T: PartialEq>(
        &mut self,
        name: &'static str,
        mut read: impl FnMut(&str) -> Result<T, (ParameterCode, String)>,
    ) -> Vec<T> {
        let texts = self.texts_of(name);
        if texts.len() > FILTER_VALUES {
            self.fault(name, ParameterCode::TooMany, format!("must be given at most {FILTER_VALUES} times"));
            return Vec::new();
        }
        let mut values = Vec::new();
        for text in texts {
            match read(&text) {
                Ok(value) if values.contains(&value) => {}
                Ok(value) => values.push(value),
                Err((code, detail)) => self.fault(name, code, detail),
            }
        }
        values
    }

    /// One of these names, if the parameter was sent.
    pub fn one_of(&mut self, name: &'static str, known: &[&'static str]) -> Option<&'static str> {
        let text = self.text(name)?;
        let found = find(&text, known);
        found.map_err(|(code, detail)| self.fault(name, code, detail)).ok()
    }

    /// Some of these names.
    pub fn some_of(&mut self, name: &'static str, known: &[&'static str]) -> Vec<&'static str> {
        self.several(name, |text| {
            let are_several = text.contains(',') && text.split(',').all(|part| known.contains(&part));
            match are_several {
                true => Err((
                    ParameterCode::Enum,
                    format!("must be {}; send each value by itself", listed(known)),
                )),
                false => find(text, known),
            }
        })
    }

    /// A word of a closed list.
    pub fn word<W: Word>(&mut self, name: &'static str) -> Option<W> {
        self.one_of(name, &names::<W>()).and_then(W::parse)
    }

    /// Words of a closed list.
    pub fn words<W: Word>(&mut self, name: &'static str) -> Vec<W> {
        self.some_of(name, &names::<W>()).into_iter().filter_map(W::parse).collect()
    }

    /// Texts that are compared as they are.
    pub fn texts(&mut self, name: &'static str) -> Vec<String> {
        self.several(name, |text| {
            let is_text = !text.contains('\0') && text.chars().count() <= TEXT_CHARACTERS;
            let detail = || format!("must be a text of at most {TEXT_CHARACTERS} characters, without U+0000");
            is_text.then(|| text.to_owned()).ok_or_else(|| (ParameterCode::Format, detail()))
        })
    }

    /// People, by `me`, `none` or an id.
    pub(super) fn persons(&mut self, name: &'static str) -> Vec<Person> {
        self.several(name, |text| match text {
            "none" => Ok(Person::Nobody),
            "me" => Ok(Person::Me),
            id => UserId::parse(id).map(Person::User).ok_or_else(|| {
                (ParameterCode::Format, "must be `me`, `none` or the UUID of a user".to_owned())
            }),
        })
    }

    /// Who these people of a parameter are; nobody is `None`.
    pub fn people(&mut self, name: &'static str, sent: &[Person], caller: &Actor) -> Vec<Option<UserId>> {
        let mut people = Vec::new();
        for person in sent {
            let person = match person {
                Person::Nobody => None,
                Person::User(id) => Some(*id),
                Person::Me if caller.kind != ActorKind::User => {
                    self.fault(
                        name,
                        ParameterCode::NotAPerson,
                        "cannot be `me`: the caller is a client, not a person",
                    );
                    continue;
                }
                Person::Me => UserId::parse(&caller.id),
            };
            if !people.contains(&person) {
                people.push(person);
            }
        }
        people
    }

    /// Values that `parse` reads; if it cannot, `expected` is the sentence of the fault.
    pub(super) fn each<T: PartialEq>(
        &mut self,
        name: &'static str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Vec<T> {
        self.several(name, |text| parse(text).ok_or_else(|| (ParameterCode::Format, expected.to_owned())))
    }

    /// Ids of records of a kind, such as `a tag`.
    pub(super) fn ids<I: PartialEq>(
        &mut self,
        name: &'static str,
        kind: &str,
        parse: fn(&str) -> Option<I>,
    ) -> Vec<I> {
        self.each(name, &format!("must be the UUID of {kind}"), parse)
    }

    /// A date-time.
    pub fn time(&mut self, name: &'static str) -> Option<Timestamp> {
        let text = self.text(name)?;
        let at = domain::time::parse(&text);
        if let (None, Some(limit)) = (at, domain::time::beyond_limits(&text)) {
            self.fault(name, ParameterCode::Format, limit.to_owned());
        } else if at.is_none() {
            // A `+` in a query is a space.
            let is_meant = text
                .rsplit_once(' ')
                .is_some_and(|(time, offset)| domain::time::parse(&format!("{time}+{offset}")).is_some());
            let hint = if is_meant { "; in a query the + of the offset is written as %2B" } else { "" };
            self.fault(
                name,
                ParameterCode::Format,
                format!("must be an RFC 3339 date-time with an offset{hint}"),
            );
        }
        at
    }

    /// A day.
    pub fn day(&mut self, name: &'static str) -> Option<Date> {
        let day = |text: &str| (text.len() == 10).then(|| text.parse::<Date>().ok()).flatten();
        self.parsed(name, "must be a day, such as 2026-03-01", day)
    }

    /// The times from the one parameter on and before the other, which were read.
    pub fn times(&mut self, from: (&str, Option<Timestamp>), to: (&str, Option<Timestamp>)) -> TimeRange {
        let range = TimeRange { from: from.1, before: to.1 };
        if let (Some(start), Some(end)) = (range.from, range.before)
            && end < start
        {
            self.fault(to.0, ParameterCode::Range, format!("must not be before `{}`", from.0));
        }
        range
    }
}

/// The name that equals the text, or the code and the sentence of the fault.
fn find(text: &str, known: &[&'static str]) -> Result<&'static str, (ParameterCode, String)> {
    let found = known.iter().copied().find(|name| *name == text);
    found.ok_or_else(|| {
        let hint = nearest(text, known.iter().copied());
        let hint = hint.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        (ParameterCode::Enum, format!("must be {}{hint}", listed(known)))
    })
}

/// A person as a filter names one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    /// `none`.
    Nobody,
    /// `me`: the caller.
    Me,
    /// The user with this id.
    User(UserId),
}

/// An actor by the id as the register has it; `me` is the caller.
pub fn actor_id(id: String, caller: &Actor) -> String {
    match id.as_str() {
        "me" => caller.id.clone(),
        // The register has UUIDs in lower case.
        _ => UserId::parse(&id).map_or(id, |user| user.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use domain::risk::RiskStatus;

    use super::*;
    use crate::error::Error;

    /// What `read` makes of a query, or the parameter, code and sentence of each fault.
    fn read<T>(
        text: &str,
        read: impl FnOnce(&mut Query<'_>) -> T,
    ) -> Result<T, Vec<(String, &'static str, String)>> {
        let mut query = Query::new(Some(text));
        let value = read(&mut query);
        match query.finish() {
            Ok(()) => Ok(value),
            Err(Error::InvalidParameter(faults)) => {
                let told =
                    faults.iter().map(|it| (it.parameter.clone(), it.code.as_str(), it.detail.clone()));
                Err(told.collect())
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    fn fault<T>(
        name: &str,
        code: &'static str,
        detail: &str,
    ) -> Result<T, Vec<(String, &'static str, String)>> {
        Err(vec![(name.to_owned(), code, detail.to_owned())])
    }

    fn status(text: &str) -> Result<Vec<RiskStatus>, Vec<(String, &'static str, String)>> {
        read(text, |query| query.words("status"))
    }

    #[test]
    fn a_filter_is_sent_once_for_each_value() {
        assert_eq!(status(""), Ok(vec![]));
        assert_eq!(status("status=open"), Ok(vec![RiskStatus::Open]));
        let both = Ok(vec![RiskStatus::Closed, RiskStatus::Open]);
        assert_eq!(status("status=closed&status=open&status=closed"), both);
        let detail = "must be open or closed; send each value by itself";
        assert_eq!(status("status=open,closed"), fault("status", "enum", detail));
        let many = "&status=open".repeat(FILTER_VALUES + 1);
        assert_eq!(status(&many), fault("status", "too_many", "must be given at most 50 times"));
        assert_eq!(status(&"&status=open".repeat(FILTER_VALUES)), Ok(vec![RiskStatus::Open]));
    }

    #[test]
    fn a_wrong_word_gets_the_nearest_and_all_others() {
        let detail = "must be open or closed; did you mean `closed`?";
        assert_eq!(status("status=close"), fault("status", "enum", detail));
        for text in ["status=", "status=Ajar", "status=%00"] {
            assert_eq!(status(text), fault("status", "enum", "must be open or closed"), "{text}");
        }
        let one = |text| read(text, |query| query.word::<RiskStatus>("status"));
        assert_eq!(one("status=open"), Ok(Some(RiskStatus::Open)));
        assert_eq!(one("status=open&status=closed"), fault("status", "repeated", "must be given once"));
    }

    #[test]
    fn a_person_is_the_caller_nobody_or_an_id() {
        let id = "0190163d-8694-739b-aea5-966c26f8ad91";
        let actor = |kind| Actor { kind, id: id.to_owned(), name: "Ada".to_owned() };
        let owner = |text: &str, kind| {
            read(text, |query| {
                let sent = query.persons("owner");
                query.people("owner", &sent, &actor(kind))
            })
        };
        let ada = UserId::parse(id);
        assert_eq!(owner("owner=me&owner=none", ActorKind::User), Ok(vec![ada, None]));
        assert_eq!(owner(&format!("owner={}", id.to_uppercase()), ActorKind::Client), Ok(vec![ada]));
        let detail = "cannot be `me`: the caller is a client, not a person";
        assert_eq!(owner("owner=me", ActorKind::Client), fault("owner", "not_a_person", detail));
        let detail = "must be `me`, `none` or the UUID of a user";
        assert_eq!(owner("owner=Ada", ActorKind::User), fault("owner", "format", detail));
    }

    #[test]
    fn a_range_begins_before_it_ends() {
        let times = |text| {
            read(text, |query| {
                let (from, to) = (query.time("from"), query.time("to"));
                query.times(("from", from), ("to", to))
            })
        };
        let range = times("from=2026-03-01T09:00:00Z&to=2026-03-01T11:00:00%2B02:00").unwrap();
        assert_eq!((range.from, range.from), (range.before, domain::time::parse("2026-03-01T09:00:00Z")));
        assert_eq!(times(""), Ok(TimeRange::default()));
        let wrong = "from=2026-03-01T09:00:00.000001Z&to=2026-03-01T09:00:00Z";
        assert_eq!(times(wrong), fault("to", "range", "must not be before `from`"));
        let detail = "must be an RFC 3339 date-time with an offset";
        assert_eq!(times("from=2026-03-01"), fault("from", "format", detail));
        let hint = "; in a query the + of the offset is written as %2B";
        let wrong = "from=2026-03-01T09:00:00+02:00";
        assert_eq!(times(wrong), fault("from", "format", &format!("{detail}{hint}")));
    }

    #[test]
    fn a_text_is_compared_as_it_is_sent() {
        let category = |text: &str| read(text, |query| query.texts("category"));
        assert_eq!(category("category=Fire,+water&category="), Ok(vec!["Fire, water".into(), String::new()]));
        assert_eq!(category(&format!("category={}", "é".repeat(200))).map(|it| it.len()), Ok(1));
        let detail = "must be a text of at most 200 characters, without U+0000";
        for wrong in ["%00".to_owned(), "x".repeat(201)] {
            assert_eq!(category(&format!("category={wrong}")), fault("category", "format", detail));
        }
    }
}
