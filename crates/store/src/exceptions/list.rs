//! Exceptions to all documents.

use db::{Tx, Value};
use domain::decision::DecisionState;
use domain::document::Day;
use domain::exception::PolicyException;
use domain::{Actor, OrgId, RiskNumber};
use macros::boxed;

use super::read::{DOCUMENT, ExceptionDetails, Titled, all, document, documents};
use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::ledger::list::{Direction, Filter, SEQ, Select};
use crate::ledger::page::Page;
use crate::ledger::view::View;
use crate::{four_eyes, organizations};

/// Which exceptions a list has. What is empty lets every exception through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExceptionFilter {
    /// Exceptions to this document.
    pub document: Option<String>,
    /// Exceptions that lead to one of these risks.
    pub risk: Vec<RiskNumber>,
    /// Exceptions in one of these states on the day of the view.
    pub state: Vec<DecisionState>,
    /// Exceptions that have not ended and end within so many days.
    pub expiring: Option<i64>,
}

/// Where an exception stands in the list: its last day, and the entry that made it.
pub type ExceptionPosition = (String, i64);

impl ExceptionFilter {
    fn filters(&self, seq: Option<&str>, today: &Day) -> Vec<Filter<'static>> {
        let words = |states: &[DecisionState]| states.iter().map(|it| Value::from(it.as_str())).collect();
        let live: Vec<_> = DecisionState::ALL.iter().copied().filter(|it| it.is_live()).collect();
        let document = self.document.clone().map(|slug| Filter::is("document", slug.into()));
        let risk = Filter::any_of("risk", self.risk.iter().map(|risk| risk.number().into()));
        let state_on = state_on(seq, today);
        let state =
            (!self.state.is_empty()).then(|| Filter::Expression(state_on.clone(), words(&self.state)));
        let expiring = self.expiring.into_iter().flat_map(|days| {
            let end = today.later(days + 1).map(|day| Value::from(day.as_str().to_owned()));
            [Filter::Within("until", None, end), Filter::Expression(state_on.clone(), words(&live))]
        });
        document.into_iter().chain(risk).chain(state).chain(expiring).collect()
    }
}

/// The state of the exception `r` on a day: [`PolicyException::state_on`].
fn state_on(seq: Option<&str>, today: &Day) -> String {
    let (documents, today) = (documents(seq), today.as_str());
    format!(
        "CASE WHEN r.state IN ('accepted', 'stale') AND r.until < '{today}' THEN 'expired'
              WHEN r.state = 'accepted' AND EXISTS (SELECT 1 FROM {documents} AS whole
                  WHERE whole.organization = r.organization AND whole.slug = r.document
                    AND whole.status = 'archived') THEN 'stale' ELSE r.state END"
    )
}

/// Up to `limit` exceptions that a view sees, what ends first first: those after this position.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    filter: &ExceptionFilter,
    after: Option<&ExceptionPosition>,
    limit: i64,
) -> Result<Page<ExceptionDetails>> {
    let at = journal::instant(tx, organization, view).await?;
    let after = after.map(|(until, seq)| [Value::from(until.clone()), Value::Integer(*seq)]);
    let select = filtered(organization, view, filter, &Day::of(at)).with(DOCUMENT, document);
    let select = select.order(&["until", "seq"], Direction::Ascending, after.into_iter().flatten());
    let page: Page<Titled> = select.page(tx, limit).await?;
    Ok(page.map(|it| it.at(at)))
}

/// Up to `limit` open requests that a person with `documents:approve` may decide about, what ends first first.
#[boxed]
pub async fn waiting(
    tx: &mut Tx,
    organization: OrgId,
    decider: &Actor,
    limit: i64,
) -> Result<Vec<ExceptionDetails>> {
    let Some(person) = decider.person() else { return Ok(Vec::new()) };
    let known = organizations::four_eyes(tx, organization, &[person]).await?;
    let (at, state) = (tx.at(), vec![DecisionState::Requested]);
    let open = ExceptionFilter { state, ..ExceptionFilter::default() };
    let select =
        filtered(organization, View::now(), &open, &Day::of(at)).filters(four_eyes::taken_by(person, &known));
    let select =
        select.with(DOCUMENT, document).order(&["until", "seq"], Direction::Ascending, None::<Value>);
    let page: Page<Titled> = select.page(tx, limit).await?;
    Ok(page.map(|it| it.at(at)).rows)
}

/// How many exceptions a list has on all its pages.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, view: View, filter: &ExceptionFilter) -> Result<i64> {
    let today = Day::of(journal::instant(tx, organization, view).await?);
    filtered(organization, view, filter, &today).count(tx).await
}

fn filtered<'q>(
    organization: OrgId,
    view: View,
    filter: &ExceptionFilter,
    today: &Day,
) -> Select<'q, PolicyException> {
    all(organization, view).filters(filter.filters(view.as_of_seq.map(|_| SEQ), today))
}
