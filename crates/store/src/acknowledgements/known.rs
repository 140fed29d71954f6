//! What is known of documents and people, for the rule of who is covered. The number of statements does not grow with the
//! number of people.

use std::collections::HashMap;

use db::Tx;
use domain::acknowledgement::{
    AcknowledgedDocument, Acknowledgement, AcknowledgementRequest, AskedPeople, Coverage, Given, Interval,
    PersonOfDocument, PublishedVersion, RequestOfPerson, Stay,
};
use domain::{GroupId, OrgId, Reason, UserId};
use jiff::Timestamp;
use uuid::Uuid;

use super::changes::changes;
use super::of::{Of, query};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::record::Stored;
use crate::ledger::view::View;
use crate::people::{self, MemberHistory};

/// A document, with its newest version.
pub(super) struct KnownDocument {
    pub(super) slug: String,
    pub(super) title: String,
    pub(super) rule: AcknowledgedDocument,
    /// The SHA-256 of the newest version's text.
    pub(super) sha256: String,
    /// Its material versions with the reasons, the latest last.
    pub(super) material: Vec<(i64, Option<Reason>)>,
}

impl KnownDocument {
    /// The latest reason that is given for a material version after this one.
    pub(super) fn reason_since(&self, version: Option<i64>) -> Option<Reason> {
        let since = self.material.iter().rev().take_while(|(number, _)| Some(*number) > version);
        since.filter_map(|(_, reason)| reason.clone()).find(|reason| !reason.is_empty())
    }
}

/// What is known.
#[derive(Default)]
pub(super) struct Known {
    pub(super) documents: Vec<KnownDocument>,
    pub(super) people: Vec<MemberHistory>,
    requests: HashMap<String, Vec<AcknowledgementRequest>>,
    groups: HashMap<(GroupId, UserId), Vec<Stay>>,
    given: Acknowledgements,
}

/// The acknowledgements of each document and person.
type Acknowledgements = HashMap<(String, UserId), Vec<Acknowledgement>>;

impl Known {
    pub(super) async fn read(tx: &mut Tx, organization: OrgId, of: Of<'_>) -> Result<Self> {
        let mut documents = documents(tx, organization, of).await?;
        if documents.is_empty() {
            return Ok(Self::default());
        }
        for (slug, at, changed) in changes(tx, organization, of).await? {
            let document = documents.iter_mut().find(|document| document.slug == slug);
            document.into_iter().for_each(|it| changed.note(at, &mut it.rule));
        }
        let person = if let Of::Person(person) = of { Some(person) } else { None };
        Ok(Self {
            documents,
            people: people::histories(tx, organization, person).await?,
            requests: requests(tx, organization, of).await?,
            groups: groups(tx, organization, of).await?,
            given: given(tx, organization, of).await?,
        })
    }

    /// What is known of a person and a document.
    pub(super) fn of_both(&self, document: &KnownDocument, member: &MemberHistory) -> PersonOfDocument {
        let memberships = member.memberships();
        let id = member.person.id;
        let requests = self.requests.get(&document.slug).into_iter().flatten();
        let requests = requests.map(|request| {
            let stays = match request.who {
                AskedPeople::All => memberships.clone(),
                AskedPeople::Users if request.users.contains(&id) => memberships.clone(),
                AskedPeople::Users => Vec::new(),
                AskedPeople::Role => request.role.map(|role| member.with_role(role)).unwrap_or_default(),
                AskedPeople::Group => {
                    let stays = request.group.and_then(|group| self.groups.get(&(group, id)));
                    stays.cloned().unwrap_or_default()
                }
            };
            let stays = until(stays, request.ended_date);
            RequestOfPerson { at: request.created_date, due_days: request.due_days, stays }
        });
        PersonOfDocument {
            requests: requests.collect(),
            activations: member.activations(),
            given: self.acknowledgements(document, id).map(given_by).collect(),
            memberships,
        }
    }

    fn acknowledgements(
        &self,
        document: &KnownDocument,
        person: UserId,
    ) -> impl Iterator<Item = &Acknowledgement> {
        self.given.get(&(document.slug.clone(), person)).into_iter().flatten()
    }

    /// A person's acknowledgement that counts.
    pub(super) fn counting(
        &self,
        document: &KnownDocument,
        person: UserId,
        coverage: &Coverage,
    ) -> Option<&Acknowledgement> {
        let by = coverage.given()?;
        self.acknowledgements(document, person).find(|it| given_by(it) == by)
    }
}

fn given_by(it: &Acknowledgement) -> Given {
    Given { version: it.document_version, at: it.created_date }
}

