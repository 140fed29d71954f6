//! The tables are plausible at any hour of the day on which they are shown.

use std::collections::HashSet;
use std::hash::Hash;

use domain::{Role, Scopes};
use jiff::Timestamp;

use super::documents::{DOCUMENTS, DemoDocument, DemoItemKind};
use super::incidents::{self, Judgement, Move, OPERATIONS, SECURITY};
use super::people::{CLIENTS, PEOPLE, Who};
use super::risks::{FIRST_REVIEW, RISKS, Rated, SLIPS, review};
use super::story::{self, Act};
use super::tags::TAGS;
use super::when::{STORY_DAYS, When};

fn moments() -> [Timestamp; 4] {
    ["2026-03-01T00:00:00Z", "2026-03-01T06:30:00Z", "2026-03-01T12:00:00Z", "2026-03-01T23:59:59.999999Z"]
        .map(|text| text.parse().unwrap())
}

fn role(who: Who) -> Option<Role> {
    PEOPLE.iter().find(|person| person.who == who).map(|person| person.role)
}

fn assert_unique<T: Eq + Hash + std::fmt::Debug>(things: impl IntoIterator<Item = T>) {
    let mut seen = HashSet::new();
    for thing in things {
        let text = format!("{thing:?}");
        assert!(seen.insert(thing), "{text} is there twice");
    }
}

fn every_moment() -> Vec<When> {
    let mut moments = Vec::new();
    for incident in incidents::all() {
        moments.extend([Some(incident.detected), incident.occurred, incident.declared]);
        moments.extend([incident.responded, incident.contained, incident.deleted]);
        moments.extend([incident.outcome.at(), incident.outcome.closed()]);
        moments.extend(incident.steps.iter().map(|step| Some(step.when)));
    }
    for document in DOCUMENTS {
        moments.push(Some(document.created));
        moments.extend(document.changes.iter().map(|change| Some(change.when)));
    }
    for risk in RISKS {
        moments.extend([risk.closed.map(|(when, _)| when), risk.deleted]);
    }
    moments.extend((0..=FIRST_REVIEW).map(|week| Some(review(week))));
    moments.into_iter().flatten().collect()
}

#[test]
fn there_is_enough_to_look_at() {
    let kept = incidents::all().filter(|incident| incident.deleted.is_none()).count();
    assert!(kept >= 40, "{kept} incidents");
    assert!(incidents::all().count() > kept, "some are deleted");
    let weekly = RISKS
        .iter()
        .filter(|risk| risk.deleted.is_none() && (0..=FIRST_REVIEW).all(|week| risk.judged(week).is_some()))
        .count();
    assert!(weekly >= 25, "{weekly} risks with an evaluation a week");
    assert_eq!(TAGS.len(), 8);
    assert!(DOCUMENTS.len() >= 3);
    for document in DOCUMENTS {
        assert!(document.items.len() >= 8, "{}", document.slug);
    }
    assert!((6..=8).contains(&PEOPLE.len()));
    assert!(!CLIENTS.is_empty());
}

#[test]
fn the_demo_data_lie_in_its_period_and_never_in_the_future() {
    for now in moments() {
        let first = now - jiff::SignedDuration::from_hours(24 * STORY_DAYS);
        for when in every_moment() {
            let moment = when.before(now);
            assert!(first <= moment && moment < now, "{when:?} is {moment}, seen from {now}");
        }
    }
    for when in every_moment() {
        match when {
            When::Day(days, minutes) => assert!(days >= 2 && (0..1440).contains(&minutes), "{when:?}"),
            When::Ago(minutes) => assert!((1..1440).contains(&minutes), "{when:?}"),
        }
    }
}

#[test]
fn incidents_stand_in_the_order_of_their_declaration() {
    for now in moments() {
        for table in [SECURITY, OPERATIONS] {
            for pair in table.windows(2) {
                assert!(
                    pair[0].declared().before(now) <= pair[1].declared().before(now),
                    "{:?} before {:?}",
                    pair[0].title,
                    pair[1].title
                );
            }
        }
    }
}

