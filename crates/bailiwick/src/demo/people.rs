//! Who works at Harrowmere, and which machines report to the register.

use domain::Role;

/// Everybody and everything that acts in the story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Who {
    /// Head of information security.
    Marta,
    /// IT operations lead.
    Tom,
    /// Service desk lead.
    Priya,
    /// Network and systems engineer.
    Jonas,
    /// Warehouse and fleet manager.
    Samuel,
    /// Responsible person for the quality of medicines in transport and storage.
    Helen,
    /// Data protection officer.
    Yasmin,
    /// Internal auditor.
    Claire,
    /// The machine that forwards correlated alarms.
    Siem,
    /// The machine that forwards availability and temperature alarms.
    Monitoring,
}

/// A member of the organization.
#[derive(Debug)]
pub(super) struct DemoPerson {
    /// Who it is in the other tables.
    pub(super) who: Who,
    /// As it is shown.
    pub(super) name: &'static str,
    /// Unique among people.
    pub(super) email: &'static str,
    /// What the person may do.
    pub(super) role: Role,
}

/// The members, in the order in which they joined.
pub(super) const PEOPLE: &[DemoPerson] = &[
    DemoPerson {
        who: Who::Marta,
        name: "Marta Lindqvist",
        email: "marta.lindqvist@harrowmere.example",
        role: Role::Admin,
    },
    DemoPerson {
        who: Who::Tom,
        name: "Tom Okafor",
        email: "tom.okafor@harrowmere.example",
        role: Role::Owner,
    },
    DemoPerson {
        who: Who::Samuel,
        name: "Samuel Achterberg",
        email: "samuel.achterberg@harrowmere.example",
        role: Role::Owner,
    },
    DemoPerson {
        who: Who::Priya,
        name: "Priya Raman",
        email: "priya.raman@harrowmere.example",
        role: Role::Responder,
    },
    DemoPerson {
        who: Who::Jonas,
        name: "Jonas Weber",
        email: "jonas.weber@harrowmere.example",
        role: Role::Responder,
    },
    DemoPerson {
        who: Who::Helen,
        name: "Helen Brandt",
        email: "helen.brandt@harrowmere.example",
        role: Role::Owner,
    },
    DemoPerson {
        who: Who::Yasmin,
        name: "Yasmin Haddad",
        email: "yasmin.haddad@harrowmere.example",
        role: Role::Approver,
    },
    DemoPerson {
        who: Who::Claire,
        name: "Claire Dubois",
        email: "claire.dubois@harrowmere.example",
        role: Role::Auditor,
    },
];

/// An OAuth client of the organization.
#[derive(Debug)]
pub(super) struct DemoClient {
    /// Which it is in the other tables.
    pub(super) who: Who,
    /// As it is shown.
    pub(super) name: &'static str,
    /// What it may do, space-delimited.
    pub(super) scopes: &'static str,
}

/// The machines that write to the register by themselves.
pub(super) const CLIENTS: &[DemoClient] = &[
    DemoClient { who: Who::Siem, name: "SIEM connector", scopes: "incidents:read incidents:write tags:read" },
    DemoClient {
        who: Who::Monitoring,
        name: "Site monitoring",
        scopes: "incidents:read incidents:write risks:read",
    },
];
