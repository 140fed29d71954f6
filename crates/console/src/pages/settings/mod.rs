//! Settings: the organization, its people and its clients.

pub(crate) mod clients;
pub(crate) mod groups;
pub(crate) mod invite;
pub(crate) mod new_client;
mod offer;
pub(crate) mod one_client;
pub(crate) mod one_group;
pub(crate) mod organization;
pub(crate) mod people;
pub(crate) mod person;
pub(crate) mod reset_link;
pub(crate) mod service;

use askama::Template;
use axum::routing::{get, post};
use domain::Scope;

use http::Page;

use crate::frame::form::As;
use crate::frame::layout::Layout;
use crate::frame::page_request::Result;
pub(crate) use crate::frame::tabs::{Tab, tabs};
use crate::pages::{form, sent, shown};

/// What reading the members needs.
const READ_PEOPLE: &[Scope] = &[Scope::UsersRead];

/// What managing them needs.
const MANAGE_PEOPLE: &[Scope] = &[Scope::UsersAdmin];

/// The members of a group that people fill in, as its forms have them.
const GROUP_MEMBERS: &[(&str, As)] = &[("name", As::Text), ("description", As::TextOrNull)];

/// What managing clients needs.
const CLIENTS: &[Scope] = &[Scope::ClientsAdmin];

/// A page that shows secrets, once.
#[derive(Template)]
#[template(path = "settings/secrets.html")]
pub(super) struct SecretsPage {
    pub(super) frame: Layout,
    /// What they are for.
    pub(super) about: &'static str,
    /// Labels and secrets.
    pub(super) secrets: Vec<(String, String)>,
    /// Where to go on.
    pub(super) next: String,
}

impl SecretsPage {
    /// The secrets of an answer that was sealed: objects with these two members.
    pub(super) fn read(body: &[u8]) -> Result<Vec<(String, String)>> {
        let failed = |error| http::Error::internal(format!("an answer was not read: {error}"));
        serde_json::from_slice(body).map_err(failed)
    }
}

/// The pages of the settings.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        form("/o/{slug}/settings/organization", get(organization::page).post(organization::submit)),
        shown("/o/{slug}/settings/people", get(people::page)),
        shown("/o/{slug}/settings/people/export", get(people::export)),
        form("/o/{slug}/settings/people/invite", get(invite::page).post(invite::submit)),
        sent("/o/{slug}/settings/people/invitations/{id}", post(people::withdraw)),
        form("/o/{slug}/settings/people/{id}", get(person::page).post(person::submit)),
        sent("/o/{slug}/settings/people/{id}/handover", post(person::hand_over)),
        sent("/o/{slug}/settings/people/{id}/remove", post(person::remove)),
        sent("/o/{slug}/settings/people/{id}/reset-link", post(reset_link::submit)),
        sent("/o/{slug}/settings/people/{id}/reset-link/withdraw", post(reset_link::withdraw)),
        form("/o/{slug}/settings/groups", get(groups::page).post(groups::submit)),
        form("/o/{slug}/settings/groups/{id}", get(one_group::page).post(one_group::submit)),
        sent("/o/{slug}/settings/groups/{id}/members", post(one_group::add)),
        sent("/o/{slug}/settings/groups/{id}/members/{user}", post(one_group::remove)),
        sent("/o/{slug}/settings/groups/{id}/delete", post(one_group::delete)),
        shown("/o/{slug}/settings/service", get(service::page)),
        shown("/o/{slug}/settings/clients", get(clients::page)),
        form("/o/{slug}/settings/clients/new", get(new_client::page).post(new_client::submit)),
        form("/o/{slug}/settings/clients/{id}", get(one_client::page).post(one_client::submit)),
        sent("/o/{slug}/settings/clients/{id}/secrets", post(one_client::add_secret)),
        sent("/o/{slug}/settings/clients/{id}/secrets/{secret}", post(one_client::delete_secret)),
    ]
}