#[test]
fn dates_of_an_incident_obey_the_rules() {
    let (mut before_detection, mut before_response, mut open) = (0, 0, 0);
    for now in moments() {
        for incident in incidents::all() {
            let title = incident.title;
            let detected = incident.detected.before(now);
            let declared = incident.declared().before(now);
            let occurred = incident.occurred.map(|when| when.before(now));
            let [responded, contained] =
                [incident.responded, incident.contained].map(|when| when.map(|when| when.before(now)));
            assert!(detected <= declared, "{title}: declared before it was noticed");
            for later in [Some(detected), responded, contained].into_iter().flatten() {
                assert!(occurred.is_none_or(|occurred| occurred <= later), "{title}: {later}");
            }
            assert!(incident.deleted.is_none_or(|when| when.before(now) > declared), "{title}");
            assert!(responded.is_none() || incident.assigned_to.is_some() || incident.deleted.is_some());
            before_detection += usize::from(contained.is_some_and(|contained| contained < detected));
            before_response += usize::from(responded.is_some_and(|responded| responded < detected));
            open += usize::from(contained.is_none() && incident.deleted.is_none());
        }
    }
    assert!(before_detection > 0 && before_response > 0, "some dates are odd and possible");
    assert!(open > 0, "something is still going on");
}

#[test]
fn an_incident_ends_after_all_else_that_happened_to_it() {
    for now in moments() {
        for incident in incidents::all() {
            let known = [Some(incident.declared()), incident.responded, incident.contained];
            let known = known.into_iter().flatten().map(|when| when.before(now));
            let is_about_the_end = |what: Move| matches!(what, Move::Review(_) | Move::CloseAnyway(_));
            let steps = incident.steps.iter().filter(|step| !is_about_the_end(step.what));
            let steps = steps.map(|step| step.when.before(now));
            assert!(incident.steps.is_sorted_by_key(|step| step.when.before(now)), "{}", incident.title);
            let Some(ended) = incident.outcome.at().map(|when| when.before(now)) else { continue };
            assert!(incident.judged_at(now) < ended || incident.severity.is_none(), "{}", incident.title);
            let before = known.chain(steps);
            assert!(before.max().is_none_or(|last| last < ended), "{}", incident.title);
            assert!(
                incident.outcome.closed().is_none_or(|when| ended < when.before(now)),
                "{}",
                incident.title
            );
        }
    }
}

#[test]
fn texts_of_incidents_fit() {
    assert_unique(incidents::all().map(|incident| incident.title));
    for incident in incidents::all() {
        assert!((1..=200).contains(&incident.title.chars().count()), "{}", incident.title);
        assert!(
            !incident.description.is_empty() && !incident.description.contains("  "),
            "{}",
            incident.title
        );
        assert!((1..=200).contains(&incident.source.chars().count()), "{}", incident.title);
        if let Some(Judgement::Stated(_, reason)) = incident.severity {
            assert!(reason.ends_with('.') && !reason.contains("  "), "{}", incident.title);
        }
    }
}

#[test]
fn people_and_machines_do_what_they_may() {
    assert_unique(PEOPLE.iter().map(|person| person.email));
    assert_unique(PEOPLE.iter().map(|person| person.who).chain(CLIENTS.iter().map(|client| client.who)));
    for client in CLIENTS {
        let scopes = Scopes::parse(client.scopes).unwrap();
        assert!(scopes.has(domain::Scope::IncidentsWrite), "{}", client.name);
    }
    let may = |who, scope| role(who).is_some_and(|role| role.scopes().has(scope));
    for incident in incidents::all() {
        let client = CLIENTS.iter().any(|client| client.who == incident.opened_by);
        assert!(client || may(incident.opened_by, domain::Scope::IncidentsWrite), "{}", incident.title);
        assert!(incident.assigned_to.is_none_or(|who| role(who).is_some()), "{}", incident.title);
    }
    for document in DOCUMENTS {
        let mut hands = document.changes.iter().map(|change| change.by).chain([document.owner]);
        assert!(hands.all(|who| may(who, domain::Scope::DocumentsWrite)), "{}", document.slug);
    }
    assert!(RISKS.iter().all(|risk| role(risk.owner).is_some()));
}

