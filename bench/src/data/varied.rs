//! Incidents that differ as those of a real register do, for what finds, counts and exports them.
//!
//! Everything is computed from the number of the incident, so two runs fill the same register. The fields are set by plain
//! updates after the creation and are not journaled; the service's own triggers keep its counts. What is searched is
//! indexed as the service does it.

use std::fmt::Write;

use db::{Engine, Param, Tx};
use domain::person::{EmailAddress, NewMember};
use domain::tag::{NewTag, TagName};
use domain::{Actor, ActorKind, Author, Line, Role, UserId};

use crate::Result;
use crate::register::Register;
use crate::requests;

/// Each value with how many of a thousand incidents have it; the last one has the rest.
type Shares = &'static [(&'static str, u64)];

const SEVERITIES: Shares =
    &[("NULL", 100), ("'low'", 350), ("'medium'", 300), ("'high'", 180), ("'critical'", 70)];
const KINDS: Shares =
    &[("NULL", 900), ("'drill'", 40), ("'test'", 20), ("'retrospective'", 20), ("'near_miss'", 20)];
/// Of the newest tenth; older ones are done.
const STATUSES_OF_NEW: Shares = &[
    ("'new'", 200),
    ("'investigating'", 200),
    ("'contained'", 100),
    ("'resolved'", 200),
    ("'closed'", 250),
    ("'dismissed'", 50),
];
const STATUSES_OF_OLD: Shares = &[("'resolved'", 20), ("'closed'", 780), ("'dismissed'", 200)];
/// How many of a thousand incidents have each tag.
const TAGGED: [u64; 10] = [300, 200, 100, 80, 50, 30, 20, 10, 5, 1];
/// How many of a thousand incidents the first person has; each one after has four fewer, and 200 are nobody's.
const OF_FIRST_PERSON: usize = 78;
const PEOPLE: usize = 20;

/// Words that a text may have. The word of rank `n` is chosen about as often as `1 / n`, as in real texts.
const VOCABULARY: f64 = 50_000.0;
const WORDS_OF_TITLE: u64 = 7;
const WORDS_OF_DESCRIPTION: u64 = 30;
const SYLLABLES: [&str; 16] =
    ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va"];

/// The rank of the word that nine of ten incidents have, and of one that one in ten thousand has.
pub(crate) const COMMON_WORD: u64 = 1;
pub(crate) const RARE_WORD: u64 = 40_000;

/// Adds the tags, and the people whom incidents are assigned to.
pub(super) async fn cast(register: &Register) -> Result<Vec<UserId>> {
    let organization = register.organization;
    let actor = Actor { kind: ActorKind::Operator, id: "bench".to_owned(), name: "bench".to_owned() };
    let author = Author::new(actor, "bench");
    let mut people = Vec::new();
    for number in 1..=PEOPLE {
        let name = Line::stored(format!("Person {number}"));
        let email = EmailAddress::stored(format!("person-{number}@bench.example"));
        let (new, author) =
            (NewMember { name, email, roles: Role::Responder.into(), job_title: None }, author.clone());
        let add = async move |tx: &mut Tx| store::people::add(tx, organization, &author, &new).await;
        people.push(register.db.write_instance(add).await?.person.id);
    }
    for share in TAGGED {
        let new = NewTag { name: TagName::stored(tag(share)), color: None, description: None };
        let author = author.clone();
        let create = async move |tx: &mut Tx| store::tags::create(tx, organization, &author, &new).await;
        register.db.write_alone(organization, create).await?;
    }
    Ok(people)
}

fn tag(share: u64) -> String {
    format!("{share} in a thousand")
}

