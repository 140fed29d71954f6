//! Approvals of proposals, and what is known of the people who give them.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::Tx;
use domain::document::{ApprovalFacts, ApprovalStep, ChangeSet, GivenApproval, Proposal};
use domain::person::{Member, Person};
use domain::{Actor, ActorKind, GroupId, OrgId, Role, Scope, UserId};
use macros::boxed;
use serde_json::json;
use uuid::Uuid;

use super::ProposalRow;
use crate::ledger::dialect::{among_ids, ids_parameter, numbers_parameter, wanted_numbers, wanted_texts};
use crate::ledger::error::Result;
use crate::ledger::journal::Payload;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{Record as _, Stored, record};
use crate::ledger::view::View;
use crate::organizations;
use crate::people::{self, MemberFilter};

/// So many members are looked at for who can act next.
const MEMBERS: i64 = 1_000;

record! {
    GivenApproval in "proposal_approval" {
        proposal: Plain => Key,
        number: Plain => Key,
        steps: AList => Fixed,
        by: AnActor => Fixed,
        job_title: Plain => Fixed,
        on_behalf_of: APerson => Fixed,
        at: Plain => Fixed,
        sha256: Plain => Fixed,
        note: Plain => Fixed,
        decided_by: Plain => Fixed,
        decided_date: Plain => Fixed,
        minutes: Plain => Fixed,
        is_void: Plain => Counted,
    }
}

/// The approvals of these proposals, in the order in which they were given.
pub(super) async fn given(
    tx: &mut Tx,
    organization: OrgId,
    proposals: impl IntoIterator<Item = i64>,
) -> Result<Vec<GivenApproval>> {
    // Each once: the join has a row for each that is sent.
    let numbers: BTreeSet<i64> = proposals.into_iter().collect();
    let statements = GivenApproval::statements();
    let sql = format!(
        "SELECT {} FROM {} CROSS JOIN proposal_approval AS r{}
         WHERE r.organization = $1 AND r.proposal = wanted.number ORDER BY r.proposal, r.number",
        statements.columns,
        wanted_numbers(tx.engine()),
        statements.joins
    );
    let rows: Vec<Stored<GivenApproval>> =
        tx.query(&sql, &[&organization.uuid(), &numbers_parameter(numbers)]).await?;
    Ok(rows.into_iter().map(|Stored::<GivenApproval>(approval)| approval).collect())
}

/// The proposals with these numbers, by number, with their steps and what was approved in each.
#[boxed]
pub async fn with_approvals(
    tx: &mut Tx,
    organization: OrgId,
    proposals: &[i64],
) -> Result<HashMap<i64, Proposal>> {
    if proposals.is_empty() {
        return Ok(HashMap::new());
    }
    let of_these = Filter::among(tx.engine(), proposals.iter().copied());
    let approvals = given(tx, organization, proposals.iter().copied()).await?;
    let select = Select::<ProposalRow>::of(organization, View::with_deleted()).filter(of_these);
    let rows = select.all(tx).await?;
    let rows: Vec<Proposal> = rows.into_iter().map(|Stored::<ProposalRow>(row)| row.proposal()).collect();
    let steps: Vec<_> = rows.iter().flat_map(|it| it.approval_steps.clone()).collect();
    let replaced = replaced(tx, organization, &steps).await?;
    let facts = ApprovalFacts { replaced, ..ApprovalFacts::default() };
    let proposals = rows.into_iter().map(|it| {
        let of_it: Vec<_> = approvals.iter().filter(|given| given.proposal == it.number).cloned().collect();
        let steps = it.steps_with(&of_it, &facts);
        (it.number, Proposal { steps, ..it })
    });
    Ok(proposals.collect())
}

/// The people of whom one approves in the place of the other in these steps.
pub(super) async fn replaced(
    tx: &mut Tx,
    organization: OrgId,
    steps: &[ApprovalStep],
) -> Result<HashMap<UserId, Person>> {
    let replacements = steps.iter().flat_map(|step| &step.replacements);
    let people = replacements.flat_map(|it| [it.person, it.replacement]).collect();
    people::named(tx, organization, people).await
}

/// Those of these submitted proposals whose pending step waits for a person. Of their authors only that person is known.
pub(super) async fn waiting_for(
    tx: &mut Tx,
    organization: OrgId,
    person: &Actor,
    proposals: &[i64],
) -> Result<HashSet<i64>> {
    let Some(person) = UserId::parse(&person.id).filter(|_| !proposals.is_empty()) else {
        return Ok(HashSet::new());
    };
    let of_these = Filter::among(tx.engine(), proposals.iter().copied());
    let select = Select::<ProposalRow>::of(organization, View::with_deleted()).filter(of_these);
    let rows = select.all(tx).await?;
    let rows: Vec<Proposal> = rows.into_iter().map(|Stored::<ProposalRow>(row)| row.proposal()).collect();
    let approvals = given(tx, organization, proposals.iter().copied()).await?;
    let steps: Vec<_> = rows.iter().flat_map(|it| it.approval_steps.clone()).collect();
    let facts = facts(tx, organization, &[], &steps).await?;
    let waits = rows.into_iter().filter_map(|it| {
        let of_it: Vec<_> = approvals.iter().filter(|given| given.proposal == it.number).cloned().collect();
        let steps = it.steps_with(&of_it, &facts);
        Proposal { steps, ..it }.waits_for(person, &facts).then_some(it.number)
    });
    Ok(waits.collect())
}

