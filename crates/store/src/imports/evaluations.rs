//! Evaluations of a file: of which risk each is, whether it is there already, and the write that records the others. The number of
//! statements does not grow with them.

use std::collections::{BTreeMap, HashMap, HashSet};

use db::{Param, Tx};
use domain::evaluation::{EvaluationOfRisk, NewEvaluation, NewEvaluations};
use domain::import::{Import, ImportRow, ImportedEvaluation, PreparedRow, RiskKey, RowContent, RowOutcome};
use domain::risk::{Current, Rating, Risk};
use domain::scale::Scales;
use domain::time::{floor, is_same};
use domain::{Author, Faults, OrgId, ProseOrEmpty, RiskNumber};
use jiff::Timestamp;

use super::known::{Wrong, second_after, sentences, with_titles};
use super::step::{self, Step};
use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::{evaluations, risks, scales};

/// What becomes of some rows.
pub(super) struct Plan<'p> {
    steps: Vec<Step<'p, EvaluationOfRisk>>,
}

/// Evaluations by risk, second, likelihood and impact.
type There = HashMap<(RiskNumber, Timestamp, i64, i64), Vec<One>>;

/// An evaluation that is there, or that a row before records.
struct One {
    at: Timestamp,
    note: Option<ProseOrEmpty>,
    /// Its number, until a row is about it.
    number: Option<i64>,
}

/// What the register has of the risks of a file.
struct Known {
    references: HashMap<String, RiskNumber>,
    titles: HashMap<String, Vec<RiskNumber>>,
    /// As they are after those evaluations of the file that have a date.
    risks: HashMap<RiskNumber, Risk>,
    /// The evaluations of the times that the file has.
    there: There,
    scales: Scales,
}

impl<'p> Plan<'p> {
    pub(super) async fn make(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        rows: &'p [PreparedRow],
    ) -> Result<Self> {
        let imported: Vec<&ImportedEvaluation> = rows.iter().filter_map(evaluation).collect();
        let mut known = Known::read(tx, organization, &imported).await?;
        let mut steps = step::steps(rows, evaluation, |row, imported| known.step(row, imported));
        let all = new(steps.iter().filter_map(|step| step.change.clone()).collect());
        let planned = evaluations::plan_all(tx, organization, author, &all).await?;
        let recorded = steps.iter_mut().filter(|step| step.change.is_some()).zip(planned);
        for (step, (_, made)) in recorded {
            if let Err(error) = made {
                *step = Step::wrong(step.row, sentences(error));
            }
        }
        Ok(Self { steps })
    }

    pub(super) fn outcomes(&self, import: &Import, first: usize) -> Vec<ImportRow> {
        step::outcomes(&self.steps, import, first)
    }

    pub(super) async fn write(
        self,
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        import: &Import,
        first: usize,
    ) -> Result<Vec<ImportRow>> {
        let rows = self.outcomes(import, first);
        let all = NewEvaluations {
            atomic: true,
            ..new(self.steps.into_iter().filter_map(|step| step.change).collect())
        };
        if !all.evaluations.is_empty() {
            evaluations::record_all(tx, organization, author, &all).await?;
        }
        Ok(rows)
    }
}

impl Known {
    async fn read(tx: &mut Tx, organization: OrgId, imported: &[&ImportedEvaluation]) -> Result<Self> {
        let (mut references, mut titles, mut numbers) = (Vec::new(), BTreeMap::new(), HashSet::new());
        for it in imported {
            numbers.extend(it.risk.id());
            match &it.risk {
                RiskKey::Reference(text) => references.push(text.as_str()),
                // A second one shows that the title is no name.
                RiskKey::Title(text) => _ = titles.insert(text.as_str(), 2),
            }
        }
        let references = risks::with_references(tx, organization, &references).await?;
        // Our own files have the references of those that have one.
        let is_ours = imported.iter().any(|it| it.is_ours);
        let condition = if is_ours { " AND r.external_ref IS NULL" } else { "" };
        let titles = with_titles(tx, organization, &titles, condition).await?;
        numbers.extend(references.values().chain(titles.values().flatten()));
        let risks = risks::by_number(tx, organization, &numbers).await?;
        let times: Vec<Timestamp> = imported.iter().filter_map(|it| it.new.evaluated_at).collect();
        let there = recorded(tx, organization, &numbers, &times).await?;
        let scales = scales::known(tx, organization, View::now()).await?;
        let mut known = Self { references, titles, risks, there, scales };
        known.rate(imported, tx.at());
        Ok(known)
    }

    /// Rates the risks as they are after the evaluations with a date: with these those without a date are compared.
    fn rate(&mut self, imported: &[&ImportedEvaluation], now: Timestamp) {
        let present = self.scales.present();
        for it in imported {
            let mut faults = Faults::new();
            present.check(it.new.rating, "#", &mut faults);
            let at = it.new.evaluated_at.filter(|at| *at <= now && faults.is_empty());
            let risk = self.number(&it.risk).ok().flatten().and_then(|number| self.risks.get_mut(&number));
            let current = risk.and_then(|risk| risk.current.as_mut());
            if let (Some(evaluated_at), Some(current)) = (at, current)
                && evaluated_at >= current.evaluated_at
            {
                let (rating, scale_version) = (it.new.rating, present.number);
                *current = Current { rating, scale_version, evaluated_at, ..*current };
            }
        }
    }

