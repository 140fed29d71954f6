//! The answers that the rules take. `None` is unknown.

use macros::Body;

use super::super::known::known_word;
use crate::fault::{FaultCode, Faults};
use crate::json::{FromJson, Json, Pointer};
use crate::schema::{Described, Schema};

/// How great an impact is: 0 is none, 4 the greatest. The rules have a sentence for each value and area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Impact(u8);

impl Impact {
    /// No impact.
    pub const NONE: Self = Self(0);
    /// The greatest impact.
    pub const GREATEST: Self = Self(4);

    /// Every value, the least first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::NONE.0..=Self::GREATEST.0).map(Self)
    }

    /// The value, if it is within the limits.
    pub fn new(value: i64) -> Option<Self> {
        u8::try_from(value).ok().map(Self).filter(|impact| *impact <= Self::GREATEST)
    }

    /// The number, from 0 to 4.
    pub fn get(self) -> u8 {
        self.0
    }
}

impl FromJson for Impact {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        let impact = Self::new(i64::from_json(value, at, faults)?);
        if impact.is_none() {
            let (least, most) = (Self::NONE.0, Self::GREATEST.0);
            let detail = format_args!("must be from {least} to {most}, or left out if it is not known");
            faults.add(at, FaultCode::Range, detail);
        }
        impact
    }
}

impl Described for Impact {
    const SCHEMA: Schema = Schema::Integer(Self::NONE.0 as i64, Self::GREATEST.0 as i64);
}

crate::words! {
    "SeverityArea"
    /// What an incident has an impact on.
    pub enum Area {
        /// Services that customers or staff use.
        Service = "service",
        /// Data: its confidentiality, its integrity and its availability.
        Data = "data",
        /// The safety of persons.
        People = "people",
        /// The financial loss. Which amounts are small or large is for the organization to decide.
        Money = "money",
        /// Contracts, laws and licences.
        Legal = "legal",
        /// The trust of customers, partners and the public.
        Reputation = "reputation",
    }
}

crate::words! {
    "SeverityUrgency"
    /// Whether the incident is still doing harm. Unknown counts as `spreading`.
    pub enum Urgency {
        /// The harm is still growing.
        Spreading = "spreading",
        /// The harm is contained.
        Contained = "contained",
        /// The cause is removed and what it affected works again.
        Over = "over",
    }
}

/// The impact of an incident on each area, from 0, none, to 4. docs/severity.md says what each number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Body)]
#[body(name = "SeverityImpacts")]
pub struct Impacts {
    /// Services that customers or staff use.
    #[body(example = 3)]
    pub service: Option<Impact>,
    /// Data: its confidentiality, its integrity and its availability.
    #[body(example = 1)]
    pub data: Option<Impact>,
    /// The safety of persons.
    #[body(example = 0)]
    pub people: Option<Impact>,
    /// The financial loss.
    pub money: Option<Impact>,
    /// Contracts, laws and licences.
    pub legal: Option<Impact>,
    /// The trust of customers, partners and the public.
    pub reputation: Option<Impact>,
}

impl Impacts {
    /// The impact on an area.
    pub fn get(&self, area: Area) -> Option<Impact> {
        match area {
            Area::Service => self.service,
            Area::Data => self.data,
            Area::People => self.people,
            Area::Money => self.money,
            Area::Legal => self.legal,
            Area::Reputation => self.reputation,
        }
    }

    /// The place of the impact on an area.
    pub fn get_mut(&mut self, area: Area) -> &mut Option<Impact> {
        match area {
            Area::Service => &mut self.service,
            Area::Data => &mut self.data,
            Area::People => &mut self.people,
            Area::Money => &mut self.money,
            Area::Legal => &mut self.legal,
            Area::Reputation => &mut self.reputation,
        }
    }

    /// The highest impact that is known.
    pub fn highest(&self) -> Option<Impact> {
        Area::ALL.iter().filter_map(|area| self.get(*area)).max()
    }
}

/// Answers by Bailiwick's own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Body)]
pub struct Answers {
    /// The impact on each area; it may be empty.
    #[body(json = r#"{"service": 3, "people": 0}"#)]
    pub impact: Impacts,
    /// Whether the incident is still doing harm.
    #[body(read = known_word, example = "contained")]
    pub urgency: Option<Urgency>,
    /// The number of people whose personal data is affected.
    #[body(read = people, schema = Schema::Integer(0, i64::MAX), example = 0)]
    pub personal_data_people: Option<u64>,
    /// Whether administrator credentials were compromised.
    pub administrator_credentials: Option<bool>,
}

fn people(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<u64> {
    let people = u64::try_from(i64::from_json(value, at, faults)?);
    if people.is_err() {
        faults.add(at, FaultCode::Range, "must be 0 or more, or left out if it is not known");
    }
    people.ok()
}

impl Answers {
    /// Whether everything is unknown.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same with every unknown resolved so that the severity is as low as it can be.
    pub(super) fn at_best(self) -> Self {
        self.resolved(Impact::NONE, Urgency::Over, 0, false)
    }

    /// The same with every unknown resolved so that the severity is as high as it can be.
    pub(super) fn at_worst(self) -> Self {
        self.resolved(Impact::GREATEST, Urgency::Spreading, u64::MAX, true)
    }

    fn resolved(mut self, impact: Impact, urgency: Urgency, people: u64, credentials: bool) -> Self {
        for area in Area::ALL {
            self.impact.get_mut(*area).get_or_insert(impact);
        }
        self.urgency.get_or_insert(urgency);
        self.personal_data_people.get_or_insert(people);
        self.administrator_credentials.get_or_insert(credentials);
        self
    }
}
