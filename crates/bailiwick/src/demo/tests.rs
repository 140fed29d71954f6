//! The data file is plausible at any hour of the day on which it is shown, and a mistake in it is named.

mod filled;
mod waiting;

use std::collections::{HashMap, HashSet};

use domain::json::body;
use domain::person::NewMember;
use domain::{Scope, Scopes};
use jiff::{SignedDuration, Timestamp};
use testkit::{EmptyDatabase, TestClock, seeded};

use super::cast::read;
use super::data::{DAYS, Data, FILE, Record, Step, When};
use super::prepare;

fn data() -> Data {
    toml::from_str::<Data>(FILE).unwrap()
}

fn moments() -> [Timestamp; 4] {
    ["2026-03-01T00:00:00Z", "2026-03-01T06:30:00Z", "2026-03-01T12:00:00Z", "2026-03-01T23:59:59.999999Z"]
        .map(|text| text.parse().unwrap())
}

impl Record {
    /// When a step of this kind was first done that has this text.
    fn step(&self, what: &str, text: &str) -> Option<When> {
        let has = |step: &&Step| step.what.get(what).is_some_and(|body| body.to_string().contains(text));
        self.steps.iter().find(has).map(|step| step.at)
    }

    pub(super) fn is_deleted(&self) -> bool {
        self.step("delete", "true").is_some()
    }
}

#[test]
fn there_is_enough_to_look_at() {
    let data = data();
    let kept = data.incidents.iter().filter(|incident| !incident.is_deleted()).count();
    assert!(kept >= 40, "{kept} incidents");
    assert!(data.incidents.len() > kept, "some are deleted");
    assert_eq!(data.tags.len(), 8);
    assert!(data.documents.len() >= 7);
    assert!((6..=8).contains(&data.people.as_array().unwrap().len()));
    assert!(!data.clients.as_array().unwrap().is_empty());
}

#[test]
fn the_demo_data_lie_in_its_period_and_never_in_the_future() {
    for now in moments() {
        let acts = data().acts(now);
        assert!(acts.is_sorted_by_key(|act| act.at));
        let (first, last) = (acts[0].at, acts[acts.len() - 1].at);
        assert!(
            now - SignedDuration::from_hours(24 * DAYS) < first && last < now,
            "{first} to {last} at {now}"
        );
        // Acts of one time are one commit, and the first start must be quick.
        let writes = acts.chunk_by(|one, next| one.at == next.at).count();
        assert!(writes < 550, "{writes} writes");
    }
}

#[test]
fn a_time_is_a_day_and_hour_or_less_than_a_day_ago() {
    let read = |text: &str| When::try_from(text.to_owned());
    assert_eq!(read("-12d 09:40"), Ok(When::day(12, 580)));
    let now = moments()[2];
    assert_eq!(read("-6h 05m").unwrap().before(now), now - SignedDuration::from_mins(365));
    for wrong in
        ["-1d 09:40", "-366d 09:40", "12d 09:40", "-12d 24:00", "-12d 09:60", "-24h 00m", "-0h 00m", "-3d"]
    {
        assert!(read(wrong).unwrap_err().contains(wrong), "{wrong}");
    }
}

#[test]
fn records_and_their_steps_stand_in_the_order_of_time() {
    let data = data();
    for now in moments() {
        assert!(data.incidents.is_sorted_by_key(|incident| incident.at.before(now)));
        for record in data.incidents.iter().chain(&data.risks).chain(&data.documents).chain(&data.groups) {
            let name = record.name();
            assert!(record.steps.is_sorted_by_key(|step| step.at.before(now)), "{name}");
            assert!(record.steps.iter().all(|step| record.at.before(now) <= step.at.before(now)), "{name}");
            assert!(record.judgements.is_sorted_by(|one, next| one.week > next.week), "{name}");
        }
    }
}

#[test]
fn an_incident_ends_after_its_dates() {
    for now in moments() {
        for incident in &data().incidents {
            let ends = ["\"resolved\"", "\"dismissed\""].map(|word| incident.step("change", word));
            let Some(end) = ends.into_iter().flatten().next().map(|when| when.before(now)) else { continue };
            let known =
                [Some(incident.at), incident.step("severity", ""), incident.step("change", "contained_date")];
            assert!(known.into_iter().flatten().all(|when| when.before(now) < end), "{}", incident.name());
        }
    }
}

#[test]
fn titles_and_names_are_unique() {
    let data = data();
    let names = data.people.as_array().unwrap().iter().chain(data.clients.as_array().unwrap());
    let mut titles: Vec<&str> = names.map(|record| record["name"].as_str().unwrap()).collect();
    titles.extend(data.tags.iter().chain(&data.groups).map(Record::name));
    titles.extend(data.incidents.iter().chain(&data.risks).chain(&data.documents).map(Record::name));
    let mut seen = HashSet::new();
    assert!(titles.iter().all(|title| seen.insert(*title)), "{titles:?}");
}

