//! Acceptances of all risks.

use db::{Tx, Value};
use domain::OrgId;
use domain::acceptance::{Acceptance, AcceptanceDecider};
use domain::decision::DecisionState;
use domain::document::Day;
use macros::boxed;

use super::read::{AcceptanceDetails, details, titled, today};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, SEQ, Select};
use crate::ledger::members;
use crate::ledger::page::Page;
use crate::ledger::view::View;

/// Which acceptances a list has. What is empty lets every acceptance through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcceptanceFilter {
    /// Acceptances in one of these states on the day of the view.
    pub state: Vec<DecisionState>,
    /// Acceptances that have not ended and end within so many days.
    pub expiring: Option<i64>,
    /// Acceptances that have not ended, of which this is so for who accepted them or confirmed them last.
    pub decider: Option<AcceptanceDecider>,
}

/// Where an acceptance stands in the list: its last day, and the entry that made it.
pub type AcceptancePosition = (String, i64);

impl AcceptanceFilter {
    fn filters(&self, seq: Option<&str>, today: &Day) -> Vec<Filter<'static>> {
        let words = |states: &[DecisionState]| states.iter().map(|it| Value::from(it.as_str())).collect();
        let state = (!self.state.is_empty()).then(|| Filter::Expression(state_on(today), words(&self.state)));
        let expiring = self.expiring.into_iter().flat_map(|days| {
            let end = today.later(days + 1).map(|day| Value::from(day.as_str().to_owned()));
            let live: Vec<_> = DecisionState::ALL.iter().copied().filter(|it| it.is_live()).collect();
            [Filter::Within("until", None, end), Filter::Expression(state_on(today), words(&live))]
        });
        let left = self
            .decider
            .map(|AcceptanceDecider::Left| Filter::Expression(has_left(seq, today), vec![Value::Integer(1)]));
        state.into_iter().chain(expiring).chain(left).collect()
    }
}

/// The state of the acceptance `r` on a day: [`Acceptance::state_on`].
fn state_on(today: &Day) -> String {
    let today = today.as_str();
    format!(
        "CASE WHEN r.state IN ('accepted', 'stale') AND r.until < '{today}' THEN 'expired'
              WHEN r.state = 'accepted' AND r.scale_until < '{today}' THEN 'stale' ELSE r.state END"
    )
}

/// 1 for an acceptance `r` that has not ended on a day, if who accepted it or confirmed it last is no member any more, or was none
/// after the journal entry in the parameter `seq`.
fn has_left(seq: Option<&str>, today: &Day) -> String {
    format!(
        "CASE WHEN {} IN ('accepted', 'stale') AND COALESCE(r.confirmed_by_kind, r.decided_by_kind) = 'user'
              AND NOT EXISTS (SELECT 1 FROM membership WHERE membership.organization = r.organization
                  AND membership.actor_id = COALESCE(r.confirmed_by_id, r.decided_by_id)
                  AND {}) THEN CAST(1 AS BIGINT) END",
        state_on(today),
        members::is_member(seq)
    )
}

/// Up to `limit` acceptances of risks that are not deleted, as a view sees both, what ends first first: those after this position.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    filter: &AcceptanceFilter,
    after: Option<&AcceptancePosition>,
    limit: i64,
) -> Result<Page<AcceptanceDetails>> {
    let today = today(tx, organization, view).await?;
    in_order(tx, organization, view, filtered(organization, view, filter, &today), after, limit).await
}

/// Up to `limit` of these acceptances as a view sees them, what ends first first: those after this position.
pub(super) async fn in_order(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    select: Select<'_, Acceptance>,
    after: Option<&AcceptancePosition>,
    limit: i64,
) -> Result<Page<AcceptanceDetails>> {
    let after = after.map(|(until, seq)| [Value::from(until.clone()), Value::Integer(*seq)]);
    let select = select.order(&["until", "seq"], Direction::Ascending, after.into_iter().flatten());
    let Page { rows, has_more } = select.page(tx, limit).await?;
    Ok(Page { rows: details(tx, organization, view, rows).await?, has_more })
}

/// How many acceptances a list has on all its pages.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, view: View, filter: &AcceptanceFilter) -> Result<i64> {
    let today = today(tx, organization, view).await?;
    filtered(organization, view, filter, &today).count(tx).await
}

/// The acceptances of risks that are not deleted, as they are on the day of the view.
pub(super) fn filtered<'q>(
    organization: OrgId,
    view: View,
    filter: &AcceptanceFilter,
    today: &Day,
) -> Select<'q, Acceptance> {
    let filters = filter.filters(view.as_of_seq.map(|_| SEQ), today);
    titled(organization, view).filter(Filter::OfRisk).filters(filters)
}
