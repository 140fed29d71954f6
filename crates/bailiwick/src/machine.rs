//! Time, randomness and the system user, from the operating system.

use std::sync::Arc;

use db::{Clock, Random};

/// Names the system user who called a command that runs as another user: `bailiwickctl` sets it.
pub(crate) const OPERATOR_VARIABLE: &str = "BAILIWICK_OPERATOR";

/// How long a system user's name may be in the journal; real ones are shorter.
const NAME_LENGTH: usize = 64;

/// The machine's clock, to the microsecond.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the clock is read; it is handed on from here"
)]
pub(crate) fn clock() -> Clock {
    Arc::new(|| domain::time::cut(jiff::Timestamp::now()))
}

/// The machine's random source.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where randomness is drawn; it is handed on from here"
)]
pub(crate) fn random() -> Random {
    use rand::Rng;
    Arc::new(|bytes| rand::rng().fill_bytes(bytes))
}

/// A UUID that cannot be guessed.
pub(crate) fn random_uuid() -> uuid::Uuid {
    let mut bytes = [0; 16];
    random()(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// The name of the system user who runs this, or their number where the system has no name for it.
pub(crate) fn system_user() -> String {
    let named = std::env::var(OPERATOR_VARIABLE).ok().or_else(|| whoami::username().ok());
    let named = named.map(|name| plain(&name)).filter(|name| !name.is_empty());
    named.unwrap_or_else(|| rustix::process::getuid().as_raw().to_string())
}

/// A name as it may stand in the journal.
fn plain(name: &str) -> String {
    let fits = |character: &char| character.is_alphanumeric() || "-_.@+\\".contains(*character);
    name.chars().filter(fits).take(NAME_LENGTH).collect()
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
