//! OAuth clients.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod refusals;
pub(crate) mod secrets;
pub(crate) mod update;
mod view;

pub(crate) use view::{ClientView, NewClientView, NewSecretView};

use domain::{FaultCode, Faults, Scope, Scopes, nearest};

use crate::http::json::{FromJson as _, Json, Pointer};

/// Reads space-delimited scopes; at least one is required. Every unknown scope is named, with the scope that was
/// probably meant.
fn scopes(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Scopes> {
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

fn unknown_scope(word: &str, nearest: Option<&str>, at: &Pointer<'_>, faults: &mut Faults) {
    // A longer or otherwise malformed scope (RFC 6749, section 3.3) is not repeated in the message.
    const SHOWN_BYTES: usize = 64;
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
