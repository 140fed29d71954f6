//! Reading the tags on records.

use std::collections::HashMap;

use db::{Column, FromRow, Param, Row, Tx};
use domain::tag::{Color, Tag, TagLabel, TagName};
use domain::text::folded;
use domain::{OrgId, TagId};
use serde_json::json;
use uuid::Uuid;

use super::{TagKey, TagLinks, field, keys_parameter};
use crate::ledger::error::Result;
use crate::ledger::list::TagLink;
use crate::ledger::page::Page;
use crate::ledger::part::RecordedParts;
use crate::ledger::record::{Record as _, Stored};
use crate::ledger::verify::recorded::Link;

impl<K: TagKey> TagLinks<K> {
    /// Up to `limit` tags on a record, by name.
    pub(crate) async fn list(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        key: &K,
        after: Option<&str>,
        limit: i64,
    ) -> Result<Page<Tag>> {
        let TagLink { table, record, .. } = self.link;
        // By the links, which are few, and not by the names of all tags: SQLite keeps the order of a CROSS JOIN.
        let sql = format!(
            "SELECT {} FROM {table} AS link CROSS JOIN tag AS r
             WHERE link.organization = $1 AND link.{record} = $2 AND link.seq_to IS NULL
               AND r.organization = link.organization AND r.id = link.tag AND r.name_folded > $3
             ORDER BY r.name_folded LIMIT $4",
            Tag::statements().columns
        );
        // No name is blank, so every folded name comes after the empty text.
        let after = after.map(folded).unwrap_or_default();
        let params: [&dyn Param; 4] = [&organization.uuid(), key, &after, &(limit + 1)];
        let rows: Vec<Stored<Tag>> = tx.query(&sql, &params).await?;
        Ok(Page::cut(rows, limit).map(|Stored(tag)| tag))
    }

    /// The tags of several records, each by name: as they are, or as they were after the journal entry `as_of_seq`, with
    /// today's names.
    pub(crate) async fn labels(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        keys: impl IntoIterator<Item = K>,
        as_of_seq: Option<i64>,
    ) -> Result<HashMap<K, Vec<TagLabel>>> {
        let (organization, keys) = (organization.uuid(), keys_parameter(keys));
        let mut params: Vec<&dyn Param> = vec![&organization, &keys];
        let mut condition = "link.seq_to IS NULL";
        if let Some(seq) = &as_of_seq {
            params.push(seq);
            condition = "link.seq_from <= $3 AND (link.seq_to IS NULL OR link.seq_to > $3)";
        }
        let TagLink { table, record, .. } = self.link;
        let sql = format!(
            "SELECT link.{record}, tag.id, tag.name, tag.color FROM {table} AS link
             JOIN tag ON tag.organization = link.organization AND tag.id = link.tag
             WHERE link.organization = $1 AND link.{record} IN ({}) AND {condition}
             ORDER BY link.{record}, tag.name_folded",
            K::wanted(tx.engine())
        );
        let mut labels: HashMap<K, Vec<TagLabel>> = HashMap::new();
        for LabelRow(key, label) in tx.query(&sql, &params).await? {
            labels.entry(key).or_default().push(label);
        }
        Ok(labels)
    }

    /// Adds the tags that are or were on the records with these keys, as they are held against the journal.
    pub(crate) async fn recorded(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        keys: &[K],
        parts: &mut HashMap<K, RecordedParts>,
    ) -> Result<()> {
        let TagLink { table, record, .. } = self.link;
        let sql = format!(
            "SELECT {record}, tag, seq_from, seq_to FROM {table}
             WHERE organization = $1 AND {record} IN ({}) ORDER BY {record}, seq_from",
            K::wanted(tx.engine())
        );
        let keys = keys_parameter(keys);
        let params: [&dyn Param; 2] = [&organization.uuid(), &keys];
        let rows: Vec<(K, Uuid, i64, Option<i64>)> = tx.query(&sql, &params).await?;
        for (key, tag, seq_from, seq_to) in rows {
            let (whole, field) = (parts.entry(key).or_default(), field(TagId(tag)));
            whole.seq = whole.seq.max(seq_from).max(seq_to.unwrap_or_default());
            if seq_to.is_none() {
                whole.fields.insert(field.clone(), json!(true));
            }
            whole.links.push(Link { field, seq_from, seq_to, made: None });
        }
        Ok(())
    }
}

struct LabelRow<K>(K, TagLabel);

impl<K: Column> FromRow for LabelRow<K> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let label = TagLabel {
            id: TagId(row.get(1)?),
            name: TagName::stored(row.get::<String>(2)?),
            color: Color::stored(row.get::<String>(3)?),
        };
        Ok(Self(row.get(0)?, label))
    }
}
