//! Groups as they are held against the journal, with their members, which stand in entries of the group.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::OrgId;
use domain::group::Group;
use serde_json::json;
use uuid::Uuid;

use super::{member_field, subject};
use crate::ledger::error::Result;
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Link, Made, Recorded};

/// Groups that are read at a time.
const PAGE: i64 = 100;

/// The next groups, deleted ones too.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Group>::read(tx, organization, after, PAGE).await?;
    let mut links = links(tx, organization, &page.records).await?;
    Ok(page.map(|group| {
        let links = links.remove(&group.id.uuid()).unwrap_or_default();
        let mut recorded = Recorded::of(subject(group.id), &group).made(Made::at(group.created_date));
        let present = links.iter().filter(|link| link.seq_to.is_none());
        recorded.fields.extend(present.map(|link| (link.field.clone(), json!(true))));
        let count = links.iter().filter(|link| link.seq_to.is_none()).count();
        if i64::try_from(count) != Ok(group.members) {
            recorded.faults.push("the number of members is not that".to_owned());
        }
        Recorded { seq_from: Some(group.seq_from), links, ..recorded }
    }))
}

/// Who is or was in these groups.
async fn links(tx: &mut Tx, organization: OrgId, groups: &[Group]) -> Result<HashMap<Uuid, Vec<Link>>> {
    if groups.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> =
        std::iter::once(organization.uuid()).chain(groups.iter().map(|group| group.id.uuid())).collect();
    let places: Vec<String> = (2..=ids.len()).map(|place| format!("${place}")).collect();
    let sql = format!(
        "SELECT member_group, person, seq_from, seq_to FROM group_member
         WHERE organization = $1 AND member_group IN ({}) ORDER BY member_group, person, seq_from",
        places.join(", ")
    );
    let params: Vec<&dyn Param> = ids.iter().map(|id| -> &dyn Param { id }).collect();
    let rows: Vec<(Uuid, Uuid, i64, Option<i64>)> = tx.query(&sql, &params).await?;
    let mut links: HashMap<Uuid, Vec<Link>> = HashMap::new();
    for (group, person, seq_from, seq_to) in rows {
        let link = Link { field: member_field(person), seq_from, seq_to, made: None };
        links.entry(group).or_default().push(link);
    }
    Ok(links)
}
