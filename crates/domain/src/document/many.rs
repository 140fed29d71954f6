//! Which documents an operation on many is about.

use super::{SLUG, slug};
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
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {MAX_DOCUMENTS} ids"));
        return None;
    }
    items_of(items, at, faults, |item, at, faults| checked(item, at, faults, slug))
}
