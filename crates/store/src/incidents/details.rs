//! What is shown of an incident beside its own columns: its readers by name, its tags, and its spells.

use std::collections::{HashMap, HashSet};

use db::Tx;
use domain::incident::{Incident, Spell, Viewer};
use domain::person::Person;
use domain::tag::TagLabel;
use domain::{IncidentNumber, OrgId, UserId};
use macros::boxed;

use super::read;
use super::spells::spells;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::people;

/// An incident as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncidentDetails {
    /// The record. `duplicate_of` is empty if the caller does not see that incident.
    pub incident: Incident,
    /// Its readers.
    pub readers: Vec<Person>,
    /// Its tags, by name.
    pub tags: Vec<TagLabel>,
    /// What stood before each step back, the first one first; none in a list.
    pub spells: Option<Vec<Spell>>,
}

impl IncidentDetails {
    /// An incident that was declared in this write: it has no readers or spells yet. Only its tags are read, if it has any.
    pub async fn declared(
        tx: &mut Tx,
        organization: OrgId,
        incident: Incident,
        has_tags: bool,
    ) -> Result<Self> {
        let number = incident.number.number();
        let mut tags = match has_tags {
            true => TAGS.labels(tx, organization, [number], None).await?,
            false => HashMap::new(),
        };
        let tags = tags.remove(&number).unwrap_or_default();
        Ok(Self { incident, readers: Vec::new(), tags, spells: Some(Vec::new()) })
    }
}

/// One incident that was read in this view.
#[boxed]
pub async fn details(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    view: View,
    incident: Incident,
) -> Result<IncidentDetails> {
    let mut spells = spells(tx, organization, &incident).await?;
    let originals: Vec<i64> =
        spells.iter().filter_map(|it| it.duplicate_of).map(IncidentNumber::number).collect();
    if !originals.is_empty() {
        let unseen = read::unseen(tx, organization, viewer, &originals).await?;
        for spell in &mut spells {
            spell.duplicate_of = spell.duplicate_of.filter(|number| !unseen.contains(&number.number()));
        }
    }
    let mut all = details_of_all(tx, organization, viewer, view, vec![incident]).await?;
    let details = all.pop().ok_or_else(|| domain::Error::Internal("an incident is gone".to_owned()))?;
    Ok(IncidentDetails { spells: Some(spells), ..details })
}

/// The incidents of a list in this view.
#[boxed]
pub async fn details_of_all(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    view: View,
    incidents: Vec<Incident>,
) -> Result<Vec<IncidentDetails>> {
    let readers: HashSet<UserId> = incidents.iter().flat_map(|it| it.readers.iter().copied()).collect();
    let people = people::named(tx, organization, readers.into_iter().collect()).await?;
    let originals: Vec<i64> =
        incidents.iter().filter_map(|it| it.duplicate_of).map(IncidentNumber::number).collect();
    let unseen = match originals.is_empty() {
        true => HashSet::new(),
        false => read::unseen(tx, organization, viewer, &originals).await?,
    };
    let mut tags = match incidents.is_empty() {
        true => HashMap::new(),
        false => {
            let numbers = incidents.iter().map(|it| it.number.number());
            TAGS.labels(tx, organization, numbers, view.as_of_seq).await?
        }
    };
    let details = incidents.into_iter().map(|mut incident| {
        incident.duplicate_of = incident.duplicate_of.filter(|number| !unseen.contains(&number.number()));
        let readers = incident.readers.iter().filter_map(|id| people.get(id).cloned()).collect();
        let tags = tags.remove(&incident.number.number()).unwrap_or_default();
        IncidentDetails { incident, readers, tags, spells: None }
    });
    Ok(details.collect())
}
