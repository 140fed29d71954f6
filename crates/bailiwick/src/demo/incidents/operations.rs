//! Incidents without intent: machines, lines, changes, weather.

use domain::incident::Kind::NearMiss;
use domain::incident::ResolutionReason::{Accepted, Fixed, Mitigated};
use domain::link::LinkKind;
use domain::severity::Severity::{High, Low, Medium};
use domain::severity::bailiwick::{Area, Urgency};

use super::super::people::Who::{Helen, Jonas, Monitoring, Priya, Samuel, Tom};
use super::super::tags::Tag;
use super::super::when::{ago, at};
use super::major::STORAGE;
use super::review::{CERTIFICATE, COMPRESSOR, STORAGE_FULL};
use super::{Answered, BLANK, DemoEnd, DemoIncident, Judgement, Move, closed, resolved, stated, step};

/// In the order in which they were declared.
pub(in super::super) const OPERATIONS: &[DemoIncident] = &[
    DemoIncident {
        title: "Nightly backup of the warehouse system incomplete",
        description: "Job ended after 4 of 6 volumes: target full. Old sets beyond their term had not been \
            removed since the retention job was renamed. Run again by hand at 07:40, complete.",
        source: "Backup report",
        opened_by: Monitoring,
        assigned_to: Some(Tom),
        occurred: Some(at(116, 2, 10)),
        detected: at(116, 5, 0),
        responded: Some(at(116, 7, 20)),
        contained: Some(at(116, 9, 5)),
        severity: Some(stated(Low, "Complete again before the next night.")),
        outcome: closed(
            at(116, 9, 10),
            Fixed,
            "Retention runs under its new name and is watched.",
            at(112, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Voltage dip stops the sorter for 35 minutes",
        description: "Grid dip of 200 ms. Servers carried on, the sorter's drives did not and had to be \
            referenced one by one. 1,150 totes late, no hospital run missed.",
        source: "Control room",
        opened_by: Samuel,
        assigned_to: Some(Samuel),
        occurred: Some(at(110, 16, 42)),
        detected: at(110, 16, 42),
        declared: Some(at(110, 17, 5)),
        responded: Some(at(110, 16, 45)),
        contained: Some(at(110, 17, 17)),
        severity: Some(stated(Low, "Delay within the afternoon's slack.")),
        outcome: closed(
            at(109, 10, 0),
            Accepted,
            "A buffer for the drives costs more than such an afternoon.",
            at(107, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Fibre cut near Eastgate, depot on mobile backup",
        description: "An excavator at the ring road. The router changed over by itself; scanning works, \
            camera upload and telephony do not.",
        source: "Line monitoring",
        opened_by: Monitoring,
        assigned_to: Some(Jonas),
        occurred: Some(at(105, 9, 17)),
        detected: at(105, 9, 18),
        responded: Some(at(105, 9, 25)),
        contained: Some(at(105, 9, 18)),
        severity: Some(stated(Low, "The backup line did what it is there for.")),
        outcome: closed(
            at(104, 15, 30),
            Fixed,
            "Line repaired; the cameras upload over the backup line too.",
            at(101, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Probe in cold room 2 reads 0.9 °C too low",
        description: "Noticed at the half-yearly calibration. The neighbouring probes were right all the \
            time; no product was above 8 °C. Probe replaced.",
        source: "Calibration",
        opened_by: Helen,
        assigned_to: Some(Helen),
        detected: at(100, 10, 30),
        declared: Some(at(100, 11, 45)),
        responded: Some(at(100, 10, 50)),
        contained: Some(at(100, 14, 0)),
        severity: Some(stated(Low, "Redundant probes, no excursion.")),
        outcome: closed(at(99, 9, 0), Fixed, "Probe replaced and calibrated.", at(97, 10, 0)),
        ..BLANK
    },
    DemoIncident {
        title: "Handhelds lose their printers after an update",
        description: "The update of the night before resets pairing. 60 of 140 handhelds at the start of the \
            early shift. Rolled back in groups of ten.",
        source: "Service desk",
        opened_by: Priya,
        assigned_to: Some(Priya),
        occurred: Some(at(96, 23, 0)),
        detected: at(95, 5, 12),
        declared: Some(at(95, 5, 30)),
        responded: Some(at(95, 5, 25)),
        contained: Some(at(95, 8, 50)),
        severity: Some(stated(Medium, "3 hours at half speed, two runs left late.")),
        outcome: closed(
            at(94, 12, 0),
            Fixed,
            "Updates go to ten handhelds first and to all others two days later.",
            at(92, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Expiry dates shifted by one day",
        description: "The new interface to the ERP reads local midnight as UTC, so dates move back by one \
            day. 900 batches. Wrong in the safe direction: goods would have been thrown away early.",
        source: "Goods-in check",
        opened_by: Helen,
        assigned_to: Some(Tom),
        occurred: Some(at(92, 20, 0)),
        detected: at(90, 8, 5),
        declared: Some(at(90, 8, 40)),
        responded: Some(at(90, 9, 0)),
        contained: Some(at(90, 11, 30)),
        severity: Some(stated(Medium, "Master data of medicines was wrong, if harmlessly.")),
        outcome: closed(
            at(89, 16, 0),
            Fixed,
            "900 batches corrected and checked by two people; the interface reads the zone.",
            at(85, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Routes planned on traffic of the day before",
        description: "The feed of the map provider stood still, and nothing looked at its age. Eleven tours \
            late by 20 to 50 minutes.",
        source: "Dispatch",
        opened_by: Samuel,
        assigned_to: Some(Tom),
        occurred: Some(at(86, 4, 0)),
        detected: at(86, 8, 20),
        declared: Some(at(86, 8, 35)),
        responded: Some(at(86, 8, 50)),
        contained: Some(at(86, 9, 10)),
        severity: Some(stated(Low, "Late, not lost: the longest delay was 50 minutes.")),
        outcome: closed(
            at(85, 11, 0),
            Fixed,
            "A feed that is older than 15 minutes raises an alarm.",
            at(82, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Order file of a hospital processed twice",
        description: "The gateway lost the acknowledgement, the hospital sent again, and the file name was \
            all that we compared. 212 lines picked twice; most were caught at packing.",
        source: "Customer complaint",
        opened_by: Priya,
        assigned_to: Some(Tom),
        occurred: Some(at(81, 17, 30)),
        detected: at(80, 9, 45),
        declared: Some(at(80, 10, 0)),
        responded: Some(at(80, 10, 10)),
        contained: Some(at(80, 11, 55)),
        severity: Some(stated(Low, "Cost and annoyance, nobody went without.")),
        outcome: closed(
            at(78, 10, 0),
            Fixed,
            "Files are compared by content; the hospital was credited.",
            at(76, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Restore test of the warehouse system failed",
        description: "The dump was there and unreadable: compressed by a newer version than the restore host \
            has. Repeated with the right version after four hours. Without that version at hand we would \
            have stood there.",
        source: "Restore test",
        opened_by: Tom,
        assigned_to: Some(Tom),
        detected: at(75, 13, 20),
        declared: Some(at(75, 13, 50)),
        responded: Some(at(75, 13, 25)),
        contained: Some(at(75, 17, 40)),
        severity: Some(stated(Medium, "No damage, but the plan says four hours and four were gone already.")),
        outcome: closed(
            at(73, 12, 0),
            Fixed,
            "The restore host keeps the versions of all dumps. Repeated in 3 hours 20.",
            at(70, 9, 30),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "UPS of the server room reports a bad battery string",
        description: "Runtime fell from 22 to 6 minutes. Replacement is two weeks away; a hired unit stands \
            beside it since 16:00.",
        source: "Site monitoring",
        opened_by: Monitoring,
        assigned_to: Some(Jonas),
        detected: at(71, 4, 33),
        responded: Some(at(71, 7, 10)),
        contained: Some(at(71, 16, 0)),
        severity: Some(stated(Medium, "Six minutes are enough to shut down and not enough to change over.")),
        outcome: closed(
            at(57, 13, 0),
            Fixed,
            "Battery string replaced, 22 minutes measured under load.",
            at(55, 9, 30),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Storage full, warehouse system read-only",
        description: "Debug logging was left on after the last release and filled the volume during the \
            night. Picking stood from 05:20 to 06:05.",
        source: "Site monitoring",
        opened_by: Monitoring,
        assigned_to: Some(Tom),
        occurred: Some(at(66, 5, 20)),
        detected: at(66, 5, 21),
        responded: Some(at(66, 5, 30)),
        contained: Some(at(66, 6, 5)),
        severity: Some(stated(High, "The whole warehouse stood for 45 minutes.")),
        steps: &[step(at(60, 10, 0), Tom, Move::Review(&STORAGE_FULL))],
        outcome: closed(
            at(64, 10, 0),
            Fixed,
            "Debug logging ends by itself after a day; the volume warns at 80 %.",
            at(59, 11, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Compressor of cold room 1 failed",
        description: "Room rose from 4.1 to 7.6 °C in 50 minutes. 63 pallets moved to room 2 and two \
            refrigerated trailers. The standby compressor started and tripped: its breaker had been left in \
            the service position.",
        source: "Temperature alarm",
        opened_by: Monitoring,
        assigned_to: Some(Helen),
        occurred: Some(at(61, 3, 12)),
        detected: at(61, 3, 27),
        responded: Some(at(61, 3, 41)),
        contained: Some(at(61, 5, 30)),
        severity: Some(Judgement::Answered(&Answered {
            impact: &[(Area::Service, 2), (Area::People, 1), (Area::Money, 3), (Area::Legal, 1)],
            urgency: Urgency::Contained,
            personal_data_people: Some(0),
            administrator_credentials: Some(false),
        })),
        steps: &[
            step(at(61, 3, 45), Helen, Move::Tag(Tag::ColdChain)),
            step(at(61, 3, 46), Helen, Move::Tag(Tag::Machinery)),
            step(
                at(61, 5, 40),
                Helen,
                Move::Link(LinkKind::Materialised, DemoEnd::Risk("Medicines leave 2 to 8 °C in storage")),
            ),
            step(at(53, 15, 0), Helen, Move::Review(&COMPRESSOR)),
        ],
        outcome: closed(
            at(58, 15, 0),
            Fixed,
            "Compressor replaced, standby tested weekly under load, breakers are on the round of the shift.",
            at(52, 10, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Two pallets left cold room 1 before quality had released them",
        description: "In the move of the night the block was set on the room, not on the pallets, so it was \
            lifted when they stood elsewhere. Called back from the road, both below 8 °C throughout.",
        source: "Quality review",
        opened_by: Helen,
        assigned_to: Some(Helen),
        occurred: Some(at(61, 9, 20)),
        detected: at(60, 8, 30),
        declared: Some(at(60, 8, 55)),
        responded: Some(at(60, 8, 35)),
        contained: Some(at(60, 10, 15)),
        severity: Some(stated(Medium, "Release skipped, goods proved sound.")),
        outcome: closed(
            at(56, 10, 0),
            Fixed,
            "Blocks are set on pallets now and move with them.",
            at(53, 10, 30),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Two instrument sets swapped at Pell Road",
        description: "Scan was skipped because the scanner at table 4 was charging. The theatre noticed \
            before use. A third scanner now stays on each table.",
        source: "Customer complaint",
        opened_by: Priya,
        assigned_to: Some(Samuel),
        occurred: Some(at(54, 19, 40)),
        detected: at(53, 6, 50),
        declared: Some(at(53, 7, 25)),
        responded: Some(at(53, 7, 30)),
        contained: Some(at(53, 7, 55)),
        severity: Some(stated(High, "Could have touched a patient; noticed by the last check.")),
        outcome: resolved(
            at(50, 11, 0),
            Mitigated,
            "A third scanner on each table; packing without a scan is no longer possible.",
        ),
        kind: NearMiss,
        ..BLANK
    },
    DemoIncident {
        title: "Clock of the temperature log 11 minutes slow",
        description: "The log server had no time source since the firewall change. Readings are right, their \
            times are not; corrected by the second log, deviation recorded.",
        source: "Internal audit",
        opened_by: Helen,
        assigned_to: Some(Jonas),
        occurred: Some(at(58, 18, 0)),
        detected: at(49, 14, 10),
        declared: Some(at(49, 14, 30)),
        responded: Some(at(49, 14, 40)),
        contained: Some(at(49, 15, 5)),
        severity: Some(stated(Low, "The readings were right, and the second log corrects the times.")),
        outcome: closed(
            at(48, 9, 30),
            Fixed,
            "The time source is reachable again and watched.",
            at(46, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Sorter stopped during the maker's remote session",
        description: "The maker signed in to look and pressed stop. Allowed by contract, announced to \
            nobody. Remote access now has to be opened from the control room each time.",
        source: "Control room",
        opened_by: Samuel,
        assigned_to: Some(Tom),
        occurred: Some(at(43, 11, 32)),
        detected: at(43, 11, 32),
        declared: Some(at(43, 12, 0)),
        responded: Some(at(43, 11, 36)),
        contained: Some(at(43, 11, 58)),
        severity: Some(stated(Medium, "26 minutes, and it could have been anybody with that account.")),
        outcome: closed(
            at(41, 9, 0),
            Fixed,
            "Remote access is opened from the control room, for one hour.",
            at(39, 10, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "No addresses left for handhelds at Eastgate",
        description: "The pool for the scanner network was sized for 120 devices; the seasonal staff brought \
            the 121st. Pool doubled, alarm at 80 %.",
        source: "Service desk",
        opened_by: Priya,
        assigned_to: Some(Jonas),
        occurred: Some(at(38, 5, 58)),
        detected: at(38, 6, 15),
        responded: Some(at(38, 6, 22)),
        contained: Some(at(38, 6, 49)),
        severity: Some(stated(Low, "34 minutes, one handheld.")),
        outcome: closed(at(38, 8, 0), Fixed, "Pool doubled, alarm at 80 %.", at(35, 9, 0)),
        ..BLANK
    },
    DemoIncident {
        title: "Emergency order line unreachable",
        description: "The telephony provider was down nationwide from 14:02 to 15:47. Hospitals were told \
            the mobile number of the control room by mail; three urgent orders came that way.",
        source: "Customer call",
        opened_by: Priya,
        assigned_to: Some(Tom),
        occurred: Some(at(31, 14, 2)),
        detected: at(31, 14, 16),
        declared: Some(at(31, 14, 25)),
        responded: Some(at(31, 14, 20)),
        contained: Some(at(31, 14, 40)),
        severity: Some(stated(High, "The one line that must not fail; 38 minutes without a substitute.")),
        outcome: resolved(at(29, 12, 0), Fixed, "The line rings at two sites, over two providers."),
        ..BLANK
    },
    DemoIncident {
        title: "Certificate of the order gateway expired",
        description: "Nine hospitals could not send orders from midnight. The reminder went to a mailbox that \
            was closed last year. Renewed at 06:50; the queues at the hospitals drained by 08:10.",
        source: "Customer call",
        opened_by: Priya,
        assigned_to: Some(Jonas),
        occurred: Some(at(24, 0, 0)),
        detected: at(24, 5, 48),
        declared: Some(at(24, 6, 0)),
        responded: Some(at(24, 6, 5)),
        contained: Some(at(24, 6, 50)),
        severity: Some(Judgement::Answered(&Answered {
            impact: &[(Area::Service, 3), (Area::Data, 0), (Area::Reputation, 2)],
            urgency: Urgency::Contained,
            personal_data_people: Some(0),
            administrator_credentials: None,
        })),
        steps: &[step(at(18, 10, 0), Jonas, Move::Review(&CERTIFICATE))],
        outcome: closed(
            at(24, 9, 0),
            Fixed,
            "Certificate replaced; all 41 of them renew themselves and are checked daily from outside.",
            at(17, 10, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "New picking logic sends staff the long way",
        description: "Release of the evening sorted aisles as text: 1, 10, 11, 2. Walking distance up by a \
            third. Rolled back at the break.",
        source: "Shift lead",
        opened_by: Samuel,
        assigned_to: Some(Tom),
        occurred: Some(at(20, 5, 0)),
        detected: at(20, 6, 40),
        declared: Some(at(20, 6, 55)),
        responded: Some(at(20, 7, 0)),
        contained: Some(at(20, 9, 20)),
        severity: Some(stated(Low, "Slow, not wrong.")),
        outcome: closed(
            at(19, 11, 0),
            Fixed,
            "Rolled back, corrected, tried in one aisle first.",
            at(16, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Generator did not start in the monthly test",
        description: "Starter battery flat: the charger's fuse was gone. Battery and fuse replaced, started \
            three times under load. The charger is now on the monitoring.",
        source: "Monthly test",
        opened_by: Samuel,
        assigned_to: Some(Samuel),
        detected: at(15, 7, 0),
        declared: Some(at(15, 7, 20)),
        responded: Some(at(15, 7, 5)),
        contained: Some(at(15, 11, 30)),
        severity: Some(stated(Medium, "For up to a month we had no second source and did not know.")),
        outcome: closed(
            at(13, 12, 0),
            Fixed,
            "Starter battery replaced; the test runs weekly.",
            at(11, 9, 0),
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Gap of three hours in the loggers of a carrier",
        description: "Northway's telematics lost 09:00 to 12:00. Loggers in the boxes kept the data; read \
            out at the hospitals, all within range.",
        source: "Carrier notice",
        opened_by: Helen,
        assigned_to: Some(Helen),
        occurred: Some(at(10, 9, 0)),
        detected: at(10, 13, 30),
        declared: Some(at(10, 14, 5)),
        responded: Some(at(10, 14, 10)),
        ..BLANK
    },
    DemoIncident {
        title: "No Wi-Fi in aisles 12 to 18",
        description: "A switch lost its power supply and takes six access points with it. Picking by paper \
            in those aisles; spare switch from Pell Road mounted after two hours.",
        source: "Site monitoring",
        opened_by: Monitoring,
        assigned_to: Some(Jonas),
        occurred: Some(at(6, 13, 44)),
        detected: at(6, 13, 46),
        responded: Some(at(6, 13, 58)),
        contained: Some(at(6, 15, 50)),
        outcome: resolved(at(5, 10, 0), Fixed, "Two access points replaced."),
        ..BLANK
    },
    DemoIncident {
        title: "Document store not backed up for three nights",
        description: "The job counted as successful because it had nothing to do: its account had lost the \
            right to read. Found by the new check that compares sizes with the week before.",
        source: "Backup report",
        opened_by: Monitoring,
        assigned_to: Some(Tom),
        occurred: Some(at(7, 1, 30)),
        detected: at(4, 7, 0),
        responded: Some(at(4, 8, 30)),
        contained: Some(at(4, 9, 45)),
        severity: Some(stated(Medium, "Three days of delivery proofs existed once only.")),
        outcome: resolved(
            at(3, 10, 0),
            Fixed,
            "The account reads again; a job that copies nothing has failed.",
        ),
        ..BLANK
    },
    DemoIncident {
        title: "Refrigerated van above 8 °C for 25 minutes",
        description: "Van 14, door not latched after stop 6. Highest value 9.1 °C. Four boxes are blocked \
            until the maker of the medicine answers.",
        source: "Temperature alarm",
        opened_by: Monitoring,
        assigned_to: Some(Helen),
        occurred: Some(ago(13, 10)),
        detected: ago(13, 2),
        responded: Some(ago(12, 48)),
        contained: Some(ago(12, 37)),
        severity: Some(stated(Medium, "A real excursion, small amount, goods blocked.")),
        steps: &[
            step(ago(12, 40), Helen, Move::Tag(Tag::ColdChain)),
            step(ago(12, 39), Helen, Move::Tag(Tag::Fleet)),
            step(ago(11, 0), Helen, Move::Hold("The maker of the medicine examines the four boxes.")),
        ],
        ..BLANK
    },
    DemoIncident {
        title: "Storage of the warehouse system failing, picking on paper",
        description: "One of two controllers of the storage is gone and the other one resets every few minutes. The \
            sorter stands. Hospitals with the emergency line are served from printed lists of 04:00.",
        source: "Site monitoring",
        opened_by: Monitoring,
        assigned_to: Some(Tom),
        occurred: Some(ago(6, 31)),
        detected: ago(6, 20),
        responded: Some(ago(6, 12)),
        severity: Some(Judgement::Answered(&Answered {
            impact: &[(Area::Service, 4), (Area::Data, 2), (Area::People, 2), (Area::Reputation, 2)],
            urgency: Urgency::Spreading,
            personal_data_people: Some(0),
            administrator_credentials: Some(false),
        })),
        steps: STORAGE,
        ..BLANK
    },
    DemoIncident {
        title: "Order confirmations an hour late",
        description: "Orders are taken and picked; only the answer to the hospital waits in the queue of the \
            gateway. The vendor is on the line.",
        source: "Site monitoring",
        opened_by: Monitoring,
        assigned_to: Some(Jonas),
        occurred: Some(ago(5, 30)),
        detected: ago(4, 50),
        responded: Some(ago(4, 35)),
        ..BLANK
    },
];
