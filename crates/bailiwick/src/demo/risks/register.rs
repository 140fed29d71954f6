//! The risks themselves.

use super::super::people::Who::{Helen, Jonas, Marta, Priya, Samuel, Tom, Yasmin};
use super::super::tags::Tag::{
    Access, ColdChain, Continuity, Fleet, Machinery, PersonalData, Phishing, Supplier,
};
use super::super::when::at;
use super::{BLANK, DemoRisk, Rated, from};

/// In the order in which they were written down.
pub(in super::super) const RISKS: &[DemoRisk] = &[
    DemoRisk {
        title: "Ransomware stops the warehouse system",
        description: "Without it nobody knows where anything lies. Paper picking covers about 15 % of a day.",
        category: "Cyber",
        owner: Marta,
        inherent: Rated(4, 5),
        target: Rated(2, 4),
        tags: &[Continuity, Access],
        course: &[
            from(16, 4, 5, "First judgement, before any measure."),
            from(13, 3, 5, "Endpoint agent on every server."),
            from(9, 3, 4, "Backups out of reach of the domain administrators."),
            from(4, 2, 4, "Macros from outside blocked."),
            from(1, 3, 4, "One got as far as a file server at Pell Road. Stopped, but it got there."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Medicines leave 2 to 8 °C in storage",
        description: "Cold rooms 1 and 2, together about 1,900 pallet places.",
        category: "Quality",
        owner: Helen,
        inherent: Rated(4, 5),
        target: Rated(1, 5),
        tags: &[ColdChain, Machinery],
        course: &[
            from(16, 3, 5, ""),
            from(12, 2, 5, "Redundant probes in both rooms."),
            from(8, 4, 5, "Compressor failed and the standby tripped. We were lucky by 0.4 °C."),
            from(6, 3, 5, "Standby proved under load, breaker position on the monitoring."),
            from(3, 2, 5, "Monthly changeover test is in the calendar and was done."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Medicines leave 2 to 8 °C on the road",
        description: "Doors, traffic jams, loggers that are read too late.",
        category: "Quality",
        owner: Helen,
        inherent: Rated(4, 4),
        target: Rated(2, 3),
        tags: &[ColdChain, Fleet],
        course: &[
            from(16, 4, 4, ""),
            from(14, 3, 4, "Loggers send live in 20 of 34 vans."),
            from(10, 3, 3, "Passive boxes for tours above four hours."),
            from(5, 2, 3, "All vans send live."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Account taken over through phishing",
        description: "About 640 mailboxes, half of them shared between shifts.",
        category: "Cyber",
        owner: Marta,
        inherent: Rated(5, 4),
        target: Rated(2, 3),
        tags: &[Phishing, Access],
        course: &[
            from(16, 4, 4, ""),
            from(11, 3, 4, "Second factor for office staff."),
            from(6, 5, 4, "Four passwords given away, one mailbox read for 21 hours."),
            from(5, 4, 4, "Forwarding to outside switched off."),
            from(3, 3, 4, "Number matching for everybody."),
            from(0, 3, 3, "Shared mailboxes no longer have a password of their own."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Backup cannot be restored in time",
        description: "The plan promises the warehouse system within four hours.",
        category: "Continuity",
        owner: Tom,
        inherent: Rated(4, 5),
        target: Rated(1, 5),
        tags: &[Continuity],
        course: &[
            from(16, 3, 5, "Never tried as a whole."),
            from(10, 4, 5, "Tried. It failed."),
            from(9, 3, 5, "Tools now lie beside the dumps."),
            from(7, 2, 5, "Second test: 3 h 10 min."),
            from(2, 1, 5, "Third test, by someone who had never done it: 3 h 40 min."),
            from(0, 2, 5, "Document store was skipped for three nights and nobody knew."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "A supplier is attacked and we are connected",
        description: "Eleven tunnels and some forty shared mailboxes with firms of every size.",
        category: "Supply",
        owner: Marta,
        inherent: Rated(4, 4),
        target: Rated(3, 2),
        tags: &[Supplier],
        course: &[
            from(16, 3, 4, ""),
            from(12, 4, 4, "Brindle Packaging, tunnel open for ten hours."),
            from(9, 3, 4, "Tunnels end in a zone of their own."),
            from(5, 3, 3, "Six of eleven tunnels replaced by the order interface."),
            from(1, 3, 2, "Nine of eleven."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Power fails at the central warehouse",
        description: "UPS carries the server room, the generator carries cold rooms and half of the light.",
        category: "Continuity",
        owner: Samuel,
        inherent: Rated(3, 5),
        target: Rated(2, 3),
        tags: &[Continuity, Machinery],
        course: &[
            from(16, 3, 4, ""),
            from(10, 3, 5, "UPS down to six minutes."),
            from(8, 2, 4, "New batteries."),
            from(2, 3, 4, "Generator did not start in the test."),
            from(0, 2, 4, "Started three times under load."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Sorter or cranes steered by a stranger",
        description: "Controllers from 2011, remote access of two makers.",
        category: "Cyber",
        owner: Tom,
        inherent: Rated(3, 5),
        target: Rated(1, 5),
        tags: &[Machinery, Access, Supplier],
        course: &[
            from(16, 3, 5, ""),
            from(6, 3, 5, "A remote session stopped the sorter, announced to nobody."),
            from(4, 2, 5, "Remote access is opened from the control room, for an hour at most."),
            from(1, 1, 5, "Controllers in their own network; the firewall knows each connection by name."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Patient data in the wrong hands",
        description: "Delivery lists, home deliveries, proofs of delivery.",
        category: "Privacy",
        owner: Tom,
        inherent: Rated(4, 4),
        target: Rated(2, 3),
        tags: &[PersonalData],
        course: &[
            from(16, 3, 4, ""),
            from(12, 3, 3, "Lists show initials only."),
            from(5, 4, 4, "Names in a test database for nine days."),
            from(4, 4, 4, "And a paper list stolen from a van."),
            from(2, 3, 4, "Test data is made up now."),
            from(0, 3, 3, "No more paper lists in 28 of 34 vans."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Theft from vans and depots",
        description: "Opiates are the prize; they travel in 6 % of the boxes.",
        category: "Physical",
        owner: Samuel,
        inherent: Rated(4, 3),
        target: Rated(2, 2),
        tags: &[Fleet],
        course: &[
            from(16, 3, 3, ""),
            from(7, 3, 3, "A stranger walked through bay 3 at Eastgate."),
            from(6, 2, 3, "Gate closed between arrivals."),
            from(4, 3, 3, "Van 22."),
            from(1, 2, 3, "Breaks at guarded places only; routes adapted."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Orders of hospitals cannot reach us",
        description: "Gateway, portal, telephone: three ways, one of them old.",
        category: "Operations",
        owner: Tom,
        inherent: Rated(4, 4),
        target: Rated(2, 3),
        tags: &[Continuity, Supplier],
        course: &[
            from(16, 3, 4, ""),
            from(12, 3, 3, "Portal moved to two sites."),
            from(4, 3, 4, "Telephone provider down nationwide."),
            from(3, 4, 4, "Certificate expired, nine hospitals for seven hours."),
            from(2, 3, 4, "Certificates renew themselves and are watched."),
            from(1, 3, 3, "Second telephone provider."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Wrong item reaches the operating theatre",
        description: "Sterile services assembles about 420 sets a day.",
        category: "Quality",
        owner: Helen,
        inherent: Rated(3, 5),
        target: Rated(1, 4),
        tags: &[],
        course: &[
            from(16, 2, 5, ""),
            from(7, 3, 5, "Two sets swapped; the theatre noticed."),
            from(5, 2, 5, "A third scanner on every table."),
            from(2, 2, 4, "Packing refuses a set without a scan."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Rights outlive the job",
        description: "Contractors, seasonal staff, colleagues who change department.",
        category: "Cyber",
        owner: Priya,
        inherent: Rated(4, 3),
        target: Rated(2, 2),
        tags: &[Access],
        course: &[
            from(16, 4, 3, ""),
            from(14, 4, 3, "Another one in the quarterly review."),
            from(11, 3, 3, "End of contract ends the account, from the personnel system."),
            from(6, 2, 3, ""),
            from(2, 2, 2, "Review found nothing, for the first time."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Interface of the order portal abused",
        description: "Passwords that leaked elsewhere, keys in public places, exports nobody looks at.",
        category: "Cyber",
        owner: Tom,
        inherent: Rated(4, 4),
        target: Rated(2, 3),
        tags: &[Access, PersonalData],
        course: &[
            from(16, 3, 4, ""),
            from(10, 4, 4, "Three clinic accounts opened."),
            from(8, 3, 4, "Known leaked passwords are refused; keys carry a readable prefix."),
            from(3, 2, 4, "Second factor for portal users who may order."),
            from(0, 2, 4, "An alarm now looks at unusual exports."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Failed change stops picking",
        description: "Two releases a week into a system that runs in two shifts.",
        category: "Operations",
        owner: Tom,
        inherent: Rated(4, 4),
        target: Rated(2, 2),
        tags: &[Continuity],
        course: &[
            from(16, 4, 3, ""),
            from(13, 4, 3, "Handhelds lost their printers."),
            from(11, 3, 3, "First aisle only for the first hour."),
            from(9, 3, 4, "Full storage after a release: the whole house stood."),
            from(6, 2, 3, "Way back rehearsed with each release."),
            from(2, 2, 3, "Picking logic rolled back within two hours. Annoying, and as planned."),
            from(0, 2, 2, ""),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Payment to a forged account",
        description: "Around 900 invoices a month, 60 of them with changed master data.",
        category: "Finance",
        owner: Marta,
        inherent: Rated(4, 3),
        target: Rated(1, 3),
        tags: &[Phishing],
        course: &[
            from(16, 3, 3, ""),
            from(15, 2, 3, "Call-back to the number we know, and it worked."),
            from(6, 3, 3, "Correspondence of twelve suppliers is known to a thief."),
            from(3, 2, 3, "Changed bank details wait for three days."),
            from(1, 1, 3, ""),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "A carrier fails in the flu season",
        description: "Northway drives 40 % of our night tours and has nobody to stand in.",
        category: "Supply",
        owner: Samuel,
        inherent: Rated(3, 4),
        target: Rated(2, 3),
        tags: &[Supplier, Fleet],
        course: &[
            from(16, 3, 4, ""),
            from(9, 3, 4, "Talks with a second carrier."),
            from(1, 3, 3, "Second carrier drives two tours."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Fire in the central warehouse",
        description: "Sprinklers, two fire sections, charging bays outside.",
        category: "Physical",
        owner: Samuel,
        inherent: Rated(2, 5),
        target: Rated(1, 4),
        tags: &[Continuity],
        course: &[from(16, 1, 5, "Sprinklers inspected."), from(8, 1, 4, "Charging bays moved outside.")],
        ..BLANK
    },
    DemoRisk {
        title: "Flooding at Pell Road",
        description: "The river stands two metres below the loading bay in a usual year.",
        category: "Physical",
        owner: Samuel,
        inherent: Rated(2, 4),
        target: Rated(2, 3),
        tags: &[Continuity],
        course: &[from(16, 2, 4, "Barriers quoted, not ordered."), from(7, 2, 4, "Still not ordered.")],
        ..BLANK
    },
    DemoRisk {
        title: "Key people leave",
        description: "Three colleagues know the crane controllers; two of them retire within two years.",
        category: "People",
        owner: Tom,
        inherent: Rated(4, 3),
        target: Rated(2, 2),
        tags: &[Machinery],
        course: &[
            from(16, 3, 3, ""),
            from(11, 3, 3, "Vacancy published."),
            from(4, 3, 4, "One of them leaves in three months already."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Telematics provider goes dark",
        description: "Positions and temperatures of 34 vans come from one provider.",
        category: "Supply",
        owner: Jonas,
        inherent: Rated(3, 3),
        target: Rated(2, 2),
        tags: &[Supplier, Fleet, ColdChain],
        course: &[
            from(16, 3, 3, ""),
            from(6, 2, 3, "Loggers keep 30 days on their own."),
            from(1, 2, 3, "Three hours missing at a carrier, nothing lost."),
            from(0, 2, 2, ""),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Known hole in something that faces the internet",
        description: "VPN, mail gateway, portal, the camera recorder that should not.",
        category: "Cyber",
        owner: Jonas,
        inherent: Rated(5, 4),
        target: Rated(2, 4),
        tags: &[Access],
        course: &[
            from(16, 4, 4, ""),
            from(13, 3, 4, "Camera recorder is no longer one of them."),
            from(3, 4, 4, "Firewall administration was open for two and a half days."),
            from(2, 3, 4, "Outside scan every night, changes with a second pair of eyes."),
            from(0, 3, 4, "VPN patched 32 hours after the bulletin; target is 24."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Deletion terms are not kept",
        description: "Proofs of delivery should go after three years, camera images after 72 hours.",
        category: "Privacy",
        owner: Tom,
        inherent: Rated(4, 2),
        target: Rated(1, 2),
        tags: &[PersonalData],
        course: &[
            from(16, 4, 2, ""),
            from(12, 3, 2, "Camera images delete themselves."),
            from(5, 2, 2, "Proofs of delivery before last year are gone."),
            from(2, 1, 2, "All terms run by themselves."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Records of medicines fail an inspection",
        description: "Temperature logs, releases, recalls: complete, in time, and with the right clock.",
        category: "Compliance",
        owner: Helen,
        inherent: Rated(3, 4),
        target: Rated(1, 4),
        tags: &[ColdChain],
        course: &[
            from(16, 2, 4, ""),
            from(8, 3, 4, "Two pallets moved without release."),
            from(6, 3, 4, "And the log's clock was 11 minutes slow."),
            from(3, 2, 4, "Block is on the pallet; clocks are watched."),
            from(1, 1, 4, "Mock inspection: two remarks, both small."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Handhelds or Wi-Fi fail in a shift",
        description: "140 handhelds; paper works for an hour.",
        category: "Operations",
        owner: Priya,
        inherent: Rated(4, 3),
        target: Rated(2, 2),
        tags: &[Continuity],
        course: &[
            from(16, 3, 2, ""),
            from(13, 3, 3, "60 handhelds without printers."),
            from(11, 3, 2, "Updates in groups of ten."),
            from(5, 3, 2, "Address pool was too small at Eastgate."),
            from(0, 3, 3, "Six access points behind one power supply."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Old fax gateway receives prescriptions",
        description: "Two clinics still send them; the machine stands in an open office.",
        category: "Privacy",
        owner: Yasmin,
        inherent: Rated(3, 3),
        target: Rated(1, 3),
        tags: &[PersonalData],
        course: &[
            from(16, 3, 3, ""),
            from(11, 2, 3, "One clinic left."),
            from(6, 1, 3, "Last clinic moved to the portal."),
        ],
        closed: Some((at(36, 15, 0), "The gateway is switched off and the number is cancelled.")),
        ..BLANK
    },
    DemoRisk {
        title: "Seasonal staff trained too late",
        description: "The season brings 90 people in three weeks, most of them in their first warehouse.",
        category: "People",
        owner: Samuel,
        inherent: Rated(4, 3),
        target: Rated(2, 2),
        tags: &[],
        course: &[
            from(4, 4, 3, "New this season."),
            from(2, 3, 3, ""),
            from(0, 3, 2, "Two of three groups trained."),
        ],
        ..BLANK
    },
    DemoRisk {
        title: "Ransomware (old register)",
        description: "Entered twice during the move from the spreadsheet.",
        category: "Cyber",
        owner: Marta,
        inherent: Rated(4, 5),
        target: Rated(2, 4),
        course: &[from(16, 4, 5, "")],
        deleted: Some(at(85, 15, 0)),
        ..BLANK
    },
];
