use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;
use crate::frame::clock::Typed;

const MEMBERS: &[(&str, As)] = &[("title", As::Text), ("at", As::Time), ("readers", As::List)];

fn clock(zone: &str) -> Clock {
    let now = "2026-11-22T23:30:00Z".parse().unwrap();
    Clock::new(now, TimeZone::get(zone).unwrap(), zone)
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn shown(title: &str, at: Option<Timestamp>, clock: &Clock) -> Form {
    Form::with_originals([("title", title.to_owned()), ("readers", String::new())], 3)
        .with_times([("at", at)], clock)
}

/// The form as a browser sends it: seconds that are zero are left out, and boxes without a tick too. `moment` is whether the
/// moment beside the time is sent, as every page does.
fn sent(form: &Form) -> Form {
    let pairs = form.pairs.iter().filter(|(name, value)| name != "readers" || !value.is_empty());
    let pairs = pairs.map(|(name, value)| match name.as_str() {
        "at" => (name.clone(), value.strip_suffix(":00").unwrap_or(value).to_owned()),
        _ => (name.clone(), value.clone()),
    });
    Form { pairs: pairs.collect() }
}

/// The form with another text in a field.
fn typed(form: &Form, name: &str, text: &str) -> Form {
    sent(form).with_fields_of(&[name], &Form::of([(name, text.to_owned())]))
}

fn changed(form: &Form, clock: &Clock) -> Vec<&'static str> {
    form.changed(MEMBERS, clock).into_iter().map(|(name, _)| name).collect()
}

fn faults(form: &Form, clock: &Clock) -> Vec<String> {
    let mut faults = Faults::new();
    form.check_times(MEMBERS, clock, &mut faults);
    faults.iter().map(domain::Fault::sentence).collect()
}

#[test]
fn what_a_browser_leaves_out_of_a_time_is_no_change() {
    let clock = clock("Europe/Berlin");
    for text in ["2026-11-22T10:00:00Z", "2026-11-22T10:00:30.123456Z", "2026-10-25T01:30:00Z"] {
        let form = sent(&shown("A", Some(at(text)), &clock));
        assert_eq!(changed(&form, &clock), [""; 0], "{text}");
        assert_eq!(form.time("at", &clock), domain::time::format(at(text)));
    }
    let form = typed(&shown("A", None, &clock), "at", "2026-11-22T10:00");
    assert_eq!(
        (changed(&form, &clock), form.time("at", &clock)),
        (vec!["at"], "2026-11-22T09:00:00.000000Z".into())
    );
    let form = typed(&shown("A", Some(at("2026-11-22T10:00:00Z")), &clock), "at", "");
    assert_eq!((changed(&form, &clock), form.time("at", &clock)), (vec!["at"], String::new()));
}

#[test]
fn a_time_that_exists_twice_or_not_at_all_is_chosen_by_the_person() {
    let clock = clock("Europe/Berlin");
    let twice = typed(&shown("A", None, &clock), "at", "2026-10-25T02:30");
    assert_eq!(
        faults(&twice, &clock),
        [
            "25 October 2026, 02:30 exists twice in Europe/Berlin, because the clocks go back then. Choose one of the two times."
        ]
    );
    let never = typed(&shown("A", None, &clock), "at", "2026-03-29T02:30");
    assert_eq!(
        faults(&never, &clock),
        [
            "29 March 2026, 02:30 does not exist in Europe/Berlin, because the clocks go forward then. Choose one of the two times."
        ]
    );
    for form in [twice, never] {
        let moments = form.moments("at", &clock);
        assert_eq!(moments.iter().map(|it| it.is_chosen).collect::<Vec<_>>(), [false, false]);
        for moment in moments {
            let chosen = typed(&form, "at_instant", &moment.value);
            assert_eq!((faults(&chosen, &clock).len(), chosen.time("at", &clock)), (0, moment.value.clone()));
            let again = chosen.moments("at", &clock);
            assert!(again.iter().all(|it| it.is_chosen == (it.value == moment.value)));
        }
        // A moment that is none of the two does not count.
        assert_eq!(faults(&typed(&form, "at_instant", "2026-01-01T00:00:00Z"), &clock).len(), 1);
    }
}

#[test]
fn a_form_keeps_the_zone_that_it_was_shown_in() {
    let (berlin, tokyo) = (clock("Europe/Berlin"), clock("Asia/Tokyo"));
    let form = shown("A", Some(at("2026-11-22T10:00:00Z")), &berlin);
    assert_eq!(changed(&sent(&form), &tokyo), [""; 0]);
    let form = typed(&form, "at", "2026-11-22T12:00");
    assert_eq!(form.time("at", &tokyo), "2026-11-22T11:00:00.000000Z");
    let merged = form.onto(&shown("B", Some(at("2026-11-22T10:00:00Z")), &tokyo), &tokyo);
    assert_eq!((merged.text("title"), merged.text("at")), ("B", "2026-11-22T20:00:00"));
    assert_eq!(merged.time("at", &tokyo), "2026-11-22T11:00:00.000000Z");
}

