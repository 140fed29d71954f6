//! `bailiwick search rebuild`.

use domain::OrgId;
use serde::Serialize;

use crate::failure::Result;
use crate::installation::Installation;
use crate::progress::Line;
use crate::{cli, output, search};

pub(crate) async fn run(command: cli::Search, json: bool) -> Result<()> {
    let cli::Search::Rebuild { register, organization } = command;
    let db = Installation::named(&register.0)?.open().await?;
    let organizations = match organization {
        Some(named) => vec![super::find_organization(&db, Some(named)).await?],
        None => {
            let all = store::organizations::list(&mut db.read().await?).await?;
            all.into_iter().map(|found| found.id).collect()
        }
    };
    for organization in organizations {
        let head = store::journal::head(&mut db.read().await?, organization).await?.seq;
        let entries = {
            let mut line = Line::new();
            search::rebuild(&db, organization, |done| {
                line.say(&format!("indexing: entry {} of {head}", done.seq));
            })
            .await?
        };
        match json {
            true => output::json(&Rebuilt { organization, entries })?,
            false => output::line(&format!("{organization}  indexed up to entry {entries}"))?,
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Rebuilt {
    organization: OrgId,
    /// The journal entry up to which the index is.
    entries: i64,
}
