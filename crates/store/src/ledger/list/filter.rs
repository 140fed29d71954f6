//! The filters of a list.

use db::{Engine, Value};
use domain::document::ReviewStatus;
use domain::figures::{Figure, Outcome};
use domain::incident::Viewer;
use domain::{Actor, RiskNumber, TagId, UserId, Word};
use jiff::Timestamp;

use super::seen::{of_risk, of_seen_incident, seen_by};
use super::{FigureFilter, Text, figure};
use crate::ledger::dialect::{among, among_parameter, wanted_texts};

/// A condition on a column. Columns are those of the record's table.
#[derive(Debug, Clone)]
pub enum Filter<'q> {
    /// It has one of these values; [`Value::Null`] is an absent value. No value lets nothing through.
    OneOf(&'static str, Vec<Value<'q>>),
    /// Its texts, with a space between them, have one of these among them.
    HasText(&'static str, Vec<String>),
    /// It is a document, an item of which concerns one of these risks.
    ConcernsRisk(Vec<RiskNumber>),
    /// It has a value from the first on and before the second; an absent bound is none.
    Within(&'static str, Option<Value<'q>>, Option<Value<'q>>),
    /// What is read beside the row `r` has a value from the first on and before the second. The function gives the expression, with the parameter that has
    /// the number of the journal entry if the view is of the past.
    WithinOf(fn(Option<&str>) -> String, Option<Value<'q>>, Option<Value<'q>>),
    /// It has a greater value.
    After(&'static str, Value<'q>),
    /// It has a value, whichever.
    Present(&'static str),
    /// It is an incident that this caller sees today, whatever state is read.
    SeenBy(&'q Viewer),
    /// It is a part of an incident, which is named in the column `incident`, is not deleted and is seen by this caller.
    OfSeenIncident(&'q Viewer),
    /// It is a part of a risk, which is named in the column `risk` and is not deleted at the time of the view.
    OfRisk,
    /// It is shared, or its owner is this actor.
    SharedOrOf(&'q Actor),
    /// It carries these tags.
    Tagged(TagLink, Match, Vec<TagId>),
    /// It is an incident of which one of these figures finds this.
    Figures(Outcome, Vec<Figure>),
    /// It has one of these numbers, which may be many. Made by `Filter::among`.
    Among(Engine, String),
    /// It has one of these texts, which may be many. Made by `Filter::among_texts`.
    AmongTexts(Engine, &'static str, String),
    /// It is an incident that is not restricted, or has one of these numbers. Made by `Filter::unrestricted_or_among`.
    UnrestrictedOrAmong(Engine, String),
    /// It is a document whose next review is in one of these states at this time.
    Reviewed(Vec<ReviewStatus>, Timestamp),
    /// It carries this tag; whose records are looked up, rather than each record's tags. Of the present only.
    AmongTagged(TagLink, TagId),
    /// A row of this table, which has not ended, links it to one of these values. Of the present only.
    Linked(Links, Vec<Value<'q>>),
    /// All conditions of one of these groups hold. They are about what this word stands for.
    AnyOf(&'static str, Vec<Vec<Filter<'q>>>),
    /// An expression over the row `r` has one of these values.
    Expression(String, Vec<Value<'q>>),
    /// An expression over the row `r` has another value than this one, or none.
    OtherThan(String, Value<'q>),
}

domain::words! {
    "TagMode"
    /// How many of several tags a record must have.
    pub enum Match {
        /// At least one of them.
        Any = "any",
        /// All of them.
        All = "all",
    }
}

/// The tags that records of a list have; without any, the tags of a record do not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagFilter {
    /// The tags.
    pub tags: Vec<TagId>,
    /// How many of them; at least one if nothing is said.
    pub mode: Option<Match>,
}

/// A span of time; an absent end is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// From this time on.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub before: Option<Timestamp>,
}

/// The table that links a kind of record with tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagLink {
    /// Its name.
    pub table: &'static str,
    /// Its column that names the record.
    pub record: &'static str,
    /// The record's column with that value.
    pub key: &'static str,
}

/// A table of links between records of two kinds, each from an entry until another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links {
    /// Its name.
    pub table: &'static str,
    /// The record's column that a link names.
    pub column: &'static str,
    /// The link's column that has its value.
    pub own: &'static str,
    /// The link's column of the other record.
    pub other: &'static str,
}

/// Stands for the tags of a record, which are in no column of it.
pub(crate) const TAGGED: &str = "tag";

/// Stands for the state of the next review of a document or a risk.
pub(crate) const REVIEWED: &str = "review";

impl<'q> Filter<'q> {
    /// The column has this value.
    pub fn is(column: &'static str, value: Value<'q>) -> Self {
        Self::OneOf(column, vec![value])
    }

    /// The column has one of these values. What callers did not choose is no filter.
    pub(crate) fn any_of(column: &'static str, values: impl Iterator<Item = Value<'q>>) -> Option<Self> {
        let values: Vec<_> = values.collect();
        (!values.is_empty()).then_some(Self::OneOf(column, values))
    }

    /// The column has one of these words, if there are any.
    pub(crate) fn words<W: Word>(column: &'static str, words: &[W]) -> Option<Self> {
        Self::any_of(column, words.iter().map(|word| word.as_str().into()))
    }

    /// The column has one of these words among its own, if there are any.
    pub(crate) fn has_word<W: Word>(column: &'static str, words: &[W]) -> Option<Self> {
        Self::has_text(column, words.iter().map(|word| word.as_str()))
    }

    /// The column has one of these texts among its own, if there are any.
    pub(crate) fn has_text<'t>(column: &'static str, texts: impl Iterator<Item = &'t str>) -> Option<Self> {
        let texts: Vec<String> = texts.map(str::to_owned).collect();
        (!texts.is_empty()).then_some(Self::HasText(column, texts))
    }

    /// The column has one of these texts, if there are any.
    pub(crate) fn texts(column: &'static str, texts: &'q [String]) -> Option<Self> {
        Self::any_of(column, texts.iter().map(|text| text.as_str().into()))
    }

    /// The column has one of these people, if there are any; `None` is nobody.
    pub(crate) fn people(column: &'static str, people: &[Option<UserId>]) -> Option<Self> {
        Self::any_of(column, people.iter().map(|person| person.map_or(Value::Null, |id| id.uuid().into())))
    }

    /// The column has a time within the range, if it has an end.
    pub(crate) fn times(column: &'static str, range: TimeRange) -> Option<Self> {
        let TimeRange { from, before } = range;
        (range != TimeRange::default())
            .then(|| Self::Within(column, from.map(Value::from), before.map(Value::from)))
    }

    /// What the expression of [`Filter::WithinOf`] reads lies within the range, if it has an end.
    pub(crate) fn times_of(expression: fn(Option<&str>) -> String, range: TimeRange) -> Option<Self> {
        let TimeRange { from, before } = range;
        (range != TimeRange::default())
            .then(|| Self::WithinOf(expression, from.map(Value::from), before.map(Value::from)))
    }

    /// The record has these tags, if there are any.
    pub(crate) fn tags(link: TagLink, filter: &TagFilter) -> Option<Self> {
        let mode = filter.mode.unwrap_or(Match::Any);
        (!filter.tags.is_empty()).then(|| Self::Tagged(link, mode, filter.tags.clone()))
    }

    /// The record has one of these numbers.
    pub(crate) fn among(engine: Engine, numbers: impl IntoIterator<Item = i64>) -> Self {
        Self::Among(engine, among_parameter(engine, numbers))
    }

    /// The column has one of these texts.
    pub(crate) fn among_texts(engine: Engine, column: &'static str, texts: &[String]) -> Self {
        Self::AmongTexts(engine, column, serde_json::json!(texts).to_string())
    }

    /// The record is an incident that is not restricted, or has one of these numbers.
    pub(crate) fn unrestricted_or_among(engine: Engine, numbers: impl IntoIterator<Item = i64>) -> Self {
        Self::UnrestrictedOrAmong(engine, among_parameter(engine, numbers))
    }

    /// Whether it is a condition that a column or an expression has one value.
    pub(crate) fn is_one_value(&self) -> bool {
        matches!(self, Self::OneOf(_, values) | Self::Expression(_, values) if values.len() == 1)
    }

    /// Whether it is a condition on this column, or with [`TAGGED`] on tags.
    pub(crate) fn is_on(&self, column: &str) -> bool {
        match self {
            Self::OneOf(own, _)
            | Self::HasText(own, _)
            | Self::Within(own, ..)
            | Self::After(own, _)
            | Self::Present(own)
            | Self::AnyOf(own, _)
            | Self::AmongTexts(_, own, _) => *own == column,
            Self::Tagged(..) | Self::AmongTagged(..) => column == TAGGED,
            Self::Reviewed(..) => column == REVIEWED,
            Self::SeenBy(_)
            | Self::OfSeenIncident(_)
            | Self::OfRisk
            | Self::SharedOrOf(_)
            | Self::ConcernsRisk(_)
            | Self::Figures(..)
            | Self::WithinOf(..)
            | Self::Among(..)
            | Self::UnrestrictedOrAmong(..)
            | Self::Linked(..)
            | Self::Expression(..)
            | Self::OtherThan(..) => false,
        }
    }

    /// The condition in SQL.
    pub(crate) fn condition(&self, text: &mut Text<'q>) -> String {
        match self {
            Self::OneOf(column, values) => one_of(&format!("r.{column}"), values, text),
            Self::HasText(column, texts) => has_text(&format!("r.{column}"), texts, text),
            Self::ConcernsRisk(risks) => {
                let risks: Vec<String> = risks.iter().map(ToString::to_string).collect();
                format!(
                    "EXISTS (SELECT 1 FROM document_item AS item
                             WHERE item.organization = $1 AND item.document = r.slug AND {})",
                    has_text("item.risks", &risks, text)
                )
            }
            Self::Expression(expression, values) => one_of(expression, values, text),
            Self::OtherThan(expression, value) => {
                format!("({expression} IS NULL OR {expression} <> {})", text.add(value.clone()))
            }
            Self::Linked(Links { table, column, own, other }, values) => {
                let is_one = one_of(&format!("link.{other}"), values, text);
                format!(
                    "r.{column} IN (SELECT link.{own} FROM {table} AS link
                                    WHERE link.organization = $1 AND link.seq_to IS NULL AND {is_one})"
                )
            }
            Self::Within(column, from, before) => {
                within(&format!("r.{column}"), from.clone(), before.clone(), text)
            }
            Self::WithinOf(expression, from, before) => {
                let expression = expression(text.seq());
                within(&expression, from.clone(), before.clone(), text)
            }
            Self::AnyOf(_, groups) => any_of(groups, text),
            Self::After(column, value) => format!("r.{column} > {}", text.add(value.clone())),
            Self::Present(column) => format!("r.{column} IS NOT NULL"),
            Self::SeenBy(viewer) => seen_by(viewer, text),
            Self::OfSeenIncident(viewer) => of_seen_incident(viewer, text),
            Self::OfRisk => of_risk(text.seq()),
            Self::SharedOrOf(actor) => shared_or_of(actor, text),
            Self::Figures(outcome, figures) => figure::condition(*outcome, figures),
            Self::Among(engine, numbers) => {
                let place = text.add(Value::Text(numbers.clone().into()));
                among(*engine, "r.number", &place)
            }
            Self::AmongTexts(engine, column, texts) => {
                let place = text.add(Value::Text(texts.clone().into()));
                format!("r.{column} IN (SELECT wanted.item FROM {})", wanted_texts(*engine, &place))
            }
            Self::UnrestrictedOrAmong(engine, numbers) => {
                let place = text.add(Value::Text(numbers.clone().into()));
                format!("(r.restricted IS NULL OR {})", among(*engine, "r.number", &place))
            }
            Self::AmongTagged(TagLink { table, record, .. }, tag) => {
                let place = text.add(Value::Uuid(tag.uuid()));
                format!(
                    "r.number IN (SELECT link.{record} FROM {table} AS link
                                  WHERE link.organization = $1 AND link.tag = {place}
                                    AND link.seq_to IS NULL AND link.{record} > 0)"
                )
            }
            Self::Reviewed(states, now) => reviewed(states, *now, text),
            Self::Tagged(link, mode, tags) => {
                tagged(*link, *mode, tags, text, |link| format!("EXISTS ({link})"))
            }
        }
    }

    /// The condition in SQL where each of some records is looked at in turn. PostgreSQL would read every link of a tag instead if
    /// it expects many records.
    pub(crate) fn condition_of_each(&self, text: &mut Text<'q>) -> String {
        match self {
            Self::Tagged(link, mode, tags) => {
                tagged(*link, *mode, tags, text, |link| format!("1 = ({link} LIMIT 1)"))
            }
            other => other.condition(text),
        }
    }
}

/// Whether the texts of the expression, with a space between them, have one of these among them. `LIKE` has wildcards, and is
/// without regard to case on SQLite only.
fn has_text(expression: &str, texts: &[String], text: &mut Text<'_>) -> String {
    let has = |one: &String| {
        let place = text.add(format!(" {one} ").into());
        format!("replace(' ' || {expression} || ' ', {place}, '') <> ' ' || {expression} || ' '")
    };
    format!("({})", texts.iter().map(has).collect::<Vec<_>>().join(" OR "))
}

fn one_of<'q>(expression: &str, values: &[Value<'q>], text: &mut Text<'q>) -> String {
    let has_null = values.contains(&Value::Null);
    let places: Vec<String> =
        values.iter().filter(|value| **value != Value::Null).map(|value| text.add(value.clone())).collect();
    let known = match places.as_slice() {
        [] => None,
        [place] => Some(format!("{expression} = {place}")),
        places => Some(format!("{expression} IN ({})", places.join(", "))),
    };
    match (known, has_null) {
        (Some(known), false) => known,
        (Some(known), true) => format!("({known} OR {expression} IS NULL)"),
        (None, true) => format!("{expression} IS NULL"),
        (None, false) => "1 = 0".to_owned(),
    }
}

