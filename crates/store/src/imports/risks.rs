//! Risks of a file: which are there already, what becomes of each, and the writes that do it. The number of statements does not
//! grow with them, but for evaluations.

use std::collections::{BTreeSet, HashMap};

use db::{Param, Tx};
use domain::evaluation::evaluated_at;
use domain::import::{Import, ImportRow, ImportedRisk, PreparedRow, RowContent, RowFault, RowOutcome};
use domain::person::Person;
use domain::risk::{Risk, RiskStatus};
use domain::tag::{MAX_PER_RECORD, TagName};
use domain::{Author, Error, Faults, OrgId, RiskNumber, Scopes, UserId};
use serde_json::json;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New};
use crate::ledger::record;
use crate::ledger::tag_links::TagChange;
use crate::risks::{self, TAGS};
use crate::tags::Named;
use crate::{Counter, evaluations, people, performance, tags};

/// What becomes of some rows.
pub(super) struct Plan<'p> {
    steps: Vec<Step<'p>>,
    names: Vec<TagName>,
}

/// What becomes of a row.
struct Step<'p> {
    row: &'p PreparedRow,
    outcome: RowOutcome,
    record: Option<RiskNumber>,
    faults: Vec<RowFault>,
    change: Option<Change<'p>>,
}

/// What is to be written for a risk.
struct Change<'p> {
    imported: &'p ImportedRisk,
    owner: Option<Person>,
    /// As it is; none of a new one.
    before: Option<Risk>,
    /// As it becomes, if it is there and changes.
    after: Option<Risk>,
    is_evaluated: bool,
    /// The tags that it gets.
    tags: Vec<&'p TagName>,
}

/// What the register has of the risks of a file.
struct Known {
    numbers: HashMap<String, RiskNumber>,
    titles: HashMap<String, Vec<RiskNumber>>,
    risks: HashMap<RiskNumber, Risk>,
    owners: HashMap<UserId, (Person, Option<Scopes>)>,
}

