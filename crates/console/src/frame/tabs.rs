//! The tabs of the settings.

use domain::Scope;

use super::page_request::PageRequest;
use crate::texts;

/// A tab of the settings.
pub(crate) struct Tab {
    pub(crate) name: &'static str,
    pub(crate) page: &'static str,
}

/// The tabs that the person may open.
pub(crate) fn tabs(request: &PageRequest) -> Vec<Tab> {
    let tabs = [
        (request.may(Scope::OrganizationsRead), texts::ORGANIZATION, "/settings/organization"),
        (request.may(Scope::UsersRead), texts::PEOPLE, "/settings/people"),
        (request.may(Scope::UsersRead), texts::GROUPS, "/settings/groups"),
        (request.may(Scope::ClientsAdmin), texts::CLIENTS, "/settings/clients"),
        (request.session.is_operator, texts::SERVICE, "/settings/service"),
    ];
    let permitted = tabs.into_iter().filter(|(is_permitted, ..)| *is_permitted);
    permitted.map(|(_, name, page)| Tab { name, page }).collect()
}