fn any_of<'q>(groups: &[Vec<Filter<'q>>], text: &mut Text<'q>) -> String {
    let mut group = |filters: &Vec<Filter<'q>>| {
        let conditions: Vec<_> = filters.iter().map(|filter| filter.condition(text)).collect();
        all(&conditions)
    };
    let groups: Vec<String> = groups.iter().map(&mut group).collect();
    format!("({})", groups.join(" OR "))
}

fn within<'q>(
    expression: &str,
    from: Option<Value<'q>>,
    before: Option<Value<'q>>,
    text: &mut Text<'q>,
) -> String {
    let from = from.map(|value| format!("{expression} >= {}", text.add(value)));
    let before = before.map(|value| format!("{expression} < {}", text.add(value)));
    all(&from.into_iter().chain(before).collect::<Vec<_>>())
}

fn reviewed(states: &[ReviewStatus], now: Timestamp, text: &mut Text<'_>) -> String {
    let mut is_in = |state: &ReviewStatus| match state {
        ReviewStatus::Overdue => format!("r.next_review_date <= {}", text.add(now.into())),
        ReviewStatus::Scheduled => format!("r.next_review_date > {}", text.add(now.into())),
        ReviewStatus::None => "r.next_review_date IS NULL".to_owned(),
    };
    format!("({})", states.iter().map(&mut is_in).collect::<Vec<_>>().join(" OR "))
}