#[test]
fn ratings_are_on_the_scale_and_targets_are_no_worse_than_no_treatment() {
    let on_scale = |Rated(likelihood, impact)| (1..=5).contains(&likelihood) && (1..=5).contains(&impact);
    assert_unique(RISKS.iter().map(|risk| risk.title));
    for risk in RISKS {
        assert!(on_scale(risk.inherent) && on_scale(risk.target), "{}", risk.title);
        assert!(risk.target.score() <= risk.inherent.score(), "{}", risk.title);
        assert!(!risk.course.is_empty(), "{}", risk.title);
        assert!(risk.course.windows(2).all(|pair| pair[0].weeks_ago > pair[1].weeks_ago), "{}", risk.title);
        for step in risk.course {
            assert!((0..=FIRST_REVIEW).contains(&step.weeks_ago), "{}", risk.title);
            assert!(on_scale(step.rated), "{}", risk.title);
            assert!(
                risk.judged(step.weeks_ago).is_some(),
                "{}: {} is never recorded",
                risk.title,
                step.weeks_ago
            );
        }
        assert_unique(risk.tags);
        assert!(risk.tags.iter().all(|tag| TAGS.iter().any(|known| known.tag == *tag)), "{}", risk.title);
    }
}

#[test]
fn risks_fall_stay_and_rise() {
    let trend = |risk: &super::risks::DemoRisk| {
        let scores: Vec<i64> = risk.course.iter().map(|step| step.rated.score()).collect();
        (scores.windows(2).any(|pair| pair[1] > pair[0]), scores.last() < scores.first())
    };
    let rose = RISKS.iter().filter(|risk| trend(risk).0).count();
    let better = RISKS.iter().filter(|risk| trend(risk).1).count();
    assert!(rose >= 5, "{rose} rose at some time");
    assert!(better > RISKS.len() / 2 && better < RISKS.len() - 2, "{better} are better than at first");
}

#[test]
fn slips_are_about_reviews_that_took_place() {
    for slip in SLIPS {
        let risk = RISKS.iter().find(|risk| risk.title == slip.title).expect(slip.title);
        assert_ne!(risk.judged(slip.weeks_ago).unwrap().rated, slip.typed);
    }
}

