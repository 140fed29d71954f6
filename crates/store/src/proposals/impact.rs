//! What the approval of a proposal has an effect on, for those who decide.

use std::collections::BTreeMap;

use db::Tx;
use domain::acknowledgement::AcknowledgementStatus;
use domain::document::{ChangedItem, ProposalStatus, SelectOption, changed_items};
use domain::incident::Viewer;
use domain::person::Person;
use domain::risk::{Risk, RiskStatus};
use domain::{Actor, OrgId, RiskNumber, Scope, Scopes};
use macros::boxed;

use super::Draft;
use crate::acknowledgements;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::record::Stored;
use crate::ledger::view::View;
use crate::links::{LinkReader, OpenIncident, open_incidents};

/// So many risks are looked at.
const MOST_RISKS: usize = 100;

/// So many people are named.
const MOST_NAMED: i64 = 100;

/// What the approval of a proposal, as it is, has an effect on. Of a closed proposal it is nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impact {
    /// The chosen options that make the policy weaker, of items that it changes.
    pub weakening: Vec<WeakeningOption>,
    /// The risks that the changed items concern, by number: the first 100. None if the caller does not read risks.
    pub risks: Option<Vec<ConcernedRisk>>,
    /// How many risks they concern. None if the caller does not read risks.
    pub risk_count: Option<i64>,
    /// Whether everybody acknowledges the document again.
    pub is_material: bool,
    /// How many people have acknowledged the document and must do so again.
    pub acknowledge_again: i64,
    /// Those of them whom the caller sees, by name: the first 100.
    pub people: Vec<Person>,
}

/// A chosen option that makes the policy weaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeakeningOption {
    /// The item's id.
    pub node_id: String,
    /// The item's label.
    pub label: String,
    /// The option.
    pub option: SelectOption,
    /// The value that the document has.
    pub previous: Option<String>,
}

/// A risk that changed items concern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConcernedRisk {
    /// Its number.
    pub number: RiskNumber,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: RiskStatus,
    /// The ids of the items.
    pub node_ids: Vec<String>,
    /// How many open incidents that the caller sees are linked to it.
    pub open_incidents: i64,
    /// The latest 20 of them.
    pub incidents: Vec<OpenIncident>,
}

/// What the approval of a proposal, as it is, has an effect on, as far as a caller with these scopes sees it.
#[boxed]
pub async fn impact(
    tx: &mut Tx,
    organization: OrgId,
    draft: &Draft,
    (caller, scopes): (&Actor, Scopes),
) -> Result<Impact> {
    let is_open = matches!(draft.proposal.status, ProposalStatus::Open | ProposalStatus::Submitted);
    let mut changed = changed_items(&draft.published.items, &draft.document.items, &draft.values);
    changed.retain(|_| is_open);
    let is_material = draft.proposal.is_material == Some(true) && is_open && !draft.confirms();
    let (risks, risk_count) = match scopes.has(Scope::RisksRead) {
        true => {
            let reader = LinkReader::new(Viewer::new(caller, scopes), scopes);
            Some(risks(tx, organization, &reader, &changed).await?)
        }
        false => None,
    }
    .unzip();
    let (mut acknowledge_again, mut people) = (0, Vec::new());
    if is_material && draft.document.document.published_version.is_some() {
        let slug = &draft.document.document.slug;
        let coverage = acknowledgements::coverage(tx, organization, slug, None).await?;
        let covered = &[AcknowledgementStatus::Covered];
        acknowledge_again = coverage.count(covered);
        let seen = coverage.seen_by(caller, scopes).page(covered, None, MOST_NAMED);
        people = seen.rows.into_iter().map(|it| it.person).collect();
    }
    let weakening = changed.iter().filter_map(weakening).collect();
    Ok(Impact { weakening, risks, risk_count, is_material, acknowledge_again, people })
}

fn weakening(it: &ChangedItem<'_>) -> Option<WeakeningOption> {
    Some(WeakeningOption {
        node_id: it.id().to_owned(),
        label: it.after?.label.clone(),
        option: it.weakening()?.clone(),
        previous: it.previous.map(str::to_owned),
    })
}

/// The first risks that these items concern, with their open incidents, and how many there are.
async fn risks(
    tx: &mut Tx,
    organization: OrgId,
    reader: &LinkReader,
    changed: &[ChangedItem<'_>],
) -> Result<(Vec<ConcernedRisk>, i64)> {
    let mut items: BTreeMap<RiskNumber, Vec<String>> = BTreeMap::new();
    for (risk, item) in changed.iter().flat_map(|it| it.risks().into_iter().map(|risk| (risk, it.id()))) {
        items.entry(risk).or_default().push(item.to_owned());
    }
    if items.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let of_these = Filter::among(tx.engine(), items.keys().map(|risk| risk.number()));
    let select = Select::<Risk>::of(organization, View::now()).filter(of_these);
    let select = select.order(&["number"], Direction::Ascending, []);
    let mut found: Vec<Stored<Risk>> = select.all(tx).await?;
    let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    found.truncate(MOST_RISKS);
    let numbers = found.iter().map(|Stored(risk)| risk.number);
    let mut open = open_incidents(tx, organization, reader, numbers).await?;
    let risks = found.into_iter().map(|Stored(risk)| {
        let (open_incidents, incidents) = open.remove(&risk.number).unwrap_or_default();
        let (number, title, status) = (risk.number, risk.title.to_string(), risk.status);
        let node_ids = items.remove(&number).unwrap_or_default();
        ConcernedRisk { number, title, status, node_ids, open_incidents, incidents }
    });
    Ok((risks.collect(), count))
}
