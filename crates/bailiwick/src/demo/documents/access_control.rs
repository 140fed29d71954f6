//! The demo policy on access control and authentication.

use super::super::people::Who::{Marta, Samuel, Tom};
use super::super::when::{ago, at};
use super::{DemoChange, DemoDocument, DemoItem, line, option, paragraph, select, weaker};

pub(super) const DOCUMENT: DemoDocument = DemoDocument {
    slug: "access-control",
    title: "Access control policy",
    description: "Who gets access to systems, data and rooms, who decides it, and when it ends.",
    owner: Marta,
    created: at(70, 13, 0),
    items: ITEMS,
    changes: CHANGES,
};

const ITEMS: &[DemoItem] = &[
    select(
        "second-factor",
        "Second factor",
        "Passwords are given away every month; a second factor is what makes that survivable.",
        &[
            option(
                "everyone",
                "Everyone, everywhere",
                "Every person proves who they are with two factors on every system that holds more than public information.",
                "Plan for shared handhelds: a badge and a PIN count as two.",
            ),
            weaker(
                "outside",
                "From outside and for administrators",
                "A second factor is required for access from outside our own networks and for every account with administrative rights.",
                "Leaves whoever already is inside, such as a stolen laptop on the guest network, one password away.",
            ),
            weaker(
                "administrators",
                "Administrators only",
                "A second factor is required for every account with administrative rights.",
                "Does not cover mailboxes, where most of our incidents began.",
            ),
        ],
    ),
    select(
        "second-factor-kind",
        "Kind of second factor",
        "",
        &[
            option(
                "resistant",
                "Security key or passkey",
                "The second factor is bound to the address of the service, so that it cannot be entered on a copied page.",
                "Start with administrators, finance and purchasing.",
            ),
            option(
                "number",
                "App with number matching",
                "The second factor is an app in which the person types the number that the sign-in page shows.",
                "Stops prompts at night from being accepted by mistake.",
            ),
            weaker(
                "message",
                "Text message",
                "A code sent by text message is accepted as a second factor.",
                "Can be redirected with a copied SIM card. Better than nothing.",
            ),
        ],
    ),
    select(
        "approval",
        "Who grants access",
        "",
        &[
            option(
                "owner",
                "The owner of the system",
                "Access is requested by the line manager and granted by the owner of the system; nobody grants their own request.",
                "Needs a list of owners that is true.",
            ),
            weaker(
                "manager",
                "The line manager alone",
                "Access is granted by the line manager; the owner of the system is informed.",
                "Quick, and the owner learns too late who reads the data.",
            ),
        ],
    ),
    select(
        "leavers",
        "When access ends",
        "Counted from the end of the contract or the change of job, for staff and contractors alike.",
        &[
            option(
                "same-day",
                "The same day, by itself",
                "Access ends on the last working day, driven by the personnel system; for contractors, on the date written in the order.",
                "Contractors need an end date in the directory; without one the account is not made.",
            ),
            weaker(
                "three-days",
                "Within three working days",
                "The service desk removes access within three working days of being told.",
                "Depends on somebody telling.",
            ),
        ],
    ),
    select(
        "review",
        "Review of rights",
        "",
        &[
            option(
                "quarterly",
                "Every quarter",
                "Owners confirm every quarter who has access to their systems; what is not confirmed within ten working days is removed.",
                "",
            ),
            weaker(
                "yearly",
                "Once a year",
                "Owners confirm once a year who has access to their systems.",
                "Acceptable for systems without personal data or control of goods.",
            ),
        ],
    ),
    select(
        "administrators",
        "Administrative rights",
        "",
        &[
            option(
                "separate",
                "Separate account, for a while",
                "Administrators work with a separate account whose rights are granted for a task and end after eight hours.",
                "",
            ),
            option(
                "separate-standing",
                "Separate account, standing",
                "Administrators work with a separate account that is used for nothing else, in particular not for mail and browsing.",
                "",
            ),
            weaker(
                "same",
                "Same account",
                "Administrative rights may be added to a person's everyday account when the owner of the system agrees.",
                "One opened attachment then has the same rights.",
            ),
        ],
    ),
    select(
        "shared-accounts",
        "Shared accounts",
        "Dispatch, packing tables and goods-in share machines between shifts.",
        &[
            option(
                "badge",
                "Shared machine, own badge",
                "Machines may be shared, accounts may not: each person signs in with a badge and is named in the log.",
                "",
            ),
            weaker(
                "listed",
                "Allowed when listed",
                "A shared account is allowed where the owner lists it with its users and changes its password when one of them leaves.",
                "Nobody can say afterwards who it was.",
            ),
        ],
    ),
    select(
        "makers-access",
        "Remote access of makers",
        "Sorter, cranes, compressors, dock doors.",
        &[
            option(
                "opened",
                "Opened each time",
                "The control room opens remote access for one named person and one hour, watches it and closes it.",
                "The control room is staffed at all hours, so this costs minutes.",
            ),
            weaker(
                "standing",
                "Standing, with notice",
                "Makers may connect at any time with their own account after giving notice.",
                "Notice is forgotten; see what happened to the sorter.",
            ),
        ],
    ),
    line("contact", "Questions and exceptions go to", "A role and a mailbox that is read, not a person."),
    paragraph(
        "exceptions",
        "Exceptions",
        "Name each with its reason and its end. An exception without an end is a rule.",
    ),
];

const CHANGES: &[DemoChange] = &[
    DemoChange {
        by: Marta,
        when: at(40, 14, 20),
        selections: &[
            ("second-factor", "everyone"),
            ("second-factor-kind", "number"),
            ("leavers", "same-day"),
            ("review", "quarterly"),
        ],
    },
    DemoChange {
        by: Tom,
        when: at(38, 9, 5),
        selections: &[
            ("makers-access", "opened"),
            ("administrators", "separate-standing"),
            ("shared-accounts", "listed"),
            ("contact", "Service desk, access@harrowmere.example"),
        ],
    },
    DemoChange {
        by: Marta,
        when: at(17, 16, 40),
        selections: &[("shared-accounts", "badge"), ("second-factor-kind", "resistant")],
    },
    DemoChange {
        by: Samuel,
        when: ago(20, 30),
        selections: &[(
            "exceptions",
            "Packing tables 1 to 6 at Pell Road keep a shared account until their badge readers are mounted, at the latest by the end of next quarter.",
        )],
    },
];
