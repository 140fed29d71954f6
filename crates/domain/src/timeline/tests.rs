//! Entries and the sentences that people read.

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::actor::ActorKind;
use crate::ids::{IncidentNumber, RiskNumber};
use crate::link::{LinkKind, LinkTarget};

const BEN: &str = "0190163d-8694-739b-aea5-966c26f8ad91";
const CLEO: &str = "0190163d-8694-739b-aea5-966c26f8ad92";
const TAG: &str = "0190163d-8694-739b-aea5-966c26f8ad93";

fn ada() -> Actor {
    Actor { kind: ActorKind::User, id: "0190163d-8694-739b-aea5-966c26f8ad90".into(), name: "Ada".into() }
}

fn names() -> Names {
    let named = [(BEN, "Ben"), (CLEO, "Cleo"), (TAG, "phishing")];
    Names {
        of_ids: named.map(|(id, name)| (Uuid::try_parse(id).unwrap(), name.to_owned())).into(),
        of_parts: [("tasks/3".to_owned(), "Reset the passwords".to_owned())].into(),
        unseen: [7].into(),
        ..Names::default()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is written as `json!` in each call")]
fn worded(kind: &str, payload: Value) -> Worded {
    let payload = Payload::parse(&payload.to_string()).unwrap();
    word(Told { kind, actor: &ada(), payload: Some(&payload) }, &names())
}

fn text(kind: &str, payload: Value) -> String {
    worded(kind, payload).text
}

fn update(payload: Value) -> String {
    text("incident.updated", payload)
}

fn transition(payload: Value) -> String {
    text("incident.status_changed", payload)
}

#[test]
fn a_declaration_names_the_title() {
    let payload =
        json!({"title": [null, "Phishing wave"], "description": [null, "…"], "status": [null, "new"]});
    let worded = worded("incident.created", payload);
    assert_eq!(worded.text, "Ada declared the incident “Phishing wave”");
    let status = worded.changes.iter().find(|change| change.field == "status").unwrap();
    assert_eq!((status.label.as_str(), &status.from, status.to.as_deref()), ("Status", &None, Some("New")));
    let reported =
        json!({"title": [null, "Beacon"], "external_source": [null, "siem"], "external_ref": [null, "4711"]});
    assert_eq!(
        text("incident.created", reported),
        "Ada declared the incident “Beacon”, reported by “siem” as “4711”"
    );
}

#[test]
fn a_transition_tells_the_step_and_not_what_follows_from_it() {
    let at = "2026-03-05T09:00:00.000000Z";
    let taken = json!({"status": ["new", "investigating"], "status_date": [null, at], "responded_date": [null, at],
        "assigned_to": [null, BEN]});
    let told = "Ada changed the status from New to Investigating and assigned the incident to Ben";
    assert_eq!(transition(taken), told);
    let earlier = json!({"status": ["investigating", "contained"], "status_date": [null, at],
        "contained_date": [null, "2026-03-05T08:30:00.000000Z"]});
    assert_eq!(
        transition(earlier),
        "Ada changed the status from Investigating to Contained and set the containment time to \
         5 March 2026, 08:30 UTC"
    );
    let resolved = json!({"status": ["contained", "resolved"], "status_date": [null, at], "resolved_date": [null, at],
        "resolution_reason": [null, "fixed"], "resolution_summary": [null, "We …"]});
    assert_eq!(transition(resolved), "Ada resolved the incident as fixed and added the resolution summary");
    let back = json!({"status": ["contained", "investigating"], "status_date": [at, "2026-03-06T09:00:00.000000Z"],
        "contained_date": [at, null], "first_contained_date": [null, at], "last_step_back": [null, 4]});
    assert_eq!(transition(back), "Ada changed the status from Contained back to Investigating");
}

#[test]
fn a_reopening_an_override_and_a_dismissal_give_their_reasons() {
    let at = "2026-03-05T09:00:00.000000Z";
    let reopened = json!({"status": ["closed", "investigating"], "status_date": [null, at], "closed_date": [at, null],
        "status_reason": [null, "The mail\ncame back."], "reopen_count": [null, 1], "resolution_summary": ["x", null],
        "assigned_to": [BEN, CLEO]});
    assert_eq!(
        transition(reopened),
        "Ada assigned the incident to Cleo instead of Ben and reopened the incident as Investigating: \
         The mail came back."
    );
    let closed = json!({"status": ["resolved", "closed"], "closed_date": [null, at], "status_date": [null, at],
        "overridden": [null, "mandatory_tasks_open review_not_published"], "status_reason": [null, "The board insists."]});
    assert_eq!(
        transition(closed),
        "Ada closed the incident although a mandatory task was open and no review was published: The board insists."
    );
    let dismissed = |reason: &str, original: Value| {
        transition(json!({"status": ["new", "dismissed"], "resolution_reason": [null, reason],
            "duplicate_of": [null, original]}))
    };
    assert_eq!(dismissed("false_positive", Value::Null), "Ada dismissed the incident as a false alarm");
    assert_eq!(dismissed("duplicate", json!(3)), "Ada dismissed the incident as a duplicate of INC-0003");
    let unseen = dismissed("duplicate", json!(7));
    assert_eq!(unseen, "Ada dismissed the incident as a duplicate of another incident");
}

#[test]
fn a_severity_comes_with_its_reasoning() {
    let computed = json!({"severity": [null, "high"], "severity_reasoning": [null, "High: the service is down."],
        "severity_source": [null, "computed"], "severity_answers": [null, "{}"]});
    assert_eq!(update(computed), "Ada set the severity: High: the service is down.");
    let manual = json!({"severity": [null, "low"], "severity_reasoning": [null, "Explained."]});
    assert_eq!(update(manual), "Ada set the severity to Low: Explained.");
    let same = json!({"severity_answers": ["{}", "{\"a\":1}"]});
    assert_eq!(update(same), "Ada reassessed the severity");
    let undone = json!({"severity": ["high", null], "severity_reasoning": ["x", null]});
    assert_eq!(update(undone), "Ada set the severity to Undetermined");
}

#[test]
fn people_are_called_by_name() {
    assert_eq!(update(json!({"assigned_to": [null, ada().id]})), "Ada assigned the incident to themselves");
    assert_eq!(update(json!({"assigned_to": [BEN, null]})), "Ada removed Ben as the assignee");
    let unknown = "0190163d-8694-739b-aea5-966c26f8ad99";
    assert_eq!(update(json!({"assigned_to": [null, unknown]})), "Ada assigned the incident to somebody");
    let both = format!("{BEN} {CLEO}");
    assert_eq!(
        update(json!({"restricted": [null, true], "readers": [null, both]})),
        "Ada restricted the incident to Ben and Cleo"
    );
    assert_eq!(update(json!({"restricted": [true, null]})), "Ada lifted the restriction");
    assert_eq!(update(json!({"readers": [BEN, CLEO]})), "Ada made Cleo a reader instead of Ben");
    assert_eq!(update(json!({"readers": [BEN, both]})), "Ada made Cleo a reader");
}

#[test]
fn a_hold_tells_until_when_and_why() {
    let hold = |until: Value| {
        json!({"since": "2026-03-01T09:00:00.000000Z", "until": until, "reason": "The vendor looks into it.",
            "by_kind": "user", "by_id": BEN})
    };
    let until = hold(json!("2026-03-05T09:00:00.000000Z"));
    assert_eq!(
        update(json!({"hold": [null, until]})),
        "Ada put the incident on hold until 5 March 2026, 09:00 UTC: The vendor looks into it."
    );
    assert_eq!(
        update(json!({"hold": [until, hold(Value::Null)]})),
        "Ada changed the hold to last until it is resumed: The vendor looks into it."
    );
    assert_eq!(update(json!({"hold": [until, null]})), "Ada resumed the incident");
    let legal = json!({"legal_hold": [null, true], "legal_hold_reason": [null, "Case 12"]});
    assert_eq!(
        text("incident.legal_hold_changed", legal),
        "Ada placed the incident under a legal hold: Case 12"
    );
}

#[test]
fn other_fields_are_told_one_by_one() {
    let title = json!({"title": ["Fire", "Fire in the warehouse"], "description": ["", "It burns."]});
    assert_eq!(
        update(title),
        "Ada changed the title from “Fire” to “Fire in the warehouse” and added the description"
    );
    assert_eq!(update(json!({"description": ["a", "b"]})), "Ada changed the description");
    assert_eq!(update(json!({"source": ["SIEM", null]})), "Ada cleared the source");
    assert_eq!(update(json!({"kind": [null, "near_miss"]})), "Ada changed the kind from Real to Near miss");
    let detected = json!({"detected_date": ["2026-03-01T09:00:00.000000Z", "2026-03-01T08:00:00.000000Z"]});
    assert_eq!(
        update(detected),
        "Ada changed the detection time from 1 March 2026, 09:00 UTC to 1 March 2026, 08:00 UTC"
    );
}

#[test]
fn dates_are_written_in_the_zone_of_the_reader() {
    let zone = jiff::tz::TimeZoneDatabase::bundled().get("Europe/Berlin").unwrap();
    let payload = json!({"contained_date": [null, "2026-07-01T22:30:00.000000Z"]}).to_string();
    let payload = Payload::parse(&payload).unwrap();
    let told = Told { kind: "incident.updated", actor: &ada(), payload: Some(&payload) };
    let names = Names { zone, ..Names::default() };
    assert_eq!(word(told, &names).text, "Ada set the containment time to 2 July 2026, 00:30 CEST");
}

#[test]
fn parts_are_told_by_what_people_call_them() {
    let tag = format!("tags/{TAG}");
    assert_eq!(
        text("incident.tag_added", json!({tag.as_str(): [null, true]})),
        "Ada added the tag “phishing”"
    );
    assert_eq!(text("incident.tag_removed", json!({tag: [true, null]})), "Ada removed the tag “phishing”");
    let report = json!({"reports/1": [null, true], "reports/1/message": [null, "{}"]});
    assert_eq!(text("incident.reported", report), "Ada reported the incident again, which was not open");
    let link = json!({"links/2": [null, true], "links/2/kind": [null, "ticket"], "links/2/title": [null, "Ticket 12"]});
    assert_eq!(text("incident.link_added", link), "Ada added the link “Ticket 12”");
    let other = json!({"unknowns/5/colour": [null, "blue"]});
    assert_eq!(text("incident.unknown_changed", other), "Ada set the colour of the unknown 5 to blue");
}

#[test]
fn links_are_told_by_what_they_lead_to() {
    let told = |names: &Names, payload: Value| {
        let payload = Payload::parse(&payload.to_string()).unwrap();
        word(Told { kind: "incident.link_added", actor: &ada(), payload: Some(&payload) }, names)
    };
    let sees = Names { sees_risks: true, sees_documents: true, ..names() };
    let url = LinkTarget::Url { url: "https://t.example/1".into(), title: None };
    let ticket = LinkTarget::Url { url: "https://t.example/1".into(), title: Some("Ticket 12".into()) };
    for (kind, to, title, full, narrow) in [
        (
            LinkKind::Materialised,
            LinkTarget::Risk { id: RiskNumber(1) },
            "Flood",
            "RSK-1 “Flood” as materialised",
            "a risk as materialised",
        ),
        (
            LinkKind::Violates,
            LinkTarget::Document { id: "backup".into() },
            "Backup policy",
            "the document “Backup policy” as violated",
            "a document as violated",
        ),
        (
            LinkKind::CausedBy,
            LinkTarget::Incident { id: IncidentNumber(2) },
            "Fire",
            "INC-0002 “Fire” as the cause",
            "INC-0002 “Fire” as the cause",
        ),
        (
            LinkKind::Related,
            LinkTarget::Incident { id: IncidentNumber(7) },
            "Payroll",
            "another incident as related",
            "another incident as related",
        ),
        (
            LinkKind::RecurrenceOf,
            LinkTarget::Incident { id: IncidentNumber(3) },
            "",
            "INC-0003 as an earlier occurrence",
            "INC-0003 as an earlier occurrence",
        ),
        (LinkKind::Chat, url, "", "“https://t.example/1” as a chat", "“https://t.example/1” as a chat"),
        (LinkKind::Ticket, ticket, "", "“Ticket 12” as a ticket", "“Ticket 12” as a ticket"),
    ] {
        let title = Some(title.to_owned()).filter(|title| !title.is_empty());
        let links = [(4, LinkName { kind, to, title })];
        for (reader, end) in [(&sees, full), (&names(), narrow)] {
            let reader = Names { links: links.clone().into(), ..reader.clone() };
            let made = told(&reader, json!({"links/4": [null, true], "links/4/kind": [null, kind.as_str()]}));
            assert_eq!(made.text, format!("Ada linked {end}"));
            let removed = json!({"links/4/removed_date": [null, "2026-03-05T09:00:00.000000Z"]});
            assert_eq!(told(&reader, removed).text, format!("Ada removed the link to {end}"));
        }
    }
    // The fields name no more than the sentence.
    let made = json!({"links/4/to_incident": [null, 7], "links/4/to_risk": [null, 1], "links/4/to_document": [null, "backup"]});
    let ends = |names: &Names| {
        let changes = told(names, made.clone()).changes;
        changes.into_iter().map(|change| change.to.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(ends(&sees), ["backup", "another incident", "RSK-1"]);
    assert_eq!(ends(&names()), ["a document", "another incident", "a risk"]);
}

#[test]
fn tasks_are_told_by_their_titles() {
    let made = json!({"tasks/4": [null, true], "tasks/4/title": [null, "Call them"], "tasks/4/owner": [null, BEN],
        "tasks/4/due": [null, "2026-03-05T09:00:00.000000Z"], "tasks/4/mandatory": [null, true],
        "tasks/4/status": [null, "open"], "tasks/4/position": [null, 1]});
    assert_eq!(
        text("incident.task_created", made),
        "Ada added the mandatory task “Call them” for Ben, due 5 March 2026, 09:00 UTC"
    );
    let change = |payload| text("incident.task_updated", payload);
    let done = json!({"tasks/3/status": ["open", "done"], "tasks/3/done_date": [null, "2026-03-05T09:00:00.000000Z"]});
    assert_eq!(change(done), "Ada marked the task “Reset the passwords” as done");
    let against = json!({"tasks/3/status": ["open", "not_doing"], "tasks/3/reason": [null, "No need."]});
    assert_eq!(change(against), "Ada marked the task “Reset the passwords” as not needed: No need.");
    let owner = json!({"tasks/3/owner": [BEN, ada().id], "tasks/3/notes": [null, "x"]});
    assert_eq!(
        change(owner),
        "Ada assigned the task “Reset the passwords” to themselves and changed the notes of the task “Reset the passwords”"
    );
    assert_eq!(change(json!({"tasks/3/position": [1, 2]})), "Ada moved the task “Reset the passwords”");
    let renamed = json!({"tasks/3/title": ["Reset", "Reset all"]});
    assert_eq!(change(renamed), "Ada renamed the task “Reset” to “Reset all”");
    let deleted = json!({"tasks/9/deleted_date": [null, "2026-03-05T09:00:00.000000Z"]});
    assert_eq!(text("incident.task_deleted", deleted), "Ada deleted the task 9");
}

#[test]
fn notes_and_reviews_are_told() {
    let added =
        |kind| json!({"notes/2": [null, true], "notes/2/kind": [null, kind], "notes/2/text": [null, "a"]});
    assert_eq!(text("incident.note_added", added("comment")), "Ada commented");
    assert_eq!(text("incident.note_added", added("action")), "Ada added a note");
    let deleted = json!({"notes/2/deleted_date": [null, "2026-03-05T09:00:00.000000Z"]});
    assert_eq!(text("incident.note_deleted", deleted), "Ada deleted note 2");
    assert_eq!(text("incident.note_updated", json!({"notes/1/pinned": [null, true]})), "Ada pinned note 1");
    let edited = json!({"notes/1/text": ["a", "b"], "notes/1/edit_count": [null, 1]});
    assert_eq!(text("incident.note_updated", edited), "Ada edited note 1");
    let published =
        json!({"reviews/1/state": ["draft", "published"], "reviews/1/published_date": [null, "x"]});
    assert_eq!(text("incident.review_published", published), "Ada published the review");
    let made = json!({"reviews/2": [null, true], "reviews/2/state": [null, "draft"]});
    assert_eq!(text("incident.review_created", made), "Ada started a new edition of the review");
    let changed = json!({"reviews/1/root_cause": [null, "x"], "reviews/1/lessons": ["a", "b"]});
    assert_eq!(
        text("incident.review_updated", changed),
        "Ada changed the lessons and root cause of the review"
    );
}

#[test]
fn what_was_erased_or_is_not_known_gets_a_plain_sentence() {
    let erased = |kind| word(Told { kind, actor: &ada(), payload: None }, &names()).text;
    assert_eq!(erased("incident.created"), "Ada declared the incident (the details were removed)");
    assert_eq!(erased("incident.status_changed"), "Ada changed the status (the details were removed)");
    assert_eq!(
        text("incident.deleted", json!({"deleted_date": [null, "2026-03-01T09:00:00.000000Z"]})),
        "Ada deleted the incident"
    );
    assert_eq!(
        text("incident.restored", json!({"deleted_date": ["2026-03-01T09:00:00.000000Z", null]})),
        "Ada restored the incident"
    );
    assert_eq!(text("incident.review_published", json!({})), "Ada published the review");
    assert_eq!(text("incident.weighed", json!({})), "Ada weighed the incident");
    assert_eq!(update(json!({"weight": [null, 7]})), "Ada added the weight");
    assert_eq!(update(json!({})), "Ada changed the incident");
}

#[test]
fn a_redaction_tells_where_and_why() {
    let redacted = |field: Value| {
        text(
            "incident.redacted",
            json!({"redaction": [null, {"field": field, "reason": "A password.", "entries": {}}]}),
        )
    };
    assert_eq!(redacted(json!("description")), "Ada redacted the description: A password.");
    assert_eq!(redacted(json!("note/3/text")), "Ada redacted the text of note 3: A password.");
    assert_eq!(redacted(Value::Null), "Ada redacted a text in every place: A password.");
}

#[test]
fn a_long_text_is_cut() {
    let long = "lorem ipsum ".repeat(10_000);
    let worded = worded(
        "incident.updated",
        json!({"title": ["a", long], "legal_hold": [null, true], "legal_hold_reason": [null, long]}),
    );
    assert!(worded.text.len() < 1_000, "{}", worded.text);
    let title = worded.changes.iter().find(|change| change.field == "title").unwrap();
    assert!(title.to.as_ref().unwrap().ends_with('…') && title.to.as_ref().unwrap().chars().count() <= 200);
}

fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>(),
        Just("new".to_owned()),
        Just("closed".to_owned()),
        Just("2026-03-01T09:00:00.000000Z".to_owned()),
        Just(BEN.to_owned()),
        Just(format!("{BEN} {CLEO}")),
    ];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::from),
        Just(json!({"until": 7, "reason": [1]})),
        Just(json!([1, "a"])),
    ]
}

