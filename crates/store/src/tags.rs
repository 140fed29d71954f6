//! Tags of an organization.

use std::collections::{HashMap, HashSet};

use db::{FromRow, Row, Tx, Value};
use domain::tag::{NewTag, Tag, TagName, TagPatch};
use domain::text::folded;
use domain::{
    Author, Error, ErrorCode, ExpectedVersion, FaultCode, Faults, OrgId, ResourceKind, Scope, TagId,
};
use macros::boxed;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Subject};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;

record! {
    Tag in "tag" {
        id: Plain => Key,
        name: Folded => Journaled,
        color: Plain => Journaled,
        description: Plain => Journaled,
        merged_into: Plain => Journaled,
        deleted_date: Plain => Journaled,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
}

/// Tags that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// The order of tags: by name, without regard to case.
const ORDER: &[&str] = &["name_folded"];

/// Makes a tag. A name that is in use, in whatever case, is a conflict, and so is that of a merged tag.
#[boxed]
pub async fn create(tx: &mut Tx, organization: OrgId, author: &Author, new: &NewTag) -> Result<Tag> {
    let mut tag = new.create(TagId(tx.uuid()), tx.at());
    if !merged(tx, organization, &[folded(&tag.name)]).await?.is_empty() {
        return Err(Error::Conflict(ErrorCode::NameTaken).into());
    }
    let payload = record::changes(None, &tag);
    tag.seq_from = journal::append(tx, organization, author, "tag.created", subject(tag.id), payload).await?;
    if !record::insert_unless_taken(tx, organization, &tag).await? {
        return Err(Error::Conflict(ErrorCode::NameTaken).into());
    }
    Ok(tag)
}

/// Changes a tag by a merge patch, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: TagId,
    expected: &ExpectedVersion,
    patch: &TagPatch,
) -> Result<Tag> {
    let before = get(tx, organization, id).await?;
    expected.check(before.version)?;
    let Some(mut after) = patch.apply(&before, tx.at()) else { return Ok(before) };
    let name = folded(&after.name);
    if name != folded(&before.name) {
        let present = with_names(organization, std::slice::from_ref(&name)).count(tx).await? > 0;
        // A tag may get the name of one that was merged into it.
        let merged = merged(tx, organization, &[name]).await?;
        if present || merged.iter().any(|it| it.into != id) {
            return Err(Error::Conflict(ErrorCode::NameTaken).into());
        }
    }
    let payload = record::changes(Some(&before), &after);
    after.seq_from = journal::append(tx, organization, author, "tag.updated", subject(id), payload).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// The name of a tag that was merged, and the tag to which it leads.
struct Merged {
    name_folded: String,
    into: TagId,
    into_folded: String,
}

impl FromRow for Merged {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self { name_folded: row.get(0)?, into: TagId(row.get(1)?), into_folded: row.get(2)? })
    }
}

/// Those of these folded names that merged tags have, also where the other tag was merged in its turn.
async fn merged(tx: &mut Tx, organization: OrgId, names: &[String]) -> Result<Vec<Merged>> {
    let sql = format!(
        "WITH RECURSIVE merged (name, id) AS (
             SELECT r.name_folded, r.merged_into FROM tag AS r
             WHERE r.organization = $1 AND r.merged_into IS NOT NULL
               AND r.name_folded IN (SELECT wanted.item FROM {})
             UNION
             SELECT merged.name, r.merged_into FROM merged
             JOIN tag AS r ON r.organization = $1 AND r.id = merged.id WHERE r.merged_into IS NOT NULL)
         SELECT merged.name, r.id, r.name_folded FROM merged
         JOIN tag AS r ON r.organization = $1 AND r.id = merged.id WHERE r.deleted_date IS NULL",
        wanted_texts(tx.engine(), "$2")
    );
    let names = serde_json::json!(names).to_string();
    Ok(tx.query(&sql, &[&organization.uuid(), &names]).await?)
}

