//! Client ids: always generated here.

use domain::ClientId;

use crate::base62::push_base62;

const PREFIX: &str = "bwc_";
const RANDOM: usize = 24;

/// The maximum length of a client id in any release.
const MAX_LENGTH: usize = 128;

/// Generates a client id.
pub fn generate_client_id(random: &dyn Fn(&mut [u8])) -> ClientId {
    let mut text = String::with_capacity(PREFIX.len() + RANDOM);
    text.push_str(PREFIX);
    push_base62(&mut text, RANDOM, random);
    ClientId(text)
}

/// Parses a client id; `None` if it is malformed.
pub fn parse_client_id(text: &str) -> Option<ClientId> {
    let random = text.strip_prefix(PREFIX)?;
    let fits = !random.is_empty() && text.len() <= MAX_LENGTH;
    (fits && random.bytes().all(|byte| byte.is_ascii_alphanumeric())).then(|| ClientId(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base62::counting;

    #[test]
    fn a_client_id_is_made_of_letters_digits_and_underscore() {
        let id = generate_client_id(&counting());
        assert_eq!(parse_client_id(id.as_str()), Some(id.clone()));
        assert_eq!(id.as_str().len(), 28);
        for text in ["", "bwc_", "bwk_abc", "bwc_a-b", "bwc_a\0", "bwc_é"] {
            assert_eq!(parse_client_id(text), None, "{text}");
        }
    }
}
