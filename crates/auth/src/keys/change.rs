//! Changing the stored signing keys.
//!
//! The steps are planned once before a write, to know which keys to generate, and again inside it. If another process
//! changed the keys in between, the two plans differ, nothing is written, and planning starts again. So any number of
//! processes may run this at the same time.

use db::{Db, Tx};
use domain::{Actor, ActorKind, Author};
use jiff::Timestamp;
use macros::boxed;
use store::signing_keys::{self, State, StoredKey};
use zeroize::Zeroizing;

use super::key_pair::AccessTokenAlgorithm;
use super::master_key::MasterKey;
use super::opened::{Keys, KeysError, random_name};
use super::plan::{KeyChange, MissingKey, Plan};

/// How often planning is started when other processes change the keys at the same time.
const ATTEMPTS: usize = 5;

/// Makes the requested change of the keys in a database and returns the resulting keys.
///
/// A new key is only encrypted with the master key that encrypts the existing ones: with another master key, nothing
/// is changed and an error is returned. Only [`KeyChange::Replace`] does not check this, since it removes all of them.
#[boxed]
pub async fn change_keys(
    db: &Db,
    master: &MasterKey,
    author: &Author,
    change: KeyChange,
    algorithm: Option<AccessTokenAlgorithm>,
) -> Result<Vec<StoredKey>, KeysError> {
    for _ in 0..ATTEMPTS {
        let mut read = db.read().await.map_err(store::Error::from)?;
        let stored = signing_keys::list(&mut read).await?;
        drop(read);
        if !stored.is_empty() && change != KeyChange::Replace {
            Keys::open(stored.clone(), master)?;
        }
        let plan = Plan::new(&stored, change, algorithm, db.clock()());
        if plan.is_empty() {
            return Ok(stored);
        }
        let made = make(&plan.make, master, &**db.random())?;
        let author = author.clone();
        let changed = db
            .write_instance(async move |tx: &mut Tx| {
                let stored = signing_keys::list(tx).await?;
                let plan = Plan::new(&stored, change, algorithm, tx.at());
                if !plan.is_met_by(&made) {
                    return Ok::<_, store::Error>(None);
                }
                carry_out(tx, &plan, &author, &made).await.map(Some)
            })
            .await?;
        if let Some(stored) = changed {
            return Ok(stored);
        }
    }
    Err(KeysError::Busy)
}

/// Carries out the plan and returns the resulting keys.
async fn carry_out(
    tx: &mut Tx,
    plan: &Plan,
    author: &Author,
    made: &[StoredKey],
) -> store::Result<Vec<StoredKey>> {
    for key in &plan.delete {
        signing_keys::delete(tx, author, key).await?;
    }
    for key in &plan.retire {
        signing_keys::set_state(tx, author, key, State::Retired).await?;
    }
    for key in &plan.activate {
        signing_keys::set_state(tx, author, key, State::Active).await?;
    }
    for key in made {
        let at = tx.at();
        let key = StoredKey { created_date: at, state_date: at, ..key.clone() };
        signing_keys::create(tx, author, &key).await?;
    }
    signing_keys::list(tx).await
}

/// Generates the planned keys. They get their dates when they are written.
fn make(
    wanted: &[MissingKey],
    master: &MasterKey,
    random: &dyn Fn(&mut [u8]),
) -> Result<Vec<StoredKey>, KeysError> {
    let one = |wanted: &MissingKey| {
        let by_name = |known: &AccessTokenAlgorithm| known.jose() == wanted.algorithm;
        let (kid, secret) = match AccessTokenAlgorithm::ALL.into_iter().find(by_name) {
            Some(algorithm) => {
                let secret = algorithm.generate().ok_or(KeysError::NotMade)?;
                let (_, public) = algorithm.open(&secret).ok_or(KeysError::NotMade)?;
                (public.thumbprint(), secret)
            }
            None => {
                let mut secret = Zeroizing::new(vec![0; 32]);
                random(secret.as_mut_slice());
                (random_name(random), secret)
            }
        };
        Ok(StoredKey {
            sealed: master.seal(&kid, &secret, random)?,
            kid,
            purpose: wanted.purpose,
            algorithm: wanted.algorithm.clone(),
            state: wanted.state,
            created_date: Timestamp::UNIX_EPOCH,
            state_date: Timestamp::UNIX_EPOCH,
        })
    };
    wanted.iter().map(one).collect()
}

/// The author of changes that the service makes by itself.
pub(super) fn service(request_id: &str) -> Author {
    let actor = Actor { kind: ActorKind::Operator, id: "service".to_owned(), name: "Service".to_owned() };
    Author::new(actor, request_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_made_for_another_plan_are_not_written() {
        let plan = Plan::new(&[], KeyChange::Rotate, None, Timestamp::UNIX_EPOCH);
        let master = MasterKey::generate(&|bytes: &mut [u8]| bytes.fill(1));
        let made = make(&plan.make, &master, &|bytes: &mut [u8]| bytes.fill(2)).unwrap();
        assert!(plan.is_met_by(&made));
        assert!(!plan.is_met_by(&made[..1]));
        assert!(!Plan::default().is_met_by(&made));
    }
}
