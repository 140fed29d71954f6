//! Query parameters: no unknown ones, each at most once unless it is a filter of several values, every fault reported.

mod filter;
mod parameters;
mod search;
mod sort;

use std::borrow::Cow;

use domain::nearest;
use percent_encoding::percent_decode_str;

use crate::error::{Error, ParameterFaults, Result};
use crate::error_codes::ParameterCode;

pub use filter::{Person, actor_id};
pub use parameters::{
    Controls, Day, Flag, Groups, Members, Number, OneWord, Parameter, People, Risks, Search, Tag, Tags, Text,
    Texts, Time, Words, described,
};
pub use search::SearchParam;
pub use sort::SortParam;

/// The query of a request, read one parameter at a time; `finish` reports the parameters that were not read.
#[derive(Debug)]
pub struct Query<'q> {
    pairs: Vec<(Cow<'q, str>, Cow<'q, str>)>,
    known: Vec<&'static str>,
    faults: ParameterFaults,
    /// Whether a person typed what is searched.
    is_typed: bool,
}

impl<'q> Query<'q> {
    /// Splits the part after `?`.
    pub fn new(query: Option<&'q str>) -> Self {
        let mut read = Self {
            pairs: Vec::new(),
            known: Vec::new(),
            faults: ParameterFaults::default(),
            is_typed: false,
        };
        for text in query.unwrap_or_default().split('&') {
            let pairs = form_urlencoded::parse(text.as_bytes());
            if is_encoded(text) {
                read.pairs.extend(pairs);
            } else {
                let wrong = "must be UTF-8, and a % in it must be written as %25";
                pairs.for_each(|(key, _)| read.fault(&key, ParameterCode::Format, wrong));
            }
        }
        read
    }

    /// The same of a page: a person types what is searched, so its last word is the beginning of one.
    pub fn typed(query: Option<&'q str>) -> Self {
        Self { is_typed: true, ..Self::new(query) }
    }

    /// The value of a parameter as it was sent.
    pub fn text(&mut self, name: &'static str) -> Option<Cow<'q, str>> {
        self.known.push(name);
        let index = self.pairs.iter().position(|(key, _)| key == name)?;
        let (_, value) = self.pairs.swap_remove(index);
        if self.pairs.iter().any(|(key, _)| key == name) {
            self.pairs.retain(|(key, _)| key != name);
            self.fault(name, ParameterCode::Repeated, "must be given once");
        }
        Some(value)
    }

    /// Whether a parameter was sent and has not been read yet.
    pub fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(key, _)| key == name)
    }

    /// Every value of a parameter that may be sent several times, as they were sent.
    pub fn texts_of(&mut self, name: &'static str) -> Vec<Cow<'q, str>> {
        self.known.push(name);
        let (own, others) = std::mem::take(&mut self.pairs).into_iter().partition(|(key, _)| key == name);
        self.pairs = others;
        let own: Vec<(Cow<'q, str>, Cow<'q, str>)> = own;
        own.into_iter().map(|(_, value)| value).collect()
    }

    /// The value of a parameter, read by `parse`; if that fails, `expected` is the sentence of the fault.
    pub fn parsed<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(name)?;
        let value = parse(&text);
        if value.is_none() {
            self.fault(name, ParameterCode::Format, expected);
        }
        value
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, name: &'static str) -> Option<bool> {
        self.parsed(name, "must be true or false", |text| text.parse().ok())
    }

    /// An integer from `least` to `most`.
    pub fn integer(&mut self, name: &'static str, least: i64, most: i64) -> Option<i64> {
        let text = self.text(name)?;
        // Rust also parses `+5`, which is not a number in queries elsewhere.
        match text.strip_prefix('+').map_or(text.as_ref(), |_| "").parse() {
            Ok(value) if (least..=most).contains(&value) => Some(value),
            Ok(_) => {
                self.fault(name, ParameterCode::Range, format!("must be from {least} to {most}"));
                None
            }
            Err(_) => {
                let digits = text.strip_prefix('-').unwrap_or(&text);
                let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                let code = if is_integer { ParameterCode::Range } else { ParameterCode::Format };
                self.fault(name, code, format!("must be an integer from {least} to {most}"));
                None
            }
        }
    }

    /// Adds a fault of one parameter.
    pub fn fault(&mut self, parameter: &str, code: ParameterCode, detail: impl Into<String>) {
        self.faults.add(parameter, code, detail);
    }

    /// Returns every fault, including one for each parameter that was not read.
    pub fn finish(mut self) -> Result<()> {
        // A query is at most a few kilobytes, but a hint for each of many unknown parameters is of no use.
        const HINTS: usize = 20;
        for (index, (key, _)) in self.pairs.iter().enumerate() {
            let hint = (index < HINTS).then(|| nearest(key, self.known.iter().copied())).flatten();
            let detail = match hint {
                Some(name) => format!("is not known; did you mean `{name}`?"),
                None => "is not known".to_owned(),
            };
            self.faults.add(key, ParameterCode::Unknown, detail);
            if self.faults.has_more() {
                break;
            }
        }
        if self.faults.is_empty() { Ok(()) } else { Err(Error::InvalidParameter(self.faults)) }
    }
}

