//! OAuth clients.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod refusals;
pub(crate) mod secrets;
pub(crate) mod update;
mod view;

pub(crate) use view::{ClientView, NewClientView, NewSecretView};

use domain::{FaultCode, Faults, Scopes};

use crate::json::{FromJson as _, Json, Pointer};

/// Reads scopes with spaces between; a client without one could do nothing.
fn scopes(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Scopes> {
    let text = String::from_json(value, at, faults)?;
    match Scopes::parse(&text) {
        Ok(scopes) if scopes.is_empty() => {
            faults.add(at, FaultCode::Required, "must name a scope: a client without one can do nothing");
            None
        }
        Ok(scopes) => Some(scopes),
        Err(_) => {
            faults.add(at, FaultCode::Enum, "must be scopes with spaces between, such as incidents:read");
            None
        }
    }
}
