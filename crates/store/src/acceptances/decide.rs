//! Deciding about a request to accept a risk.

use std::collections::HashSet;

use db::Tx;
use domain::acceptance::Acceptance;
use domain::accepting::{AcceptanceDecision, Deciders, criterion};
use domain::decision::{DecisionStep, Recorded, Verdict};
use domain::risk::Risk;
use domain::scale::Scales;
use domain::{Author, GroupId, OrgId, RiskNumber, UserId};
use macros::boxed;
use uuid::Uuid;

use super::read::{self, AcceptanceDetails};
use super::write::{self, Change, FOLLOWED};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::{people, risks, scales};

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
    let known = deciders(tx, organization, &risk, &scales).await?;
    let by = (&author.actor, author.scopes());
    let after = decision.decide(&before, (&risk, &scales), recorded, by, &known, tx.at())?;
    let mut changes = vec![Change { kind: "risk.acceptance_decided", before, after }];
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

/// What is known of those who decide about a risk.
async fn deciders(tx: &mut Tx, organization: OrgId, risk: &Risk, scales: &Scales) -> Result<Deciders> {
    let sql = "SELECT four_eyes FROM organization WHERE id = $1";
    let (four_eyes,): (bool,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    let deputies = people::deputies(tx, organization).await?;
    let group = criterion(risk, scales).ok().and_then(|it| it.group);
    let group = match group {
        Some(group) => members_of(tx, organization, group).await?,
        None => HashSet::new(),
    };
    Ok(Deciders { group, deputies, is_four_eyes_off: !four_eyes })
}

/// The members of a group.
async fn members_of(tx: &mut Tx, organization: OrgId, group: GroupId) -> Result<HashSet<UserId>> {
    let sql = "SELECT person FROM group_member
               WHERE organization = $1 AND member_group = $2 AND seq_to IS NULL";
    let rows: Vec<(Uuid,)> = tx.query(sql, &[&organization.uuid(), &group.uuid()]).await?;
    Ok(rows.into_iter().map(|(person,)| UserId(person)).collect())
}