    /// The number of a risk, or what is wrong.
    fn number(&self, key: &RiskKey) -> std::result::Result<Option<RiskNumber>, Wrong> {
        Ok(match key {
            RiskKey::Reference(text) => self.references.get(text).copied().or_else(|| key.id()),
            RiskKey::Title(text) => match self.titles.get(text).map(Vec::as_slice) {
                Some([one]) => Some(*one),
                Some([_, ..]) => return Err(vec![format!("Several risks are called “{text}”.")]),
                _ => None,
            },
        })
    }

    fn step<'p>(
        &mut self,
        row: &'p PreparedRow,
        imported: &ImportedEvaluation,
    ) -> Step<'p, EvaluationOfRisk> {
        let number = match self.number(&imported.risk) {
            Ok(number) => number,
            Err(wrong) => return Step::wrong(row, wrong),
        };
        let Some(risk) = number.and_then(|number| self.risks.get(&number)) else {
            return Step::wrong(row, vec!["The register has no such risk.".to_owned()]);
        };
        let mut new = imported.new.clone();
        let is_there = match (new.evaluated_at, &risk.current) {
            (Some(at), _) => {
                let Rating { likelihood, impact } = new.rating;
                let there = self.there.entry((risk.number, floor(at, 1), likelihood, impact)).or_default();
                is_there(there, at, &mut new, imported.is_ours)
            }
            (None, Some(current)) => {
                current.rating == new.rating && self.scales.is_present(current.scale_version)
            }
            (None, None) => false,
        };
        let evaluation = EvaluationOfRisk { risk: risk.number, evaluation: new };
        let (outcome, change) = match is_there {
            true => (RowOutcome::Unchanged, None),
            false => (RowOutcome::Created, Some(evaluation)),
        };
        Step::of(row, outcome, Some(risk.number), change)
    }
}

/// Whether an evaluation is among those of its second with its rating. Those of our own file are told apart by their notes, and
/// each is there once. One with a note takes the place of the only one, if that has none: an import of risks has made it.
fn is_there(there: &mut Vec<One>, at: Timestamp, new: &mut NewEvaluation, is_ours: bool) -> bool {
    if !is_ours && there.iter().any(|it| is_same(at, it.at)) {
        return true;
    }
    let is_it = |it: &&mut One| it.number.is_some() && it.at == at && it.note == new.note;
    if let Some(it) = there.iter_mut().find(is_it) {
        it.number = None;
        return true;
    }
    let mut same = there.iter_mut().filter(|it| it.at == at);
    if let (Some(only), None) = (same.next(), same.next())
        && is_ours
        && only.note.is_none()
        && new.note.is_some()
        && let Some(number) = only.number.take()
    {
        only.note.clone_from(&new.note);
        new.supersedes = Some(number);
        return false;
    }
    there.push(One { at, note: new.note.clone(), number: None });
    false
}

fn evaluation(row: &PreparedRow) -> Option<&ImportedEvaluation> {
    match &row.content {
        RowContent::Evaluation(imported) => Some(imported),
        _ => None,
    }
}

fn new(evaluations: Vec<EvaluationOfRisk>) -> NewEvaluations {
    NewEvaluations { evaluations, dry_run: false, atomic: false }
}

/// The evaluations of these risks that count, from the first of some times to the end of the second of the last, in their order.
async fn recorded(
    tx: &mut Tx,
    organization: OrgId,
    risks: &HashSet<RiskNumber>,
    times: &[Timestamp],
) -> Result<There> {
    let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) else {
        return Ok(HashMap::new());
    };
    let sql = format!(
        "SELECT e.risk, e.evaluated_at, e.rating_likelihood, e.rating_impact, e.note, e.number
         FROM evaluation AS e
         WHERE e.organization = $1 AND e.risk IN (SELECT wanted.number FROM {}) AND e.superseded_by IS NULL
           AND e.evaluated_at >= $3 AND e.evaluated_at <= $4
         ORDER BY e.risk, e.number",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(risks.iter().map(|number| number.number()));
    let params: [&dyn Param; 4] = [&organization.uuid(), &numbers, first, &second_after(*last)];
    let mut there = There::new();
    for row in tx.query::<(i64, Timestamp, i64, i64, Option<String>, i64)>(&sql, &params).await? {
        let (risk, at, likelihood, impact, note, number) = row;
        let key = (RiskNumber(risk), floor(at, 1), likelihood, impact);
        // A file has an empty one as none.
        let note = note.filter(|note| !note.is_empty()).map(ProseOrEmpty::stored);
        let number = Some(number);
        there.entry(key).or_default().push(One { at, note, number });
    }
    Ok(there)
}
