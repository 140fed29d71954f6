//! The parts of a sentence, and how they are joined.

/// Something that the actor did, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause {
    /// A verb in the past tense and its object, such as `assigned the incident to Ben`.
    what: String,
    /// The reason that was given.
    why: Option<String>,
}

impl From<String> for Clause {
    fn from(what: String) -> Self {
        Self { what, why: None }
    }
}

impl From<&str> for Clause {
    fn from(what: &str) -> Self {
        what.to_owned().into()
    }
}

impl Clause {
    /// The same with a reason, if one was given.
    pub(super) fn because(self, why: Option<String>) -> Self {
        Self { why: why.filter(|why| !why.is_empty()), ..self }
    }
}

/// `Ada changed the title, assigned the incident to Ben and reopened it: the mail came back`. What has a reason comes
/// last, so that the reason ends the sentence.
pub(super) fn sentence(actor: &str, clauses: Vec<Clause>) -> String {
    let (reasoned, plain): (Vec<_>, Vec<_>) = clauses.into_iter().partition(|clause| clause.why.is_some());
    let mut reasoned = reasoned.into_iter();
    let first = reasoned.next();
    let mut list: Vec<String> = plain.into_iter().map(|clause| clause.what).collect();
    list.extend(first.iter().map(|clause| clause.what.clone()));
    let mut text = format!("{actor} {}", listed(&list));
    for (place, Clause { what, why }) in first.into_iter().chain(reasoned).enumerate() {
        if place > 0 {
            text.push_str("; ");
            text.push_str(&what);
        }
        text.push_str(": ");
        text.push_str(&why.unwrap_or_default());
    }
    text
}

/// `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => items.concat(),
    }
}
