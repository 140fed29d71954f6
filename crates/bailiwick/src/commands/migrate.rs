//! `bailiwick migrate`.

use serde_json::json;

use crate::cli;
use crate::failure::Result;
use crate::installation::Installation;
use crate::output;

pub(crate) async fn run(command: &cli::Migrate, json: bool) -> Result<()> {
    let db = Installation::named(&command.register.0)?.open_unmigrated().await?;
    let applied = db.migrate(store::migrations::ALL).await?;
    if json {
        return output::json(&json!({ "applied": applied }));
    }
    if applied.is_empty() {
        return output::line("up to date");
    }
    applied.iter().try_for_each(|name| output::line(&format!("applied {name}")))
}
