//! Deciding about a request to accept a risk.

use std::collections::HashSet;

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::{AcceptanceDecision, Deciders};
use domain::decision::{DecisionStep, Recorded, Verdict};
use domain::scale::Scales;
use domain::{Actor, Author, GroupId, OrgId, RiskNumber, UserId};
use macros::boxed;
use uuid::Uuid;

use super::read::{self, AcceptanceDetails};
use super::write::{self, Change, FOLLOWED};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::{organizations, people, risks, scales};

/// Accepts or refuses what was asked for, or records that others did. What is accepted takes the place of what was accepted
/// before.
#[boxed]
pub async fn decide(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (risk, number): (RiskNumber, i64),
    decision: &AcceptanceDecision,
    recorded: Option<&Recorded>,
) -> Result<AcceptanceDetails> {
    let risk = risks::get(tx, organization, risk, View::now()).await?;
    let before = read::find(tx, organization, risk.number, number).await?;
    let scales = scales::known(tx, organization, View::now()).await?;
    let known = deciders(tx, organization, &scales, &author.actor).await?;
    let by = (&author.actor, author.scopes());
    let after = decision.decide(&before, (&risk, &scales), recorded, by, &known, tx.at())?;
    let kind = if recorded.is_some() { "risk.acceptance_recorded" } else { "risk.acceptance_decided" };
    let mut changes = vec![Change { kind, before, after }];
    if decision.decision == Verdict::Accepted
        && let Some(earlier) = risk.acceptance
    {
        // As it is stored: the risk has the state of the day.
        let before = read::find(tx, organization, risk.number, earlier.number).await?;
        let by = author.actor.clone();
        let decision = before.decision.end(DecisionStep::Replace, None, by, tx.at())?;
        let after = Acceptance { decision, ..before.clone() };
        changes.push(Change { kind: FOLLOWED, before, after });
    }
    let written = write::replace(tx, organization, author, changes).await?;
    let decided = written.into_iter().find(|it| it.number == number);
    let decided = decided.ok_or_else(|| domain::Error::Internal("a decision is not there".to_owned()))?;
    Ok(AcceptanceDetails::of(decided, risk.title, tx.at()))
}

/// What is known of somebody who decides about risks.
#[boxed]
pub async fn deciders(
    tx: &mut Tx,
    organization: OrgId,
    scales: &Scales,
    decider: &Actor,
) -> Result<Deciders> {
    let deputies = people::deputies(tx, organization).await?;
    let person = decider.person();
    let principals = deputies.iter().filter(|(_, deputy)| Some(**deputy) == person);
    let deciding: Vec<UserId> = person.into_iter().chain(principals.map(|(owner, _)| *owner)).collect();
    let four_eyes = organizations::four_eyes(tx, organization, &deciding).await?;
    let mut bands = scales.generations().flat_map(|(_, scale)| &scale.content.bands);
    let has_groups = bands.any(|it| it.acceptance.group.is_some());
    let groups = match UserId::parse(&decider.id).filter(|_| has_groups) {
        Some(person) => groups_of(tx, organization, person).await?,
        None => HashSet::new(),
    };
    Ok(Deciders { groups, deputies, four_eyes })
}

/// The groups that a person is in.
async fn groups_of(tx: &mut Tx, organization: OrgId, person: UserId) -> Result<HashSet<GroupId>> {
    let sql = "SELECT member_group FROM group_member
               WHERE organization = $1 AND person = $2 AND seq_to IS NULL";
    let rows: Vec<(Uuid,)> = tx.query(sql, &[&organization.uuid(), &person.uuid()]).await?;
    Ok(rows.into_iter().map(|(group,)| GroupId(group)).collect())
}
