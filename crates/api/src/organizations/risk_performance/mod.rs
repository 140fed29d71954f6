//! The risk performance of the organization.

pub(crate) mod read;
pub(crate) mod series;
mod view;

use domain::Actor;
use domain::performance::PERIOD_DAYS;
use http::query::{Parameter, People, Query, Tag, Texts};
use store::list::TagFilter;
use store::risks::RiskFilter;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};

http::parameters! {
    /// Which period and which risks.
    pub(crate) struct PerformanceParams {
        /// The number of days to look back.
        period_days: Days = 90,
        /// Only risks with this tag.
        tag: Tag,
        /// Only risks of one of these owners; `none` is a risk without one.
        owner: People,
        /// Only risks with one of these values of `category`, compared exactly.
        category: Texts,
    }
}

impl PerformanceParams {
    /// The risks that are meant; `caller` is the person who is meant by `me`. None if it is all of them.
    fn filter(self, query: &mut Query<'_>, caller: &Actor) -> Option<RiskFilter> {
        let filter = RiskFilter {
            owner: query.people("owner", &self.owner, caller),
            texts: [("category", self.category)].into_iter().filter(|(_, texts)| !texts.is_empty()).collect(),
            tags: TagFilter { tags: self.tag.into_iter().collect(), mode: None },
            ..RiskFilter::default()
        };
        (filter != RiskFilter::default()).then_some(filter)
    }
}

/// A number of days, which clients know as one of 32 bits.
pub(crate) struct Days;

impl Parameter for Days {
    type Value = Option<i64>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<i64> {
        query.integer(name, *PERIOD_DAYS.start(), *PERIOD_DAYS.end())
    }

    fn schema() -> RefOr<Schema> {
        let days = ObjectBuilder::new().schema_type(Type::Integer);
        let days = days.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)));
        days.minimum(Some(*PERIOD_DAYS.start())).maximum(Some(*PERIOD_DAYS.end())).into()
    }
}
