//! Saved views of lists. To a caller exist the shared ones and their own: [`ViewReader`] has the rule.

use db::{Tx, Value};
use domain::saved_view::{MAX_PER_OWNER, NewSavedView, SavedView, SavedViewPatch, ViewReader, ViewedList};
use domain::text::folded;
use domain::{
    Actor, Author, Error, ErrorCode, ExpectedVersion, Faults, OrgId, ResourceKind, SavedViewId, Scopes,
};
use macros::boxed;

use crate::ledger::error::{Result, if_found};
use crate::ledger::journal::{self, Payload, Subject};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded};
use crate::ledger::view::View;

record! {
    SavedView in "saved_view" {
        id: Plain => Key,
        list: AWord => Journaled,
        name: Folded => Journaled,
        filter: AViewFilter => Journaled,
        sort: Plain => Journaled,
        shared: Plain => Journaled,
        owner: AnActor => Fixed,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
}

/// The kind of entry about a view that was deleted. Its row is gone.
pub(crate) const DELETED: &str = "view.deleted";

/// Views that are compared with the journal at a time.
const PAGE: i64 = 1_000;

/// The order of views: by name, without regard to case.
const ORDER: &[&str] = &["name_folded", "id"];

/// Which views a list has. What is empty lets every view through that exists to the caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedViewFilter {
    /// Views of one of these lists.
    pub list: Vec<ViewedList>,
    /// Whether they are shared.
    pub shared: Option<bool>,
}

/// What the reader of the list's parameters finds wrong with a view. The parameters are those of HTTP, so the rules are
/// those of its reader.
pub type Check = fn(&SavedView) -> Faults;

/// Saves a view of the author, who must read its list, and to share it change the records of the list.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewSavedView,
) -> Result<SavedView> {
    let mut view = new.create(SavedViewId(tx.uuid()), &author.actor, tx.at());
    require(author, &view)?;
    if of_owner(organization, &author.actor).count(tx).await? >= MAX_PER_OWNER {
        return Err(Error::Conflict(ErrorCode::TooManyViews).into());
    }
    let payload = record::changes(None, &view);
    view.seq_from =
        journal::append(tx, organization, author, "view.created", subject(view.id), payload).await?;
    if !record::insert_unless_taken(tx, organization, &view).await? {
        return Err(name_taken().into());
    }
    Ok(view)
}

/// Changes a view by a merge patch, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: SavedViewId,
    expected: &ExpectedVersion,
    patch: &SavedViewPatch,
    check: Check,
) -> Result<SavedView> {
    let before = get(tx, organization, &ViewReader::of(author), id).await?;
    require(author, &before)?;
    expected.check(before.version)?;
    let Some(mut after) = patch.apply(&before, tx.at()) else { return Ok(before) };
    require(author, &after)?;
    check(&after).or(())?;
    if folded(&after.name) != folded(&before.name) {
        let name = Filter::is("name_folded", folded(&after.name).into());
        let list = Filter::is("list", after.list.as_str().into());
        if of_owner(organization, &after.owner).filters([name, list]).count(tx).await? > 0 {
            return Err(name_taken().into());
        }
    }
    let payload = record::changes(Some(&before), &after);
    after.seq_from = journal::append(tx, organization, author, "view.updated", subject(id), payload).await?;
    record::replace(tx, organization, &after).await?;
    Ok(after)
}

/// Deletes a view for good, if it has an `expected` version.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: SavedViewId,
    expected: &ExpectedVersion,
) -> Result<()> {
    let view = get(tx, organization, &ViewReader::of(author), id).await?;
    require(author, &view)?;
    expected.check(view.version)?;
    record::delete::<SavedView>(tx, organization, &[id.uuid().into()]).await?;
    let payload = Payload::new().gone("name", &view.name);
    journal::append(tx, organization, author, DELETED, subject(id), payload).await?;
    Ok(())
}

/// What is wrong with a patch beside the view as it is; nothing if there is no such view to the caller. For a patch that is
/// refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    reader: &ViewReader,
    id: SavedViewId,
    patch: &SavedViewPatch,
    check: Check,
) -> Result<Faults> {
    let Some(before) = if_found(get(tx, organization, reader, id).await)? else { return Ok(Faults::new()) };
    Ok(patch.apply(&before, before.updated_date).map(|after| check(&after)).unwrap_or_default())
}

/// One view that exists to the caller.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    reader: &ViewReader,
    id: SavedViewId,
) -> Result<SavedView> {
    let by_id = Filter::is("id", id.uuid().into());
    let found = seen(organization, reader, &SavedViewFilter::default()).filter(by_id).one(tx).await?;
    let Stored(view) = found.ok_or(Error::NotFound(ResourceKind::SavedView))?;
    Ok(view)
}

/// Up to `limit` views that exist to the caller by name, without regard to case: those after the one with this name and id.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    reader: &ViewReader,
    filter: &SavedViewFilter,
    after: Option<(&str, SavedViewId)>,
    limit: i64,
) -> Result<Page<SavedView>> {
    let after = after.into_iter().flat_map(|(name, id)| [Value::from(folded(name)), id.uuid().into()]);
    let select = seen(organization, reader, filter).order(ORDER, Direction::Ascending, after);
    Ok(select.page(tx, limit).await?.map(|Stored(view)| view))
}

/// How many views a list has on all its pages.
#[boxed]
pub async fn count(
    tx: &mut Tx,
    organization: OrgId,
    reader: &ViewReader,
    filter: &SavedViewFilter,
) -> Result<i64> {
    seen(organization, reader, filter).count(tx).await
}

fn seen<'q>(organization: OrgId, reader: &'q ViewReader, filter: &SavedViewFilter) -> Select<'q, SavedView> {
    let readable = reader.lists.iter().map(|list| list.as_str().into()).collect();
    let shared = filter.shared.map(|shared| Filter::is("shared", Value::Bool(shared)));
    all(organization)
        .filter(Filter::OneOf("list", readable))
        .filter(Filter::SharedOrOf(&reader.actor))
        .filters(Filter::words("list", &filter.list))
        .filters(shared)
}

fn of_owner<'q>(organization: OrgId, owner: &'q Actor) -> Select<'q, SavedView> {
    let kind = Filter::is("owner_kind", owner.kind.as_str().into());
    all(organization).filter(kind).filter(Filter::is("owner_id", owner.id.as_str().into()))
}

fn all<'q>(organization: OrgId) -> Select<'q, SavedView> {
    Select::of(organization, View::with_deleted())
}

/// Refuses an author who does not read the view's list, or may not change what others see. A repetition of the request
/// needs the same scopes.
fn require(author: &Author, view: &SavedView) -> Result<()> {
    let (scopes, reading) = (author.scopes(), view.list.read_scopes());
    scopes.require_any(reading)?;
    let held: Scopes = reading.iter().copied().filter(|scope| scopes.has(*scope)).take(1).collect();
    let required = view.required_scopes().union(held);
    author.permissions.note_required(required);
    Ok(scopes.require_all(required)?)
}

fn name_taken() -> Error {
    Error::Conflict(ErrorCode::NameTaken)
}

/// The subject of a view's entries.
fn subject(id: SavedViewId) -> Subject {
    Subject::new("view", id.to_string())
}

/// The next views, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<SavedView>::read(tx, organization, after, PAGE).await?;
    Ok(page.map(|view| {
        let recorded = Recorded::of(subject(view.id), &view).made(Made::by(view.created_date, &view.owner));
        Recorded { seq_from: Some(view.seq_from), ..recorded }
    }))
}
