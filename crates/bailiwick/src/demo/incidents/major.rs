//! What has been done since this morning about the storage that fails: the incident that everybody works on.

use domain::link::LinkKind;
use domain::note::NoteKind::{Action, Communication, Decision, Detection, Evidence, Observation};
use domain::task::TaskStatus::{Done, InProgress};

use super::super::people::Who::{Helen, Jonas, Marta, Monitoring, Priya, Samuel, Tom};
use super::super::tags::Tag;
use super::super::when::ago;
use super::step::{DemoEnd, DemoStep, DemoTask, Move, step};

/// In order.
pub(super) const STORAGE: &[DemoStep] = &[
    step(
        ago(6, 11),
        Monitoring,
        Move::Note(Detection, "Controller A of the storage does not answer. 3 of 3 probes failed."),
    ),
    step(ago(6, 8), Tom, Move::Tag(Tag::Continuity)),
    step(
        ago(6, 7),
        Tom,
        Move::Note(Observation, "Controller B took over, and resets every six to nine minutes."),
    ),
    step(
        ago(6, 0),
        Tom,
        Move::Task(&DemoTask {
            title: "Open a case with the maker, severity 1",
            owner: Jonas,
            due_in: 1,
            mandatory: false,
        }),
    ),
    step(
        ago(5, 58),
        Tom,
        Move::Task(&DemoTask {
            title: "Print the picking lists of 04:00 for all zones",
            owner: Samuel,
            due_in: 1,
            mandatory: false,
        }),
    ),
    step(ago(5, 50), Jonas, Move::TaskIs(1, Done)),
    step(
        ago(5, 46),
        Marta,
        Move::Pinned(
            Decision,
            "We pick on paper until the storage has been stable for two hours. Hospitals of category A first.",
        ),
    ),
    step(
        ago(5, 44),
        Jonas,
        Move::Link(
            LinkKind::Ticket,
            DemoEnd::Page("https://support.example/cases/88-1407", "Case 88-1407 of the maker"),
        ),
    ),
    step(
        ago(5, 43),
        Tom,
        Move::Link(LinkKind::Related, DemoEnd::Incident("Storage full, warehouse system read-only")),
    ),
    step(ago(5, 41), Samuel, Move::TaskIs(2, InProgress)),
    step(
        ago(5, 30),
        Priya,
        Move::Note(
            Communication,
            "All 31 hospitals told by telephone or portal: deliveries three hours late, emergencies as always.",
        ),
    ),
    step(ago(5, 12), Samuel, Move::TaskIs(2, Done)),
    step(
        ago(4, 44),
        Jonas,
        Move::Note(
            Evidence,
            "Log of controller B: `cache battery 0 %, write-back disabled` before each reset. Kept under case 88-1407.",
        ),
    ),
    step(
        ago(4, 40),
        Jonas,
        Move::Comment(
            "@Tom the battery was on the order that we moved to next quarter. The maker has one in Leeds.",
            &[Tom],
        ),
    ),
    step(ago(4, 31), Tom, Move::Comment("Then somebody drives. @Samuel can a van leave now?", &[Samuel])),
    step(
        ago(4, 28),
        Tom,
        Move::Task(&DemoTask {
            title: "Fetch the battery from Leeds and have it put in",
            owner: Samuel,
            due_in: 5,
            mandatory: true,
        }),
    ),
    step(ago(4, 20), Samuel, Move::TaskIs(3, InProgress)),
    step(
        ago(3, 15),
        Helen,
        Move::Note(
            Observation,
            "Batch numbers on paper are checked by two people; 41 orders so far, one number corrected.",
        ),
    ),
    step(
        ago(2, 40),
        Tom,
        Move::Note(
            Action,
            "Write-back switched off by hand on controller B. No reset since; the sorter stays off, it would be too slow.",
        ),
    ),
    step(
        ago(2, 10),
        Marta,
        Move::Task(&DemoTask {
            title: "Compare stock on paper with the system before anything is released",
            owner: Helen,
            due_in: 20,
            mandatory: true,
        }),
    ),
    step(
        ago(0, 55),
        Priya,
        Move::Note(
            Communication,
            "Second message to the hospitals: normal service from tomorrow 06:00 if the battery holds.",
        ),
    ),
];