/// The same stays, which end when a request does.
fn until(stays: Vec<Stay>, end: Option<Timestamp>) -> Vec<Stay> {
    let Some(end) = end else { return stays };
    let begun = stays.into_iter().filter(|stay| stay.from < end);
    begun.map(|stay| Stay { until: Some(stay.until.map_or(end, |until| until.min(end))), ..stay }).collect()
}

type VersionRow = (String, String, Option<i64>, i64, bool, Option<String>, Timestamp, String);

/// The documents, each with its present interval only.
async fn documents(tx: &mut Tx, organization: OrgId, of: Of<'_>) -> Result<Vec<KnownDocument>> {
    let sql = format!(
        "SELECT d.slug, d.title, d.acknowledge_every_days,
                version.number, version.is_material, version.material_reason, version.approved_date, version.sha256
         FROM document AS d JOIN document_version AS version
             ON version.organization = d.organization AND version.document = d.slug
         WHERE d.organization = $1{} AND d.slug IN
             (SELECT request.document FROM acknowledgement_request AS request WHERE request.organization = $1)
         ORDER BY d.slug, version.number",
        of.condition("d.slug", "")
    );
    let rows: Vec<VersionRow> = query(tx, organization, of, &sql).await?;
    let mut documents: Vec<KnownDocument> = Vec::new();
    for (slug, title, days, number, is_material, reason, at, sha256) in rows {
        if documents.last().is_none_or(|last| last.slug != slug) {
            let intervals = vec![Interval { from: Timestamp::MIN, days }];
            let rule = AcknowledgedDocument { intervals, ..AcknowledgedDocument::default() };
            documents.push(KnownDocument { slug, title, rule, sha256: String::new(), material: Vec::new() });
        }
        if let Some(document) = documents.last_mut() {
            document.rule.versions.push(PublishedVersion { number, is_material, at });
            document.sha256 = sha256;
            if is_material {
                document.material.push((number, reason.map(Reason::stored)));
            }
        }
    }
    Ok(documents)
}

async fn requests(
    tx: &mut Tx,
    organization: OrgId,
    of: Of<'_>,
) -> Result<HashMap<String, Vec<AcknowledgementRequest>>> {
    let select = Select::<AcknowledgementRequest>::of(organization, View::with_deleted());
    let select = match of {
        Of::Document(slug) => select.filter(Filter::is("document", slug.into())),
        Of::Person(_) => select,
    };
    let mut requests: HashMap<_, Vec<_>> = HashMap::new();
    for Stored(request) in select.all::<Stored<AcknowledgementRequest>>(tx).await? {
        requests.entry(request.document.clone()).or_default().push(request);
    }
    Ok(requests)
}

/// Who was when in the groups that requests mean. Times are those of the entries.
async fn groups(
    tx: &mut Tx,
    organization: OrgId,
    of: Of<'_>,
) -> Result<HashMap<(GroupId, UserId), Vec<Stay>>> {
    let sql = format!(
        "SELECT r.member_group, r.person, began.at, ended.at FROM group_member AS r
         JOIN journal_entry AS began ON began.organization = r.organization AND began.seq = r.seq_from
         LEFT JOIN journal_entry AS ended ON ended.organization = r.organization AND ended.seq = r.seq_to
         WHERE r.organization = $1{} AND r.member_group IN
             (SELECT request.member_group FROM acknowledgement_request AS request
              WHERE request.organization = $1{} AND request.member_group IS NOT NULL)
         ORDER BY r.member_group, r.person, r.seq_from",
        of.condition("", "r.person"),
        of.condition("request.document", "")
    );
    let rows: Vec<(Uuid, Uuid, Timestamp, Option<Timestamp>)> = query(tx, organization, of, &sql).await?;
    let mut stays: HashMap<_, Vec<_>> = HashMap::new();
    for (group, person, from, until) in rows {
        stays.entry((GroupId(group), UserId(person))).or_default().push(Stay { from, until });
    }
    Ok(stays)
}

async fn given(tx: &mut Tx, organization: OrgId, of: Of<'_>) -> Result<Acknowledgements> {
    let filter = match of {
        Of::Document(slug) => Filter::is("document", slug.into()),
        Of::Person(person) => Filter::is("person", person.uuid().into()),
    };
    // Ids are made in the order of time.
    let select = Select::<Acknowledgement>::of(organization, View::with_deleted()).filter(filter);
    let select = select.order(&["id"], Direction::Ascending, []);
    let mut given: HashMap<_, Vec<_>> = HashMap::new();
    for Stored(it) in select.all::<Stored<Acknowledgement>>(tx).await? {
        given.entry((it.document.clone(), it.person)).or_default().push(it);
    }
    Ok(given)
}