/// The other names of tags: those of the tags that were merged into them, also by way of others.
#[boxed]
pub async fn aliases(tx: &mut Tx, organization: OrgId) -> Result<HashMap<TagId, Vec<TagName>>> {
    let merged = Select::<Tag>::of(organization, View::with_deleted()).filter(Filter::Present("merged_into"));
    let merged: Vec<Stored<Tag>> = merged.order(ORDER, Direction::Ascending, None).all(tx).await?;
    let next: HashMap<TagId, TagId> =
        merged.iter().filter_map(|Stored(tag)| Some((tag.id, tag.merged_into?))).collect();
    let mut aliases: HashMap<TagId, Vec<TagName>> = HashMap::new();
    for Stored(tag) in merged {
        let mut target = tag.id;
        while let Some(into) = next.get(&target) {
            target = *into;
        }
        aliases.entry(target).or_default().push(tag.name);
    }
    Ok(aliases)
}

/// The tags to which these folded names lead, by name, each with whether it is its own.
pub(crate) async fn leading(
    tx: &mut Tx,
    organization: OrgId,
    names: &[String],
) -> Result<HashMap<String, (Tag, bool)>> {
    let merged = merged(tx, organization, names).await?;
    let mut all = names.to_vec();
    all.extend(merged.iter().map(|it| it.into_folded.clone()));
    let found: Vec<Stored<Tag>> = with_names(organization, &all).all(tx).await?;
    let mut leading: HashMap<String, (Tag, bool)> =
        found.into_iter().map(|Stored(tag)| (folded(&tag.name), (tag, true))).collect();
    for Merged { name_folded, into_folded, .. } in merged {
        let target = leading.get(&into_folded).map(|(tag, _)| (tag.clone(), false));
        if let (Some(target), false) = (target, leading.contains_key(&name_folded)) {
            leading.insert(name_folded, target);
        }
    }
    Ok(leading)
}

/// Names of tags that are to be on a record, and the tags that have them.
pub(crate) struct Named<'n> {
    /// As they are compared, and as they were sent.
    names: Vec<(String, &'n TagName)>,
    ids: HashMap<String, TagId>,
}

/// Finds the tags with these names. The number of statements does not grow with them.
pub(crate) async fn find<'n>(tx: &mut Tx, organization: OrgId, names: &'n [TagName]) -> Result<Named<'n>> {
    let mut ids = HashMap::new();
    let names: Vec<(String, &TagName)> = names.iter().map(|name| (folded(name), name)).collect();
    if !names.is_empty() {
        let all: Vec<String> = names.iter().map(|(folded, _)| folded.clone()).collect();
        let found: Vec<Stored<Tag>> = with_names(organization, &all).all(tx).await?;
        ids.extend(found.into_iter().map(|Stored(tag)| (folded(&tag.name), tag.id)));
        if all.iter().any(|name| !ids.contains_key(name)) {
            for Merged { name_folded, into, .. } in merged(tx, organization, &all).await? {
                ids.entry(name_folded).or_insert(into);
            }
        }
    }
    Ok(Named { names, ids })
}

impl Named<'_> {
    /// The names that no tag has, each once, with their places.
    fn missing(&self) -> impl Iterator<Item = (usize, &TagName)> {
        let mut known: HashSet<&str> = self.ids.keys().map(String::as_str).collect();
        let places = self.names.iter().enumerate();
        places.filter(move |(_, (folded, _))| known.insert(folded)).map(|(place, (_, name))| (place, *name))
    }

    /// The names that no tag has, if this author may not make any.
    pub(crate) fn unknown(&self, author: &Author) -> Vec<TagName> {
        if author.scopes().has(Scope::TagsWrite) {
            return Vec::new();
        }
        self.missing().map(|(_, name)| name.clone()).collect()
    }

    /// A fault for each of these.
    pub(crate) fn faults(&self, author: &Author) -> Faults {
        let mut faults = Faults::new();
        if !author.scopes().has(Scope::TagsWrite) {
            for (place, _) in self.missing() {
                let detail = "is no tag yet, and making one needs the scope tags:write";
                faults.add(format_args!("#/tags/{place}"), FaultCode::UnknownTag, detail);
            }
        }
        faults
    }

    /// The tag with this name, if there is one.
    pub(crate) fn id(&self, name: &TagName) -> Option<TagId> {
        self.ids.get(&folded(name)).copied()
    }

    /// Makes those that there are not, if the author may.
    pub(crate) async fn make(&mut self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        if author.scopes().has(Scope::TagsWrite) {
            let missing: Vec<&TagName> = self.missing().map(|(_, name)| name).collect();
            let made = make_all(tx, organization, author, &missing).await?;
            self.ids.extend(made.into_iter().map(|tag| (folded(&tag.name), tag.id)));
        }
        Ok(())
    }

    /// The ids of the tags, each once, in the order of their names. Those that there are not are made, if the author may.
    pub(crate) async fn or_made(
        mut self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
    ) -> Result<Vec<TagId>> {
        self.make(tx, organization, author).await?;
        let mut once = HashSet::new();
        let ids = self.names.iter().filter_map(|(folded, _)| self.ids.get(folded).copied());
        Ok(ids.filter(|id| once.insert(*id)).collect())
    }
}

