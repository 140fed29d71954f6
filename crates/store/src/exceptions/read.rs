//! Reading exceptions.

use db::{FromRow, Row, Tx};
use domain::decision::DecisionState;
use domain::document::{Day, Document, DocumentStatus};
use domain::exception::PolicyException;
use domain::{Error, Line, OrgId, ResourceKind};
use jiff::Timestamp;
use macros::boxed;

use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{Columns as _, Reader, Stored, stored_word};
use crate::ledger::view::View;

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

/// One exception to a document.
#[boxed]
pub async fn get(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<ExceptionDetails> {
    let found: Option<Titled> = one(organization, slug, number).with(DOCUMENT, document).one(tx).await?;
    let at = tx.at();
    Ok(found.map(|it| it.at(at)).ok_or(Error::NotFound(ResourceKind::Exception))?)
}

/// The same as it is stored.
pub(super) async fn find(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
) -> Result<PolicyException> {
    let found: Option<Stored<PolicyException>> = one(organization, slug, number).one(tx).await?;
    Ok(found.map(|Stored(it)| it).ok_or(Error::NotFound(ResourceKind::Exception))?)
}

fn one<'q>(organization: OrgId, slug: &'q str, number: i64) -> Select<'q, PolicyException> {
    let select = Select::of(organization, View::with_deleted());
    select.filter(Filter::is("document", slug.into())).filter(Filter::is("number", number.into()))
}

/// What is shown of the document, after the columns of an exception.
pub(super) const DOCUMENT: &str = ", d.title, d.status";

/// The join that [`DOCUMENT`] needs.
pub(super) fn document(_: Option<&str>) -> String {
    " JOIN document AS d ON d.organization = r.organization AND d.slug = r.document".to_owned()
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
