//! OAuth clients.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod refusals;
pub(crate) mod secrets;
pub(crate) mod update;
mod view;

pub(crate) use view::NewClientView;
pub use view::{ClientView, NewSecretView};
