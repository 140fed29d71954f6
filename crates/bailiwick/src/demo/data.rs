//! The form of the data file, and what it tells in the order of time. A wrong key or time is an error that names it.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::failure::Failure;

pub(crate) const FILE: &str = include_str!("demo.toml");

/// Days that the demo reaches back.
pub(super) const DAYS: i64 = 366;

/// The file's content. What is a [`Value`] or [`Map`] is as the API takes it, with names in place of ids.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub(super) organization: String,
    pub(super) people: Value,
    pub(super) clients: Value,
    pub(super) tags: Vec<Record>,
    pub(super) groups: Vec<Record>,
    pub(super) views: Vec<Record>,
    pub(super) risks: Vec<Record>,
    pub(super) documents: Vec<Record>,
    pub(super) incidents: Vec<Record>,
}

/// A record, and what was done with it.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    pub(super) at: When,
    pub(super) by: String,
    /// Who made the record, if somebody else did the steps.
    pub(super) opened_by: Option<String>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    /// Of a risk: how it was judged, the oldest first; the weekly reviews between two repeat the first.
    #[serde(default)]
    pub(super) judgements: Vec<Judgement>,
    /// The last weekly review at which it was judged, in weeks before the latest one.
    #[serde(default)]
    pub(super) last_week: i64,
    #[serde(flatten)]
    pub(super) body: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Step {
    pub(super) at: When,
    pub(super) by: Option<String>,
    /// What, and its body.
    #[serde(flatten)]
    pub(super) what: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Judgement {
    /// The weekly review, in weeks before the latest one.
    pub(super) week: i64,
    #[serde(flatten)]
    pub(super) body: Map<String, Value>,
}

/// Something that is done with one record; acts of the same time are one write.
#[derive(Debug, Clone)]
pub(super) struct Act {
    pub(super) at: Timestamp,
    pub(super) by: String,
    /// Such as `incident`.
    pub(super) kind: &'static str,
    /// The record's name.
    pub(super) name: String,
    pub(super) what: String,
    pub(super) body: Value,
}

impl Act {
    /// Who evaluates a risk, if that is what is done.
    pub(super) fn evaluator(&self) -> Option<&str> {
        (self.kind == "risk" && self.what == "evaluation").then_some(self.by.as_str())
    }
}

impl Data {
    /// Every act, the oldest first, seen from `now`.
    pub(super) fn acts(&self, now: Timestamp) -> Vec<Act> {
        let mut acts = Vec::new();
        let mut add =
            |kind, all: &[Record]| acts.extend(all.iter().flat_map(|record| record.acts(kind, now)));
        add("tag", &self.tags);
        add("group", &self.groups);
        add("view", &self.views);
        add("risk", &self.risks);
        add("document", &self.documents);
        add("incident", &self.incidents);
        // Stable: what happens at the same time stays in this order, but the evaluations of each person are together.
        acts.sort_by(|one, other| (one.at, one.evaluator()).cmp(&(other.at, other.evaluator())));
        acts
    }
}

impl Record {
    /// What it is called: a policy of the library by its slug.
    pub(super) fn name(&self) -> &str {
        let name = ["slug", "title", "name"].iter().find_map(|key| self.body.get(*key)?.as_str());
        name.or_else(|| self.body.get("library")?.get(0)?.as_str()).unwrap_or_default()
    }

    fn acts(&self, kind: &'static str, now: Timestamp) -> Vec<Act> {
        let act = |at: When, by: &Option<String>, what: &str, body| {
            let (at, by) = (at.before(now), by.as_ref().unwrap_or(&self.by).clone());
            Act { at, by, kind, name: self.name().to_owned(), what: what.to_owned(), body }
        };
        let mut acts = vec![act(self.at, &self.opened_by, "create", json!(self.body))];
        for step in &self.steps {
            // One with several keys or none is refused by this name.
            let what = step.what.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            acts.push(act(step.at, &step.by, &what, json!(step.what.values().next())));
        }
        let ends = |step: &&Step| ["change", "delete"].iter().any(|it| step.what.contains_key(*it));
        let end = self.steps.iter().find(ends);
        let end = end.map_or(now, |step| step.at.before(now));
        for week in self.last_week..=self.judgements.first().map_or(-1, |first| first.week) {
            let review = When::day(7 * week + 2, 9 * 60 + 30);
            let held = self.judgements.iter().rfind(|it| it.week >= week && review.before(now) < end);
            if let Some(it) = held {
                let mut body = it.body.clone();
                body.retain(|key, _| key != "note" || it.week == week);
                acts.push(act(review, &None, "evaluation", json!(body)));
            }
        }
        acts
    }
}

/// A moment before now. The two forms never overlap, so the order of the file is that of time at any hour of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct When {
    /// After the begin of the present day or minute, which has so many seconds.
    minutes: i64,
    seconds: i64,
}

impl TryFrom<String> for When {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let why = "is not a time such as \"-12d 09:40\" (2 to 365 days) or \"-6h 05m\"";
        Self::parse(&text).ok_or_else(|| format!("`{text}` {why}"))
    }
}

impl When {
    /// So many days before today, so many minutes after midnight.
    pub(super) fn day(days: i64, minutes: i64) -> Self {
        Self { minutes: minutes - days * 24 * 60, seconds: 86_400 }
    }

    fn parse(text: &str) -> Option<Self> {
        let number = |text: &str, least, end: i64| text.parse().ok().filter(|it| (least..end).contains(it));
        let minutes = |hour, minute| Some(number(hour, 0, 24)? * 60 + number(minute, 0, 60)?);
        let (first, second) = text.strip_prefix('-')?.split_once(' ')?;
        match first.strip_suffix('d').zip(second.split_once(':')) {
            Some((days, (hour, minute))) => Some(Self::day(number(days, 2, DAYS)?, minutes(hour, minute)?)),
            None => minutes(first.strip_suffix('h')?, second.strip_suffix('m')?)
                .filter(|minutes| *minutes > 0)
                .map(|minutes| Self { minutes: -minutes, seconds: 60 }),
        }
    }

    /// The moment, seen from `now`.
    pub(super) fn before(self, now: Timestamp) -> Timestamp {
        domain::time::floor(now, self.seconds) + SignedDuration::from_mins(self.minutes)
    }
}

/// The data file is wrong.
pub(super) fn wrong(what: impl std::fmt::Display) -> Failure {
    Failure::new(format!("demo.toml: {what}"))
}
