//! `/o/{slug}/settings/service`: what operators look after: the version, the database, and the keys that sign tokens.

use askama::Template;
use db::Engine;
use domain::ResourceKind;
use store::signing_keys::StoredKey;
use web::Error;

use super::Tab;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};

#[derive(Template)]
#[template(path = "settings/service.html")]
struct ServicePage {
    frame: Layout,
    tabs: Vec<Tab>,
    engine: Engine,
    address: String,
    keys: Vec<StoredKey>,
    organizations: usize,
}

/// `GET /o/{slug}/settings/service`: there for operators only.
pub(crate) async fn page(request: PageRequest) -> Result {
    if !request.session.is_operator {
        return Err(Error::not_found(ResourceKind::Path));
    }
    let mut tx = request.read().await?;
    let keys = store::signing_keys::list(&mut tx).await?;
    let organizations = store::organizations::list(&mut tx).await?.len();
    let frame = Layout::of(&request, &mut tx, "Service", Section::Settings).await?;
    let (tabs, engine) = (super::tabs(&request), request.app.db().engine());
    let address = request.app.auth().issuer.url().to_owned();
    request.show(&ServicePage { frame, tabs, engine, address, keys, organizations })
}

impl ServicePage {
    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn database(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite => "SQLite, embedded",
            Engine::Postgres => "PostgreSQL",
        }
    }
}
