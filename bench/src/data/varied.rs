//! Incidents that differ as those of a real register do, for what finds, counts and exports them.
//!
//! Everything is computed from the number of the incident, so two runs fill the same register. The fields are set by plain
//! updates after the creation and are not journaled; the service's own triggers keep its counts. What is searched is
//! indexed as the service does it.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "the numbers of the data set are small, and its tables are constants"
)]

use domain::Line;
use domain::person::EmailAddress;
use domain::tag::TagName;
use std::time::Instant;

use db::{Param, Tx, Value};
use domain::person::NewMember;
use domain::tag::NewTag;
use domain::{Actor, ActorKind, Author, Role, TagId, UserId};
use jiff::{SignedDuration, Timestamp};

use crate::Result;
use crate::register::Register;
use crate::requests;

/// Each value with how many of a thousand incidents have it.
type Shares<T> = &'static [(T, u64)];

const SEVERITIES: Shares<Option<&str>> =
    &[(None, 100), (Some("low"), 350), (Some("medium"), 300), (Some("high"), 180), (Some("critical"), 70)];
const KINDS: Shares<Option<&str>> = &[
    (None, 900),
    (Some("drill"), 40),
    (Some("test"), 20),
    (Some("retrospective"), 20),
    (Some("near_miss"), 20),
];
/// Of the newest 100,000 of a million; older ones are done.
const STATUSES_OF_NEW: Shares<&str> = &[
    ("new", 200),
    ("investigating", 200),
    ("contained", 100),
    ("resolved", 200),
    ("closed", 250),
    ("dismissed", 50),
];
const STATUSES_OF_OLD: Shares<&str> = &[("resolved", 20), ("closed", 780), ("dismissed", 200)];
/// How many of a thousand incidents have each tag.
const TAGGED: [u64; 10] = [300, 200, 100, 80, 50, 30, 20, 10, 5, 1];
const PEOPLE: usize = 20;
/// Words that a text may have. The word of rank `n` is chosen about as often as `1 / n`, as in real texts.
const VOCABULARY: u64 = 50_000;
const WORDS_OF_TITLE: u64 = 7;
const WORDS_OF_DESCRIPTION: u64 = 30;
const SYLLABLES: [&str; 16] =
    ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va"];

/// The rank of the word that nine of ten incidents have, and of one that one in ten thousand has.
pub(crate) const COMMON_WORD: u64 = 1;
pub(crate) const RARE_WORD: u64 = 40_000;

/// Whom incidents are assigned to and what they are tagged with.
pub(super) struct Cast {
    people: Vec<UserId>,
    tags: Vec<TagId>,
}

/// Adds people and tags.
pub(super) async fn cast(register: &Register) -> Result<Cast> {
    let organization = register.organization;
    let actor = Actor { kind: ActorKind::Operator, id: "bench".to_owned(), name: "bench".to_owned() };
    let author = Author::new(actor, "bench");
    let mut people = Vec::new();
    for number in 1..=PEOPLE {
        let new = NewMember {
            name: Line::stored(format!("Person {number}")),
            email: EmailAddress::stored(format!("person-{number}@bench.example")),
            role: Role::Responder,
        };
        let author = author.clone();
        let add = async move |tx: &mut Tx| store::people::add(tx, organization, &author, &new).await;
        people.push(register.db.write_instance(add).await?.person.id);
    }
    let mut tags = Vec::new();
    for share in TAGGED {
        let new = NewTag {
            name: TagName::stored(format!("{share} in a thousand")),
            color: None,
            description: None,
        };
        let author = author.clone();
        let create = async move |tx: &mut Tx| store::tags::create(tx, organization, &author, &new).await;
        tags.push(register.db.write_alone(organization, create).await?.id);
    }
    Ok(Cast { people, tags })
}

/// Creates the incidents of a range of numbers, of `all` that there will be.
pub(super) async fn create(
    register: &Register,
    cast: &Cast,
    first: usize,
    many: usize,
    all: usize,
) -> Result<()> {
    let (organization, author) = (register.organization, register.author.clone());
    let numbers = u64::try_from(first)?..u64::try_from(first + many)?;
    let new = requests::new_incident()?;
    let news: Vec<_> = numbers
        .clone()
        .map(|number| {
            let mut new = new.clone();
            new.title = text(number, WORDS_OF_TITLE);
            new.description = text(number ^ 0xD15C, WORDS_OF_DESCRIPTION);
            new
        })
        .collect();
    let now: Timestamp = (register.db.clock())();
    let rows: Vec<Vec<Value<'static>>> =
        numbers.clone().map(|number| fields(cast, number, all as u64, now)).collect();
    let links: Vec<(i64, TagId)> = numbers.flat_map(|number| tags(cast, number)).collect();
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        for new in &news {
            store::incidents::create(tx, organization, &author, new).await?;
        }
        set_fields(tx, organization, &rows).await?;
        set_tags(tx, organization, &links).await
    };
    Ok(register.db.write_alone(organization, work).await?)
}

