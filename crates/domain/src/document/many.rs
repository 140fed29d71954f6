//! Which documents an operation on many is about.

use super::{SLUG, slug};
use crate::error::Error;
use crate::fault::{FaultCode, Faults};
use crate::json::{Json, Pointer, array, checked, items_of};
use crate::schema::Schema;

/// The most documents that are changed at a time.
pub const MAX_DOCUMENTS: usize = 500;

/// What a list of slugs looks like.
pub const SLUGS: Schema = Schema::List { of: &SLUG, least: 0, most: MAX_DOCUMENTS };

/// Reads a list of slugs.
pub fn read_slugs(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<String>> {
    let items = array(value, at, faults)?;
    if items.len() > MAX_DOCUMENTS {
        faults.add(at, FaultCode::TooMany, too_many());
        return None;
    }
    items_of(items, at, faults, |item, at, faults| checked(item, at, faults, slug))
}

/// Those of these texts that are slugs, which are chosen in a form.
///
/// # Errors
/// If they are more than [`MAX_DOCUMENTS`].
pub fn chosen_slugs<'t>(texts: impl Iterator<Item = &'t str>) -> crate::Result<Vec<String>> {
    let is_slug = |text: &&str| {
        let mut faults = Faults::new();
        slug(text, "#/ids", &mut faults);
        faults.is_empty()
    };
    let slugs: Vec<String> = texts.filter(is_slug).take(MAX_DOCUMENTS + 1).map(str::to_owned).collect();
    match slugs.len() > MAX_DOCUMENTS {
        true => Err(Error::invalid("#/ids", FaultCode::TooMany, too_many())),
        false => Ok(slugs),
    }
}

fn too_many() -> String {
    format!("must have at most {MAX_DOCUMENTS} ids")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_chosen_is_a_slug_and_no_more_than_the_most() {
        let chosen = |texts: &[&str]| chosen_slugs(texts.iter().copied()).unwrap();
        assert_eq!(chosen(&["access", "a\0b", "A", "", "key-1", "bulk"]), ["access", "key-1"]);
        assert_eq!(chosen(&["a"; MAX_DOCUMENTS]).len(), MAX_DOCUMENTS);
        let error = chosen_slugs(std::iter::repeat("a")).unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{error:?}");
    }
}