/// What approvals of a proposal with these change sets and steps depend on.
pub(super) async fn facts(
    tx: &mut Tx,
    organization: OrgId,
    change_sets: &[ChangeSet],
    steps: &[ApprovalStep],
) -> Result<ApprovalFacts> {
    let clients = clients(change_sets);
    let creators = match clients.is_empty() {
        true => HashMap::new(),
        false => creators(tx, organization, &clients).await?,
    };
    let groups = group_ids(steps);
    let groups = match groups.is_empty() {
        true => HashMap::new(),
        false => group_members(tx, organization, groups).await?,
    };
    Ok(ApprovalFacts {
        creators: creators.into_values().collect(),
        groups,
        ..common(tx, organization).await?
    })
}

/// What approvals of every proposal depend on.
pub(super) async fn common(tx: &mut Tx, organization: OrgId) -> Result<ApprovalFacts> {
    let members = members(tx, organization).await?;
    let deputies = people::deputies(tx, organization).await?;
    let four_eyes = organizations::has_four_eyes(tx, organization).await?;
    Ok(ApprovalFacts { members, deputies, is_four_eyes_off: !four_eyes, ..ApprovalFacts::default() })
}

/// The members who may write or approve documents, by name.
pub(super) async fn members(tx: &mut Tx, organization: OrgId) -> Result<Vec<Member>> {
    let may =
        |role: &&Role| role.scopes().has(Scope::DocumentsWrite) || role.scopes().has(Scope::DocumentsApprove);
    let roles = Role::ALL.iter().filter(may).copied().collect();
    let filter = MemberFilter { roles, ..MemberFilter::default() };
    people::list(tx, organization, &filter, None, MEMBERS).await
}

/// The ids of the clients that have changed something in these change sets.
pub(super) fn clients<'s>(change_sets: impl IntoIterator<Item = &'s ChangeSet>) -> Vec<String> {
    let authors = change_sets.into_iter().filter(|set| set.has_changes()).map(|set| &set.author);
    authors.filter(|it| it.kind == ActorKind::Client).map(|it| it.id.clone()).collect()
}

/// The people who created these clients, by the client's id.
pub(super) async fn creators(
    tx: &mut Tx,
    organization: OrgId,
    clients: &[String],
) -> Result<HashMap<String, Actor>> {
    let sql = format!(
        "SELECT client.id, client.created_by_id FROM client
         WHERE client.organization = $1 AND client.created_by_kind = 'user'
           AND client.id IN (SELECT item FROM {})",
        wanted_texts(tx.engine(), "$2")
    );
    let rows: Vec<(String, String)> =
        tx.query(&sql, &[&organization.uuid(), &json!(clients).to_string()]).await?;
    let user = |id: String| Actor { kind: ActorKind::User, name: id.clone(), id };
    Ok(rows.into_iter().map(|(client, id)| (client, user(id))).collect())
}

/// The groups that steps name.
pub(super) fn group_ids<'s>(steps: impl IntoIterator<Item = &'s ApprovalStep>) -> HashSet<GroupId> {
    steps.into_iter().filter_map(|step| step.group).collect()
}

/// The members of these groups.
pub(super) async fn group_members(
    tx: &mut Tx,
    organization: OrgId,
    groups: HashSet<GroupId>,
) -> Result<HashMap<GroupId, HashSet<UserId>>> {
    let mut groups: HashMap<_, HashSet<_>> =
        groups.into_iter().map(|group| (group, HashSet::new())).collect();
    let sql = format!(
        "SELECT member_group, person FROM group_member
         WHERE organization = $1 AND {} AND seq_to IS NULL",
        among_ids(tx.engine(), "member_group", "$2")
    );
    let ids = ids_parameter(tx.engine(), groups.keys().map(|it| it.uuid()));
    let rows: Vec<(Uuid, Uuid)> = tx.query(&sql, &[&organization.uuid(), &ids]).await?;
    for (group, person) in rows {
        groups.entry(GroupId(group)).or_default().insert(UserId(person));
    }
    Ok(groups)
}

/// Makes the approvals of a proposal void, for good, and notes that in `payload`.
pub(super) async fn make_void(
    tx: &mut Tx,
    organization: OrgId,
    proposal: i64,
    payload: Payload,
) -> Result<Payload> {
    let valid = given(tx, organization, [proposal]).await?.into_iter().filter(|it| !it.is_void);
    let valid: Vec<_> = valid.collect();
    if !valid.is_empty() {
        let sql = "UPDATE proposal_approval SET is_void = TRUE WHERE organization = $1 AND proposal = $2";
        tx.send(sql, &[&organization.uuid(), &proposal]).await?;
    }
    Ok(valid.iter().fold(payload, |payload, it| payload.set(&void_field(it.number), true)))
}

/// The field of a proposal's entry that tells of an approval.
pub(super) fn field(number: i64) -> String {
    format!("approvals/{number}")
}

/// The field of a proposal's entry that tells that an approval is void.
pub(super) fn void_field(number: i64) -> String {
    format!("approvals/{number}/void")
}

/// An approval as the journal has it.
pub(super) fn journaled(it: &GivenApproval) -> serde_json::Value {
    json!({
        "steps": it.steps,
        "by": {"type": it.by.kind, "id": it.by.id},
        "job_title": it.job_title,
        "on_behalf_of": it.on_behalf_of.as_ref().map(|person| person.id),
        "at": domain::time::format(it.at),
        "sha256": it.sha256,
        "note": it.note,
        "decided_by": it.decided_by,
        "decided_date": it.decided_date,
        "minutes": it.minutes,
    })
}