#[test]
fn what_two_people_change_in_different_fields_is_merged() {
    let clock = clock("Europe/Berlin");
    let (before, after) = (at("2026-11-22T10:00:00Z"), at("2026-11-22T11:00:00.5Z"));
    let first = shown("A", Some(before), &clock);
    let merged = typed(&first, "title", "Mine").onto(&shown("A", Some(after), &clock), &clock);
    assert_eq!(
        (merged.text("title"), merged.has_theirs(), changed(&merged, &clock)),
        ("Mine", false, vec!["title"])
    );
    assert_eq!(merged.time("at", &clock), domain::time::format(after));
    let both = typed(&first, "at", "2026-11-22T09:00").onto(&shown("B", Some(after), &clock), &clock);
    assert_eq!((both.text("title"), both.theirs("at")), ("B", Some("22 November 2026, 12:00:00")));
    assert_eq!(both.time("at", &clock), "2026-11-22T08:00:00.000000Z");
    let list = typed(&first, "readers", "ada").onto(&shown("B", Some(before), &clock), &clock);
    assert_eq!((list.has_theirs(), changed(&list, &clock)), (false, vec!["readers"]));
}

#[test]
fn a_box_without_a_tick_is_a_change_of_one_that_had_it() {
    let clock = clock("UTC");
    let form = |value: &str| Form::with_originals([("pinned", value.to_owned())], 1);
    let members = [("pinned", As::Flag)];
    let json = |form: &Form| form.json(&members, &clock);
    let pinned = |is: bool| Json::Object(vec![(Cow::Borrowed("pinned"), Json::Bool(is))]);
    let unticked = form("on").without(&["pinned"]);
    assert_eq!(unticked.changed(&members, &clock).len(), 1);
    assert_eq!((json(&form("on")), json(&unticked)), (pinned(true), pinned(false)));
    let merged = unticked.onto(&form("on"), &clock);
    assert_eq!(json(&merged), pinned(false));
    assert_eq!(form("").without(&["pinned"]).changed(&members, &clock).len(), 0);
}

/// Zones whose clocks are changed by an hour, by half an hour, by a whole day, or never.
const ZONES: [&str; 8] = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "America/St_Johns",
    "UTC",
];

fn zone() -> impl Strategy<Value = Clock> {
    prop::sample::select(&ZONES[..]).prop_map(clock)
}

/// Moments of 1900 to 2100, and those around changes of the clocks, with fractions of a second.
fn moment() -> impl Strategy<Value = Timestamp> {
    let change = prop::sample::select(vec![
        "2026-10-25T01:00:00Z",
        "2026-03-29T01:00:00Z",
        "2026-11-01T06:00:00Z",
        "2026-04-04T15:00:00Z",
        "2011-12-30T10:00:00Z",
    ]);
    let near =
        (change, -7_200_000_000_i64..7_200_000_000).prop_map(|(text, off)| at(text).as_microsecond() + off);
    let any = -2_208_988_800_000_000_i64..4_102_444_800_000_000;
    prop_oneof![near, any].prop_map(|micros| Timestamp::from_microsecond(micros).unwrap())
}

proptest! {
    #[test]
    fn what_is_not_touched_is_never_changed(clock in zone(), shown_at in moment(), whole in any::<bool>()) {
        let whole_minute = Timestamp::from_second(shown_at.as_second().div_euclid(60) * 60).unwrap();
        let shown_at = if whole { whole_minute } else { shown_at };
        let form = sent(&shown("A", Some(shown_at), &clock));
        prop_assert_eq!(changed(&form, &clock), Vec::<&str>::new());
        prop_assert_eq!(form.time("at", &clock), domain::time::format(shown_at));
        prop_assert_eq!(faults(&form, &clock), Vec::<String>::new());
        // It stays so when another field is changed, and when somebody else saves meanwhile.
        let form = typed(&form, "title", "B").onto(&shown("A", Some(shown_at), &clock), &clock);
        prop_assert_eq!(changed(&sent(&form), &clock), vec!["title"]);
    }

    #[test]
    fn what_is_typed_is_what_is_shown_or_is_asked_for(clock in zone(), before in moment(), after in moment()) {
        let text = clock.field(&after);
        let form = typed(&shown("A", Some(before), &clock), "at", &text);
        match clock.typed(&text) {
            Typed::Moment(at) => {
                prop_assert_eq!(clock.field(&at), text);
                let is_as_before = clock.shows(form.text("at"), &before);
                prop_assert_eq!(changed(&form, &clock).is_empty(), is_as_before);
            }
            Typed::Unclear(moments) => {
                let is_as_before = clock.shows(&text, &before);
                prop_assert_eq!(faults(&form, &clock).len(), usize::from(!is_as_before));
                prop_assert!(moments.into_iter().all(|at| clock.field(&at) == text));
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
