//! Who has acknowledged a document, and what a person has to acknowledge.

use std::collections::HashMap;

use db::Tx;
use domain::acknowledgement::{
    AcknowledgementStatus, Coverage, PersonCoverage, ToAcknowledge, Totals, sees_everybody,
};
use domain::person::Person;
use domain::{Actor, ActorKind, Error, Line, OrgId, ResourceKind, Scopes, UserId};
use jiff::Timestamp;
use macros::boxed;
use uuid::Uuid;

use super::known::Known;
use super::of::Of;
use super::pseudonyms::pseudonyms;
use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::ledger::page::Page;

/// Who is asked to acknowledge a document at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentCoverage {
    /// The owner of the document.
    pub owner: Option<UserId>,
    /// Everybody who is asked, by name and then by id. Who left long ago is shown by a pseudonym.
    pub people: Vec<PersonCoverage>,
    /// How many they are.
    pub totals: Totals,
    /// The moment.
    pub at: Timestamp,
}

/// Who is asked to acknowledge a document, and who has, now or at a moment in the past.
#[boxed]
pub async fn coverage(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    at: Option<Timestamp>,
) -> Result<DocumentCoverage> {
    let sql = "SELECT owner FROM document WHERE organization = $1 AND slug = $2";
    let found: Option<(Option<Uuid>,)> = tx.query_opt(sql, &[&organization.uuid(), &slug]).await?;
    let (owner,) = found.ok_or(Error::NotFound(ResourceKind::Document))?;
    let at = match at {
        Some(at) => at,
        None => now(tx, organization).await?,
    };
    let known = Known::read(tx, organization, Of::Document(slug)).await?;
    let pseudonyms = pseudonyms(tx, organization).await?;
    let mut people: Vec<PersonCoverage> = Vec::new();
    for document in &known.documents {
        let asked = known.people.iter().filter_map(|member| {
            let coverage = document.rule.coverage(&known.of_both(document, member), at);
            let status = coverage.status(at)?;
            let given = known.counting(document, member.person.id, &coverage);
            let paper =
                given.and_then(|it| Some((it.on_paper.clone()?, shown(&it.recorded_by, &pseudonyms))));
            let (on_paper, recorded_by) = paper.unzip();
            let sha256 = given.map(|it| it.sha256.clone());
            let (person, on_paper) = match pseudonyms.get(&member.person.id) {
                // The name of a file may be that of the person.
                Some(pseudonym) => (pseudonym, on_paper.map(|_| Line::stored(&pseudonym.name))),
                None => (&member.person, on_paper),
            };
            Some(PersonCoverage { person: person.clone(), status, coverage, sha256, on_paper, recorded_by })
        });
        people.extend(asked);
    }
    people.sort_by(|one, other| key(one).cmp(&key(other)));
    let totals = Totals::of(people.iter().map(|it| &it.coverage), at);
    Ok(DocumentCoverage { owner: owner.map(UserId), people, totals, at })
}

/// The name by which somebody is shown.
fn shown(actor: &Actor, pseudonyms: &HashMap<UserId, Person>) -> String {
    let pseudonym = actor.person().and_then(|id| pseudonyms.get(&id));
    pseudonym.map_or_else(|| actor.name.clone(), |it| it.name.clone())
}

/// The present: a write may have been given a time a little ahead of this machine's clock.
async fn now(tx: &mut Tx, organization: OrgId) -> Result<Timestamp> {
    let last = journal::head(tx, organization).await?.last_at;
    Ok(last.map_or(tx.at(), |last| last.max(tx.at())))
}

fn key(it: &PersonCoverage) -> (&str, UserId) {
    (&it.person.name, it.person.id)
}

impl DocumentCoverage {
    /// Up to `limit` of those who have one of these statuses, after a name and an id; everybody without any.
    pub fn page(
        &self,
        statuses: &[AcknowledgementStatus],
        after: Option<&(String, UserId)>,
        limit: i64,
    ) -> Page<PersonCoverage> {
        let is_later = |it: &&PersonCoverage| after.is_none_or(|(name, id)| key(it) > (name.as_str(), *id));
        let most = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
        Page::cut(self.with(statuses).filter(is_later).take(most).cloned().collect(), limit)
    }

    /// How many have one of these statuses; everybody without any.
    pub fn count(&self, statuses: &[AcknowledgementStatus]) -> i64 {
        i64::try_from(self.with(statuses).count()).unwrap_or(i64::MAX)
    }

    /// Those who have one of these statuses; everybody without any.
    pub fn with(&self, statuses: &[AcknowledgementStatus]) -> impl Iterator<Item = &PersonCoverage> {
        self.people.iter().filter(move |it| statuses.is_empty() || statuses.contains(&it.status))
    }

    /// What a caller sees of it: everybody or themselves. The totals stay.
    #[must_use]
    pub fn seen_by(mut self, caller: &Actor, scopes: Scopes) -> Self {
        if !sees_everybody(caller, scopes, self.owner) {
            self.people.retain(|it| caller.kind == ActorKind::User && caller.id == it.person.id.to_string());
        }
        self
    }
}

/// The latest version of a document that a person has acknowledged, whether that still counts or not.
#[boxed]
pub async fn last_acknowledged(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    person: UserId,
) -> Result<Option<i64>> {
    let sql = "SELECT MAX(document_version) FROM acknowledgement
        WHERE organization = $1 AND document = $2 AND person = $3";
    let (last,): (Option<i64>,) = tx.query_one(sql, &[&organization.uuid(), &slug, &person.uuid()]).await?;
    Ok(last)
}

/// What a person has to acknowledge now: what is due first comes first, and what has no date last.
#[boxed]
pub async fn to_acknowledge(tx: &mut Tx, organization: OrgId, person: UserId) -> Result<Vec<ToAcknowledge>> {
    let known = Known::read(tx, organization, Of::Person(person)).await?;
    if known.documents.is_empty() {
        return Ok(Vec::new());
    }
    let at = now(tx, organization).await?;
    let mut open = Vec::new();
    for (document, member) in
        known.documents.iter().flat_map(|document| known.people.iter().map(move |it| (document, it)))
    {
        let person = known.of_both(document, member);
        let coverage = document.rule.coverage(&person, at);
        let last = person.given.iter().map(|given| given.version).max();
        let Coverage::Open { asked, due } = coverage else { continue };
        open.push(ToAcknowledge {
            document: document.slug.clone(),
            title: document.title.clone(),
            document_version: document.rule.versions.last().map_or(0, |version| version.number),
            sha256: document.sha256.clone(),
            acknowledged_version: last,
            material_reason: document.reason_since(last),
            asked_date: asked,
            due_date: due,
            is_overdue: coverage.is_overdue(at),
        });
    }
    open.sort_by_key(ToAcknowledge::position);
    Ok(open)
}
