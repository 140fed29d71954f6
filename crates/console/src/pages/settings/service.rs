//! `/o/{slug}/settings/service`: what operators look after: the version, the database, and the keys that sign tokens.

use askama::Template;
use db::{Engine, Tx};
use domain::ResourceKind;
use http::Error;
use jiff::Timestamp;
use store::signing_keys::StoredKey;
use store::{condition, migrations};

use super::Tab;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

#[derive(Template)]
#[template(path = "settings/service.html")]
struct ServicePage {
    frame: Layout,
    tabs: Vec<Tab>,
    engine: Engine,
    address: String,
    keys: Vec<StoredKey>,
    organizations: usize,
    health: Health,
}

/// What is read quickly of the condition of the database; `bailiwick doctor` looks further.
struct Health {
    /// Steps of the schema that are missing, or that a newer release made.
    schema_faults: usize,
    /// Journals whose last entry is not the one that their head names.
    torn_journals: usize,
    latest_write: Option<Timestamp>,
    /// Of a PostgreSQL server: its version, and how many servers follow it.
    server: Option<(String, i64)>,
}

/// `GET /o/{slug}/settings/service`: there for operators only.
pub(crate) async fn page(request: PageRequest) -> Result {
    if !request.session.is_operator {
        return Err(Error::not_found(ResourceKind::Path));
    }
    let mut tx = request.read().await?;
    let keys = store::signing_keys::list(&mut tx).await?;
    let organizations = store::organizations::list(&mut tx).await?.len();
    let health = health(&mut tx, request.app.db().engine()).await?;
    let frame = Layout::of(&request, &mut tx, texts::SERVICE, Section::Settings).await?;
    let (tabs, engine) = (super::tabs(&request), request.app.db().engine());
    let address = request.app.auth().public_url.as_str().to_owned();
    request.show(&ServicePage { frame, tabs, engine, address, keys, organizations, health })
}

async fn health(tx: &mut Tx, engine: Engine) -> Result<Health> {
    let schema = condition::schema(tx, migrations::ALL).await?;
    let server = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => Some(condition::server(tx).await?),
    };
    Ok(Health {
        schema_faults: schema.missing.len() + schema.newer.len(),
        torn_journals: condition::torn_journals(tx).await?.len(),
        latest_write: condition::latest_write(tx).await?,
        server: server.map(|server| (server.version, server.standbys)),
    })
}

impl ServicePage {
    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn database(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite => texts::SQLITE_EMBEDDED,
            Engine::Postgres => "PostgreSQL",
        }
    }
}
