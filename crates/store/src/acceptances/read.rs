//! Reading acceptances.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx};
use domain::acceptance::Acceptance;
use domain::decision::DecisionState;
use domain::document::Day;
use domain::{Actor, Error, Line, OrgId, ResourceKind, RiskNumber, UserId};
use jiff::Timestamp;

use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::list::Select;
use crate::ledger::record::{self, Columns as _, Reader, Record as _, Stored};
use crate::ledger::view::{Deleted, View};
use crate::ledger::{journal, members};

/// An acceptance with what is shown beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptanceDetails {
    /// The acceptance.
    pub acceptance: Acceptance,
    /// Its state on the day of the view.
    pub state: DecisionState,
    /// Whether it had not ended, and who accepted it or confirmed it last was no member any more.
    pub has_left: bool,
    /// The title of the risk.
    pub risk_title: Line,
}

impl AcceptanceDetails {
    /// An acceptance at `at`; who decided about it is a member.
    pub(super) fn of(acceptance: Acceptance, risk_title: Line, at: Timestamp) -> Self {
        let state = acceptance.state_on(&Day::of(at));
        Self { acceptance, state, has_left: false, risk_title }
    }

    /// The person who accepted it or confirmed it last, if it has not ended.
    fn decider(&self) -> Option<UserId> {
        let decision = &self.acceptance.decision;
        let actor = decision.confirmed_by.as_ref().or(decision.decided_by.as_ref());
        actor.filter(|_| self.state.is_live()).and_then(Actor::person)
    }
}

/// One acceptance of a risk.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    number: i64,
) -> Result<Acceptance> {
    let found = record::find(tx, organization, &[risk.number().into(), number.into()]).await?;
    Ok(found.ok_or(Error::NotFound(ResourceKind::Acceptance))?)
}

/// The title of the risk, after the columns of an acceptance.
const TITLE: &str = ", whole.title";

/// The join that [`TITLE`] needs.
fn title(seq: Option<&str>) -> String {
    let risks = match seq {
        None => "risk".to_owned(),
        Some(seq) => format!(
            "(SELECT risk.organization, risk.number, CASE WHEN risk.seq_from <= {seq} THEN risk.title ELSE
                  (SELECT earlier.title FROM risk_history AS earlier
                   WHERE earlier.organization = risk.organization AND earlier.number = risk.number
                     AND earlier.seq_from <= {seq} AND earlier.seq_to > {seq}) END AS title
              FROM risk)"
        ),
    };
    format!(" JOIN {risks} AS whole ON whole.organization = r.organization AND whole.number = r.risk")
}

/// The acceptances that there are, with the titles of their risks: none is ever deleted.
pub(super) fn titled<'q>(organization: OrgId, view: View) -> Select<'q, Acceptance> {
    Select::of(organization, View { deleted: Deleted::With, ..view }).with(TITLE, title)
}

/// An acceptance with the title of its risk.
pub(super) struct Titled(Acceptance, Line);

impl FromRow for Titled {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let acceptance = Acceptance::read(&mut row)?;
        Ok(Self(acceptance, Line::stored(row.next::<String>()?)))
    }
}

/// These acceptances as the view shows them.
pub(super) async fn details(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    rows: Vec<Titled>,
) -> Result<Vec<AcceptanceDetails>> {
    let at = journal::instant(tx, organization, view).await?;
    let all = rows.into_iter().map(|Titled(it, title)| AcceptanceDetails::of(it, title, at));
    let mut all: Vec<_> = all.collect();
    let deciders: Vec<UserId> = all.iter().filter_map(AcceptanceDetails::decider).collect();
    let members = members::among_as_of(tx, organization, view, &deciders).await?;
    for it in &mut all {
        it.has_left = it.decider().is_some_and(|decider| !members.contains(&decider));
    }
    Ok(all)
}

/// The open requests of these risks and their acceptances that have not ended, by risk, as a view sees them.
pub(crate) async fn of_risks(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    risks: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<Acceptance>>> {
    let today = today(tx, organization, view).await?;
    let statements = Acceptance::statements();
    let (numbers, seq) = (numbers_parameter(risks), view.as_of_seq.unwrap_or(i64::MAX));
    let tables = [("", "r.seq_from <= $3"), ("_history", "r.seq_from <= $3 AND r.seq_to > $3")];
    let tables = tables.iter().take(if view.as_of_seq.is_some() { 2 } else { 1 });
    let mut found: HashMap<i64, Vec<Acceptance>> = HashMap::new();
    for (suffix, condition) in tables {
        // CROSS JOIN, because SQLite keeps its order: each risk is looked up.
        let sql = format!(
            "SELECT {} FROM {} CROSS JOIN risk_acceptance{suffix} AS r{}
             WHERE r.organization = $1 AND r.risk = wanted.number AND {condition}
               AND r.state IN ('requested', 'accepted', 'stale') ORDER BY r.risk, r.number",
            statements.columns,
            wanted_numbers(tx.engine()),
            statements.joins
        );
        let params: [&dyn Param; 3] = [&organization.uuid(), &numbers, &seq];
        let rows: Vec<Stored<Acceptance>> = tx.query(&sql, &params).await?;
        for Stored(mut it) in rows {
            it.decision.state = it.state_on(&today);
            found.entry(it.risk.number()).or_default().push(it);
        }
    }
    Ok(found)
}

/// The day of a view (UTC).
pub(crate) async fn today(tx: &mut Tx, organization: OrgId, view: View) -> Result<Day> {
    Ok(Day::of(journal::instant(tx, organization, view).await?))
}
