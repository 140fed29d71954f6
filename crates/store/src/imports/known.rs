//! What the register has of the risks of a file, and what each of them would change.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use db::{Param, Tx};
use domain::evaluation::{NewEvaluation, evaluated_at};
use domain::import::ImportedRisk;
use domain::person::Person;
use domain::risk::{Risk, RiskPatch, RiskStatus};
use domain::scale::Scales;
use domain::tag::{MAX_PER_RECORD, TagLabel, TagName};
use domain::task::NewTask;
use domain::time::{self, stored_or};
use domain::{Error, Faults, OrgId, RiskNumber, Scopes, UserId};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::ledger::dialect::wanted_texts;
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::tags::Named;
use crate::{organizations, people, risks, scales, tasks};

/// What is to be written for a risk.
pub(super) struct Change<'p> {
    pub(super) imported: &'p ImportedRisk,
    pub(super) owner: Option<Person>,
    /// As it is; none of a new one.
    pub(super) before: Option<Risk>,
    /// As it is when it is evaluated, if that is neither as it is nor as it becomes: changed, but not closed yet.
    pub(super) evaluated: Option<Risk>,
    /// As it becomes, if it is there and changes.
    pub(super) after: Option<Risk>,
    /// The current rating that it gets.
    pub(super) evaluation: Option<NewEvaluation>,
    /// The tasks that it gets.
    pub(super) tasks: Vec<&'p NewTask>,
    /// The tags that it gets.
    pub(super) tags: Vec<&'p TagName>,
}

impl Change<'_> {
    /// Whether it changes anything of a risk that is there.
    pub(super) fn is_any(&self) -> bool {
        self.after.is_some() || self.evaluation.is_some() || !self.tasks.is_empty() || !self.tags.is_empty()
    }
}

/// What is wrong with a risk, in sentences.
pub(super) type Wrong = Vec<String>;

/// What the register has of the risks of a file.
pub(super) struct Known {
    numbers: HashMap<String, RiskNumber>,
    titles: HashMap<String, Vec<RiskNumber>>,
    risks: HashMap<RiskNumber, Risk>,
    owners: HashMap<UserId, (Person, Option<Scopes>)>,
    /// The titles of the tasks of each, deleted ones too.
    tasks: HashMap<RiskNumber, HashSet<String>>,
    pub(super) zone: TimeZone,
    pub(super) scales: Scales,
}

impl Known {
    pub(super) async fn read(tx: &mut Tx, organization: OrgId, imported: &[&ImportedRisk]) -> Result<Self> {
        let references: Vec<&str> =
            imported.iter().filter_map(|risk| risk.new.external_ref.as_deref()).collect();
        let numbers = risks::with_references(tx, organization, &references).await?;
        let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
        for risk in imported.iter().filter(|risk| risk.new.external_ref.is_none()) {
            let most = wanted.entry(&risk.new.title).or_default();
            *most = (*most).max(risk.nth + 1);
        }
        let titles = with_titles(tx, organization, &wanted, " AND r.external_ref IS NULL").await?;
        let all: BTreeSet<i64> =
            numbers.values().chain(titles.values().flatten()).map(|number| number.number()).collect();
        let has_tasks = imported.iter().any(|risk| !risk.tasks.is_empty());
        let tasks = if has_tasks { tasks::titles(tx, organization, &all).await? } else { HashMap::new() };
        let found = risks::of_numbers(tx, organization, all.into_iter()).await?;
        let owners =
            people::with_scopes(tx, organization, imported.iter().filter_map(|risk| risk.new.owner)).await?;
        let risks = found.into_iter().map(|risk| (risk.number, risk)).collect();
        let zone = organizations::time_zone(tx, organization).await?;
        let scales = scales::known(tx, organization, View::now()).await?;
        Ok(Self { numbers, titles, risks, owners, tasks, zone, scales })
    }

