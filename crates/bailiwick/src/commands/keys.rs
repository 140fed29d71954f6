//! `bailiwick keys list` and `rotate`.

use domain::{Error, FaultCode, time};
use serde::Serialize;
use store::signing_keys::{self, StoredKey};
use web::oauth::{AccessTokenAlgorithm, Wish, change_keys};

use crate::cli;
use crate::failure::{Failure, Result};
use crate::output;
use crate::place::Place;

pub(crate) async fn run(command: cli::Keys) -> Result<()> {
    match command {
        cli::Keys::List { place, json } => {
            let db = Place::new(&place, false)?.open().await?;
            show(&signing_keys::list(&mut db.read().await?).await?, json)
        }
        cli::Keys::Rotate { place, algorithm, end_tokens, json } => {
            let algorithm = algorithm.as_deref().map(known).transpose()?;
            let place = Place::new(&place, false)?;
            let db = place.open().await?;
            if signing_keys::list(&mut db.read().await?).await?.is_empty() {
                return Err(Failure::new("there are no keys yet: the service makes them at its first start"));
            }
            let wish = if end_tokens { Wish::Replace } else { Wish::Rotate };
            // Another master key than the one in use is made only for keys that are all made anew.
            let master = if end_tokens { place.master_key()? } else { place.present_master_key()? };
            let keys = change_keys(&db, &master, &super::operator(), wish, algorithm).await;
            show(&keys.map_err(Failure::new)?, json)
        }
    }
}

fn known(name: &str) -> Result<AccessTokenAlgorithm> {
    let unknown = || Error::invalid("--algorithm", FaultCode::Enum, "Must be ES256, RS256 or Ed25519.");
    Ok(AccessTokenAlgorithm::parse(name).ok_or_else(unknown)?)
}

fn show(keys: &[StoredKey], as_json: bool) -> Result<()> {
    keys.iter().try_for_each(|key| {
        let view = View {
            kid: &key.kid,
            purpose: key.purpose.as_str(),
            algorithm: &key.algorithm,
            state: key.state.as_str(),
            created_date: time::format(key.created_date),
            state_date: time::format(key.state_date),
        };
        if as_json {
            return output::json(&view);
        }
        let View { kid, purpose, algorithm, state, state_date, .. } = view;
        output::line(&format!("{purpose:<7}  {state:<7}  {algorithm:<5}  since {state_date}  {kid}"))
    })
}

#[derive(Serialize)]
struct View<'a> {
    kid: &'a str,
    purpose: &'static str,
    algorithm: &'a str,
    state: &'static str,
    created_date: String,
    /// Since when it has its state.
    state_date: String,
}
