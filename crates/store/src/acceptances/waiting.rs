//! What waits for a decision of somebody: open requests, and acceptances to confirm.

use db::{Tx, Value};
use domain::acceptance::{Acceptance, AcceptanceDecider};
use domain::accepting::{Decider, Deciders};
use domain::decision::{DecisionState, FourEyes};
use domain::document::Day;
use domain::scale::{Acceptance as Criterion, AcceptanceBy, Scales};
use domain::{OrgId, Scope, Scopes, UserId};
use macros::boxed;

use super::decide::deciders;
use super::list::{AcceptanceFilter, AcceptancePosition, filtered, in_order};
use super::read::{AcceptanceDetails, details};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::view::View;
use crate::{four_eyes, scales};

/// Up to `limit` open requests that somebody may decide about, the oldest first, and as many of the acceptances that they may
/// confirm.
#[boxed]
pub async fn waiting(
    tx: &mut Tx,
    organization: OrgId,
    scales: &Scales,
    by: Decider<'_>,
    limit: i64,
) -> Result<(Vec<AcceptanceDetails>, Vec<AcceptanceDetails>)> {
    let Some(person) = by.0.person() else { return Ok(Default::default()) };
    let known = deciders(tx, organization, scales, by.0).await?;
    let open = AcceptanceFilter { state: vec![DecisionState::Requested], ..AcceptanceFilter::default() };
    let open = filtered(organization, View::now(), &open, &Day::of(tx.at())).filters(decided_by(
        &known,
        scales,
        (person, by.1),
        false,
    ));
    let open = open.order(&["seq"], Direction::Ascending, None::<Value>);
    let Page { rows, .. } = open.page(tx, limit).await?;
    let requests = details(tx, organization, View::now(), rows).await?;
    let left = confirmed_by(tx, organization, known, scales, (person, by.1));
    let left = in_order(tx, organization, View::now(), left, None, limit).await?;
    Ok((requests, left.rows))
}

/// Up to `limit` acceptances in force that somebody may confirm, because who accepted them has left, what ends first first: those
/// after this position.
#[boxed]
pub async fn to_confirm(
    tx: &mut Tx,
    organization: OrgId,
    scales: &Scales,
    by: Decider<'_>,
    after: Option<&AcceptancePosition>,
    limit: i64,
) -> Result<Page<AcceptanceDetails>> {
    let Some(person) = by.0.person() else { return Ok(Page::default()) };
    let known = deciders(tx, organization, scales, by.0).await?;
    let left = confirmed_by(tx, organization, known, scales, (person, by.1));
    in_order(tx, organization, View::now(), left, after, limit).await
}

/// The acceptances in force that a person may confirm. They were decided about under four eyes.
fn confirmed_by<'q>(
    tx: &Tx,
    organization: OrgId,
    known: Deciders,
    scales: &Scales,
    by: (UserId, Scopes),
) -> Select<'q, Acceptance> {
    let left = AcceptanceFilter {
        state: vec![DecisionState::Accepted],
        decider: Some(AcceptanceDecider::Left),
        ..AcceptanceFilter::default()
    };
    let known = Deciders { four_eyes: FourEyes { is_off: true, ..known.four_eyes }, ..known };
    filtered(organization, View::now(), &left, &Day::of(tx.at()))
        .filters(decided_by(&known, scales, by, true))
}

/// What a person may decide about: [`Deciders::may_decide`]. What is never accepted can be refused, but it is not to be confirmed.
fn decided_by(
    known: &Deciders,
    scales: &Scales,
    (person, scopes): (UserId, Scopes),
    is_to_confirm: bool,
) -> impl Iterator<Item = Filter<'static>> {
    let principals = known.deputies.iter().filter(|(_, deputy)| **deputy == person).map(|(owner, _)| *owner);
    let owner = |it: &Criterion| matches!(it.by, AcceptanceBy::Owner);
    let owner_or_nobody = |it: &Criterion| matches!(it.by, AcceptanceBy::Owner | AcceptanceBy::NobodyNeeded);
    let has_scope = scopes.has(Scope::RisksAccept);
    let others = |it: &Criterion| match it.by {
        AcceptanceBy::Owner => false,
        AcceptanceBy::People => has_scope && known.are_named(it, person),
        AcceptanceBy::NobodyNeeded => has_scope,
        AcceptanceBy::Never => has_scope && !is_to_confirm,
    };
    let own = vec![of_owner([person]), in_bands(scales, owner_or_nobody)];
    let of_principal = [of_owner(principals), in_bands(scales, owner)];
    let as_deputy =
        of_principal.into_iter().chain(four_eyes::by_two(&known.four_eyes, owner_has_not_asked()));
    let groups = vec![own, as_deputy.collect(), vec![in_bands(scales, others)]];
    let taken = four_eyes::taken_by(person, &known.four_eyes);
    taken.into_iter().chain([Filter::AnyOf("decider", groups)])
}

/// It is not the owner of the risk who has asked, themselves or by a client that they have created.
fn owner_has_not_asked() -> Filter<'static> {
    let has_asked = format!(
        "(SELECT CASE WHEN m.actor_id = ({}) THEN 'owner' END FROM risk AS whole
          JOIN membership AS m ON m.organization = whole.organization AND m.person = whole.owner
          WHERE whole.organization = r.organization AND whole.number = r.risk)",
        four_eyes::ASKER
    );
    Filter::OtherThan(has_asked, "owner".into())
}

/// One of these people owns the risk.
fn of_owner(people: impl IntoIterator<Item = UserId>) -> Filter<'static> {
    let owner = "(SELECT whole.owner FROM risk AS whole
                  WHERE whole.organization = r.organization AND whole.number = r.risk)";
    Filter::Expression(owner.to_owned(), people.into_iter().map(|it| Value::Uuid(it.uuid())).collect())
}

/// The latest evaluation of the risk is in a band with such a criterion.
fn in_bands(scales: &Scales, is_one: impl Fn(&Criterion) -> bool) -> Filter<'static> {
    let code = format!(
        "(SELECT {} FROM risk_latest AS latest
          JOIN evaluation AS known ON known.organization = latest.organization AND known.risk = latest.risk
               AND known.number = latest.evaluation
          WHERE latest.organization = r.organization AND latest.risk = r.risk)",
        scales::band_code(scales, "known")
    );
    let is_in = |code: &i64| scales::band_of_code(scales, *code).is_some_and(|band| is_one(&band.acceptance));
    Filter::Expression(code, scales::codes(scales).filter(is_in).map(Value::from).collect())
}
