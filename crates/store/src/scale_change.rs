//! Changing the scale, and what that does to the risks.

use db::Tx;
use domain::risk::{EvaluationDue, RiskStatus};
use domain::scale::{NewScale, Scale, Scales};
use domain::{Author, ExpectedVersion, OrgId, RiskNumber, UserId};
use macros::boxed;

use crate::groups::{self, Named};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::ledger::{journal, record};
use crate::risks::{self, DueFilter, RatingBasis, RiskFilter};
use crate::{acceptances, scales};

/// What becomes of the open risks by another scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effects {
    /// The risks that change band, by the bands.
    pub moves: Vec<BandMove>,
    /// How many risks want an evaluation because their ratings are by an earlier scale.
    pub outdated: i64,
}

/// Open risks whose latest evaluation gets into another band.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BandMove {
    /// The name of the band.
    pub from: String,
    /// The name of the other band.
    pub to: String,
    /// How many they are.
    pub count: i64,
    /// Some of them, the latest of each rating.
    pub risks: Vec<RiskNumber>,
}

/// The scale that [`change`] would lead to and what it would do, with the numbers of up to `named` risks for each rating.
#[boxed]
pub async fn plan(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    expected: &ExpectedVersion,
    new: &NewScale,
    named: i64,
) -> Result<(Scale, Effects)> {
    let (known, next) = next(tx, organization, author, expected, new).await?;
    let scale = next.unwrap_or_else(|| known.present().clone());
    let effects = effects(tx, organization, &known, &scale, named).await?;
    Ok((scale, effects))
}

/// Adds a version of the scale, if the present one is `expected`. Nothing is added or journaled if it is the same scale.
#[boxed]
pub async fn change(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    expected: &ExpectedVersion,
    new: &NewScale,
) -> Result<Scale> {
    let (known, next) = next(tx, organization, author, expected, new).await?;
    let Some(mut scale) = next else { return Ok(known.present().clone()) };
    let (payload, subject) = (record::changes(None, &scale), scales::subject(scale.number));
    scale.seq_from = journal::append(tx, organization, author, "scale.changed", subject, payload).await?;
    record::insert(tx, organization, &scale).await?;
    acceptances::follow_all(tx, organization, author).await?;
    Ok(scale)
}

/// The scales, and the version to add; none if it is the same scale.
async fn next(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    expected: &ExpectedVersion,
    new: &NewScale,
) -> Result<(Scales, Option<Scale>)> {
    let known = scales::known(tx, organization, View::now()).await?;
    expected.check(known.present().number)?;
    check_people(tx, organization, new).await?;
    let next = new.apply(known.present(), author.actor.clone(), tx.at());
    Ok((known, next))
}

/// The people and groups that the bands name are of the organization.
async fn check_people(tx: &mut Tx, organization: OrgId, new: &NewScale) -> Result<()> {
    let bands = new.content.bands.iter().enumerate();
    let named = bands.map(|(place, band)| Named {
        pointer: format!("#/bands/{place}/acceptance"),
        users: band.acceptance.users.as_deref().unwrap_or_default() as &[UserId],
        group: band.acceptance.group,
    });
    let faults = groups::check_named(tx, organization, &named.collect::<Vec<_>>()).await?;
    Ok(faults.or(())?)
}

async fn effects(
    tx: &mut Tx,
    organization: OrgId,
    known: &Scales,
    scale: &Scale,
    named: i64,
) -> Result<Effects> {
    let open = RiskFilter { status: vec![RiskStatus::Open], ..RiskFilter::default() };
    let before = known.present();
    if scale.generation != before.generation {
        let outdated = risks::count(tx, organization, View::now(), &open).await?;
        return Ok(Effects { moves: Vec::new(), outdated });
    }
    let current = (RatingBasis::Current, known);
    let map = risks::heat_map(tx, organization, View::now(), current, &open, named).await?;
    let mut moves: Vec<BandMove> = Vec::new();
    for it in map.cells {
        let (from, to) = (before.band_of(it.rating), scale.band_of(it.rating));
        if before.is_same_band(from, scale, to) {
            continue;
        }
        let name = |scale: &Scale, place| scale.band(place).map(|it| it.name.to_string()).unwrap_or_default();
        let (from, to) = (name(before, from), name(scale, to));
        match moves.iter_mut().find(|it| it.from == from && it.to == to) {
            Some(found) => {
                found.count += it.count;
                found.risks.extend(it.numbers);
            }
            None => moves.push(BandMove { from, to, count: it.count, risks: it.numbers }),
        }
    }
    let due = DueFilter { evaluation: vec![EvaluationDue::ScaleOutdated], ..DueFilter::default() };
    let outdated = RiskFilter { due, ..open };
    let outdated = risks::count(tx, organization, View::now(), &outdated).await?;
    Ok(Effects { moves, outdated })
}
