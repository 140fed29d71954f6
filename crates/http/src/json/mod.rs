//! Strict JSON. A body is parsed once into a value that keeps duplicate keys; a typed reader then collects every fault
//! with its pointer instead of stopping at the first.

mod build;
mod check;
mod count;
#[cfg(test)]
mod fields_tests;
mod parse;

pub use domain::json::{Fields, Json, Pointer};
pub use parse::{parse, parse_within};

use domain::Faults;

use crate::error::Error;

/// Parses a body, checks for duplicate keys and U+0000, and passes the value to `read`, which adds a fault for what it
/// cannot read and then returns `None`.
pub fn read<T>(body: &[u8], read: impl FnOnce(Json<'_>, &mut Faults) -> Option<T>) -> Result<T, Error> {
    let value = parse(body)?;
    read_value(value, read)
}

/// The same for a parsed value.
pub fn read_value<T>(
    value: Json<'_>,
    read: impl FnOnce(Json<'_>, &mut Faults) -> Option<T>,
) -> Result<T, Error> {
    let (read, faults) = read_with_faults(value, read)?;
    Ok(faults.or(read)?)
}

/// The same, but returns the faults with the value, for a caller that adds further faults; what is wrong is missing
/// from the value. With more faults than are reported, the value is not read at all.
pub fn read_with_faults<T>(
    value: Json<'_>,
    read: impl FnOnce(Json<'_>, &mut Faults) -> Option<T>,
) -> Result<(T, Faults), Error> {
    let mut faults = Faults::new();
    check::note(&value, &mut faults);
    let read = if faults.has_more() { None } else { read(value, &mut faults) };
    match read {
        Some(read) => Ok((read, faults)),
        None => Err(domain::Error::from(faults).into()),
    }
}
