//! The deny-list in memory: tokens that were revoked before they expire, and clients that were renamed since their
//! name was cached with their tokens.
//!
//! A change made by this process applies at once; every process reads the table `revocation` once a second
//! (`upkeep.rs`), so a change made elsewhere, for example by the command line, applies within two seconds.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use db::Db;
use domain::{ClientId, FamilyId};
use jiff::Timestamp;
use store::revocations::{self, Revoked, Subject};
use uuid::Uuid;

use super::access_token::AccessToken;

/// The deny-list.
#[derive(Default)]
pub struct DenyList(RwLock<Entries>);

/// Entries by subject, with the time after which each is no longer needed.
#[derive(Default)]
struct Entries {
    families: HashMap<FamilyId, Timestamp>,
    credentials: HashMap<Uuid, Timestamp>,
    tokens: HashMap<Uuid, Timestamp>,
    /// With the time in seconds up to which the client's tokens are denied.
    clients: HashMap<ClientId, (i64, Timestamp)>,
    /// With the time of the latest renaming.
    renamed: HashMap<ClientId, (Timestamp, Timestamp)>,
}

impl DenyList {
    /// Adds entries. An entry is never removed before its time: a reading of the table that began before a change was
    /// committed must not undo what is already known.
    pub fn add(&self, entries: &[Revoked]) {
        if entries.is_empty() {
            return;
        }
        let mut denied = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for entry in entries {
            let expires = entry.expires_date;
            match &entry.subject {
                Subject::Family(id) => {
                    denied.families.insert(*id, expires);
                }
                Subject::Credential(id) => {
                    denied.credentials.insert(*id, expires);
                }
                Subject::Token(jti) => {
                    denied.tokens.insert(*jti, expires);
                }
                Subject::Client(id) => {
                    denied.clients.insert(id.clone(), (entry.revoked_date.as_second(), expires));
                }
                Subject::RenamedClient(id) => {
                    let latest = denied.renamed.entry(id.clone()).or_default();
                    *latest = (*latest).max((entry.revoked_date, expires));
                }
            }
        }
    }

    /// Reads the entries from the database that are still needed, all of them or those since this time.
    pub(crate) async fn read(&self, db: &Db, since: Option<Timestamp>) -> domain::Result<()> {
        let mut read = db.read().await.map_err(|error| store::Error::from(error).0)?;
        let entries = revocations::current(&mut read, db.clock()(), since).await.map_err(|error| error.0)?;
        self.add(&entries);
        Ok(())
    }

    /// Removes entries that are no longer needed.
    pub(crate) fn sweep(&self, now: Timestamp) {
        let mut denied = self.0.write().unwrap_or_else(PoisonError::into_inner);
        denied.families.retain(|_, expires| *expires > now);
        denied.credentials.retain(|_, expires| *expires > now);
        denied.tokens.retain(|_, expires| *expires > now);
        denied.clients.retain(|_, (_, expires)| *expires > now);
        denied.renamed.retain(|_, (_, expires)| *expires > now);
    }

    /// When a client was last renamed, as far as this process knows. A name that was cached earlier is out of date.
    pub(super) fn renamed(&self, client: &ClientId) -> Option<Timestamp> {
        let denied = self.0.read().unwrap_or_else(PoisonError::into_inner);
        denied.renamed.get(client).map(|(at, _)| *at)
    }

    /// Whether a token was revoked. A client's entry revokes the tokens issued until then, so that the client can be
    /// enabled again.
    pub(super) fn denies(&self, token: &AccessToken) -> bool {
        let denied = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let client = denied.clients.get(&token.grant.client);
        denied.families.contains_key(&token.grant.family)
            || denied.credentials.contains_key(&token.grant.credential)
            || denied.tokens.contains_key(&token.jti)
            || client.is_some_and(|(until, _)| token.issued <= *until)
    }
}

#[cfg(test)]
mod tests {
    use domain::{OrgId, Scopes};

    use super::*;
    use crate::grant::Grant;

    fn token(issued: i64) -> AccessToken {
        let grant = Grant {
            organization: OrgId(Uuid::from_u128(1)),
            client: ClientId("bwc_a".to_owned()),
            credential: Uuid::from_u128(2),
            family: FamilyId(Uuid::from_u128(3)),
        };
        AccessToken { grant, scopes: Scopes::all(), jti: Uuid::from_u128(4), issued, expires: issued + 900 }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn each_kind_of_entry_ends_its_tokens_only() {
        for entry in [
            Revoked::family(token(0).grant.family, at(100)),
            Revoked::credential(token(0).grant.credential, at(100)),
            Revoked::client(&token(0).grant.client, at(100)),
            Revoked::token(token(0).jti, at(100)),
        ] {
            let denied = DenyList::default();
            assert!(!denied.denies(&token(100)));
            denied.add(&[entry]);
            assert!(denied.denies(&token(100)));
            let mut other = token(100);
            other.grant.family = FamilyId(Uuid::from_u128(9));
            other.grant.credential = Uuid::from_u128(9);
            other.grant.client = ClientId("bwc_b".to_owned());
            other.jti = Uuid::from_u128(9);
            assert!(!denied.denies(&other));
        }
    }

    #[test]
    fn a_renamed_client_keeps_its_tokens() {
        let denied = DenyList::default();
        let client = token(0).grant.client;
        assert_eq!(denied.renamed(&client), None);
        denied.add(&[Revoked::renamed_client(&client, at(100))]);
        assert_eq!((denied.renamed(&client), denied.denies(&token(100))), (Some(at(100)), false));
        assert_eq!(denied.renamed(&ClientId("bwc_b".to_owned())), None);
        denied.sweep(at(100 + 1800));
        assert_eq!(denied.renamed(&client), None);
    }

    #[test]
    fn a_client_that_is_enabled_again_gets_tokens_that_work() {
        let denied = DenyList::default();
        denied.add(&[Revoked::client(&token(0).grant.client, at(100))]);
        assert!(denied.denies(&token(100)));
        assert!(!denied.denies(&token(101)));
    }

    #[test]
    fn an_entry_is_forgotten_after_every_token_it_concerns_has_expired() {
        let denied = DenyList::default();
        denied.add(&[Revoked::family(token(0).grant.family, at(100))]);
        denied.sweep(at(100 + 900));
        assert!(denied.denies(&token(100)));
        denied.sweep(at(100 + 1800));
        assert!(!denied.denies(&token(100)));
    }
}