async fn set_fields(
    tx: &mut Tx,
    organization: domain::OrgId,
    rows: &[Vec<Value<'static>>],
) -> store::Result<()> {
    let organization = organization.uuid();
    let rows: Vec<Vec<&dyn Param>> = rows
        .iter()
        .map(|row| {
            std::iter::once(&organization as &dyn Param)
                .chain(row.iter().map(|it| it as &dyn Param))
                .collect()
        })
        .collect();
    let sql = "UPDATE incident SET status = $3, severity = $4, kind = $5, assigned_to = $6, occurred_date = $7,
            detected_date = $8, responded_date = $9, contained_date = $10, resolved_date = $11, closed_date = $12
        WHERE organization = $1 AND number = $2";
    tx.execute_many(sql, &rows).await?;
    Ok(())
}

async fn set_tags(tx: &mut Tx, organization: domain::OrgId, links: &[(i64, TagId)]) -> store::Result<()> {
    let organization = organization.uuid();
    let tags: Vec<_> = links.iter().map(|(number, tag)| (*number, tag.uuid())).collect();
    let rows: Vec<[&dyn Param; 3]> =
        tags.iter().map(|(number, tag)| -> [&dyn Param; 3] { [&organization, number, tag] }).collect();
    let sql = "INSERT INTO incident_tag (organization, incident, tag, seq_from) VALUES ($1, $2, $3, $2)";
    tx.execute_many(sql, &rows).await?;
    Ok(())
}

/// The values of an incident, in the order of the statement.
fn fields(cast: &Cast, number: u64, all: u64, now: Timestamp) -> Vec<Value<'static>> {
    let is_new = number * 10 > all * 9;
    let status = *share(if is_new { STATUSES_OF_NEW } else { STATUSES_OF_OLD }, number, 1);
    let stage =
        ["new", "investigating", "contained", "resolved", "closed"].iter().position(|it| *it == status);
    // Three years, with up to ten days of disorder.
    let minutes = (all - number) * 1_576_800 / all + dice(number, 2) % 14_400;
    let detected = before(now, minutes + 20_000);
    let later = |salt: u64, most: u64| SignedDuration::from_secs((dice(number, salt) % most) as i64);
    let step = |reached: usize, date: Timestamp| match stage.is_none_or(|stage| stage >= reached) {
        true => Value::Time(date),
        false => Value::Null,
    };
    let responded = detected + later(3, 7_200);
    let contained = responded + later(4, 86_400);
    let resolved = contained + later(5, 600_000);
    let word = |word: &Option<&'static str>| word.map_or(Value::Null, Value::from);
    vec![
        Value::Integer(number as i64),
        Value::from(status),
        word(share(SEVERITIES, number, 6)),
        word(share(KINDS, number, 7)),
        person(cast, number),
        Value::Time(detected - later(8, 86_400)),
        Value::Time(detected),
        step(1, responded),
        step(2, contained),
        step(3, resolved),
        step(4, resolved + later(9, 100_000)),
    ]
}

/// Every fifth incident is nobody's; the first people have more than the last.
fn person(cast: &Cast, number: u64) -> Value<'static> {
    let dice = dice(number, 10);
    let place = (dice >> 8) as usize % PEOPLE * ((dice >> 32) as usize % PEOPLE) / PEOPLE;
    match cast.people.get(place) {
        Some(id) if !dice.is_multiple_of(5) => Value::Uuid(id.uuid()),
        _ => Value::Null,
    }
}

fn tags(cast: &Cast, number: u64) -> impl Iterator<Item = (i64, TagId)> {
    let has = move |salt: u64, share: u64| dice(number, salt) % 1_000 < share;
    let tags = (100..).zip(&cast.tags).zip(TAGGED);
    tags.filter(move |((salt, _), share)| has(*salt, *share)).map(move |((_, tag), _)| (number as i64, *tag))
}

fn share<T>(shares: Shares<T>, number: u64, salt: u64) -> &'static T {
    let mut place = dice(number, salt) % 1_000;
    let found = shares.iter().find(|(_, share)| match place.checked_sub(*share) {
        Some(rest) => {
            place = rest;
            false
        }
        None => true,
    });
    let (value, _) = found.unwrap_or(&shares[0]);
    value
}

fn before(now: Timestamp, minutes: u64) -> Timestamp {
    now - SignedDuration::from_mins(minutes as i64)
}

fn text(number: u64, words: u64) -> String {
    let words: Vec<String> = (0..words).map(|place| word(rank(dice(number, 1_000 + place)))).collect();
    words.join(" ")
}

/// A rank of the vocabulary, the first ones most often.
fn rank(dice: u64) -> u64 {
    let share = (dice >> 11) as f64 / (1_u64 << 53) as f64;
    ((VOCABULARY as f64).powf(share) as u64).min(VOCABULARY)
}

/// The word of a rank.
pub(crate) fn word(rank: u64) -> String {
    let mut word = String::new();
    let mut rest = rank + 16;
    while rest > 0 {
        word.push_str(SYLLABLES[(rest % 16) as usize]);
        rest /= 16;
    }
    word
}

/// A number that looks like chance, the same in every run (SplitMix64).
fn dice(number: u64, salt: u64) -> u64 {
    let mut mixed =
        number.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(salt.wrapping_mul(0xBF58_476D_1CE4_E5B9));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Indexes what is to be searched and gives how many entries of the journal that took a second.
pub(super) async fn index(register: &Register) -> Result<f64> {
    let (organization, started) = (register.organization, Instant::now());
    let mut all = 0;
    loop {
        let follow = async move |tx: &mut Tx| store::search::follow(tx, organization, 512, None).await;
        let followed = register.db.write_alone(organization, follow).await?;
        all += followed.entries;
        if followed.is_done {
            return Ok(all as f64 / started.elapsed().as_secs_f64());
        }
    }
}
