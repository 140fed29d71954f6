//! `bailiwick keys list` and `rotate`.

use auth::keys::{AccessTokenAlgorithm, KeyChange, change_keys};
use domain::{Error, FaultCode, time};
use serde::Serialize;
use store::signing_keys::{self, StoredKey};

use crate::cli;
use crate::commands::operator;
use crate::failure::{Failure, Result};
use crate::installation::Installation;
use crate::output::{self, Table};

pub(crate) async fn run(command: cli::Keys, json: bool) -> Result<()> {
    match command {
        cli::Keys::List { register } => {
            let db = Installation::named(&register.0)?.open().await?;
            show(&signing_keys::list(&mut db.read().await?).await?, json)
        }
        cli::Keys::Rotate { register, algorithm, end_tokens } => {
            let algorithm = algorithm.as_deref().map(known).transpose()?;
            let installation = Installation::named(&register.0)?;
            let db = installation.open().await?;
            if signing_keys::list(&mut db.read().await?).await?.is_empty() {
                return Err(Failure::new(
                    "there are no keys yet: the service creates them at its first start",
                ));
            }
            let wish = if end_tokens { KeyChange::Replace } else { KeyChange::Rotate };
            // Another master key than the one in use is made only if all keys are replaced.
            let master =
                if end_tokens { installation.master_key()? } else { installation.present_master_key()? };
            let keys = change_keys(&db, &master, &operator(), wish, algorithm).await;
            show(&keys.map_err(Failure::new)?, json)
        }
    }
}

fn known(name: &str) -> Result<AccessTokenAlgorithm> {
    let unknown = || Error::invalid("--algorithm", FaultCode::Enum, "Must be ES256, RS256 or Ed25519.");
    Ok(AccessTokenAlgorithm::parse(name).ok_or_else(unknown)?)
}

fn show(keys: &[StoredKey], as_json: bool) -> Result<()> {
    if as_json {
        return keys.iter().try_for_each(|key| output::json(&View::of(key)));
    }
    let table = Table::begin([("PURPOSE", 0), ("STATE", 7), ("ALGORITHM", 0), ("SINCE", 27), ("KEY", 0)])?;
    keys.iter()
        .map(View::of)
        .try_for_each(|key| table.row([key.purpose, key.state, key.algorithm, &key.state_date, key.kid]))
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

impl<'a> View<'a> {
    fn of(key: &'a StoredKey) -> Self {
        Self {
            kid: &key.kid,
            purpose: key.purpose.as_str(),
            algorithm: &key.algorithm,
            state: key.state.as_str(),
            created_date: time::format(key.created_date),
            state_date: time::format(key.state_date),
        }
    }
}