#[test]
fn everybody_may_do_what_they_do() {
    let data = data();
    let mut scopes = HashMap::new();
    let people: Vec<NewMember> = read(&data.people, body).unwrap();
    for person in &people {
        scopes.insert(person.name.as_str(), person.roles.scopes());
    }
    for client in data.clients.as_array().unwrap() {
        let sent = Scopes::parse(client["scopes"].as_str().unwrap()).unwrap();
        scopes.insert(client["name"].as_str().unwrap(), sent);
    }
    for act in data.acts(moments()[0]) {
        let needed = match (act.kind, act.what.as_str()) {
            ("risk", "delete") => Scope::RisksDelete,
            ("risk", "acceptance_decision") => Scope::RisksRead,
            ("risk", _) => Scope::RisksWrite,
            ("incident", "delete") => Scope::IncidentsDelete,
            ("incident", _) => Scope::IncidentsWrite,
            ("document", "approve" | "exception_decision") => Scope::DocumentsApprove,
            ("document", "acknowledge") => Scope::DocumentsAcknowledge,
            ("document", "comment") => Scope::DocumentsRead,
            ("group", _) => Scope::UsersAdmin,
            ("document", _) => Scope::DocumentsWrite,
            _ => Scope::TagsWrite,
        };
        assert!(scopes[act.by.as_str()].has(needed), "{} of {} by {}", act.what, act.name, act.by);
    }
}

#[test]
fn risks_fall_stay_and_rise() {
    let data = data();
    let risks = &data.risks;
    let (mut rose, mut better) = (0, 0);
    for risk in risks {
        let scores: Vec<i64> = risk
            .judgements
            .iter()
            .map(|it| it.body["likelihood"].as_i64().unwrap() * it.body["impact"].as_i64().unwrap())
            .collect();
        rose += usize::from(scores.windows(2).any(|pair| pair[1] > pair[0]));
        better += usize::from(scores.last() < scores.first());
    }
    assert!(rose >= 5, "{rose} rose at some time");
    assert!(better > risks.len() / 2 && better < risks.len() - 2, "{better} are better than at first");
}

#[test]
fn documents_have_choices_of_which_the_strong_one_is_the_default() {
    let is_own = |document: &&Record| document.body.contains_key("items");
    for document in data().documents.iter().filter(is_own) {
        let (slug, items) = (document.name(), document.body["items"].as_array().unwrap());
        assert!(items.len() >= 8, "{slug}");
        assert!(items.iter().any(|item| item["kind"] == "text"), "{slug} has a place for a text");
        for item in items.iter().filter(|item| item["kind"] == "select") {
            let options = item["options"].as_array().unwrap();
            assert!(options.len() >= 2 && options.iter().any(|option| option["weakens"] == true), "{item}");
            assert!(options[0]["weakens"] != true && options[0]["id"] == item["default"], "{item}");
        }
        assert!(!document.steps.is_empty(), "{slug} has changes");
    }
}

#[testkit::both_engines]
async fn a_mistake_in_the_file_is_named(database: EmptyDatabase) {
    let step = r#"{ at = "-47d 07:46", tag = "phishing" }"#;
    let mistakes = [
        ("\nopened_by = \"Helen Brandt\"", "\nopened_by = \"Helene Brandt\"", "Helene Brandt"),
        ("\nowner = \"Tom Okafor\"", "\nowner = \"Tim Okafor\"", "Tim Okafor"),
        ("at = \"-117d 02:31\"", "at = \"-1d 02:31\"", "-1d 02:31"),
        ("detected_date = \"-117d 02:31\"", "detected_date = \"-366d 02:31\"", "-366d 02:31"),
        ("source = \"SIEM rule 4021\"", "sources = \"SIEM rule 4021\"", "#/sources"),
        ("severity = { severity = \"low\"", "severity = { severity = \"lowish\"", "#/severity"),
        ("duplicate_of = \"Phishing wave", "duplicate_of = \"Fishing wave", "Fishing wave"),
        (step, r#"{ at = "-47d 07:46", tag = "fishing" }"#, "there is no tag `fishing`"),
        (step, r#"{ at = "-47d 07:46", tags = "phishing" }"#, "there is no step `tags`"),
        (step, r#"{ at = "-47d 07:46", tag = "phishing", pin = 1 }"#, "there is no step `pin, tag`"),
        ("\ncategory = \"Cyber\"", "\ncategry = \"Cyber\"", "#/categry"),
        ("{ week = 16", "{ weeks = 16", "week"),
        ("\n[[views]]", "\n[[view]]", "unknown field `view`"),
        ("due = \"+1h\"", "due = \"1h\"", "1h"),
        ("kind = \"decision\"", "kind = \"decided\"", "#/kind"),
        ("library = [\"data-", "library = [\"date-", "#/library/0"),
        ("effective_date = \"+45d\"", "effective_date = \"45d\"", "45d"),
        ("until = \"+91d\"", "until = \"91d\"", "91d"),
        (
            "risk = \"Attack on a supplier",
            "risk = \"Attack by a supplier",
            "there is no risk `Attack by a supplier",
        ),
        ("member = \"Tom", "member = \"Tim", "there is no person `Tim Okafor`"),
        ("group = \"Policy board\"", "group = \"Policy bored\"", "there is no group `Policy bored`"),
    ];
    for (seed, (right, wrong, named)) in mistakes.into_iter().enumerate() {
        assert!(FILE.contains(right), "{right}");
        let options = testkit::patient(db::Options::new(
            database.location(),
            TestClock::new().handle(),
            seeded(seed as u64),
        ));
        let error = prepare(&FILE.replacen(right, wrong, 1), options).await.unwrap_err().to_string();
        assert!(error.starts_with("demo.toml: ") && error.contains(named), "{wrong}: {error}");
    }
}
