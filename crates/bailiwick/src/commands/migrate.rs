//! `bailiwick migrate`.

use crate::cli;
use crate::failure::Result;
use crate::output;
use crate::place::Place;

pub(crate) async fn run(command: &cli::Migrate) -> Result<()> {
    let db = Place::new(&command.place, false)?.open_as_it_is().await?;
    let applied = db.migrate(store::migrations::ALL).await?;
    if applied.is_empty() {
        return output::line("up to date");
    }
    applied.iter().try_for_each(|name| output::line(&format!("applied {name}")))
}