/// Creates the incidents of a range of numbers, of `all` that there will be.
pub(super) async fn create(
    register: &Register,
    people: &[UserId],
    (first, last): (usize, usize),
    all: usize,
) -> Result<()> {
    let (organization, author) = (register.organization, register.author.clone());
    let new = requests::new_incident()?;
    let numbers = u64::try_from(first)?..=u64::try_from(last)?;
    let (first, last) = (i64::try_from(first)?, i64::try_from(last)?);
    let (set, people) = (set_fields(register.db.engine(), all), people.to_vec());
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        let mut new = new.clone();
        for number in numbers.clone() {
            new.title = Line::stored(text(number, WORDS_OF_TITLE));
            new.description = domain::ProseOrEmpty::stored(text(number ^ 0xD15C, WORDS_OF_DESCRIPTION));
            store::incidents::create(tx, organization, &author, &new).await?;
        }
        let (id, now) = (organization.uuid(), tx.at());
        tx.execute(&set, &[&id, &first, &last, &now]).await?;
        let mut from = 0;
        for (place, person) in people.iter().enumerate() {
            let to = from + OF_FIRST_PERSON - 4 * place;
            let of = format!("{dice} >= {from} AND {dice} < {to}", dice = dice(10));
            let sql = format!("UPDATE incident SET assigned_to = $4 WHERE {RANGE} AND {of}");
            tx.execute(&sql, &[&id, &first, &last, &person.uuid()]).await?;
            from = to;
        }
        for (salt, share) in (20..).zip(TAGGED) {
            let sql = format!(
                "INSERT INTO incident_tag (organization, incident, tag, seq_from)
                 SELECT organization, number, (SELECT id FROM tag WHERE organization = $1 AND name = $4), number
                 FROM incident WHERE {RANGE} AND {} < {share}",
                dice(salt)
            );
            let params: [&dyn Param; 4] = [&id, &first, &last, &tag(share)];
            tx.execute(&sql, &params).await?;
        }
        Ok(())
    };
    Ok(register.db.write_alone(organization, work).await?)
}

const RANGE: &str = "organization = $1 AND number BETWEEN $2 AND $3";

/// The statement that sets what incidents have; `$4` is now.
fn set_fields(engine: Engine, all: usize) -> String {
    let (new, old) = (share(STATUSES_OF_NEW, 1), share(STATUSES_OF_OLD, 1));
    let status = format!("CASE WHEN number * 10 > {all} * 9 THEN {new} ELSE {old} END");
    let (severity, kind) = (share(SEVERITIES, 6), share(KINDS, 7));
    // Three years, with up to ten days of disorder.
    let detected = format!("20000 + ({all} - number) * 1576800 / {all} + {} * 14", dice(2));
    let responded = format!("{detected} - {} / 8", dice(3));
    let contained = format!("{responded} - {} * 3 / 2", dice(4));
    let resolved = format!("{contained} - {} * 10", dice(5));
    let closed = format!("{resolved} - {} * 2", dice(9));
    let minute = if engine == Engine::Sqlite { "60000000" } else { "interval '1 minute'" };
    let ago = |minutes: &str| format!("CAST($4 AS timestamptz) - ({minutes}) * {minute}");
    let unless = |before: &str, minutes: &str| {
        format!("CASE WHEN {status} IN ({before}) THEN NULL ELSE {} END", ago(minutes))
    };
    format!(
        "UPDATE incident SET status = {status}, severity = {severity}, kind = {kind}, occurred_date = {},
            detected_date = {}, responded_date = {}, contained_date = {}, resolved_date = {}, closed_date = {}
         WHERE {RANGE}",
        ago(&format!("{detected} + {} * 3 / 2", dice(8))),
        ago(&detected),
        unless("'new'", &responded),
        unless("'new', 'investigating'", &contained),
        unless("'new', 'investigating', 'contained'", &resolved),
        unless("'new', 'investigating', 'contained', 'resolved'", &closed),
    )
}

/// A number below 1,000 that looks like chance, the same in every run, in SQL: a generator by Lehmer with as many
/// steps as the salt says.
fn dice(salt: u32) -> String {
    let factor = (0..salt + 2).fold(1_u64, |factor, _| factor * 16_807 % 2_147_483_647);
    format!("(number * {factor} % 2147483647 % 1000)")
}

fn share(shares: Shares, salt: u32) -> String {
    let (mut sql, mut below) = ("CASE".to_owned(), 0);
    for (value, share) in shares {
        below += share;
        let _ = write!(sql, " WHEN {} < {below} THEN {value}", dice(salt));
    }
    sql + " END"
}

fn text(number: u64, words: u64) -> String {
    let words: Vec<String> = (0..words).map(|place| word(rank(number * 1_000 + place))).collect();
    words.join(" ")
}

/// A rank of the vocabulary that looks like chance (SplitMix64), the first ones most often.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at most the vocabulary")]
fn rank(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let share = ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
    VOCABULARY.powf(share) as u64
}

/// The word of a rank.
pub(crate) fn word(rank: u64) -> String {
    let digits = std::iter::successors(Some(rank + 16), |rest| Some(rest / 16)).take_while(|rest| *rest > 0);
    digits.filter_map(|rest| SYLLABLES.get(usize::try_from(rest % 16).ok()?)).copied().collect()
}
