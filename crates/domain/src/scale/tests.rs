use proptest::prelude::*;

use super::*;
use crate::actor::ActorKind;
use crate::json::{self, Json};
use crate::text::Line;

fn rating(likelihood: i64, impact: i64) -> Rating {
    Rating { likelihood, impact }
}

fn ada() -> Actor {
    Actor { kind: ActorKind::User, id: "1".into(), name: "Ada".into() }
}

fn changed(content: ScaleContent, meaning_changed: bool) -> NewScale {
    NewScale { reason: Reason::stored("Because"), meaning_changed, content }
}

/// A scale of so many levels of each, with bands by the score.
fn sized(levels: usize) -> ScaleContent {
    let mut content = ScaleContent::default();
    content.likelihood.truncate(levels);
    content.impact.truncate(levels);
    content.matrix = content.matrix.iter().take(levels).map(|row| row[..levels].to_vec()).collect();
    content
}

fn next(before: &Scale, new: &NewScale) -> Scale {
    new.apply(before, ada(), Timestamp::UNIX_EPOCH).unwrap()
}

#[test]
fn the_default_has_the_bands_of_the_scores() {
    let scale = Scale::default();
    for (likelihood, impact) in (1..=5).flat_map(|likelihood| (1..=5).map(move |impact| (likelihood, impact)))
    {
        let expected = match likelihood * impact {
            ..5 => 0,
            5..10 => 1,
            10..15 => 2,
            _ => 3,
        };
        assert_eq!(scale.band_of(rating(likelihood, impact)), expected, "{likelihood} {impact}");
    }
    assert_eq!(ScaleContent::from_stored(&scale.content.to_stored()), Some(scale.content));
}

#[test]
fn another_size_or_meaning_is_another_generation() {
    let first = Scale::default();
    assert_eq!(changed(first.content.clone(), false).apply(&first, ada(), Timestamp::UNIX_EPOCH), None);
    let mut renamed = first.content.clone();
    renamed.bands[3].name = Line::stored("Severe");
    let second = next(&first, &changed(renamed.clone(), false));
    assert_eq!((second.number, second.generation), (2, 1));
    let third = next(&second, &changed(renamed, true));
    assert_eq!((third.number, third.generation), (3, 2), "the same levels mean something else");
    let fourth = next(&third, &changed(sized(4), false));
    assert_eq!((fourth.number, fourth.generation), (4, 3));

    let scales = Scales::of(vec![second.clone(), third, fourth.clone()]);
    let read_by = |version| scales.read_by(version).number;
    assert_eq!([1, 2, 3, 4].map(read_by), [2, 2, 3, 4]);
    assert_eq!([1, 2, 3, 4].map(|version| scales.is_present(version)), [false, false, false, true]);
    assert_eq!(scales.grade(rating(5, 5), 1).unwrap().name, "Severe");
    let smaller = next(&first, &changed(sized(4), false));
    assert_eq!(Scales::of(vec![smaller]).read_by(1), &first, "the default is not stored");
    assert_eq!(Scales::default().with(second).with(fourth).present().number, 4);
}

#[test]
fn a_rating_is_within_the_scale() {
    let (mut faults, scale) = (Faults::new(), Scale { content: sized(4), ..Scale::default() });
    scale.check(rating(4, 4), "#/inherent", &mut faults);
    assert!(faults.is_empty());
    scale.check(rating(5, 0), "#/inherent", &mut faults);
    let places: Vec<_> = faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).collect();
    let range = |place: &str| (place.to_owned(), FaultCode::Range);
    assert_eq!(places, [range("#/inherent/likelihood"), range("#/inherent/impact")]);
}

#[test]
fn every_fault_of_a_scale_is_told_at_once() {
    let body = r#"{"reason": "r", "matrix": [[0, 1], [1, 0], [9, 1]],
        "likelihood": [{"name": "a"}, {"name": "b"}, {"name": "A "}], "impact": [{"name": "a"}, {"name": "b"}],
        "bands": [{"name": "low", "color": "green", "acceptance": {"by": "people"}},
                  {"name": "high", "color": "blue", "acceptance": {"by": "never", "group": "x"}}]}"#;
    let told = |body: &str| {
        let mut faults = Faults::new();
        let value: serde_json::Value = serde_json::from_str(body).unwrap();
        json::body::<NewScale>(read(&value), &mut faults);
        faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).collect::<Vec<_>>()
    };
    let places = told(body);
    for place in ["#/bands/0/acceptance/users", "#/bands/1/color", "#/bands/1/acceptance/group"] {
        assert!(places.iter().any(|(pointer, _)| pointer == place), "{place}: {places:?}");
    }
    assert!(places.contains(&("#/likelihood/2/name".into(), FaultCode::Duplicate)), "{places:?}");

    let right = r#"{"by": "owner"}"#;
    let body = body.replace(r#"{"by": "people"}"#, right).replace("blue", "red").replace("A ", "c");
    let body = body.replace(r#"{"by": "never", "group": "x"}"#, right);
    let range = |place: &str| (place.to_owned(), FaultCode::Range);
    let expected = [range("#/matrix/1/1"), range("#/matrix/2/0"), range("#/matrix/2/1")];
    assert_eq!(told(&body), expected);
    let flat = body.replace("[[0, 1], [1, 0], [9, 1]]", "[[0, 1], [1, 1]]");
    assert_eq!(told(&flat), [range("#/matrix")]);
}

/// JSON as a body has it.
fn read(value: &serde_json::Value) -> Json<'static> {
    use serde_json::Value as V;
    match value {
        V::Null => Json::Null,
        V::Bool(flag) => Json::Bool(*flag),
        V::Number(number) => Json::Integer(number.as_i64().unwrap()),
        V::String(text) => Json::String(text.clone().into()),
        V::Array(items) => Json::Array(items.iter().map(read).collect()),
        V::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone().into(), read(value))).collect())
        }
    }
}

proptest! {
    #[test]
    fn a_higher_level_never_comes_earlier_in_the_order(
        (low, high) in ((1_i64..=4, 1_i64..=4), (0_i64..=1, 0_i64..=1)).prop_map(|(it, more)| {
            (rating(it.0, it.1), rating(it.0 + more.0, it.1 + more.1))
        }),
    ) {
        let scales = Scales::default();
        let order = |rating| scales.grade(rating, 1).unwrap().order;
        prop_assert!(order(low) <= order(high));
        prop_assert_eq!(order(low) == order(high), low.score() == high.score());
    }
}
