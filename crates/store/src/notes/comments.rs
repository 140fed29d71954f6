//! Comments on incidents, with the people whom they mention.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::{Tx, Value};
use domain::incident::{Incident, Viewer};
use domain::note::{Comment, CommentPatch, Mention, NewComment};
use domain::{Author, Error, ExpectedVersion, Faults, IncidentNumber, OrgId, UserId};
use jiff::Timestamp;
use macros::boxed;

pub use super::NoteId;
use super::{read, revisions, write};
use crate::error::Result;
use crate::list::{Direction, ListQuery, Position, Sort, SortColumn};
use crate::page::Page;
use crate::record::Stored;
use crate::view::{Deleted, View};
use crate::{part, people};

/// What a caller asks of the comments on an incident. There is nothing to filter by.
pub type CommentQuery = ListQuery<(), CommentSort>;

domain::words! {
    "CommentSort"
    /// What comments can be sorted by.
    pub enum CommentSort {
        /// When the comment was written.
        CreatedDate = "created_date",
    }
}

/// The first comment first.
impl Default for Sort<CommentSort> {
    fn default() -> Self {
        Self { by: CommentSort::CreatedDate, direction: Direction::Ascending }
    }
}

impl CommentSort {
    /// Numbers are in the order of writing.
    fn column(self) -> SortColumn {
        match self {
            Self::CreatedDate => SortColumn::key(),
        }
    }

    /// Where a comment stands in this order.
    pub fn position(self, comment: &Comment) -> Position {
        match self {
            Self::CreatedDate => Position::of_key(comment.note.number),
        }
    }
}

/// A comment or a page of them, with what else is shown of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithMentions<T> {
    /// The comment, or the page.
    pub value: T,
    /// The incident.
    pub incident: Incident,
    /// The people who are mentioned, by id.
    pub mentions: HashMap<UserId, Mention>,
}

/// Comments on an incident.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    incident: IncidentNumber,
    new: &NewComment,
) -> Result<WithMentions<Comment>> {
    let viewer = Viewer::of(author);
    let incident = read::incident(tx, organization, &viewer, incident, View::now()).await?;
    let mentions = people_of(tx, organization, new.mentions.iter().copied()).await?;
    let number = part::next_number::<Comment>(tx, organization, incident.number.number()).await?;
    let actor = author.actor.clone();
    let comment = new.write(incident.number, number, &members(&mentions), actor, tx.at())?;
    let value = write::add(tx, organization, author, comment).await?;
    Ok(WithMentions { value, incident, mentions })
}

/// One comment.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    view: View,
) -> Result<WithMentions<Comment>> {
    let (incident, value) = read::get::<Comment>(tx, organization, viewer, id, view).await?;
    let mentions = people_of(tx, organization, value.mentions.iter().copied()).await?;
    Ok(WithMentions { value, incident, mentions })
}

/// Up to `limit` comments of a list.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    incident: IncidentNumber,
    query: &CommentQuery,
    limit: i64,
) -> Result<WithMentions<Page<Comment>>> {
    let ListQuery { view, sort, after, .. } = query;
    let incident = read::incident(tx, organization, viewer, incident, *view).await?;
    let select = read::of_incident::<Comment>(organization, incident.number, *view);
    let select = select.sort(sort.by.column(), "number", sort.direction, after.as_ref());
    let value: Page<Comment> = select.page(tx, limit).await?.map(|Stored(comment)| comment);
    let mentions = people_of(tx, organization, value.rows.iter().flat_map(|it| it.mentions.clone())).await?;
    Ok(WithMentions { value, incident, mentions })
}

/// How many comments an incident has that the caller is known to see.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, incident: IncidentNumber, view: View) -> Result<i64> {
    read::of_incident::<Comment>(organization, incident, view).count(tx).await
}

