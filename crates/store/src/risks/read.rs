//! Reading risks, as they are and as they were.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::risk::Risk;
use domain::tag::TagLabel;
use domain::{Error, Noun, OrgId, RiskNumber};

use super::row::{COLUMNS, LATEST, LATEST_AS_OF, OWNER, RiskRow, STORED};
use crate::error::Result;
use crate::page::Page;
use crate::tags;
use crate::view::View;

/// One risk.
pub async fn get(tx: &mut Tx, organization: OrgId, number: RiskNumber, view: View) -> Result<Risk> {
    let mut risk = [get_without_tags(tx, organization, number, view).await?];
    add_tags(tx, organization, view, &mut risk).await?;
    let [risk] = risk;
    Ok(risk)
}

/// One risk, with an empty list of tags.
pub(crate) async fn get_without_tags(
    tx: &mut Tx,
    organization: OrgId,
    number: RiskNumber,
    view: View,
) -> Result<Risk> {
    let rows = select(tx, organization, view, "number = $2", number.number(), 1).await?;
    Ok(rows.into_iter().next().ok_or(Error::NotFound(Noun::Risk))?)
}

/// Up to `limit` risks in descending order of number, those before the number `before`.
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    before: Option<RiskNumber>,
    limit: i64,
) -> Result<Page<Risk>> {
    let before = before.map_or(i64::MAX, RiskNumber::number);
    let rows = select(tx, organization, view, "number < $2", before, limit + 1).await?;
    let mut page = Page::cut(rows, limit);
    add_tags(tx, organization, view, &mut page.rows).await?;
    Ok(page)
}

/// How many risks a list of this view has on all its pages.
pub async fn count(tx: &mut Tx, organization: OrgId, view: View) -> Result<i64> {
    let conditions = format!("organization = $1 {}", view.deleted.condition());
    let mut sql = format!("SELECT count(*) FROM risk WHERE {conditions}");
    let organization = organization.uuid();
    let mut params: Vec<&dyn Param> = vec![&organization];
    if let Some(seq) = &view.as_of_seq {
        params.push(seq);
        sql = format!(
            "SELECT ({sql} AND seq_from <= $2) + (SELECT count(*) FROM risk_history WHERE {conditions}
                AND seq_from <= $2 AND seq_to > $2)"
        );
    }
    let (count,) = tx.query_one(&sql, &params).await?;
    Ok(count)
}

/// Risks without their tags that meet a condition on `number` and the parameter `$2`.
async fn select(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    condition: &str,
    number: i64,
    limit: i64,
) -> Result<Vec<Risk>> {
    let deleted = view.deleted.condition();
    let organization = organization.uuid();
    let mut params: Vec<&dyn Param> = vec![&organization, &number, &limit];
    let sql = match &view.as_of_seq {
        None => format!(
            "SELECT {COLUMNS} FROM risk AS r {OWNER} {LATEST}
             WHERE r.organization = $1 AND r.{condition} {deleted} ORDER BY r.number DESC LIMIT $3"
        ),
        Some(seq) => {
            params.push(seq);
            let past = view.past("risk", STORED, condition);
            format!("SELECT {COLUMNS} FROM ({past}) AS r {OWNER} {LATEST_AS_OF} ORDER BY r.number DESC")
        }
    };
    let rows: Vec<RiskRow> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().map(|RiskRow(risk)| risk).collect())
}

/// Fills in the tags of all these risks with one statement.
async fn add_tags(tx: &mut Tx, organization: OrgId, view: View, risks: &mut [Risk]) -> Result<()> {
    let numbers = risks.iter().map(|risk| risk.number).collect::<Vec<_>>();
    let mut tags: HashMap<RiskNumber, Vec<TagLabel>> = HashMap::new();
    for (risk, tag) in tags::labels_of_risks(tx, organization, numbers, view.as_of_seq).await? {
        tags.entry(risk).or_default().push(tag);
    }
    for risk in risks {
        risk.tags = tags.remove(&risk.number).unwrap_or_default();
    }
    Ok(())
}
