//! The people whom notes mention.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::Tx;
use domain::incident::Incident;
use domain::note::Mention;
use domain::{OrgId, UserId};

use crate::ledger::error::Result;
use crate::people;

/// A note or a page of them, with what else is shown of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithMentions<T> {
    /// The note, or the page.
    pub value: T,
    /// The incident.
    pub incident: Incident,
    /// The people who are mentioned, by id.
    pub mentions: HashMap<UserId, Mention>,
}

/// These people as mentions; those who were never members are left out.
pub(super) async fn people_of(
    tx: &mut Tx,
    organization: OrgId,
    ids: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, Mention>> {
    let ids: HashSet<UserId> = ids.into_iter().collect();
    match ids.is_empty() {
        true => Ok(HashMap::new()),
        false => mentioned(tx, organization, ids).await,
    }
}

/// The same by one statement, also for nobody.
pub(super) async fn mentioned(
    tx: &mut Tx,
    organization: OrgId,
    ids: HashSet<UserId>,
) -> Result<HashMap<UserId, Mention>> {
    let people = people::with_scopes(tx, organization, ids).await?;
    Ok(people.into_iter().map(|(id, (person, scopes))| (id, Mention { person, scopes })).collect())
}

/// Those of them who are members.
pub(super) fn members(mentions: &HashMap<UserId, Mention>) -> BTreeSet<UserId> {
    mentions.iter().filter(|(_, mention)| mention.scopes.is_some()).map(|(id, _)| *id).collect()
}
