//! The two days between which changes of risks are told.

use db::Tx;
use domain::risk_change::{End, Span};
use domain::{OrgId, ResourceKind};
use http::error::{Error, Result};
use http::error_codes::ParameterCode;
use http::query::{Day, Query};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan as _};

http::parameters! {
    /// The two days. A day means its end in the time zone of the organization.
    pub struct SpanParams {
        /// The changes after the end of this day, in the time zone of the organization; three months before `to` unless it is sent.
        from: Day,
        /// The changes until the end of this day, which is not in the future; today unless it is sent.
        to: Day,
    }
}

impl SpanParams {
    /// Reads both days.
    pub fn of(query: &mut Query<'_>) -> Self {
        let it = Self::read(query);
        if let (Some(from), Some(to)) = (it.from, it.to)
            && to < from
        {
            query.fault("to", ParameterCode::Range, "must not be before `from`");
        }
        it
    }

    /// The registers of the days.
    pub async fn resolve(self, tx: &mut Tx, organization: OrgId) -> Result<Span> {
        let found = store::organizations::get(tx, organization).await?;
        let found = found.ok_or(Error::not_found(ResourceKind::Organization))?;
        let zone = found.time_zone();
        let today = tx.at().to_zoned(zone.clone()).date();
        let to = self.to.unwrap_or(today);
        let from = self.from.unwrap_or_else(|| to.saturating_sub(3.months()));
        for (name, day) in [("from", from), ("to", to)] {
            if day > today {
                return Err(Error::parameter(name, ParameterCode::Range, "must not be in the future"));
            }
        }
        if from > to {
            return Err(Error::parameter("from", ParameterCode::Range, "must not be after `to`"));
        }
        let (from, to) = (end(tx, organization, from, &zone).await?, end(tx, organization, to, &zone).await?);
        Ok(Span { from, to, time_zone: found.time_zone_name().to_owned() })
    }
}

async fn end(tx: &mut Tx, organization: OrgId, day: Date, zone: &TimeZone) -> Result<End> {
    let next = day.tomorrow().and_then(|next| next.to_zoned(zone.clone()));
    let end = next.map(|next| next.timestamp() - SignedDuration::from_micros(1)).ok();
    let past = end.filter(|end| *end < tx.at());
    let as_of = store::journal::resolve(tx, organization, past, None).await?;
    let as_of =
        as_of.ok_or_else(|| Error::parameter("to", ParameterCode::Range, "must not be in the future"))?;
    Ok(End { day, at: as_of.at, seq: as_of.seq })
}
