//! The JSON API: one folder for each resource and one file for each operation, which holds its description and its handler;
//! the OAuth endpoints; the OpenAPI document and the pages made from it. `router.rs` is the table of routes.

mod acceptances;
mod acknowledgements;
mod bulk;
mod by_path;
mod clients;
pub mod docs;
mod documents;
mod evaluations;
mod exceptions;
mod facets;
mod file_format;
mod groups;
mod imports;
mod incidents;
mod invitations;
mod journal;
mod links;
mod listed;
mod me;
mod notes;
mod oauth;
mod openapi;
mod organizations;
mod path;
mod reset_links;
mod results;
mod reviews;
mod risks;
mod router;
mod scale;
mod search;
mod session;
mod severity;
mod shared;
mod tags;
mod tasks;
mod undo;
mod users;
mod views;

/// Records as responses show them, for the command line to show them alike.
pub mod shown {
    pub use crate::clients::{ClientView, NewSecretView};
    pub use crate::invitations::InvitationView;
    pub use crate::organizations::read::OrganizationView;
    pub use crate::users::UserView;
}

pub use openapi::text as openapi_text;
pub use router::{DeclaredHeaders, Routes, document};
