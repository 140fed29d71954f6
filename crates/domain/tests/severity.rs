//! What is sent about a severity.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use domain::Faults;
use domain::json::FromJson;
use domain::severity::{Answers, Severity, StatedSeverity};
use serde_json::{Value, json};

use super::value;

fn sent<T: FromJson>(body: &Value) -> Result<T, Vec<String>> {
    let mut faults = Faults::new();
    let read = domain::json::body(value(body), &mut faults);
    let faults = faults.into_vec().into_iter();
    let told: Vec<_> = faults.map(|fault| format!("{} {}", fault.pointer, fault.sentence())).collect();
    if told.is_empty() { Ok(read.unwrap()) } else { Err(told) }
}

fn read(body: &Value) -> Result<Answers, Vec<String>> {
    sent(body)
}

fn faults(body: &Value) -> Vec<String> {
    read(body).unwrap_err()
}

#[test]
fn answers_of_either_rule_set_are_read() {
    let own = json!({"impact": {"service": 3, "people": null}, "urgency": "over", "personal_data_people": 0,
        "administrator_credentials": true});
    let scored =
        json!({"ruleset": "cisa-ncisss-1", "factors": {"actor": "unknown", "potential_impact": "severe"}});
    for (body, stored) in [
        (
            own,
            r#"{"ruleset":"bailiwick-1","impact":{"service":3},"urgency":"over","personal_data_people":0,"administrator_credentials":true}"#,
        ),
        (scored, r#"{"ruleset":"cisa-ncisss-1","factors":{"actor":"unknown","potential_impact":"severe"}}"#),
        (json!({"ruleset": "bailiwick-1", "impact": {}}), r#"{"ruleset":"bailiwick-1","impact":{}}"#),
        (json!({"ruleset": null, "impact": {}, "urgency": null}), r#"{"ruleset":"bailiwick-1","impact":{}}"#),
        (json!({"ruleset": "cisa-ncisss-1", "factors": {}}), r#"{"ruleset":"cisa-ncisss-1","factors":{}}"#),
    ] {
        assert_eq!(read(&body).unwrap().to_stored(), stored, "{body}");
    }
    assert_eq!(read(&json!({"impact": {"people": 3}})).unwrap().assess().severity, Severity::Critical);
}

#[test]
fn every_fault_of_the_answers_is_told_at_once() {
    let body = json!({"ruleset": "bailiwick-1", "impact": {"service": 5, "data": "high", "peple": 1, "money": -1},
        "urgency": "soon", "personal_data_people": -1, "administrator_credentials": "yes", "severity": "low"});
    assert_eq!(
        faults(&body),
        [
            "#/impact/service Service must be from 0 to 4, or left out if it is not known.",
            "#/impact/data Data must be an integer, not a string.",
            "#/impact/money Money must be from 0 to 4, or left out if it is not known.",
            "#/impact/peple This member is not known; did you mean `people`?",
            "#/urgency Urgency must be spreading, contained or over.",
            "#/personal_data_people Personal data people must be 0 or more, or left out if it is not known.",
            "#/administrator_credentials Administrator credentials must be a boolean, not a string.",
            "#/severity This member is not known.",
        ]
    );
    let body =
        json!({"ruleset": "cisa-ncisss-1", "factors": {"actor": "neighbour", "location": 3, "impact": 1}});
    let found = faults(&body);
    assert!(found[0].starts_with("#/factors/location Location must be a string"), "{found:?}");
    assert!(
        found[1].starts_with("#/factors/actor Actor must be hacktivist, unwitting_insider,"),
        "{found:?}"
    );
    assert_eq!(found[2..], ["#/factors/impact This member is not known."]);
}

#[test]
fn what_is_not_known_is_left_out() {
    assert_eq!(
        faults(&json!({"impact": {}, "urgency": "unknown"})),
        ["#/urgency Urgency must be left out if it is not known."]
    );
    for body in [json!({}), json!({"impact": null}), json!({"urgency": "over"})] {
        assert_eq!(faults(&body), ["#/impact Impact is required."]);
    }
    assert_eq!(faults(&json!({"ruleset": "cisa-ncisss-1"})), ["#/factors Factors is required."]);
}

#[test]
fn members_of_another_rule_set_are_refused() {
    let body =
        json!({"ruleset": "cisa-ncisss-1", "factors": {}, "impact": {"service": 9}, "urgency": "over"});
    let detail = "This member does not go with the ruleset cisa-ncisss-1.";
    assert_eq!(faults(&body), [format!("#/impact {detail}"), format!("#/urgency {detail}")]);
    let detail = "This member does not go with the ruleset bailiwick-1.";
    assert_eq!(faults(&json!({"impact": {}, "factors": null})), [format!("#/factors {detail}")]);
}

#[test]
fn with_an_unknown_rule_set_nothing_else_is_judged() {
    let body = json!({"ruleset": "bailiwick-0", "impact": {"service": 9}, "factors": {"actor": 1}});
    assert_eq!(faults(&body), ["#/ruleset Ruleset must be bailiwick-1 or cisa-ncisss-1."]);
    assert_eq!(faults(&json!({"ruleset": 1})), ["#/ruleset Ruleset must be a string, not an integer."]);
}

fn read_stated(body: &Value) -> Result<StatedSeverity, Vec<String>> {
    sent(body)
}

#[test]
fn a_severity_is_answers_or_a_level_with_its_reason() {
    let stated = read_stated(&json!({"impact": {"people": 3}})).unwrap();
    let answers = read(&json!({"impact": {"people": 3}})).unwrap();
    assert_eq!(stated, StatedSeverity::computed(&answers));
    let stated = read_stated(&json!({"severity": "low", "reason": "It was a drill."})).unwrap();
    assert_eq!(stated, StatedSeverity::manual(Severity::Low, "It was a drill.".into()));
}

#[test]
fn a_manual_severity_needs_a_reason_and_takes_no_answers() {
    let found = |body: Value| read_stated(&body).unwrap_err();
    assert_eq!(found(json!({"severity": "low"})), ["#/reason Reason is required."]);
    assert_eq!(found(json!({"severity": "low", "reason": " "})), ["#/reason Reason must not be blank."]);
    assert_eq!(found(json!({"reason": "So."})), ["#/severity Severity is required."]);
    let detail =
        "This member does not go with `severity` and `reason`: send answers, or a severity with its reason.";
    assert_eq!(
        found(
            json!({"severity": "awful", "reason": 1, "impact": {"service": 9}, "ruleset": "bailiwick-1", "x": 1})
        ),
        [
            "#/severity Severity must be undetermined, low, medium, high or critical.".to_owned(),
            "#/reason Reason must be a string, not an integer.".to_owned(),
            format!("#/ruleset {detail}"),
            format!("#/impact {detail}"),
            "#/x This member is not known.".to_owned(),
        ]
    );
    assert_eq!(found(json!({})), ["#/impact Impact is required."]);
}
