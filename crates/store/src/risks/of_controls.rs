//! The risks that controls concern.

use std::collections::HashSet;

use db::Tx;
use domain::risk::RiskStatus;
use domain::{Line, OrgId, RiskNumber};
use macros::boxed;

use crate::ledger::error::Result;

/// A risk, and the controls that concern it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlledRisk {
    /// The risk.
    pub number: RiskNumber,
    /// Its title.
    pub title: Line,
    /// Whether it is closed.
    pub is_closed: bool,
    /// Those of the controls that were asked for.
    pub controls: Vec<String>,
}

/// Up to `limit` of the risks that one of these controls concerns, those with the least numbers, without deleted ones. One
/// statement for all controls, which reads each risk that has some.
#[boxed]
pub async fn of_controls(
    tx: &mut Tx,
    organization: OrgId,
    controls: &HashSet<&str>,
    limit: usize,
) -> Result<Vec<ControlledRisk>> {
    let mut found = Vec::new();
    if controls.is_empty() {
        return Ok(found);
    }
    let sql = "SELECT number, title, status, controls FROM risk
               WHERE organization = $1 AND deleted_date IS NULL AND controls IS NOT NULL
               ORDER BY number";
    tx.each(sql, &[&organization.uuid()], |row| {
        if found.len() < limit {
            let own: String = row.get(3)?;
            let own = own.split(' ').filter(|it| controls.contains(*it)).map(str::to_owned);
            let own: Vec<String> = own.collect();
            if !own.is_empty() {
                let status: String = row.get(2)?;
                found.push(ControlledRisk {
                    number: RiskNumber(row.get(0)?),
                    title: Line::stored(row.get::<String>(1)?),
                    is_closed: status == RiskStatus::Closed.as_str(),
                    controls: own,
                });
            }
        }
        Ok(())
    })
    .await?;
    Ok(found)
}
