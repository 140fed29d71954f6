//! Scopes in a body.

use super::{Scope, Scopes};
use crate::fault::{FaultCode, Faults};
use crate::json::{FromJson, Json, Pointer};
use crate::nearest::nearest;
use crate::schema::{Described, Schema};
use crate::text::FILLED;

/// Space-delimited scopes (RFC 6749, section 3.3); at least one is required. Every unknown scope is named, with the scope
/// that was probably meant.
impl FromJson for Scopes {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        let text = String::from_json(value, at, faults)?;
        match Scopes::parse(&text) {
            Ok(scopes) if scopes.is_empty() => {
                faults.add(at, FaultCode::Required, "must name a scope: a client without one can do nothing");
                None
            }
            Ok(scopes) => Some(scopes),
            Err(_) => {
                let known = || Scope::ALL.iter().map(|scope| scope.as_str());
                for word in text.split_ascii_whitespace().filter(|word| Scope::parse(word).is_none()) {
                    if faults.has_more() {
                        break;
                    }
                    unknown_scope(word, nearest(word, known()), at, faults);
                }
                None
            }
        }
    }
}

impl Described for Scopes {
    const SCHEMA: Schema = Schema::text(1, 1_024, FILLED);
}

fn unknown_scope(word: &str, nearest: Option<&str>, at: &Pointer<'_>, faults: &mut Faults) {
    // A longer or otherwise malformed scope (RFC 6749, section 3.3) is not repeated in the message.
    const SHOWN_BYTES: usize = 64;
    if word.contains(',') {
        faults.add(at, FaultCode::Enum, "must have spaces between scopes, not commas");
        return;
    }
    let is_shown = word.len() <= SHOWN_BYTES && word.bytes().all(|byte| byte.is_ascii_graphic());
    match nearest.filter(|_| is_shown) {
        Some(scope) => {
            let detail = format_args!("must not name the unknown scope `{word}`; did you mean `{scope}`?");
            faults.add(at, FaultCode::Enum, detail);
        }
        None if is_shown => {
            faults.add(at, FaultCode::Enum, format_args!("must not name the unknown scope `{word}`"));
        }
        None => faults.add(at, FaultCode::Enum, "must not name an unknown scope"),
    }
}
