//! Organizations. Their own entries stand in the instance's chain.

use db::{Param, Tx};
use domain::decision::FourEyes;
use domain::organization::{
    DEFAULT_TRASH_DAYS, Organization, OrganizationPatch, named_zone, numbered_slug, suggested_slug,
};
use domain::{Author, Error, ExpectedVersion, FaultCode, Faults, OrgId, ResourceKind, UserId};
use jiff::tz::TimeZone;
use macros::boxed;
use uuid::Uuid;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Subject};
use crate::ledger::list::{Direction, Select};
use crate::ledger::record::{self, Stored, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;

record! {
    Organization in "organization" of Instance {
        id: Plain => Key,
        name: Plain => Journaled,
        slug: Plain => Journaled,
        former_slugs: AList => Journaled,
        trash_days: Plain => Journaled,
        time_zone: Plain => Journaled,
        four_eyes: Plain => Journaled,
        pseudonym_days: Plain => Journaled,
        created_date: Plain => Fixed,
        version: Plain => Counted,
    }
}

/// Makes an organization and its head; its name suggests its slug. For [`db::Db::write_instance`].
#[boxed]
pub async fn create(tx: &mut Tx, author: &Author, name: &str) -> Result<Organization> {
    let id = OrgId(tx.uuid());
    let slug = free_slug(tx, &suggested_slug(name)).await?;
    let organization = Organization {
        id,
        name: name.to_owned(),
        slug,
        former_slugs: Vec::new(),
        trash_days: DEFAULT_TRASH_DAYS,
        time_zone: None,
        four_eyes: true,
        pseudonym_days: None,
        created_date: tx.at(),
        version: 1,
    };
    tx.create_head(id).await?;
    let payload = record::changes(None, &organization);
    journal::append(tx, OrgId::INSTANCE, author, "organization.created", subject(id), payload).await?;
    record::insert(tx, OrgId::INSTANCE, &organization).await?;
    Ok(organization)
}

/// Changes an organization by a merge patch, if there is one and it has an `expected` version, and journals it in the
/// instance's chain and in its own. A patch that changes nothing is not journaled. For [`db::Db::write_instance`].
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    expected: &ExpectedVersion,
    patch: &OrganizationPatch,
) -> Result<Organization> {
    tx.lock_head(organization).await?;
    let before = existing(tx, organization).await?;
    expected.check(before.version)?;
    let Some(after) = before.patched(patch) else { return Ok(before) };
    if after.slug != before.slug
        && slug_owner(tx, &after.slug).await?.is_some_and(|owner| owner != organization)
    {
        let mut faults = Faults::new();
        faults.add("#/slug", FaultCode::Duplicate, "belongs to another organization");
        return Err(Error::Invalid(faults).into());
    }
    record::replace(tx, OrgId::INSTANCE, &after).await?;
    if before.pseudonym_days.is_none() && after.pseudonym_days.is_some() {
        // It stays for good, so that a person keeps the pseudonym.
        let key = tx.random::<32>();
        let sql = "UPDATE organization SET pseudonym_key = COALESCE(pseudonym_key, $2) WHERE id = $1";
        tx.send(sql, &[&organization.uuid(), &key.as_slice()]).await?;
    }
    let kind = match after.four_eyes == before.four_eyes {
        true => "organization.updated",
        false => "organization.four_eyes_changed",
    };
    for chain in [OrgId::INSTANCE, organization] {
        let payload = record::changes(Some(&before), &after);
        journal::append(tx, chain, author, kind, subject(organization), payload).await?;
    }
    Ok(after)
}

/// Whether authors may not approve, and those may not decide who have asked.
pub(crate) async fn has_four_eyes(tx: &mut Tx, organization: OrgId) -> Result<bool> {
    let sql = "SELECT four_eyes FROM organization WHERE id = $1";
    let (four_eyes,): (bool,) = tx.query_one(sql, &[&organization.uuid()]).await?;
    Ok(four_eyes)
}

