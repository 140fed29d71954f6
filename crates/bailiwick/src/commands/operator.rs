//! Who runs a command, as the journal names them.

use domain::{Actor, ActorKind, Author};

use crate::machine;

/// Names the system user in whose place the command runs as another: `bailiwickctl` sets it.
pub(crate) const VARIABLE: &str = "BAILIWICK_OPERATOR";

/// How long a name may be in the journal; longer ones exist only where somebody made one up.
const LENGTH: usize = 64;

/// The system user who runs the command line, such as `cli:root`. Each run has a request id of its own.
pub(super) fn operator() -> Author {
    let id = format!("cli:{}", system_user());
    Author {
        actor: Actor { kind: ActorKind::Operator, name: id.clone(), id },
        request_id: machine::random_uuid().to_string(),
    }
}

/// The name that the system has for the user, or their number where it has none.
fn system_user() -> String {
    let named = std::env::var(VARIABLE).ok().or_else(|| whoami::username().ok());
    let named = named.map(|name| plain(&name)).filter(|name| !name.is_empty());
    named.unwrap_or_else(|| rustix::process::getuid().as_raw().to_string())
}

/// A name as it may stand in the journal.
fn plain(name: &str) -> String {
    let fits = |character: &char| character.is_alphanumeric() || "-_.@+\\".contains(*character);
    name.chars().filter(fits).take(LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_character_that_a_reader_could_mistake() {
        for (name, shown) in [
            ("root", "root"),
            ("DOMAIN\\ada.l", "DOMAIN\\ada.l"),
            ("ada\n cli:root", "adacliroot"),
            ("\u{202e}", ""),
            (&"a".repeat(65), &"a".repeat(64)),
        ] {
            assert_eq!(plain(name), shown);
        }
    }
}
