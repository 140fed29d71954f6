//! The demo organization: what `bailiwick serve --demo` shows before there is anything of one's own.
//!
//! Harrowmere Medical Logistics does not exist. It supplies 31 hospitals from a central warehouse, a
//! depot and a sterile services site, and its last 120 days are told in plain tables, one file per
//! noun. Domains are under `.example`, addresses in the documentation ranges of RFC 5737.

mod curl;
mod documents;
mod incidents;
mod people;
mod risks;
mod story;
mod tags;
#[cfg(test)]
mod tests;
mod when;

/// The organization's name.
const ORGANIZATION: &str = "Harrowmere Medical Logistics";