    /// What is to be written for a risk, or what is wrong.
    pub(super) fn change<'p>(
        &self,
        imported: &'p ImportedRisk,
        found: &Named<'_>,
        unknown: &[TagName],
        at: Timestamp,
    ) -> std::result::Result<Change<'p>, Wrong> {
        if imported.status_date.is_some_and(|date| time::is_ahead(date, at)) {
            return Err(vec!["The status date must not be in the future.".to_owned()]);
        }
        let owner = imported.new.owner.and_then(|id| self.owners.get(&id));
        let owner = owner.filter(|(_, scopes)| scopes.is_some()).map(|(person, _)| person.clone());
        let before = self.before(imported)?;
        let after = match before {
            None => imported.new.check(owner.clone(), self.scales.present()).map(|_| None),
            Some(before) => imported.patch(before).apply(before, owner.clone(), &self.scales, at),
        };
        let after = after.map_err(sentences)?.map(|after| after.with_days(&self.zone));
        let on = before.map(|risk| risk.tags.as_slice()).unwrap_or_default();
        let tags = tags_to_add(&imported.tags, on, found, unknown, "A risk")?;
        let evaluation = evaluation(imported, before, &self.scales, at).map_err(sentences)?;
        let status = after.as_ref().or(before).map(|risk| risk.status);
        if let Some(risk) = before.filter(|_| evaluation.is_some() && status == Some(RiskStatus::Closed)) {
            self.takes_a_rating(risk)?;
        }
        let tasks = before.and_then(|risk| self.tasks.get(&risk.number));
        let is_there = |new: &&NewTask| tasks.is_some_and(|titles| titles.contains(&*new.title));
        let tasks = imported.tasks.iter().filter(|new| !is_there(new)).collect();
        let (mut evaluated, mut after) = (None, after);
        if let (Some(before), Some(_), Some(RiskStatus::Closed)) = (before, &evaluation, status) {
            let (changed, closing) = imported.patch_and_closing(before);
            let change = |patch: RiskPatch, risk: &Risk| -> std::result::Result<Option<Risk>, Wrong> {
                let changed = patch.apply(risk, owner.clone(), &self.scales, at).map_err(sentences)?;
                Ok(changed.map(|risk| risk.with_days(&self.zone)))
            };
            evaluated = change(changed, before)?;
            after = change(closing, evaluated.as_ref().unwrap_or(before))?;
        }
        Ok(Change { imported, owner, before: before.cloned(), evaluated, after, evaluation, tasks, tags })
    }

    /// Whether a risk that is closed afterwards takes a new rating: before that it is open, and rated by the present scale.
    fn takes_a_rating(&self, risk: &Risk) -> std::result::Result<(), Wrong> {
        let why = match risk.status {
            RiskStatus::Closed => "is closed, takes no new rating: reopen it first",
            RiskStatus::Open if !self.scales.is_present(risk.scale_version) => {
                "is rated by an earlier scale, takes no new rating when it is closed: import it as open first"
            }
            RiskStatus::Open => return Ok(()),
        };
        Err(vec![format!("{}, which {why}.", risk.number)])
    }

    /// The risk that a row is about, if it is there: the one with its reference, or else one without a reference that has its
    /// title.
    fn before(&self, imported: &ImportedRisk) -> std::result::Result<Option<&Risk>, Wrong> {
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

pub(super) fn sentences(error: Error) -> Wrong {
    match error {
        Error::Invalid(faults) => faults.iter().map(domain::Fault::sentence).collect(),
        Error::Forbidden(scopes) => vec![format!("Importing this needs {scopes}.")],
        other => vec![other.to_string()],
    }
}

/// The tags of a row that its record, which a sentence calls a `noun`, does not have.
pub(super) fn tags_to_add<'p>(
    names: &'p [TagName],
    on: &[TagLabel],
    found: &Named<'_>,
    unknown: &[TagName],
    noun: &str,
) -> std::result::Result<Vec<&'p TagName>, Wrong> {
    if let Some(name) = names.iter().find(|name| unknown.contains(name)) {
        return Err(vec![format!("{} is no tag yet, and making one needs the scope tags:write.", &**name)]);
    }
    let is_on = |name: &&TagName| found.id(name).is_some_and(|id| on.iter().any(|label| label.id == id));
    let tags: Vec<&TagName> = names.iter().filter(|name| !is_on(name)).collect();
    match on.len() + tags.len() {
        0..=MAX_PER_RECORD => Ok(tags),
        _ => Err(vec![format!("{noun} has at most {MAX_PER_RECORD} tags.")]),
    }
}

/// The current rating of a row if it is a new one: a later one, or if it has no later date another one, which is of the same time
/// then also if the file has lost the fraction of its second. One by an earlier scale is another one.
fn evaluation(
    imported: &ImportedRisk,
    before: Option<&Risk>,
    scales: &Scales,
    now: Timestamp,
) -> domain::Result<Option<NewEvaluation>> {
    let Some(new) = &imported.evaluation else { return Ok(None) };
    let mut faults = Faults::new();
    evaluated_at(new.evaluated_at, now, &mut faults);
    scales.present().check(new.rating, "#/current", &mut faults);
    let Some(current) = before.and_then(|risk| risk.current) else { return faults.or(Some(new.clone())) };
    let is_other = new.rating != current.rating || !scales.is_present(current.scale_version);
    let evaluated_at = stored_or(new.evaluated_at, [Some(current.evaluated_at)]);
    let is_new = |at| at > current.evaluated_at || (at == current.evaluated_at && is_other);
    let is_new = evaluated_at.map_or(is_other, is_new);
    faults.or(is_new.then(|| NewEvaluation { evaluated_at, ..new.clone() }))
}

/// A second after a time.
pub(super) fn second_after(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_secs(1)).unwrap_or(Timestamp::MAX)
}

/// The risks that have these titles and fulfil a condition, by title: the first ones by their numbers, so many of each.
pub(super) async fn with_titles(
    tx: &mut Tx,
    organization: OrgId,
    wanted: &BTreeMap<&str, usize>,
    condition: &str,
) -> Result<HashMap<String, Vec<RiskNumber>>> {
    let mut found: HashMap<String, Vec<RiskNumber>> = HashMap::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let sql = format!(
        "SELECT r.title, r.number FROM risk AS r
         WHERE r.organization = $1 AND r.deleted_date IS NULL{condition}
           AND r.title IN (SELECT wanted.item FROM {}) ORDER BY r.number",
        wanted_texts(tx.engine(), "$2")
    );
    let titles = json!(wanted.keys().collect::<Vec<_>>()).to_string();
    let params: [&dyn Param; 2] = [&organization.uuid(), &titles];
    for (title, number) in tx.query::<(String, i64)>(&sql, &params).await? {
        let most = wanted.get(&*title).copied().unwrap_or_default();
        let numbers = found.entry(title).or_default();
        if numbers.len() < most {
            numbers.push(RiskNumber(number));
        }
    }
    Ok(found)
}