impl<'p> Plan<'p> {
    /// Says what becomes of each row now.
    pub(super) async fn make(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        rows: &'p [PreparedRow],
    ) -> Result<Self> {
        let imported: Vec<&ImportedRisk> = rows.iter().filter_map(risk).collect();
        let known = Known::read(tx, organization, &imported).await?;
        let names: BTreeSet<&TagName> = imported.iter().flat_map(|risk| &risk.tags).collect();
        let names: Vec<TagName> = names.into_iter().cloned().collect();
        let found = tags::find(tx, organization, &names).await?;
        let unknown = found.unknown(author);
        let at = tx.at();
        let step = |row: &'p PreparedRow| match &row.content {
            RowContent::Skipped => Step::without_change(row, RowOutcome::Skipped, Vec::new()),
            RowContent::Wrong => Step::without_change(row, RowOutcome::Wrong, Vec::new()),
            RowContent::Risk(imported) => match known.change(imported, &found, &unknown, at) {
                Ok(change) => Step::of(row, change),
                Err(wrong) => {
                    let faults = wrong.into_iter().map(|detail| fault(row, detail)).collect();
                    Step::without_change(row, RowOutcome::Wrong, faults)
                }
            },
        };
        let steps = rows.iter().map(step).collect();
        drop(found);
        Ok(Self { steps, names })
    }

    /// What becomes of the rows, of which the first has this place.
    pub(super) fn outcomes(&self, import: &Import, first: usize) -> Vec<ImportRow> {
        let outcome = |(place, step): (usize, &Step<'_>)| {
            let id = step.record.map(|number| number.to_string());
            let mut row = step.row.outcome(import, place, step.outcome, id);
            row.faults.extend(step.faults.iter().cloned());
            row
        };
        (first..).zip(&self.steps).map(outcome).collect()
    }

    /// Writes it. A risk that is open afterwards is changed before it is evaluated, one that is closed after that.
    pub(super) async fn write(
        mut self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        import: &Import,
        first: usize,
    ) -> Result<Vec<ImportRow>> {
        self.create(tx, organization, author).await?;
        self.replace(tx, organization, author, RiskStatus::Open).await?;
        for (number, change) in self.changes() {
            if let Some(new) = change.imported.evaluation.as_ref().filter(|_| change.is_evaluated) {
                evaluations::record(tx, organization, author, number, new).await?;
            }
        }
        self.replace(tx, organization, author, RiskStatus::Closed).await?;
        let mut named = tags::find(tx, organization, &self.names).await?;
        named.make(tx, organization, author).await?;
        let added = |tag| TagChange { tag, is_added: true };
        let of = |(number, change): (RiskNumber, &Change<'_>)| {
            let ids: BTreeSet<_> = change.tags.iter().filter_map(|name| named.id(name)).collect();
            ids.into_iter().map(move |id| (number.number(), added(id))).collect::<Vec<_>>()
        };
        let links: Vec<_> = self.changes().flat_map(of).collect();
        TAGS.journal_changes(tx, organization, author, &links).await?;
        Ok(self.outcomes(import, first))
    }

    fn changes(&self) -> impl Iterator<Item = (RiskNumber, &Change<'p>)> {
        self.steps.iter().filter_map(|step| Some((step.record?, step.change.as_ref()?)))
    }

    /// Makes the new ones, which are open.
    async fn create(&mut self, tx: &mut Tx, organization: OrgId, author: &Author) -> Result<()> {
        let mut made = Vec::new();
        for step in &mut self.steps {
            let Some(change) = step.change.as_mut().filter(|change| change.before.is_none()) else {
                continue;
            };
            let number = RiskNumber(Counter::Risk.next(tx, organization)?);
            step.record = Some(number);
            made.push((change, number));
        }
        let at = tx.at();
        let entry = |risk: &Risk| New {
            kind: "risk.created",
            subject: risks::subject(risk.number),
            payload: record::changes(None, risk),
        };
        let opened =
            made.iter().map(|(change, number)| change.imported.new.open(*number, change.owner.clone(), at));
        let mut new: Vec<Risk> = opened.collect();
        if new.is_empty() {
            return Ok(());
        }
        let entries: Vec<New> = new.iter().map(entry).collect();
        let first = first_of(entries.len(), journal::append_all(tx, organization, author, entries).await?);
        for (risk, seq) in new.iter_mut().zip(first..) {
            risk.seq_from = seq;
        }
        record::insert_all(tx, organization, &new).await?;
        for ((change, _), risk) in made.into_iter().zip(new) {
            let closing = change.imported.closing();
            change.after = closing.map(|patch| patch.apply(&risk, None, at)).transpose()?.flatten();
            change.before = Some(risk);
        }
        Ok(())
    }

    /// Writes those that change and have this status afterwards.
    async fn replace(
        &self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        status: RiskStatus,
    ) -> Result<()> {
        let changed =
            self.changes().filter_map(|(_, change)| Some((change.before.as_ref()?, change.after.as_ref()?)));
        let changed: Vec<(&Risk, &Risk)> = changed.filter(|(_, after)| after.status == status).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let entry = |(before, after): &(&Risk, &Risk)| New {
            kind: "risk.updated",
            subject: risks::subject(after.number),
            payload: record::changes(Some(*before), *after),
        };
        let entries: Vec<New> = changed.iter().map(entry).collect();
        let first = first_of(entries.len(), journal::append_all(tx, organization, author, entries).await?);
        let begun =
            |((_, after), seq): (&(&Risk, &Risk), i64)| (Risk { seq_from: seq, ..(*after).clone() }, seq);
        let rows: Vec<(Risk, i64)> = changed.iter().zip(first..).map(begun).collect();
        record::replace_all(tx, organization, &rows).await?;
        let numbers: Vec<i64> = rows.iter().map(|(risk, _)| risk.number.number()).collect();
        performance::follow(tx, organization, &numbers).await
    }
}

/// The number of the first of so many entries.
fn first_of(count: usize, last: i64) -> i64 {
    last + 1 - i64::try_from(count).unwrap_or(i64::MAX)
}

fn risk(row: &PreparedRow) -> Option<&ImportedRisk> {
    match &row.content {
        RowContent::Risk(risk) => Some(risk),
        RowContent::Skipped | RowContent::Wrong => None,
    }
}

fn fault(row: &PreparedRow, detail: String) -> RowFault {
    RowFault { row: row.first_row, column: None, read: String::new(), detail, nearest: None }
}

impl<'p> Step<'p> {
    fn without_change(row: &'p PreparedRow, outcome: RowOutcome, faults: Vec<RowFault>) -> Self {
        Self { row, outcome, record: None, faults, change: None }
    }

    fn of(row: &'p PreparedRow, change: Change<'p>) -> Self {
        let is_changed = change.after.is_some() || change.is_evaluated || !change.tags.is_empty();
        let outcome = match &change.before {
            None => RowOutcome::Created,
            Some(_) if is_changed => RowOutcome::Updated,
            Some(_) => RowOutcome::Unchanged,
        };
        let record = change.before.as_ref().map(|risk| risk.number);
        Self { row, outcome, record, faults: Vec::new(), change: Some(change) }
    }
}

