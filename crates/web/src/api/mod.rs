//! The operations of the JSON API, one folder per noun and one file per verb. Each file holds the
//! operation's description, its handler and, where it has one, the reader of its body.

pub(crate) mod journal;
pub(crate) mod organizations;
mod shared;
pub(crate) mod users;
