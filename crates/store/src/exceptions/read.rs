//! Reading exceptions.

use std::collections::HashMap;

use db::{FromRow, Row, Tx, Value};
use domain::decision::DecisionState;
use domain::document::{Day, Document, DocumentStatus};
use domain::exception::PolicyException;
use domain::{Error, Line, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::journal;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{Columns as _, Reader, Stored, stored_word};
use crate::ledger::view::{Deleted, View};

/// An exception with what is shown beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExceptionDetails {
    /// The exception.
    pub exception: PolicyException,
    /// Its state on the day on which it is read.
    pub state: DecisionState,
    /// The title of the document.
    pub document_title: Line,
}

impl ExceptionDetails {
    /// An exception to this document at `at`.
    pub(super) fn of(exception: PolicyException, document: &Document, at: Timestamp) -> Self {
        let state = exception.state_on(&Day::of(at), document.status);
        Self { exception, state, document_title: document.title.clone() }
    }
}

/// One exception to a document, as a view sees it.
#[boxed]
pub async fn get(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    slug: &str,
    number: i64,
) -> Result<ExceptionDetails> {
    let found: Option<Titled> =
        one(organization, view, slug, number).with(DOCUMENT, document).one(tx).await?;
    let at = journal::instant(tx, organization, view).await?;
    Ok(found.map(|it| it.at(at)).ok_or(Error::NotFound(ResourceKind::Exception))?)
}

/// The present one as it is stored.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
) -> Result<PolicyException> {
    let found: Option<Stored<PolicyException>> = one(organization, View::now(), slug, number).one(tx).await?;
    Ok(found.map(|Stored(it)| it).ok_or(Error::NotFound(ResourceKind::Exception))?)
}

/// The slug of the document of each of these exceptions.
pub(crate) async fn documents_of(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl Iterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let Some(these) = Filter::any_of("number", numbers.map(Value::from)) else {
        return Ok(HashMap::new());
    };
    let rows = all(organization, View::now()).filter(these).all(tx).await?.into_iter();
    Ok(rows.map(|Stored::<PolicyException>(it)| (it.number, it.document)).collect())
}

fn one<'q>(organization: OrgId, view: View, slug: &'q str, number: i64) -> Select<'q, PolicyException> {
    all(organization, view)
        .filter(Filter::is("document", slug.into()))
        .filter(Filter::is("number", number.into()))
}

/// The exceptions that there are: none is ever deleted.
pub(super) fn all<'q>(organization: OrgId, view: View) -> Select<'q, PolicyException> {
    Select::of(organization, View { deleted: Deleted::With, ..view })
}

/// What is shown of the document, after the columns of an exception.
pub(super) const DOCUMENT: &str = ", d.title, d.status";

/// The join that [`DOCUMENT`] needs.
pub(super) fn document(seq: Option<&str>) -> String {
    format!(" JOIN {} AS d ON d.organization = r.organization AND d.slug = r.document", documents(seq))
}

/// The documents, now or after the journal entry in the parameter `seq`. They have no history: the journal says which were archived,
/// and the titles are today's.
pub(super) fn documents(seq: Option<&str>) -> String {
    let Some(seq) = seq else { return "document".to_owned() };
    format!(
        "(SELECT document.organization, document.slug, document.title, CASE WHEN
              (SELECT entry.payload FROM journal_entry AS entry
               WHERE entry.organization = document.organization AND entry.subject_kind = 'document'
                 AND entry.subject_id = document.slug AND entry.seq <= {seq}
                 AND (entry.kind = 'document.created' OR entry.payload LIKE '%\"archived_date\":[%')
               ORDER BY entry.seq DESC LIMIT 1) LIKE '%\"archived_date\":[null,%' THEN 'archived' ELSE 'published' END AS status
          FROM document)"
    )
}

/// An exception with the title and the status of its document.
pub(super) struct Titled(PolicyException, Line, DocumentStatus);

impl Titled {
    pub(super) fn at(self, at: Timestamp) -> ExceptionDetails {
        let Self(exception, document_title, status) = self;
        let state = exception.state_on(&Day::of(at), status);
        ExceptionDetails { exception, state, document_title }
    }
}

impl FromRow for Titled {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let exception = PolicyException::read(&mut row)?;
        let (title, status): (String, String) = (row.next()?, row.next()?);
        Ok(Self(exception, Line::stored(title), stored_word(&status)?))
    }
}