impl Known {
    async fn read(tx: &mut Tx, organization: OrgId, imported: &[&ImportedRisk]) -> Result<Self> {
        let references: Vec<&str> =
            imported.iter().filter_map(|risk| risk.new.external_ref.as_deref()).collect();
        let numbers = risks::with_references(tx, organization, &references).await?;
        let without = imported.iter().filter(|risk| risk.new.external_ref.is_none());
        let titles = with_titles(tx, organization, without.map(|risk| &*risk.new.title).collect()).await?;
        let all: BTreeSet<i64> =
            numbers.values().chain(titles.values().flatten()).map(|number| number.number()).collect();
        let found = risks::of_numbers(tx, organization, all.into_iter()).await?;
        let owners =
            people::with_scopes(tx, organization, imported.iter().filter_map(|risk| risk.new.owner)).await?;
        let risks = found.into_iter().map(|risk| (risk.number, risk)).collect();
        Ok(Self { numbers, titles, risks, owners })
    }

    /// What is to be written for a risk, or what is wrong.
    fn change<'p>(
        &self,
        imported: &'p ImportedRisk,
        found: &Named<'_>,
        unknown: &[TagName],
        at: jiff::Timestamp,
    ) -> std::result::Result<Change<'p>, Vec<String>> {
        let owner = imported.new.owner.and_then(|id| self.owners.get(&id));
        let owner = owner.filter(|(_, scopes)| scopes.is_some()).map(|(person, _)| person.clone());
        let before = self.before(imported)?;
        let sentences = |error: Error| match error {
            Error::Invalid(faults) => faults.iter().map(domain::Fault::sentence).collect(),
            other => vec![other.to_string()],
        };
        let after = match before {
            None => imported.new.check(owner.clone()).map(|_| None),
            Some(before) => imported.patch().apply(before, owner.clone(), at),
        };
        let after = after.map_err(sentences)?;
        if let Some(name) = imported.tags.iter().find(|name| unknown.contains(name)) {
            return Err(vec![format!(
                "{} is no tag yet, and making one needs the scope tags:write.",
                &**name
            )]);
        }
        let on = before.map(|risk| risk.tags.as_slice()).unwrap_or_default();
        let is_on = |name: &&TagName| found.id(name).is_some_and(|id| on.iter().any(|label| label.id == id));
        let tags: Vec<&TagName> = imported.tags.iter().filter(|name| !is_on(name)).collect();
        if on.len() + tags.len() > MAX_PER_RECORD {
            return Err(vec![format!("A risk has at most {MAX_PER_RECORD} tags.")]);
        }
        let is_evaluated = is_evaluated(imported, before, at).map_err(sentences)?;
        Ok(Change { imported, owner, before: before.cloned(), after, is_evaluated, tags })
    }

    /// The risk that a row is about, if it is there: the one with its reference, or else one without a reference that has its
    /// title.
    fn before(&self, imported: &ImportedRisk) -> std::result::Result<Option<&Risk>, Vec<String>> {
        let Some(reference) = imported.new.external_ref.as_deref() else {
            let number = self.titles.get(&*imported.new.title).and_then(|all| all.get(imported.nth));
            return Ok(number.and_then(|number| self.risks.get(number)));
        };
        let Some(number) = self.numbers.get(reference) else { return Ok(None) };
        match self.risks.get(number) {
            Some(risk) => Ok(Some(risk)),
            None => Err(vec![format!("{number}, which is deleted, has this reference: restore it first.")]),
        }
    }
}

/// Whether the current rating of a row is a new one: a later one, or if it has no date another one.
fn is_evaluated(
    imported: &ImportedRisk,
    before: Option<&Risk>,
    now: jiff::Timestamp,
) -> domain::Result<bool> {
    let Some(new) = &imported.evaluation else { return Ok(false) };
    let mut faults = Faults::new();
    evaluated_at(new.evaluated_at, now, &mut faults);
    let Some(current) = before.and_then(|risk| risk.current) else { return faults.or(true) };
    let is_new = new.evaluated_at.map_or(new.rating != current.rating, |at| at > current.evaluated_at);
    faults.or(is_new)
}

/// The risks without a reference that have these titles, by title, each in the order of the numbers.
async fn with_titles(
    tx: &mut Tx,
    organization: OrgId,
    titles: Vec<&str>,
) -> Result<HashMap<String, Vec<RiskNumber>>> {
    let mut found: HashMap<String, Vec<RiskNumber>> = HashMap::new();
    if titles.is_empty() {
        return Ok(found);
    }
    let sql = format!(
        "SELECT r.title, r.number FROM risk AS r
         WHERE r.organization = $1 AND r.external_ref IS NULL AND r.deleted_date IS NULL
           AND r.title IN (SELECT wanted.item FROM {}) ORDER BY r.number",
        wanted_texts(tx.engine(), "$2")
    );
    let titles = json!(titles).to_string();
    let params: [&dyn Param; 2] = [&organization.uuid(), &titles];
    for (title, number) in tx.query::<(String, i64)>(&sql, &params).await? {
        found.entry(title).or_default().push(RiskNumber(number));
    }
    Ok(found)
}
