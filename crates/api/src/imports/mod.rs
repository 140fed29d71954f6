//! Imports: spreadsheets that become records.

pub(crate) mod cancel;
pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod rows;
pub(crate) mod run;
pub(crate) mod update;
mod view;

use db::Tx;
use domain::import::{Import, ImportKind};
use domain::{ImportId, OrgId, ResourceKind};
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use lists::imports::{Around, Opened};
use store::imports::Mapping;

use view::ImportView;

/// The import that the path names.
fn named(request: &ApiRequest) -> Result<ImportId> {
    request.path(0, ResourceKind::Import, ImportId::parse)
}

/// Refuses a caller who may not make such an import.
fn require(request: &ApiRequest, kind: ImportKind) -> Result<()> {
    Ok(request.permissions().require(kind.scope().into())?)
}

/// What is needed to open the file of an import.
struct Kept {
    file: Vec<u8>,
    around: Around,
}

impl Kept {
    async fn read(tx: &mut Tx, organization: OrgId, import: &Import) -> Result<Self> {
        let file = store::imports::file(tx, organization, import.id).await?;
        Ok(Self { file, around: Around::read(tx, organization).await? })
    }

    /// Opens the file; not on a thread of the requests.
    fn open(self, import: &Import) -> Result<Opened> {
        let mapping = Mapping { choices: import.choices.clone(), answers: import.answers.clone() };
        let name = import.file_name.as_deref();
        let opened = Opened::read(import.kind, name, &self.file, Some(&mapping), self.around);
        opened.map_err(Error::from)
    }
}
