//! How the members of a body are read, from its bytes.

use domain::json::{Fields, FromJson as _, Pointer};
use domain::{FaultCode, UserId};
use jiff::Timestamp;

fn read(body: &str) -> Result<(), Vec<(String, FaultCode, String)>> {
    let result = super::read(body.as_bytes(), |value, faults| {
        let mut fields = Fields::of(value, Pointer::ROOT, faults)?;
        fields.required_with("title", String::from_json);
        fields.optional_with("owner", UserId::from_json);
        fields.optional_with("detected_date", Timestamp::from_json);
        fields.patch_with("level", i64::from_json);
        fields.patch_set_with("flags", Vec::<bool>::from_json);
        fields.read_only(&["id"]);
        fields.finish();
        Some(())
    });
    result.map_err(|error| match error {
        crate::error::Error::Domain(domain::Error::Invalid(faults)) => {
            faults.into_iter().map(|fault| (fault.pointer, fault.code, fault.detail)).collect()
        }
        other => panic!("{other:?}"),
    })
}

fn pairs(body: &str) -> Vec<(String, FaultCode)> {
    read(body).unwrap_err().into_iter().map(|(pointer, code, _)| (pointer, code)).collect()
}

#[test]
fn every_fault_is_told_at_once() {
    let body = r#"{"title":null,"owner":"ada","detected_date":"2026-03-01","level":1.5,
        "flags":[true,1,"x"],"id":"INC-1","titel":"x","titel":"y"}"#;
    assert_eq!(
        pairs(body),
        [
            ("#/titel".into(), FaultCode::DuplicateKey),
            ("#/title".into(), FaultCode::Required),
            ("#/owner".into(), FaultCode::Format),
            ("#/detected_date".into(), FaultCode::Format),
            ("#/level".into(), FaultCode::Type),
            ("#/flags/1".into(), FaultCode::Type),
            ("#/flags/2".into(), FaultCode::Type),
            ("#/id".into(), FaultCode::ReadOnly),
            ("#/titel".into(), FaultCode::UnknownField),
        ]
    );
}

#[test]
fn absent_and_null_are_the_same_except_in_a_patch() {
    assert_eq!(read(r#"{"title":"a","owner":null,"level":null}"#), Ok(()));
    assert_eq!(pairs(r#"{"title":"a","flags":null}"#), [("#/flags".into(), FaultCode::Required)]);
}

#[test]
fn a_typo_names_the_field_that_was_meant() {
    let faults = read(r#"{"title":"a","ownr":1}"#).unwrap_err();
    assert_eq!(faults[0].2, "is not known; did you mean `owner`?");
}

#[test]
fn another_top_level_type_is_a_fault_of_the_whole() {
    for body in ["[]", "null", "\"x\"", "1", "[1,\"x\"]"] {
        assert_eq!(pairs(body), [("#".into(), FaultCode::Type)], "{body}");
    }
}

#[test]
fn a_number_beyond_64_bits_is_out_of_range() {
    assert_eq!(pairs(r#"{"title":"a","level":9223372036854775808}"#), [("#/level".into(), FaultCode::Range)]);
}
