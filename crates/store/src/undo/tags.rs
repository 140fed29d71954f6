//! The tags on records, before a request and now.

use std::collections::{BTreeSet, HashMap};

use db::{Param, Tx};
use domain::{OrgId, TagId};
use uuid::Uuid;

use crate::dialect::{numbers_parameter, wanted_numbers};
use crate::error::Result;
use crate::list::TagLink;
use crate::tags::TagLinks;

/// The tags on one record.
#[derive(Debug, Clone, Default)]
pub(super) struct TagStates {
    pub(super) before: BTreeSet<TagId>,
    pub(super) now: BTreeSet<TagId>,
}

/// A tag that is to be added to a record or removed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TagChange {
    pub(crate) tag: TagId,
    pub(crate) is_added: bool,
}

impl TagStates {
    /// What makes the tags what they were before.
    pub(super) fn changes(&self) -> Vec<TagChange> {
        let removed = self.now.difference(&self.before).map(|tag| TagChange { tag: *tag, is_added: false });
        let added = self.before.difference(&self.now).map(|tag| TagChange { tag: *tag, is_added: true });
        removed.chain(added).collect()
    }
}

impl TagLinks {
    /// The tags on these records, as they were after the entry `before` and as they are.
    pub(super) async fn states(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        numbers: &[i64],
        before: i64,
    ) -> Result<HashMap<i64, TagStates>> {
        let TagLink { table, record } = self.link;
        let sql = format!(
            "SELECT {record}, tag, seq_from, seq_to FROM {table}
             WHERE organization = $1 AND {record} IN (SELECT wanted.number FROM {})
               AND (seq_to IS NULL OR seq_to > $3)",
            wanted_numbers(tx.engine())
        );
        let numbers = numbers_parameter(numbers.iter().copied());
        let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &before];
        let rows: Vec<(i64, Uuid, i64, Option<i64>)> = tx.query(&sql, &params).await?;
        let mut states: HashMap<i64, TagStates> = HashMap::new();
        for (number, tag, seq_from, seq_to) in rows {
            let state = states.entry(number).or_default();
            if seq_from <= before {
                state.before.insert(TagId(tag));
            }
            if seq_to.is_none() {
                state.now.insert(TagId(tag));
            }
        }
        Ok(states)
    }

    /// Adds and removes tags: each change with the number of its record and of its entry.
    pub(crate) async fn write_changes(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        changes: &[(i64, TagChange, i64)],
    ) -> Result<()> {
        let organization = organization.uuid();
        for (sql, is_added) in [(self.end(), false), (self.begin(), true)] {
            let chosen = changes.iter().filter(|(_, change, _)| change.is_added == is_added);
            let rows: Vec<(i64, Uuid, i64)> =
                chosen.map(|(number, change, seq)| (*number, change.tag.uuid(), *seq)).collect();
            let params: Vec<[&dyn Param; 4]> = rows
                .iter()
                .map(|(number, tag, seq)| -> [&dyn Param; 4] { [&organization, number, tag, seq] })
                .collect();
            if !params.is_empty() {
                tx.send_many(&sql, &params).await?;
            }
        }
        Ok(())
    }
}