/// Up to `limit` revisions of a comment, the first one first: those after the one that begins with the version `after`.
#[boxed]
pub async fn list_revisions(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    id: NoteId,
    after: Option<i64>,
    limit: i64,
) -> Result<(Page<Comment>, HashMap<UserId, Mention>)> {
    let page = revisions::list::<Comment>(tx, organization, viewer, id, after, limit).await?;
    let mentions = people_of(tx, organization, page.rows.iter().flat_map(|it| it.mentions.clone())).await?;
    Ok((page, mentions))
}

/// How many revisions a comment has that the caller is known to see.
#[boxed]
pub async fn count_revisions(tx: &mut Tx, organization: OrgId, id: NoteId) -> Result<i64> {
    revisions::count::<Comment>(tx, organization, id).await
}

/// Edits a comment, if it has an `expected` version. A patch that changes nothing is not journaled.
#[boxed]
pub async fn update(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
    patch: &CommentPatch,
) -> Result<WithMentions<Comment>> {
    let (incident, before) =
        write::find::<Comment>(tx, organization, author, id, expected, Deleted::Without).await?;
    let named = before.mentions.iter().chain(patch.mentions.iter().flatten()).copied();
    let mentions = people_of(tx, organization, named).await?;
    let after = patch.apply(&before, &members(&mentions), author, tx.at())?;
    let value = match after {
        Some(after) => write::replace(tx, organization, author, &before, after).await?,
        None => before,
    };
    Ok(WithMentions { value, incident, mentions })
}

/// What is wrong with a patch beside the comment as it is at `now`; nothing if there is no such comment. For a patch that
/// is refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    patch: &CommentPatch,
    now: Timestamp,
) -> Result<Faults> {
    let viewer = Viewer::of(author);
    let (_, before) = match read::get::<Comment>(tx, organization, &viewer, id, View::now()).await {
        Err(crate::Error(Error::NotFound(_))) => return Ok(Faults::new()),
        found => found?,
    };
    let mentions = people_of(tx, organization, patch.mentions.iter().flatten().copied()).await?;
    match patch.apply(&before, &members(&mentions), author, now) {
        Err(Error::Invalid(faults)) => Ok(faults),
        _ => Ok(Faults::new()),
    }
}

/// Deletes a comment softly, if it has an `expected` version. Only its author and holders of `incidents:delete` may.
#[boxed]
pub async fn delete(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<()> {
    write::delete::<Comment>(tx, organization, author, id, expected).await
}

/// Restores a deleted comment, if it has an `expected` version. One that is not deleted is not found.
#[boxed]
pub async fn restore(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    id: NoteId,
    expected: &ExpectedVersion,
) -> Result<WithMentions<Comment>> {
    let (incident, value) = write::restore::<Comment>(tx, organization, author, id, expected).await?;
    let mentions = people_of(tx, organization, value.mentions.iter().copied()).await?;
    Ok(WithMentions { value, incident, mentions })
}

/// These people as mentions; those who were never members are left out.
async fn people_of(
    tx: &mut Tx,
    organization: OrgId,
    ids: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, Mention>> {
    let ids: HashSet<UserId> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let people = people::with_roles(tx, organization, ids).await?;
    Ok(people.into_iter().map(|(id, (person, role))| (id, Mention { person, role })).collect())
}

/// Those of them who are members.
fn members(mentions: &HashMap<UserId, Mention>) -> BTreeSet<UserId> {
    mentions.iter().filter(|(_, mention)| mention.role.is_some()).map(|(id, _)| *id).collect()
}

/// Up to `limit` comments on an incident in the order of writing, after the one with this number, for its timeline.
pub(crate) async fn of_timeline(
    tx: &mut Tx,
    organization: OrgId,
    incident: IncidentNumber,
    direction: Direction,
    after: Option<i64>,
    limit: i64,
) -> Result<Page<Comment>> {
    let select = read::of_incident::<Comment>(organization, incident, View::now());
    let select = select.order(&["number"], direction, after.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|Stored(comment)| comment))
}
