//! Risks: events that may happen, with their likelihood and impact.

pub(crate) mod bulk;
pub(crate) mod changes;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod facets;
pub(crate) mod heat_map;
pub(crate) mod keep_report;
pub(crate) mod links;
pub(crate) mod list;
mod rating;
pub(crate) mod read;
pub(crate) mod report;
pub(crate) mod restore;
pub(crate) mod reviews;
pub(crate) mod tags;
pub(crate) mod update;
mod view;

use domain::risk::Risk;
use domain::{Actor, Scope};
use http::query::Query;
use jiff::Timestamp;
use lists::input::{risk_bulk, risk_filter};
use store::risks::RiskFilter;

use crate::listed::{ReadMany, Resource};
use rating::NamedRiskView;
use view::RiskView;

impl Resource for Risk {
    type View = RiskView;
    const READ: &'static [Scope] = &[Scope::RisksRead];
    const WRITE: Scope = Scope::RisksWrite;
    const DELETE: Scope = Scope::RisksDelete;
    const FILTER: fn(&mut Query<'_>, &Actor) -> RiskFilter = risk_filter::read;
    const MANY: ReadMany<Self> = risk_bulk::read;
    const VIEW: fn(Risk, Timestamp) -> RiskView = |row, _| RiskView::from(row);
}
