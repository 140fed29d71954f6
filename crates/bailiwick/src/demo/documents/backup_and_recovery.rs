//! What is kept, where, and how quickly it comes back.

use super::super::people::Who::{Samuel, Tom};
use super::super::when::at;
use super::{DemoChange, DemoDocument, DemoItem, line, option, paragraph, select, weaker};

pub(super) const DOCUMENT: DemoDocument = DemoDocument {
    slug: "backup-and-recovery",
    title: "Backup and recovery policy",
    description: "Which data is copied how often, who can destroy the copies, and how we know that they can be restored.",
    owner: Tom,
    created: at(73, 9, 15),
    items: ITEMS,
    changes: CHANGES,
};

const ITEMS: &[DemoItem] = &[
    select(
        "frequency",
        "How often",
        "The most that may be lost: what the warehouse can type in again from paper.",
        &[
            option(
                "continuous",
                "Continuously",
                "Changes to the warehouse and order systems are copied to the second site as they are made; at most five minutes may be lost.",
                "",
            ),
            option(
                "hourly",
                "Every hour",
                "The warehouse and order systems are copied every hour.",
                "An hour is about 2,600 picks.",
            ),
            weaker(
                "nightly",
                "Every night",
                "All systems are copied every night.",
                "A bad afternoon cannot be typed in again.",
            ),
        ],
    ),
    select(
        "places",
        "Where copies lie",
        "",
        &[
            option(
                "three",
                "Two sites and one out of reach",
                "Copies lie at the central warehouse, at Pell Road and with a provider who keeps them unchangeable for 35 days.",
                "Unchangeable means: by us neither.",
            ),
            weaker(
                "two",
                "Two sites",
                "Copies lie at the central warehouse and at Pell Road.",
                "Both are in reach of the same administrators, and of whoever becomes one.",
            ),
        ],
    ),
    select(
        "destroy",
        "Who can destroy copies",
        "",
        &[
            option(
                "nobody-alone",
                "Nobody alone",
                "Deleting copies before their term needs two persons from different teams, with accounts that are used for nothing else.",
                "",
            ),
            weaker(
                "backup-team",
                "The backup administrators",
                "Backup administrators may delete copies; domain administrators may not.",
                "",
            ),
        ],
    ),
    select(
        "encryption",
        "Encryption",
        "",
        &[
            option(
                "own-keys",
                "With our own keys",
                "Copies are encrypted before they leave the site. The keys are kept on paper in two safes as well.",
                "Try the paper once a year.",
            ),
            weaker(
                "provider-keys",
                "With the provider's keys",
                "Copies are encrypted by the provider who keeps them.",
                "The provider can read them, and so can a court of its country.",
            ),
        ],
    ),
    select(
        "restore-tests",
        "Restore tests",
        "A copy is a hope until it has been restored.",
        &[
            option(
                "monthly",
                "Every month, one whole system",
                "Every month one system is restored as a whole, by turns, from the copies alone, and the time it took is written down.",
                "By somebody who did not build it.",
            ),
            option(
                "quarterly",
                "Every quarter",
                "Every quarter the warehouse system is restored as a whole and the time it took is written down.",
                "",
            ),
            weaker(
                "files",
                "Single files on request",
                "Restoring is shown by the single files that users ask for.",
                "Our own test failed although files had always worked.",
            ),
        ],
    ),
    select(
        "monitoring",
        "How failures are noticed",
        "",
        &[
            option(
                "compared",
                "By comparison",
                "Each copy is compared in size and number of files with the week before; a deviation above 20 % raises an incident by itself.",
                "",
            ),
            weaker(
                "reported",
                "By the job's own report",
                "Failed jobs are listed in the morning report.",
                "A job that had nothing to do counts as successful.",
            ),
        ],
    ),
    select(
        "recovery-time",
        "Time to recover the warehouse system",
        "",
        &[
            option(
                "four-hours",
                "Four hours",
                "The warehouse system works again within four hours of the decision to restore it.",
                "What we promise to hospitals.",
            ),
            weaker(
                "next-shift",
                "Next shift",
                "The warehouse system works again by the beginning of the next early shift.",
                "Emergency orders then run on paper for a night.",
            ),
        ],
    ),
    select(
        "retention",
        "How long copies are kept",
        "Copies hold personal data too: longer is not simply safer.",
        &[
            option(
                "graded",
                "35 days, 12 months",
                "Daily copies are kept for 35 days and monthly copies for 12 months; then they delete themselves.",
                "",
            ),
            weaker(
                "years",
                "Ten years",
                "Monthly copies are kept for ten years.",
                "Conflicts with our deletion terms.",
            ),
        ],
    ),
    line("order", "Order of recovery", "The first five systems, by name."),
    paragraph("paper", "Until it works again", "How goods move on paper, and for how long that can be held."),
];

const CHANGES: &[DemoChange] = &[
    DemoChange {
        by: Tom,
        when: at(51, 13, 35),
        selections: &[
            ("frequency", "hourly"),
            ("places", "three"),
            ("destroy", "nobody-alone"),
            ("restore-tests", "quarterly"),
            ("recovery-time", "four-hours"),
            ("order", "Directory, warehouse system, order gateway, label printing, temperature log"),
        ],
    },
    DemoChange {
        by: Samuel,
        when: at(45, 7, 50),
        selections: &[
            ("recovery-time", "next-shift"),
            (
                "paper",
                "Each aisle keeps printed lists of the last evening. Two shifts can be held that way for the 400 items that hospitals order in emergencies, not for the rest.",
            ),
        ],
    },
    DemoChange {
        by: Tom,
        when: at(3, 17, 5),
        selections: &[("monitoring", "compared"), ("restore-tests", "monthly"), ("retention", "graded")],
    },
];