fn shared_or_of<'q>(actor: &'q Actor, text: &mut Text<'q>) -> String {
    let kind = text.add(Value::from(actor.kind.as_str()));
    let id = text.add(Value::from(actor.id.as_str()));
    let shared = text.add(Value::Bool(true));
    format!("(r.shared = {shared} OR (r.owner_kind = {kind} AND r.owner_id = {id}))")
}

/// Whether the tags are on the record, at the time of the view.
fn tagged(
    link: TagLink,
    mode: Match,
    tags: &[TagId],
    text: &mut Text<'_>,
    exists: fn(String) -> String,
) -> String {
    let TagLink { table, record, key } = link;
    let mut one_of = |tags: &[TagId]| {
        let places: Vec<String> = tags.iter().map(|tag| text.add(Value::Uuid(tag.uuid()))).collect();
        let (places, then) = (places.join(", "), link_holds(text));
        exists(format!(
            "SELECT 1 FROM {table} AS link WHERE link.organization = $1 AND link.{record} = r.{key}
                 AND link.tag IN ({places}) AND {then}"
        ))
    };
    match mode {
        Match::Any if tags.is_empty() => "1 = 0".to_owned(),
        Match::Any => one_of(tags),
        Match::All => all(&tags.iter().map(|tag| one_of(&[*tag])).collect::<Vec<_>>()),
    }
}

/// The condition that a link exists at the time of the view.
fn link_holds(text: &Text<'_>) -> String {
    match text.seq() {
        Some(seq) => format!("link.seq_from <= {seq} AND (link.seq_to IS NULL OR link.seq_to > {seq})"),
        None => "link.seq_to IS NULL".to_owned(),
    }
}

fn all(conditions: &[String]) -> String {
    if conditions.is_empty() { "1 = 1".to_owned() } else { format!("({})", conditions.join(" AND ")) }
}

impl FigureFilter {
    /// The conditions, all of which must hold.
    pub(crate) fn filters<'q>(&self) -> impl Iterator<Item = Filter<'q>> {
        let all = [
            (Outcome::Measured, &self.measured),
            (Outcome::Missing, &self.missing),
            (Outcome::Invalid, &self.invalid),
            (Outcome::Open, &self.open),
        ];
        all.into_iter()
            .filter(|(_, figures)| !figures.is_empty())
            .map(|(outcome, figures)| Filter::Figures(outcome, figures.clone()))
    }
}
