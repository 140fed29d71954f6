//! The operator that runs a command, as the journal names them.

use domain::{Actor, ActorKind, Author};

use crate::machine;

/// The system user who runs the command line, such as `cli:root`. Each run has a request id of its own.
pub(super) fn operator() -> Author {
    let id = format!("cli:{}", machine::system_user());
    let actor = Actor { kind: ActorKind::Operator, name: id.clone(), id };
    Author::new(actor, machine::random_uuid().to_string())
}