/// Whether every `%` of a parameter begins two hexadecimal digits, and the whole is UTF-8 (RFC 3986, section 2.1). Otherwise
/// something else than was meant would be looked for.
fn is_encoded(text: &str) -> bool {
    let is_escape = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|it| it.is_ascii_hexdigit());
    text.split('%').skip(1).all(is_escape) && percent_decode_str(text).decode_utf8().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(query: &str) -> Vec<(String, ParameterCode)> {
        let mut query = Query::new(Some(query));
        query.integer("limit", 1, 200);
        query.text("cursor");
        match query.finish() {
            Ok(()) => Vec::new(),
            Err(Error::InvalidParameter(faults)) => {
                faults.iter().map(|fault| (fault.parameter.clone(), fault.code)).collect()
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_fault_of_a_query_is_told() {
        assert_eq!(faults("limit=200&cursor=a%20b"), []);
        assert_eq!(faults(""), []);
        for text in ["0", "201", "-1", "99999999999999999999"] {
            assert_eq!(
                faults(&format!("limit={text}")),
                [("limit".to_owned(), ParameterCode::Range)],
                "{text}"
            );
        }
        for text in ["", "x", "1.0", "-", "%31x", "1 ", "%2B1"] {
            assert_eq!(
                faults(&format!("limit={text}")),
                [("limit".to_owned(), ParameterCode::Format)],
                "{text}"
            );
        }
        assert_eq!(
            faults("limit=1&limit=1&limt=2&x"),
            [
                ("limit".to_owned(), ParameterCode::Repeated),
                ("x".to_owned(), ParameterCode::Unknown),
                ("limt".to_owned(), ParameterCode::Unknown)
            ]
        );
    }

    #[test]
    fn a_parameter_that_is_encoded_wrongly_is_not_read_as_something_else() {
        for value in ["%", "%2", "%zz", "a%C3", "%C3%28", "%ff", "1%"] {
            let told = faults(&format!("cursor={value}&limit=1"));
            assert_eq!(told, [("cursor".to_owned(), ParameterCode::Format)], "{value}");
        }
        assert_eq!(faults("%ff=1"), [("\u{fffd}".to_owned(), ParameterCode::Format)]);
        assert_eq!(faults("&&cursor=100%25+%C3%A9&"), []);
    }

    #[test]
    fn at_most_a_hundred_faults_are_told_and_a_long_name_is_cut() {
        let query = format!("{}{}", "x".repeat(300), "&a".repeat(150));
        let Err(Error::InvalidParameter(faults)) = Query::new(Some(&query)).finish() else {
            panic!("a fault")
        };
        assert_eq!((faults.len(), faults.has_more(), faults[0].parameter.len()), (100, true, 256));
    }

    #[test]
    fn a_typo_names_the_parameter_that_was_meant() {
        let mut query = Query::new(Some("limt=2"));
        query.text("limit");
        let Err(Error::InvalidParameter(faults)) = query.finish() else { panic!("a fault") };
        assert_eq!(faults[0].detail, "is not known; did you mean `limit`?");
    }
}