#[test]
fn tags_have_colours() {
    assert_unique(TAGS.iter().map(|tag| tag.name));
    assert_unique(TAGS.iter().map(|tag| tag.tag));
    for tag in TAGS {
        let digits = tag.color.strip_prefix('#').unwrap();
        assert!(digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", tag.color);
        assert!((1..=50).contains(&tag.name.len()));
    }
}

#[test]
fn documents_have_places_with_choices() {
    let is_slug = |text: &str| {
        text.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
    };
    assert_unique(DOCUMENTS.iter().map(|document| document.slug));
    for document in DOCUMENTS {
        assert!(is_slug(document.slug));
        assert_unique(document.items.iter().map(|item| item.id));
        for item in document.items {
            assert!(is_slug(item.id), "{}", item.id);
            let DemoItemKind::Select(options) = &item.kind else { continue };
            assert!(options.len() >= 2, "{} leaves a choice", item.id);
            assert!(options.iter().any(|option| option.weakens), "{}", item.id);
            assert!(!options[0].weakens, "{}: the default is the strong one", item.id);
            assert_unique(options.iter().map(|option| option.id));
            for option in *options {
                assert!(is_slug(option.id) && option.text.ends_with('.'), "{} {}", item.id, option.id);
            }
        }
        let text = |item: &super::documents::DemoItem| matches!(item.kind, DemoItemKind::Text { .. });
        assert!(document.items.iter().any(text), "{} has a place for a text", document.slug);
    }
}

fn assert_selectable(document: &DemoDocument, id: &str, value: &str) {
    let item = document.items.iter().find(|item| item.id == id).expect(id);
    match &item.kind {
        DemoItemKind::Select(options) => {
            assert!(options.iter().any(|option| option.id == value), "{id}: {value}");
        }
        DemoItemKind::Text { max_length, multiline } => {
            assert!(i64::try_from(value.chars().count()).unwrap() <= *max_length, "{id} is too long");
            assert!(*multiline || !value.contains('\n'), "{id} is one line");
        }
    }
}

#[test]
fn proposals_choose_what_there_is() {
    for document in DOCUMENTS {
        assert!(!document.changes.is_empty(), "{} has an open proposal", document.slug);
        for now in moments() {
            let created = document.created.before(now);
            assert!(document.changes.iter().all(|change| change.when.before(now) > created));
            assert!(document.changes.is_sorted_by_key(|change| change.when.before(now)));
        }
        for change in document.changes {
            assert_unique(change.selections.iter().map(|(id, _)| id));
            for (id, value) in change.selections {
                assert_selectable(document, id, value);
            }
        }
    }
}

#[test]
fn acts_follow_each_other_from_the_first_day_until_now() {
    for now in moments() {
        let acts = story::acts(now);
        assert!(acts.is_sorted_by_key(|(at, _)| *at));
        let (first, last) = (acts[0].0, acts[acts.len() - 1].0);
        assert!(story::begin(now) < first && last < now, "{first} to {last}, seen from {now}");
        // Each is a commit of its own, and the first start must be quick.
        assert!(acts.len() < 550, "{} acts", acts.len());
    }
}

#[test]
fn an_act_comes_after_what_it_is_about() {
    let now = moments()[2];
    let mut seen = HashSet::new();
    for (at, act) in story::acts(now) {
        let (before, after) = match act {
            Act::Tags => (None, "tags".to_owned()),
            Act::Views => (None, "views".to_owned()),
            Act::Register(week) => (Some("tags".to_owned()), format!("register {week}")),
            Act::Review(week) => (Some(format!("register {FIRST_REVIEW}")), format!("review {week}")),
            Act::Correct(slip) => (Some(format!("review {}", slip.weeks_ago)), slip.title.to_owned()),
            Act::End(risk) => {
                (Some(format!("review {}", risk.first_review())), format!("{} ends", risk.title))
            }
            Act::Declare(incident) => (None, incident.title.to_owned()),
            Act::Amend(incident) => (Some(incident.title.to_owned()), format!("{} {at}", incident.title)),
            Act::Step(incident, step) => {
                (Some(incident.title.to_owned()), format!("{} {step:?}", incident.title))
            }
            Act::Finish(incident) => (Some(incident.title.to_owned()), format!("{} ended", incident.title)),
            Act::Close(incident) => {
                (Some(format!("{} ended", incident.title)), format!("{} closed", incident.title))
            }
            Act::Trash(incident) => (Some(incident.title.to_owned()), format!("{} gone", incident.title)),
            Act::Draft(document) => (None, document.slug.to_owned()),
            Act::Propose(document, change) => (Some(document.slug.to_owned()), format!("{change:?}")),
        };
        assert!(before.is_none_or(|before| seen.contains(&before)), "{after} comes too early");
        assert!(seen.insert(after.clone()), "{after} is there twice");
    }
}

#[test]
fn a_review_ends_after_its_last_judgement() {
    let now = moments()[2];
    let last = story::judged_at(0, RISKS.len() - 1, now);
    let written = story::acts(now).into_iter().find(|(_, act)| matches!(act, Act::Review(0))).unwrap().0;
    assert!(last < written, "{last} {written}");
}
