//! Incidents caused by people: attackers, and mistakes of colleagues. It is long because it is one table, in the order of
//! time.

use domain::incident::Kind::{Drill, Retrospective, Test};
use domain::incident::ResolutionReason::{Accepted, FalsePositive, Fixed, Mitigated, NotAnIncident};
use domain::incident::Status::{Contained, Investigating};
use domain::link::LinkKind;
use domain::severity::Severity::{High, Low, Medium};

use super::super::people::Who::{Helen, Jonas, Marta, Priya, Samuel, Siem, Tom, Yasmin};
use super::super::tags::Tag;
use super::super::when::{ago, at};
use super::review::PHISHING;
use super::{BLANK, DemoEnd, DemoIncident, Move, closed, dismissed, duplicate, resolved, stated, step};

/// In the order in which they were declared.
pub(in super::super) const SECURITY: &[DemoIncident] = &[
    DemoIncident {
        title: "Password spraying against the VPN gateway",
        description: "1,940 failed sign-ins on 212 accounts within 17 minutes, all from 203.0.113.0/24. \
            Two accounts locked, none opened. Range blocked at the edge.",
        source: "SIEM rule 4021",
        opened_by: Siem,
        assigned_to: Some(Jonas),
        occurred: Some(at(117, 2, 14)),
        detected: at(117, 2, 31),
        responded: Some(at(117, 6, 50)),
        contained: Some(at(117, 7, 5)),
        severity: Some(stated(Low, "No account opened and the gateway asks for a second factor.")),
        outcome: closed(
            at(117, 9, 30),
            Mitigated,
            "Range blocked at the edge for 30 days; the alarm now fires after 5 minutes.",
            at(114, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Letter asks to change the bank details of a carrier",
        description: "Accounts payable received a letter on the carrier's paper with a new account number. \
            The telephone number in it is not the one in our master data. **Nothing was paid.** \
            The carrier confirmed that it did not write.",
        source: "Employee report",
        opened_by: Priya,
        assigned_to: Some(Marta),
        occurred: Some(at(113, 8, 0)),
        detected: at(112, 10, 22),
        declared: Some(at(112, 10, 47)),
        responded: Some(at(112, 11, 5)),
        contained: Some(at(112, 11, 40)),
        severity: Some(stated(Low, "Stopped by the call-back rule before any payment.")),
        outcome: closed(
            at(112, 15, 0),
            Mitigated,
            "Accounts payable and all carriers were warned; the letter went to the police.",
            at(110, 10, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Label printers reachable from the guest network",
        description: "The testers opened the administration page of four label printers from the guest \
            Wi-Fi at Eastgate with the factory password. A changed template would print wrong expiry dates.",
        source: "Penetration test",
        opened_by: Marta,
        assigned_to: Some(Jonas),
        detected: at(109, 15, 10),
        declared: Some(at(109, 16, 2)),
        responded: Some(at(108, 7, 30)),
        contained: Some(at(108, 9, 15)),
        severity: Some(stated(Medium, "No misuse seen, but a wrong label can reach a patient.")),
        outcome: closed(
            at(106, 14, 0),
            Fixed,
            "The printers moved to the device network and have passwords of their own.",
            at(104, 9, 30),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Account of a former contractor still active",
        description: "The contract of the commissioning engineer ended two weeks ago; the account could \
            still reach the crane controllers. Last sign-in was before the end of the contract.",
        source: "Quarterly access review",
        opened_by: Tom,
        assigned_to: Some(Tom),
        occurred: Some(at(119, 0, 0)),
        detected: at(103, 9, 40),
        declared: Some(at(103, 9, 52)),
        responded: Some(at(103, 9, 55)),
        contained: Some(at(103, 10, 1)),
        outcome: dismissed(
            at(102, 8, 30),
            NotAnIncident,
            "Nobody signed in after the contract ended. The gap in the process is a risk, not an incident.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Driver roster sent to the wrong haulier",
        description: "The dispatch office chose the wrong recipient. The sheet held names, mobile numbers \
            and licence classes of 38 drivers. The recipient confirmed deletion in writing.",
        source: "Employee report",
        opened_by: Samuel,
        assigned_to: Some(Yasmin),
        occurred: Some(at(98, 13, 5)),
        detected: at(98, 13, 20),
        declared: Some(at(98, 14, 2)),
        responded: Some(at(98, 14, 30)),
        contained: Some(at(98, 16, 45)),
        severity: Some(stated(
            Low,
            "38 persons, no special categories, recipient is a contract partner and deleted the file.",
        )),
        outcome: closed(
            at(96, 10, 0),
            Mitigated,
            "The haulier confirmed the deletion; the authority need not be told. Rosters are now sent by a link that can be withdrawn.",
            at(93, 11, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "TEST please ignore: alarm path of the SIEM",
        description: "Test of the new connector.",
        source: "SIEM rule 9999",
        opened_by: Siem,
        detected: at(97, 9, 0),
        deleted: Some(at(61, 9, 12)),
        kind: Test,
        ..BLANK
    },
    DemoIncident {
        title: "Malware on a USB stick at goods-in",
        description: "A visiting driver plugged in his stick to print a delivery note. The endpoint agent \
            quarantined a known dropper by itself; the alarm was seen when the shift changed.",
        source: "Endpoint agent",
        opened_by: Siem,
        assigned_to: Some(Priya),
        occurred: Some(at(91, 9, 11)),
        detected: at(91, 11, 40),
        responded: Some(at(91, 11, 52)),
        contained: Some(at(91, 9, 12)),
        severity: Some(stated(Low, "Stopped by the agent within a minute, machine reinstalled anyway.")),
        outcome: closed(
            at(90, 12, 0),
            Fixed,
            "Machine reinstalled, ports for storage locked at all goods-in desks.",
            at(88, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Packaging supplier encrypted by ransomware",
        description: "Brindle Packaging told its customers that its systems are encrypted. We have a \
            site-to-site tunnel and two shared mailboxes with them. Tunnel closed, mails from their \
            domain go to quarantine, orders by telephone until further notice.",
        source: "Supplier notice",
        opened_by: Marta,
        assigned_to: Some(Jonas),
        occurred: Some(at(89, 22, 0)),
        detected: at(88, 8, 15),
        declared: Some(at(88, 8, 31)),
        responded: Some(at(88, 8, 20)),
        contained: Some(at(88, 8, 44)),
        severity: Some(stated(
            High,
            "An open tunnel into our network for at least ten hours; nothing found on our side.",
        )),
        steps: &[
            step(at(88, 9, 0), Marta, Move::Tag(Tag::Supplier)),
            step(
                at(65, 10, 0),
                Marta,
                Move::CloseAnyway(
                    "The supplier's report is final and nothing of ours was touched: no review of our own.",
                ),
            ),
        ],
        outcome: resolved(
            at(70, 9, 0),
            Mitigated,
            "The supplier is back and was examined by a third party. The tunnel stays closed; orders go through the portal.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Sign-in to a finance account from two countries in 20 minutes",
        description: "The second sign-in came through a hotel proxy: the colleague is travelling and \
            confirmed both by telephone.",
        source: "SIEM rule 4107",
        opened_by: Siem,
        assigned_to: Some(Priya),
        detected: at(83, 18, 26),
        responded: Some(at(83, 18, 41)),
        contained: Some(at(83, 18, 58)),
        severity: Some(stated(Low, "Explained.")),
        outcome: dismissed(
            at(83, 19, 10),
            FalsePositive,
            "The colleague is travelling and confirmed both sign-ins.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Shared dispatch password on a whiteboard",
        description: "Found during the walk round: the password of the shared dispatch account is on the \
            whiteboard, and the whiteboard is in the photo on the career page of our website.",
        source: "Internal audit",
        opened_by: Marta,
        assigned_to: Some(Tom),
        detected: at(78, 11, 0),
        declared: Some(at(78, 13, 30)),
        responded: Some(at(78, 13, 45)),
        contained: Some(at(78, 14, 20)),
        severity: Some(stated(Medium, "Known to anybody who looked; the account can change routes.")),
        outcome: closed(
            at(76, 16, 0),
            Fixed,
            "Every dispatcher has an account; the shared one is gone, and so is the photo.",
            at(73, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Credential stuffing on the order portal",
        description: "About 60,000 sign-in attempts from 400 addresses. Three accounts of one clinic were \
            opened with passwords that had leaked elsewhere; no order was placed. Passwords reset, clinic told.",
        source: "SIEM rule 4033",
        opened_by: Siem,
        assigned_to: Some(Jonas),
        occurred: Some(at(74, 1, 50)),
        detected: at(74, 3, 5),
        responded: Some(at(74, 3, 32)),
        contained: Some(at(74, 4, 40)),
        severity: Some(stated(Medium, "Three accounts opened, order history of one clinic visible.")),
        outcome: closed(
            at(72, 11, 0),
            Mitigated,
            "Passwords known from leaks are refused, and ten failures from one address slow it down.",
            at(68, 10, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Laptop stolen from a parked car",
        description: "Sales laptop, disk encrypted, screen locked, last seen by management agent before the \
            theft. Police report is with the insurer. Remote wipe is queued.",
        source: "Employee report",
        opened_by: Priya,
        assigned_to: Some(Priya),
        occurred: Some(at(70, 19, 30)),
        detected: at(69, 6, 45),
        declared: Some(at(69, 8, 10)),
        responded: Some(at(69, 8, 15)),
        contained: Some(at(69, 8, 30)),
        severity: Some(stated(Low, "Encrypted and locked.")),
        outcome: closed(
            at(66, 10, 0),
            Accepted,
            "The wipe was never acknowledged; the disk is encrypted and the certificate revoked. What is left was accepted.",
            at(62, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "API key of the order interface in a public repository",
        description: "An integrator of a hospital pushed a configuration file. The key could place orders \
            for one hospital. Key revoked, a new one handed over by the safe channel. No foreign use in the log.",
        source: "Secret scanning notice",
        opened_by: Marta,
        assigned_to: Some(Tom),
        occurred: Some(at(65, 16, 12)),
        detected: at(64, 7, 3),
        declared: Some(at(64, 7, 20)),
        responded: Some(at(64, 7, 20)),
        contained: Some(at(64, 7, 34)),
        severity: Some(stated(Medium, "Valid for 15 hours in public, one hospital, no foreign use.")),
        outcome: closed(
            at(62, 10, 0),
            Fixed,
            "New key by the safe channel. Keys now end after a year, and secret scanning tells us directly.",
            at(58, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Route planner gets second-factor prompts at night",
        description: "Eleven prompts between 23:40 and 00:10, all refused. So somebody has the password. \
            Password reset, number matching switched on for the whole team.",
        source: "Employee report",
        opened_by: Priya,
        assigned_to: Some(Jonas),
        occurred: Some(at(60, 23, 40)),
        detected: at(59, 7, 55),
        declared: Some(at(59, 8, 12)),
        responded: Some(at(59, 8, 20)),
        contained: Some(at(59, 8, 36)),
        severity: Some(stated(Medium, "Password known to a stranger, second factor held.")),
        outcome: closed(at(57, 10, 0), Fixed, "Password reset, number matching for everybody.", at(54, 9, 0)),
        ..BLANK
    },
    DemoIncident {
        title: "Stranger followed a driver into the Eastgate depot",
        description: "Seen on camera after a pallet was found open. The person walked through bay 3, took \
            nothing that we know of and left after four minutes. The gate stays closed between arrivals now.",
        source: "Camera review",
        opened_by: Samuel,
        assigned_to: Some(Samuel),
        occurred: Some(at(56, 17, 18)),
        detected: at(55, 9, 30),
        declared: Some(at(55, 10, 5)),
        responded: Some(at(55, 10, 10)),
        outcome: resolved(
            at(52, 16, 0),
            Mitigated,
            "The gate closes behind each vehicle. The stranger was not found.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Phishing wave imitates hospital purchase orders",
        description: "214 mails, a link to a copied sign-in page at 198.51.100.77. 19 colleagues opened it, \
            four typed a password. Domain blocked, mails pulled back, four passwords reset.",
        source: "Employee report",
        opened_by: Priya,
        assigned_to: Some(Marta),
        occurred: Some(at(47, 7, 2)),
        detected: at(47, 7, 31),
        declared: Some(at(47, 7, 40)),
        responded: Some(at(47, 7, 44)),
        contained: Some(at(47, 9, 26)),
        severity: Some(stated(High, "Four passwords given away, one of them in purchasing.")),
        outcome: closed(
            at(44, 17, 0),
            Fixed,
            "Domain blocked, four passwords reset, nobody else signed in. The second wave was blocked on arrival.",
            at(37, 14, 0),
        ),
        steps: &[
            step(at(47, 7, 46), Marta, Move::Tag(Tag::Phishing)),
            step(at(46, 17, 0), Marta, Move::Resolve(Fixed, "Domain blocked, four passwords reset.")),
            step(
                at(45, 8, 15),
                Priya,
                Move::To(
                    Investigating,
                    "A second wave with the same page came at 08:02, from another domain.",
                ),
            ),
            step(
                at(45, 9, 30),
                Marta,
                Move::To(Contained, "The mail gateway blocks the page by its content."),
            ),
            step(at(38, 11, 0), Marta, Move::Review(&PHISHING)),
        ],
        ..BLANK
    },
    DemoIncident {
        title: "Strange order by mail, asks to sign in",
        description: "A hospital that we supply by interface, and suddenly an order by mail with a link.",
        source: "Employee report",
        opened_by: Helen,
        occurred: Some(at(47, 7, 2)),
        detected: at(47, 8, 20),
        outcome: duplicate(at(47, 8, 45), "Phishing wave imitates hospital purchase orders"),
        ..BLANK
    },
    DemoIncident {
        title: "Odd mail about a purchase order",
        description: "Looks like phishing. (Same wave as this morning's.)",
        source: "Employee report",
        opened_by: Samuel,
        occurred: Some(at(47, 7, 2)),
        detected: at(47, 8, 50),
        deleted: Some(at(47, 15, 30)),
        ..BLANK
    },
    DemoIncident {
        title: "Mailbox of a purchasing clerk taken over",
        description: "The password from yesterday's wave was used before the reset reached the mail service. \
            A rule forwarded everything with *invoice* in it to an outside address. 31 mails left.\n\n\
            - sessions ended, rule removed\n- suppliers in those mails warned\n- data protection informed",
        source: "SIEM rule 4310",
        opened_by: Siem,
        assigned_to: Some(Marta),
        occurred: Some(at(47, 9, 10)),
        detected: at(46, 6, 17),
        responded: Some(at(46, 6, 40)),
        contained: Some(at(46, 7, 25)),
        severity: Some(stated(
            High,
            "21 hours of access, correspondence with 12 suppliers, bank details of two of them.",
        )),
        steps: &[step(
            at(46, 6, 50),
            Marta,
            Move::Link(
                LinkKind::CausedBy,
                DemoEnd::Incident("Phishing wave imitates hospital purchase orders"),
            ),
        )],
        outcome: resolved(
            at(42, 15, 0),
            Fixed,
            "Sessions ended, rule removed, 12 suppliers warned, two of them by telephone. Rules that forward outside are now refused.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Test database holds home addresses of patients",
        description: "The copy that was made for the new route planner includes 2,300 home deliveries with \
            names. All of IT could read it for nine days. Access log shows three readers, all of them testers.",
        source: "Data protection review",
        opened_by: Tom,
        assigned_to: Some(Yasmin),
        occurred: Some(at(50, 12, 0)),
        detected: at(41, 10, 15),
        declared: Some(at(41, 11, 20)),
        responded: Some(at(41, 11, 30)),
        contained: Some(at(41, 12, 10)),
        severity: Some(stated(
            High,
            "Health-related data of more than 500 persons; the circle of readers was small and is known.",
        )),
        outcome: resolved(
            at(39, 13, 0),
            Fixed,
            "Copy deleted, test data are made up from now on. The authority was told within 72 hours.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Suspicious PowerShell on a dispatch machine",
        description: "Turned out to be our own software rollout, signed and planned. Rule adjusted.",
        source: "SIEM rule 4212",
        opened_by: Siem,
        detected: at(36, 12, 3),
        responded: Some(at(36, 12, 20)),
        deleted: Some(at(36, 13, 5)),
        ..BLANK
    },
    DemoIncident {
        title: "Drill: ransomware in the warehouse on a Friday evening",
        description: "Announced to the shift leads only. Played on paper until the decision to pull the tunnel to \
            Eastgate. The list of telephone numbers was two years old.",
        source: "Exercise plan",
        opened_by: Marta,
        assigned_to: Some(Tom),
        occurred: Some(at(34, 16, 0)),
        detected: at(34, 16, 10),
        responded: Some(at(34, 16, 25)),
        contained: Some(at(34, 17, 50)),
        severity: Some(stated(High, "As played: the warehouse stands and the backups are in question.")),
        kind: Drill,
        outcome: closed(
            at(34, 19, 0),
            Fixed,
            "Numbers renewed; they are checked each quarter.",
            at(32, 10, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Van broken into at a rest area",
        description: "Van 22, side window smashed during the break. Gone: one handheld and the paper delivery \
            list of the day with 46 names and addresses. The medicines box was not opened; seal and logger \
            are intact, quality released the goods.",
        source: "Driver hotline",
        opened_by: Samuel,
        assigned_to: Some(Samuel),
        occurred: Some(at(33, 12, 35)),
        detected: at(33, 12, 55),
        declared: Some(at(33, 13, 30)),
        responded: Some(at(33, 13, 5)),
        contained: Some(at(33, 13, 25)),
        severity: Some(stated(Medium, "46 patients named on paper; handheld wiped after 30 minutes.")),
        outcome: closed(
            at(30, 10, 0),
            Mitigated,
            "46 people were written to. Lists stay in the handheld now.",
            at(26, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Firewall administration reachable from the internet",
        description: "Since the rule change for the new telephony line. Found by our own outside scan; \
            nobody signed in, 83 attempts. The change had no second pair of eyes.",
        source: "External scan",
        opened_by: Siem,
        assigned_to: Some(Jonas),
        occurred: Some(at(30, 18, 40)),
        detected: at(27, 4, 10),
        responded: Some(at(27, 7, 2)),
        contained: Some(at(27, 7, 11)),
        severity: Some(stated(Medium, "Open for two and a half days, no sign-in succeeded.")),
        outcome: closed(
            at(26, 11, 0),
            Fixed,
            "Rule removed. Changes of the firewall need a second person.",
            at(22, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Test of the alarm path after the update of the SIEM",
        description: "Arrived after 40 seconds.",
        source: "SIEM rule 9999",
        opened_by: Siem,
        detected: at(25, 9, 0),
        kind: Test,
        outcome: dismissed(at(25, 9, 20), domain::incident::ResolutionReason::Test, ""),
        ..BLANK
    },
    DemoIncident {
        title: "SQL injection probes on the order search",
        description: "One address, 192.0.2.146, 3,100 requests in an hour, all answered with 400. The web \
            application firewall blocked it after ten minutes. Checked by hand: the search is parameterised.",
        source: "SIEM rule 4402",
        opened_by: Siem,
        assigned_to: Some(Jonas),
        occurred: Some(at(19, 21, 15)),
        detected: at(19, 21, 24),
        responded: Some(at(19, 21, 50)),
        contained: Some(at(19, 21, 25)),
        severity: Some(stated(Low, "No effect.")),
        outcome: dismissed(
            at(18, 8, 30),
            NotAnIncident,
            "No effect: the search is parameterised and every request was refused.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Password of the guest network unchanged for two years",
        description: "Found by the audit, and known to everybody who ever visited. The guest network reaches the \
            internet only.",
        source: "Internal audit",
        opened_by: Tom,
        assigned_to: Some(Jonas),
        detected: at(14, 10, 0),
        declared: Some(at(14, 10, 30)),
        responded: Some(at(14, 11, 0)),
        contained: Some(at(14, 11, 20)),
        severity: Some(stated(Low, "The guest network reaches nothing of ours.")),
        kind: Retrospective,
        outcome: closed(at(14, 12, 0), Fixed, "The password changes each Monday by itself.", at(13, 9, 0)),
        ..BLANK
    },
    DemoIncident {
        title: "Mass renaming of files stopped at Pell Road",
        description: "The agent saw 140 files renamed within six seconds on the file server of sterile \
            services and isolated the workstation behind it. Entry was a macro in a forwarded delivery note. \
            Files restored from the snapshot of 05:00; nothing was lost but the morning.",
        source: "Endpoint agent",
        opened_by: Siem,
        assigned_to: Some(Marta),
        occurred: Some(at(12, 8, 3)),
        detected: at(12, 8, 4),
        responded: Some(at(12, 8, 9)),
        contained: Some(at(12, 8, 4)),
        severity: Some(stated(High, "Ransomware reached a server; stopped after 140 files.")),
        outcome: resolved(
            at(10, 12, 0),
            Fixed,
            "Files restored, workstation reinstalled, macros from outside are blocked.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Order portal slow under a flood of requests",
        description: "About 9 Gbit/s for 40 minutes. The provider's scrubbing took over after twelve. \
            Hospitals with the interface did not notice, the portal's users did.",
        source: "Provider notice",
        opened_by: Tom,
        assigned_to: Some(Jonas),
        occurred: Some(at(8, 10, 20)),
        detected: at(8, 10, 26),
        declared: Some(at(8, 10, 41)),
        responded: Some(at(8, 10, 28)),
        contained: Some(at(8, 10, 32)),
        severity: Some(stated(
            Medium,
            "31 hospitals without the portal for 12 minutes, telephone line held.",
        )),
        outcome: closed(
            at(7, 9, 0),
            Mitigated,
            "The provider filters by itself after two minutes now.",
            at(5, 15, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "VPN appliance vulnerable to a known exploit",
        description: "The managed service provider applied the vendor's workaround during the night and told \
            us in the morning. Logs of the last 14 days were searched for the published traces: none. \
            Patch installed in the next window.",
        source: "Vendor bulletin",
        opened_by: Marta,
        assigned_to: Some(Jonas),
        occurred: Some(at(6, 20, 0)),
        detected: at(5, 6, 30),
        declared: Some(at(5, 7, 15)),
        responded: Some(at(5, 1, 40)),
        contained: Some(at(5, 2, 5)),
        severity: Some(stated(Medium, "Exposed for six hours to something that is used elsewhere.")),
        outcome: resolved(
            at(2, 21, 30),
            Fixed,
            "Patch installed in the window of the night; the workaround is gone.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Text messages promise drivers a payroll correction",
        description: "Seven drivers forwarded it, one entered his bank details and called us himself. \
            Bank informed, message to all drivers sent over the handhelds.",
        source: "Driver hotline",
        opened_by: Samuel,
        assigned_to: Some(Priya),
        occurred: Some(at(3, 5, 30)),
        detected: at(3, 6, 10),
        declared: Some(at(3, 6, 45)),
        responded: Some(at(3, 6, 50)),
        contained: Some(at(3, 8, 15)),
        severity: Some(stated(Low, "One person affected, account blocked in time.")),
        outcome: resolved(at(2, 9, 0), Mitigated, "The account was blocked in time; drivers were reminded."),
        ..BLANK
    },
    DemoIncident {
        title: "Customer list copied by a colleague who is leaving",
        description: "4,200 rows with contacts and prices went to a private cloud folder on the last evening. Only \
            the data protection officer is informed until the conversation with the colleague.",
        source: "Data loss prevention",
        opened_by: Marta,
        assigned_to: Some(Marta),
        occurred: Some(at(2, 17, 40)),
        detected: at(2, 18, 5),
        declared: Some(at(2, 18, 20)),
        responded: Some(at(2, 18, 20)),
        contained: Some(at(2, 19, 10)),
        severity: Some(stated(
            Medium,
            "Prices of all hospitals; the folder is closed and the download was noticed.",
        )),
        readers: &[Yasmin],
        ..BLANK
    },
    DemoIncident {
        title: "Delivery note with patient names posted to a group chat",
        description: "A ward posted a photo to ask about a missing box. Our quality team is in the chat and \
            saw it. The hospital was asked to delete it; our part of the chat is deleted.",
        source: "Employee report",
        opened_by: Helen,
        assigned_to: Some(Yasmin),
        occurred: Some(ago(23, 20)),
        detected: ago(22, 50),
        declared: Some(ago(22, 30)),
        responded: Some(ago(21, 55)),
        contained: Some(ago(20, 10)),
        steps: &[step(ago(21, 50), Marta, Move::Tag(Tag::PersonalData))],
        ..BLANK
    },
    DemoIncident {
        title: "Sign-in attempts on a disabled account",
        description: "The account of a colleague who left four months ago, 14 attempts from 198.51.100.23 with a \
            password that was once right.",
        source: "SIEM rule 4055",
        opened_by: Siem,
        assigned_to: Some(Jonas),
        occurred: Some(ago(9, 40)),
        detected: ago(9, 32),
        responded: Some(ago(7, 5)),
        ..BLANK
    },
    DemoIncident {
        title: "Unusual export of 41,000 order lines",
        description: "A hospital's interface account read its whole order history in 20 minutes; it usually \
            reads 300 lines a day. The hospital's IT does not pick up.",
        source: "SIEM rule 4411",
        opened_by: Siem,
        occurred: Some(ago(1, 58)),
        detected: ago(1, 35),
        ..BLANK
    },
];
