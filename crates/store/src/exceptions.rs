//! Exceptions to documents, from the request on.

mod ask;
mod decide;
mod follow;
mod list;
mod read;

pub use ask::ask;
pub use decide::{decide, revoke, waive_four_eyes, withdraw};
pub(crate) use follow::follow;
pub use list::{ExceptionFilter, ExceptionPosition, count, list, waiting};
pub(crate) use read::documents_of;
pub use read::{ExceptionDetails, get};

use std::collections::HashMap;

use db::Tx;
use domain::decision::Decision;
use domain::exception::PolicyException;
use domain::{Author, OrgId};

use crate::ledger::error::Result;
use crate::ledger::journal::{self, Subject};
use crate::ledger::record::{self, record};
use crate::ledger::records::page::{Cursor, RecordPage};
use crate::ledger::verify::recorded::{Made, Recorded, Version};

record! {
    PolicyException in "policy_exception" with decision: Decision {
        number: Plain => Key,
        document: Plain => Journaled,
        title: Plain => Journaled,
        plan: Plain => Journaled,
        node_id: Plain => Journaled,
        risk: Plain => Journaled,
        replaces: Plain => Journaled,
        document_version: Plain => Journaled,
        printed_sha256: Plain => Journaled,
        stale_by: Plain => Journaled,
    }
}

/// Exceptions that are compared with the journal at a time.
const PAGE: i64 = 200;

/// The subject of the entries of an exception.
fn subject(number: i64) -> Subject {
    Subject::new("exception", number.to_string())
}

/// The next exceptions with every state that each had, as they are held against the journal.
pub(crate) async fn recorded(tx: &mut Tx, organization: OrgId, after: Cursor) -> Result<RecordPage> {
    let page = RecordPage::<PolicyException>::read(tx, organization, after, PAGE).await?;
    let numbers = page.records.iter().map(|it| it.number);
    let mut earlier: HashMap<i64, Vec<Version>> = HashMap::new();
    for (state, seq_to) in record::history::<PolicyException>(tx, organization, numbers).await? {
        earlier.entry(state.number).or_default().push(version(&state, Some(seq_to)));
    }
    Ok(page.map(|it| {
        let made = Made::by(it.decision.requested_date, &it.decision.requested_by);
        let mut versions = earlier.remove(&it.number).unwrap_or_default();
        versions.push(version(&it, None));
        let recorded = Recorded::of(subject(it.number), &it).made(made);
        Recorded { seq_from: Some(it.decision.seq_from), versions, ..recorded }
    }))
}

fn version(state: &PolicyException, seq_to: Option<i64>) -> Version {
    Version {
        number: state.decision.version,
        updated: state.decision.updated_date,
        seq_from: state.decision.seq_from,
        seq_to,
        fields: record::journaled(state).map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

/// Writes the next state of an exception with an entry of this kind.
async fn replace(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    kind: &'static str,
    before: &PolicyException,
    mut after: PolicyException,
) -> Result<PolicyException> {
    let payload = record::changes(Some(before), &after);
    let seq = journal::append(tx, organization, author, kind, subject(after.number), payload).await?;
    after.decision.seq_from = seq;
    record::replace_all(tx, organization, &[(after.clone(), seq)]).await?;
    Ok(after)
}
