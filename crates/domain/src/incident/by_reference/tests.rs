use super::*;
use crate::incident::UNTITLED;
use crate::severity::SeveritySource;
use crate::text::Prose;

const NOW: &str = "2026-03-01T09:00:00Z";

fn client() -> Actor {
    Actor { kind: ActorKind::Client, id: "bwc_siem".to_owned(), name: "SIEM".to_owned() }
}

fn message(title: &str) -> Message {
    Message(NewIncident { title: Line::stored(title), ..NewIncident::untitled() })
}

fn declared(message: &Message) -> Incident {
    let reference = Reference::new("siem", "alert/7").unwrap();
    message.declare(&reference, IncidentNumber(1), None, client(), NOW.parse().unwrap())
}

#[test]
fn a_reference_is_two_lines() {
    assert!(Reference::new("siem", "a/b %2F?#é").is_some());
    for (source, reference) in
        [("", "1"), ("siem", " "), ("siem", "a\nb"), ("s\u{7f}", "1"), ("siem", &"x".repeat(201))]
    {
        assert_eq!(Reference::new(source, reference), None, "{source} {reference}");
    }
}

#[test]
fn a_first_message_declares_and_the_same_again_changes_nothing() {
    let first = Message(NewIncident { kind: Some(Kind::Drill), ..message("Beacon").0 });
    let incident = declared(&first);
    assert_eq!((incident.kind, incident.external_ref.as_deref()), (Kind::Drill, Some("alert/7")));
    assert_eq!(kept(&incident), []);
    assert!(first.is_known(&incident));
    let patch = first.patch(&incident, false);
    assert_eq!(patch.external_sent, incident.external_sent);
    assert_eq!(IncidentPatch { external_sent: None, ..patch }, IncidentPatch::default());
}

#[test]
fn what_a_person_has_changed_is_kept_until_it_is_overwritten() {
    let mut incident = declared(&message("Beacon"));
    incident.title = "Beacon on the mail server".into();
    assert_eq!(kept(&incident), [ReportedField::Title]);
    let second = Message(NewIncident { kind: Some(Kind::Test), ..message("Beacon, again").0 });
    let patch = second.patch(&incident, false);
    assert_eq!((patch.title, patch.kind), (None, Some(Kind::Test)));
    assert_eq!(second.patch(&incident, true).title.as_deref(), Some("Beacon, again"));
    // It stays kept when the system sends another value, and is the system's again once both agree.
    incident.external_sent = second.patch(&incident, false).external_sent;
    assert_eq!(message("Third").patch(&incident, false).title, None);
    incident.title = "Beacon, again".into();
    assert_eq!(message("Third").patch(&incident, false).title.as_deref(), Some("Third"));
}

#[test]
fn a_severity_that_a_person_has_set_is_kept() {
    let says = |severity, why: &str| {
        let (severity, severity_reasoning) = (Some(severity), Some(Prose::stored(why)));
        Message(NewIncident { severity, severity_reasoning, ..message("Beacon").0 })
    };
    let mut incident = declared(&says(Severity::Low, "One host."));
    assert_eq!((incident.severity, kept(&incident)), (Severity::Low, vec![]));
    let worse = says(Severity::High, "Forty hosts.");
    assert_eq!(worse.patch(&incident, false).severity, worse.0.stated_severity());
    incident.severity = Severity::Critical;
    assert_eq!(kept(&incident), [ReportedField::Severity]);
    assert_eq!(worse.patch(&incident, false).severity, None);
    assert_eq!(worse.patch(&incident, true).severity, worse.0.stated_severity());
    // A person was first, and the system says it for the first time.
    let mut judged = declared(&message("Beacon"));
    assert_eq!(worse.patch(&judged, false).severity, worse.0.stated_severity());
    judged.severity_source = Some(SeveritySource::Manual);
    assert_eq!(worse.patch(&judged, false).severity, None);
}

#[test]
fn what_is_not_sent_stays() {
    let (source, kind) = (Some("EDR".into()), Some(Kind::Drill));
    let first = Message(NewIncident { source, kind, ..message("Beacon").0 });
    let incident = declared(&first);
    let patch = message("Beacon").patch(&incident, true);
    assert_eq!((patch.source, patch.kind, patch.title), (Change::Keep, None, None));
    assert!(message("Beacon").is_known(&incident));
    assert!(!message(UNTITLED).is_known(&incident));
}

#[test]
fn no_text_stands_in_what_was_sent() {
    let incident = declared(&message("Beacon of hunter2"));
    let sent = incident.external_sent.unwrap();
    assert!(!sent.contains("hunter2") && sent.contains("title"), "{sent}");
    assert_eq!(fingerprint("abc"), "ba7816bf8f01cfea414140de5dae2223");
}

#[test]
fn a_message_that_is_only_counted_has_no_text_and_differs_from_others() {
    let counted = message("Beacon of hunter2").to_json_counted();
    assert!(is_only_counted(&counted) && !counted.contains("hunter2"), "{counted}");
    assert_eq!(counted, message("Beacon of hunter2").to_json_counted());
    assert_ne!(counted, message("Beacon of hunter3").to_json_counted());
    assert!(!is_only_counted(&message("not_kept").to_json()));
}

#[test]
fn only_clients_have_clocks_that_differ() {
    let at: Timestamp = NOW.parse().unwrap();
    let new = NewIncident {
        occurred_date: Some(at),
        detected_date: Some(at - SignedDuration::from_mins(5)),
        ..NewIncident::untitled()
    };
    let late = Message(new.clone());
    assert!(late.check(None, &client(), at).is_ok());
    assert!(late.check(None, &Actor { kind: ActorKind::User, ..client() }, at).is_err());
    let detected_date = Some(at - SignedDuration::from_secs(301));
    let later = Message(NewIncident { detected_date, ..new });
    assert!(later.check(None, &client(), at).is_err());
}
