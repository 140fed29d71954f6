//! What is done when something happened.

use super::super::people::Who::{Helen, Marta, Tom};
use super::super::when::at;
use super::{DemoChange, DemoDocument, DemoItem, line, option, paragraph, select, weaker};

pub(super) const DOCUMENT: DemoDocument = DemoDocument {
    slug: "incident-response",
    title: "Incident response policy",
    description: "How an incident is declared, who leads, who is told, and what is learned from it.",
    owner: Marta,
    created: at(84, 10, 30),
    items: ITEMS,
    changes: CHANGES,
};

const ITEMS: &[DemoItem] = &[
    select(
        "who-declares",
        "Who may declare an incident",
        "Late reports cost more than false ones.",
        &[
            option(
                "anyone",
                "Anybody",
                "Anybody who works for us declares an incident as soon as they suspect one. Nobody is blamed for a report made in good faith, nor for what it reports about themselves.",
                "",
            ),
            weaker(
                "managers",
                "Managers and IT",
                "Incidents are declared by managers and by IT; everybody else tells their manager.",
                "Adds a telephone call, at night often eight hours.",
            ),
        ],
    ),
    select(
        "first-response",
        "First response",
        "From the declaration until somebody has taken it.",
        &[
            option(
                "fifteen",
                "15 minutes at all hours",
                "The engineer on call takes every incident within 15 minutes, at any hour.",
                "Needs a rota of at least five.",
            ),
            option(
                "graded",
                "15 minutes or next morning",
                "Critical and high incidents are taken within 15 minutes at any hour, all others by 09:00 of the next working day.",
                "",
            ),
            weaker(
                "office",
                "Office hours",
                "Incidents are taken within one hour during office hours.",
                "Our goods move at night.",
            ),
        ],
    ),
    select(
        "lead",
        "Who leads",
        "",
        &[
            option(
                "commander",
                "A named incident lead",
                "Each critical or high incident has one lead, who decides and does not repair. The lead is named in the record and hands over by name.",
                "",
            ),
            weaker(
                "engineer",
                "Whoever repairs it",
                "The engineer who works on the incident leads it.",
                "Works for one person's problem, not for three sites.",
            ),
        ],
    ),
    select(
        "isolate",
        "Power to isolate",
        "",
        &[
            option(
                "on-call",
                "The engineer on call, at once",
                "The engineer on call may isolate any machine, account or line at once, if delay would let harm grow; cold rooms and the emergency order line excepted.",
                "Write down the exceptions before the night in which they matter.",
            ),
            weaker(
                "manager",
                "After asking a manager",
                "Machines that goods depend on are isolated after a manager on duty agreed.",
                "Encryption of a file server takes minutes.",
            ),
        ],
    ),
    select(
        "cold-chain",
        "Temperature excursions",
        "Goods between 2 and 8 °C.",
        &[
            option(
                "block",
                "Block first",
                "Goods that were, or may have been, outside their range are blocked pallet by pallet at once; only quality releases them, in writing.",
                "",
            ),
            weaker(
                "judge",
                "Judge on the spot",
                "The shift lead blocks goods that were outside their range for more than 30 minutes.",
                "The makers' limits differ by product.",
            ),
        ],
    ),
    select(
        "authority-notice",
        "Telling the data protection authority",
        "The law gives 72 hours from the moment we know.",
        &[
            option(
                "forty-eight",
                "Decided within 48 hours",
                "The data protection officer is told at once and decides within 48 hours whether the authority is notified; the reasons are kept either way.",
                "",
            ),
            weaker(
                "seventy-two",
                "Within 72 hours",
                "The data protection officer notifies the authority within 72 hours where the law requires it.",
                "Leaves no room for a weekend.",
            ),
        ],
    ),
    select(
        "customer-notice",
        "Telling hospitals",
        "",
        &[
            option(
                "hour",
                "Within one hour",
                "Hospitals whose supply or data may be touched are told within one hour, with what is known and when the next word follows.",
                "A template for the first message lies in the control room.",
            ),
            weaker(
                "known",
                "When the facts are known",
                "Hospitals are told as soon as the cause and the effect are known.",
                "They will have noticed.",
            ),
        ],
    ),
    select(
        "evidence",
        "Evidence",
        "",
        &[
            option(
                "preserve",
                "Kept before repair",
                "Before a machine is repaired or reinstalled, its memory and disk are copied where the incident is high or critical, and the copy's hash is written into the record.",
                "",
            ),
            weaker(
                "convenient",
                "Where it does not delay",
                "Logs are kept; machines may be reinstalled at once.",
                "We could not say what the malware at goods-in did before it was stopped.",
            ),
        ],
    ),
    select(
        "review",
        "Review afterwards",
        "",
        &[
            option(
                "ten-days",
                "Within ten working days",
                "Each high or critical incident is reviewed within ten working days, without blame, with actions that have an owner and a date.",
                "",
            ),
            weaker("on-request", "On request", "Incidents are reviewed when management asks for it.", ""),
        ],
    ),
    line("on-call-number", "Number of the engineer on call", "It must work when our own telephony does not."),
    paragraph("exercises", "Exercises", "What is rehearsed, how often, and who plays along."),
];

const CHANGES: &[DemoChange] = &[
    DemoChange {
        by: Marta,
        when: at(58, 15, 10),
        selections: &[
            ("who-declares", "anyone"),
            ("lead", "commander"),
            ("authority-notice", "forty-eight"),
            ("review", "ten-days"),
        ],
    },
    DemoChange {
        by: Helen,
        when: at(56, 8, 45),
        selections: &[("cold-chain", "block"), ("customer-notice", "hour")],
    },
    DemoChange {
        by: Tom,
        when: at(30, 11, 25),
        selections: &[
            ("first-response", "graded"),
            ("isolate", "on-call"),
            ("on-call-number", "+44 7700 900991 (mobile network, not ours)"),
        ],
    },
    DemoChange {
        by: Helen,
        when: at(11, 10, 0),
        selections: &[(
            "exercises",
            "Twice a year: loss of a cold room at night.\nOnce a year: the warehouse system is gone for a day, with two hospitals.",
        )],
    },
];
