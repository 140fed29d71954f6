//! What becomes of files, without a register.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::borrow::Cow;

use domain::import::{ImportKind, MAX_ROWS_AT_ONCE, PreparedRow, RowContent};
use domain::person::{Member, Person};
use domain::{Error, Fault, Role, UserId};
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use store::imports::Prepared;
use workbook::Levels;

use super::{Around, Opened};

/// The rows of a file, in a zone that is an hour ahead of UTC.
fn rows(kind: ImportKind, file: &[u8]) -> domain::Result<Prepared> {
    let names = || ["rare", "unlikely", "possible", "likely", "certain"].map(str::to_owned).to_vec();
    let levels = Levels { likelihood: names(), impact: names() };
    let around = Around::new(&[], TimeZone::fixed(Offset::constant(1)), levels);
    Opened::read(kind, None, file, None, around)?.rows()
}

#[test]
fn a_small_file_does_not_become_records_without_end() {
    let file = include_bytes!("tests/repeated.ods");
    assert!(file.len() < 1_000);
    let Err(Error::Invalid(faults)) = rows(ImportKind::Incidents, file) else { panic!("it was read") };
    let refused: String = faults.iter().map(Fault::sentence).collect();
    assert!(refused.contains("too large: more than 100663296 bytes of text in its records"), "{refused}");
}

#[test]
fn a_time_with_an_offset_is_not_one_of_the_organization() {
    let file = "Title,Reported\nA,2026-01-05 14:30\nB,2026-01-05T14:30:00Z\nC,2026-01-05 14:30 +0200\n\
                D,2026-01-05T14:30:00.5-05:00\n";
    let rows = rows(ImportKind::Incidents, file.as_bytes()).unwrap();
    let detected = |row: &PreparedRow| match &row.content {
        RowContent::Incident(incident) => incident.new.detected_date.map(|at| at.to_string()),
        _ => None,
    };
    let detected: Vec<String> = rows.iter().filter_map(detected).collect();
    let times = ["13:30:00Z", "14:30:00Z", "12:30:00Z", "19:30:00.5Z"];
    assert_eq!(detected, times.map(|time| format!("2026-01-05T{time}")));
}

#[test]
fn an_incident_without_a_time_is_not_one_of_those_with_its_title() {
    let file =
        "Ticket,Title,Reported\n,Alert,2026-01-05\n,Alert,\n,Fire,\n,Fire,\n,Mail,\n7,Mail,2026-01-05\n";
    let rows = rows(ImportKind::Incidents, file.as_bytes()).unwrap();
    let wrong: Vec<_> = rows.iter().filter(|row| row.content == RowContent::Wrong).collect();
    let [wrong] = wrong.as_slice() else { panic!("{wrong:?}") };
    assert_eq!((rows.len(), wrong.first_row), (6, 3));
    assert!(wrong.faults[0].detail.contains("same title"), "{wrong:?}");
}

#[test]
fn a_long_file_is_read_again_as_it_was_read() {
    // With repeated titles, a score that is none, a row that goes on, an empty one and wrong ones.
    let risks = "Risk,Likelihood,Impact,Score,Tags\nFire,3,4,13,site\nFire,2,2,4,\n,,,,home\n\nFlood,5,,,\nFire,1,1,1,a\n";
    let tags =
        "Name,Aliases,Description\nSite,place;location,Where it is\n\nLocation,,\nHome,house,\nHome,,\n";
    for (kind, file, more) in [(ImportKind::Risks, risks, "3,3,9,"), (ImportKind::Tags, tags, ",")] {
        let kept = rows(kind, file.as_bytes()).unwrap();
        let more: String = (0..MAX_ROWS_AT_ONCE).map(|row| format!("More {row},{more}\n")).collect();
        let long = rows(kind, format!("{file}{more}").as_bytes()).unwrap();
        assert_eq!(long.len(), kept.len() + MAX_ROWS_AT_ONCE);
        let outlines = &long[..kept.len()];
        assert_eq!(*long.read(outlines), *kept, "{kind}");
        let bytes = |rows: &[PreparedRow]| rows.iter().map(PreparedRow::bytes).collect::<Vec<_>>();
        assert_eq!(bytes(outlines), bytes(&kept), "{kind}");
        let is_whole = |row: &PreparedRow| matches!(row.content, RowContent::Risk(_) | RowContent::Tag(_));
        assert!(kept.iter().filter(|row| is_whole(row)).count() > 1 && !long.iter().any(is_whole), "{kind}");
        assert!(kept.iter().any(|row| row.content == RowContent::Wrong), "{kind}");
    }
}

#[test]
fn a_long_file_of_rows_that_are_kept_whole_is_not_kept_beside_them() {
    let head = "Risk ID,Title,Likelihood,Impact,Date\n";
    let more: String =
        (0..MAX_ROWS_AT_ONCE).map(|row| format!("{row},Fire {row},3,4,2026-01-05\n")).collect();
    let file = format!("{head}{more}");
    for (kind, is_kept) in
        [(ImportKind::Incidents, true), (ImportKind::Evaluations, true), (ImportKind::Risks, false)]
    {
        let long = rows(kind, file.as_bytes()).unwrap();
        assert_eq!(matches!(long.read(&long), Cow::Borrowed(_)), is_kept, "{kind}");
    }
}

#[test]
fn a_member_is_known_by_a_name_or_an_address_that_no_other_has() {
    let ids = [1, 2, 3, 4].map(|last| UserId::parse(&format!("0190163d-8694-739b-aea5-966c26f8ad9{last}")));
    let [ada, bo, _, eve] = ids;
    let people = [("Ada", "ada@x.org"), ("Bo", "bo@x.org"), ("bo", "other@x.org"), ("Bo@x.org", "eve@x.org")];
    let members: Vec<Member> = ids
        .into_iter()
        .zip(people)
        .map(|(id, (name, email))| Member {
            person: Person { id: id.unwrap(), name: name.to_owned(), email: email.to_owned() },
            job_title: None,
            roles: Role::Staff.into(),
            created_date: Timestamp::UNIX_EPOCH,
            activated_date: None,
            version: 1,
        })
        .collect();
    let levels = Levels { likelihood: Vec::new(), impact: Vec::new() };
    let around = Around::new(&members, TimeZone::UTC, levels);
    for (text, found) in [
        ("ADA", ada),
        ("ada@X.org", ada),
        ("Bo", None),
        ("bo@x.org", None),
        ("other@x.org", ids[2]),
        ("eve@x.org", eve),
        ("Nobody", None),
    ] {
        assert_eq!(around.member(text), found, "{text}");
    }
    assert_eq!(around.with_id(&bo.unwrap().to_string()), bo);
    assert_eq!(around.with_id("0190163d-8694-739b-aea5-966c26f8ad90"), None);
}
