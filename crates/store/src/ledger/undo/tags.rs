//! The tags on records, before a request and now.

use std::collections::{BTreeSet, HashMap};

use db::{Param, Tx};
use domain::{OrgId, TagId};
use uuid::Uuid;

use crate::ledger::error::Result;
use crate::ledger::list::TagLink;
use crate::ledger::tag_links::{TagChange, TagKey, TagLinks, keys_parameter};

/// The tags on one record.
#[derive(Debug, Clone, Default)]
pub(crate) struct TagStates {
    pub(super) before: BTreeSet<TagId>,
    pub(super) now: BTreeSet<TagId>,
    /// Those of the former ones that were deleted or merged since.
    gone: BTreeSet<TagId>,
    /// The entries that changed them after `before`.
    since: Vec<i64>,
}

impl TagStates {
    /// Why the former tags cannot be put on again, in a sentence.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        self.gone.difference(&self.now).next().map(|_| "One of its tags was deleted or merged since.")
    }

    /// Whether a request whose last entry is this one changed them.
    pub(crate) fn are_changed_by(&self, last: i64) -> bool {
        self.since.iter().any(|seq| *seq <= last)
    }

    /// Whether nothing has changed them after this entry.
    pub(crate) fn are_unchanged_since(&self, last: i64) -> bool {
        self.since.iter().all(|seq| *seq <= last)
    }

    /// What makes the tags what they were before.
    pub(crate) fn changes(&self) -> Vec<TagChange> {
        let removed = self.now.difference(&self.before).map(|tag| TagChange { tag: *tag, is_added: false });
        let added = self.before.difference(&self.now).map(|tag| TagChange { tag: *tag, is_added: true });
        removed.chain(added).collect()
    }
}

impl<K: TagKey> TagLinks<K> {
    /// The tags on these records, as they were after the entry `before` and as they are.
    pub(crate) async fn states(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        keys: &[K],
        before: i64,
    ) -> Result<HashMap<K, TagStates>> {
        let TagLink { table, record, .. } = self.link;
        let sql = format!(
            "SELECT {record}, tag, seq_from, seq_to, (SELECT count(*) FROM tag AS r WHERE r.organization = $1
                 AND r.id = link.tag AND r.deleted_date IS NULL)
             FROM {table} AS link
             WHERE organization = $1 AND {record} IN ({})
               AND (seq_to IS NULL OR seq_to > $3)",
            K::wanted(tx.engine())
        );
        let keys = keys_parameter(keys);
        let params: [&dyn Param; 3] = [&organization.uuid(), &keys, &before];
        let rows: Vec<(K, Uuid, i64, Option<i64>, i64)> = tx.query(&sql, &params).await?;
        let mut states: HashMap<K, TagStates> = HashMap::new();
        for (key, tag, seq_from, seq_to, present) in rows {
            let state = states.entry(key).or_default();
            state.since.extend([Some(seq_from), seq_to].into_iter().flatten().filter(|seq| *seq > before));
            if seq_from <= before {
                state.before.insert(TagId(tag));
                if present == 0 {
                    state.gone.insert(TagId(tag));
                }
            }
            if seq_to.is_none() {
                state.now.insert(TagId(tag));
            }
        }
        Ok(states)
    }
}