fn any_field() -> impl Strategy<Value = String> {
    let known: Vec<&str> = fields::labelled().collect();
    prop_oneof![
        4 => proptest::sample::select(known).prop_map(str::to_owned),
        1 => "[a-z]{0,9}/[0-9]{0,2}(/[a-z_]{0,9})?",
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn every_payload_has_a_sentence(
        kind in prop_oneof![Just("incident.updated".to_owned()), Just("incident.status_changed".to_owned()), any::<String>()],
        changes in proptest::collection::vec((any_field(), any_value(), any_value()), 0..6),
    ) {
        let object: serde_json::Map<String, Value> =
            changes.into_iter().map(|(field, before, after)| (field, json!([before, after]))).collect();
        let worded = worded(&kind, Value::Object(object.clone()));
        prop_assert!(worded.text.starts_with("Ada ") && worded.text.len() > 4, "{}", worded.text);
        for change in &worded.changes {
            prop_assert!(object.contains_key(&change.field));
        }
    }

    #[test]
    fn a_single_changed_field_is_told(field in proptest::sample::select(fields::labelled().collect::<Vec<_>>()), text in "[a-z]{1,9}") {
        if fields::holds(field) != crate::record::Holds::Internal {
            let told = update(json!({field: [null, text]}));
            prop_assert_ne!(told, "Ada changed the incident");
        }
    }
}
