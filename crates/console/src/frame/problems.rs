//! What was wrong with a form, as its page tells it: above the form, and beside each field.

use domain::{Error as E, ErrorCode, Fault, FaultCode};
use http::Error;
use jiff::Timestamp;

use super::clock::Clock;
use crate::texts;

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

    /// The same where `name` is the field that asks for these members.
    #[must_use]
    pub(crate) fn asked_by(mut self, name: &str, members: &[&str]) -> Self {
        for fault in &mut self.faults {
            if members.contains(&field_of(fault).as_str()) {
                fault.pointer = format!("#/{name}");
            }
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
                E::NotFound(_)
                | E::Internal(_)
                | E::Unavailable(_)
                | E::OutcomeUnknown
                | E::WentBack
                | E::Forbidden(_),
            ) => Err(error),
            Error::Domain(E::Outdated { current }) => {
                let message = match current {
                    Some(_) => texts::CHANGED_BY_OTHERS,
                    None => texts::CHANGED_SINCE_OPENED,
                };
                Ok(Self { is_stale: true, ..Self::with(message) })
            }
            Error::Domain(E::Conflict(code @ ErrorCode::NameTaken)) => {
                Ok(Self::at_field("name", code.explanation().title))
            }
            Error::Domain(E::Conflict(code @ ErrorCode::SlugTaken)) => {
                Ok(Self::at_field("slug", code.explanation().title))
            }
            Error::Domain(E::Conflict(code @ ErrorCode::ReferenceTaken)) => {
                Ok(Self::at_field("reference", code.explanation().title))
            }
            Error::Domain(E::RiskRefTaken(risk)) => {
                Ok(Self::at_field("external_ref", &texts::reference_of(risk)))
            }
            Error::Domain(_) | Error::InvalidCredentials => {
                let (_, title, detail) = error.in_words();
                Ok(Self::with(format!("{title} {detail}").trim_end()))
            }
            other => Err(other),
        }
    }

    /// The same with what others did, in sentences, instead of that somebody did something.
    #[must_use]
    pub(crate) fn with_news(mut self, news: &[String]) -> Self {
        if !news.is_empty() {
            self.message = Some(format!("{} {}", news.join(" "), texts::NOT_SAVED_YET));
        }
        self
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

    /// A problem of one field: a sentence without its full stop.
    fn at_field(name: &str, sentence: &str) -> Self {
        let fault = Fault::new(format_args!("#/{name}"), FaultCode::Duplicate, format_args!("{sentence}."));
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

    /// Whether ratings are by an earlier scale.
    pub(crate) fn is_scale_outdated(&self) -> bool {
        self.faults.iter().any(|fault| fault.code == FaultCode::ScaleOutdated)
    }

    /// Every fault with the name of its field, for the summary above the form.
    pub(crate) fn all(&self) -> impl Iterator<Item = (String, String)> {
        self.faults.iter().map(|fault| (field_of(fault), fault.sentence()))
    }
}

/// The error of an action on what somebody else has changed meanwhile, where the record may be there without the part that
/// the action is about, or has already what the action adds. Where the record is gone too, its page says so.
pub(crate) fn gone(error: Error) -> Error {
    match error {
        Error::Domain(E::NotFound(_) | E::TagAlreadyAssociated(_)) => {
            Error::Domain(E::Outdated { current: None })
        }
        other => other,
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