/// What four eyes need to know of people who decide, or in whose place somebody does: whether they are off, and the clients that
/// these people have created.
#[boxed]
pub async fn four_eyes(tx: &mut Tx, organization: OrgId, people: &[UserId]) -> Result<FourEyes> {
    let sql = format!(
        "SELECT organization.four_eyes, client.id, client.created_by_id FROM organization
         LEFT JOIN client ON client.organization = organization.id AND client.created_by_kind = 'user'
              AND client.created_by_id IN (SELECT wanted.item FROM {})
         WHERE organization.id = $1",
        wanted_texts(tx.engine(), "$2")
    );
    let people: Vec<String> = people.iter().map(UserId::to_string).collect();
    let params: [&dyn Param; 2] = [&organization.uuid(), &serde_json::json!(people).to_string()];
    let rows: Vec<(bool, Option<String>, Option<String>)> = tx.query(&sql, &params).await?;
    let is_off = rows.first().is_some_and(|(is_on, ..)| !is_on);
    let creator = |(_, client, person): (bool, Option<String>, Option<String>)| {
        Some((client?, person.as_deref().and_then(UserId::parse)?))
    };
    Ok(FourEyes { is_off, creators: rows.into_iter().filter_map(creator).collect() })
}

/// The time zone that decides an organization's days.
pub(crate) async fn time_zone(tx: &mut Tx, organization: OrgId) -> Result<TimeZone> {
    let sql = "SELECT time_zone FROM organization WHERE id = $1";
    let found: Option<(Option<String>,)> = tx.query_opt(sql, &[&organization.uuid()]).await?;
    Ok(named_zone(found.and_then(|(zone,)| zone).as_deref()))
}

/// The first numbered form of a suggested slug that no organization has or had. The head of the instance is locked, so
/// two organizations cannot get the same.
async fn free_slug(tx: &mut Tx, suggested: &str) -> Result<String> {
    let mut count = 1;
    loop {
        let slug = numbered_slug(suggested, count);
        if slug_owner(tx, &slug).await?.is_none() {
            return Ok(slug);
        }
        count += 1;
    }
}

/// The organization that has or had this slug.
async fn slug_owner(tx: &mut Tx, slug: &str) -> Result<Option<OrgId>> {
    // Slugs are letters, digits and hyphens, so none is a pattern. Every organization is looked at only when one is
    // made or gets another slug.
    let sql = "SELECT id FROM organization
               WHERE slug = $1 OR ' ' || former_slugs || ' ' LIKE '% ' || $1 || ' %' LIMIT 1";
    let row: Option<(Uuid,)> = tx.query_opt(sql, &[&slug]).await?;
    Ok(row.map(|(id,)| OrgId(id)))
}

fn subject(id: OrgId) -> Subject {
    Subject::new("organization", id.to_string())
}

/// One organization.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId) -> Result<Option<Organization>> {
    record::find(tx, OrgId::INSTANCE, &[organization.uuid().into()]).await
}

/// One organization, which must exist.
async fn existing(tx: &mut Tx, organization: OrgId) -> Result<Organization> {
    Ok(get(tx, organization).await?.ok_or(Error::NotFound(ResourceKind::Organization))?)
}

/// Every organization, by name, for the operator.
#[boxed]
pub async fn list(tx: &mut Tx) -> Result<Vec<Organization>> {
    let select = Select::<Organization>::of(OrgId::INSTANCE, View::with_deleted());
    let rows = select.order(&["name", "id"], Direction::Ascending, []).all(tx).await?;
    Ok(rows.into_iter().map(|Stored(organization)| organization).collect())
}

/// Organizations that are read at a time.
const PAGE: i64 = 200;

/// The next organizations, as they are held against the instance's journal.
pub(crate) async fn recorded(tx: &mut Tx, instance: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<Organization>::read(tx, instance, after, PAGE).await?;
    Ok(page.map(|found| Recorded::of(subject(found.id), &found).made(Made::at(found.created_date))))
}