/// Makes tags with these names.
async fn make_all(tx: &mut Tx, organization: OrgId, author: &Author, names: &[&TagName]) -> Result<Vec<Tag>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    author.permissions.note_required(Scope::TagsWrite.into());
    let at = tx.at();
    let new = |name: &TagName| NewTag { name: name.clone(), color: None, description: None };
    let mut tags: Vec<Tag> = names.iter().map(|name| new(name).create(TagId(tx.uuid()), at)).collect();
    let entry = |tag: &Tag| New {
        kind: "tag.created",
        subject: subject(tag.id),
        payload: record::changes(None, tag),
    };
    let entries = tags.iter().map(entry).collect();
    let count = i64::try_from(names.len()).unwrap_or(i64::MAX);
    let last = journal::append_all(tx, organization, author, entries).await?;
    for (tag, seq) in tags.iter_mut().zip(last - count + 1..) {
        tag.seq_from = seq;
    }
    record::insert_all(tx, organization, &tags).await?;
    Ok(tags)
}

/// The subject of a tag's entries.
pub(crate) fn subject(id: TagId) -> Subject {
    Subject::new("tag", id.to_string())
}

/// One tag that is there.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, id: TagId) -> Result<Tag> {
    let found = all(organization).filter(Filter::is("id", id.uuid().into())).one(tx).await?;
    let Stored(tag) = found.ok_or(Error::NotFound(ResourceKind::Tag))?;
    Ok(tag)
}

/// Those of these tags that there are or were.
#[boxed]
pub async fn get_many(tx: &mut Tx, organization: OrgId, ids: &[TagId]) -> Result<Vec<Tag>> {
    let ids = ids.iter().map(|id| id.uuid().into()).collect();
    let all = Select::<Tag>::of(organization, View::with_deleted());
    let found: Vec<Stored<Tag>> = all.filter(Filter::OneOf("id", ids)).all(tx).await?;
    Ok(found.into_iter().map(|Stored(tag)| tag).collect())
}

/// Up to `limit` tags by name, without regard to case: those after the name `after`. With `names` only the tags that have one
/// of these, or were merged with one that had.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    names: &[String],
    after: Option<&str>,
    limit: i64,
) -> Result<Page<Tag>> {
    let after = after.map(|name| Value::from(folded(name)));
    let named = named(tx, organization, names).await?;
    let page = named.order(ORDER, Direction::Ascending, after).page(tx, limit).await?;
    Ok(page.map(|Stored(tag)| tag))
}

/// How many tags there are; with `names` those that have one of these.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, names: &[String]) -> Result<i64> {
    named(tx, organization, names).await?.count(tx).await
}

async fn named<'q>(tx: &mut Tx, organization: OrgId, names: &[String]) -> Result<Select<'q, Tag>> {
    if names.is_empty() {
        return Ok(all(organization));
    }
    let mut names: Vec<String> = names.iter().map(|name| folded(name)).collect();
    let merged = merged(tx, organization, &names).await?;
    names.extend(merged.into_iter().map(|it| it.into_folded));
    Ok(with_names(organization, &names))
}

/// The tags with these folded names.
fn with_names<'q>(organization: OrgId, names: &[String]) -> Select<'q, Tag> {
    let names = names.iter().map(|name| Value::from(name.clone())).collect();
    all(organization).filter(Filter::OneOf("name_folded", names))
}

/// The tags that are there.
fn all<'q>(organization: OrgId) -> Select<'q, Tag> {
    Select::of(organization, View::now())
}

/// The next tags, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Tag>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|tag| {
        let recorded = Recorded::of(subject(tag.id), &tag).made(Made::at(tag.created_date));
        Recorded { seq_from: Some(tag.seq_from), ..recorded }
    }))
}
