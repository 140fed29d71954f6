//! Refusals that are not written yet, as many as fit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use domain::{ClientId, OrgId};
use store::refusals::{KEPT, Refusal};

/// The maximum number of clients with refusals waiting to be written.
const CLIENTS: usize = 1_000;

/// The same for client ids that were only claimed: whether they exist is checked when the refusals are written.
const NAMED: usize = 100;

/// The refusals of clients that exist.
type OfClients = HashMap<(OrgId, ClientId), Vec<Refusal>>;

/// The refusals of ids that were only claimed.
type OfNamed = HashMap<ClientId, Vec<Refusal>>;

/// Refusals that are not written yet.
#[derive(Debug, Default)]
pub(super) struct WaitingRefusals(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    of_clients: OfClients,
    of_named: OfNamed,
}

impl WaitingRefusals {
    /// Adds a refusal of a client; `org` is none if the client may not exist.
    pub(super) fn add(&self, org: Option<OrgId>, client: &ClientId, refusal: Refusal) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match org {
            Some(org) => push(&mut waiting.of_clients, CLIENTS, (org, client.clone()), refusal),
            None => push(&mut waiting.of_named, NAMED, client.clone(), refusal),
        }
    }

    /// Takes all of them out.
    pub(super) fn take(&self) -> (OfClients, OfNamed) {
        let Waiting { of_clients, of_named } =
            std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        (of_clients, of_named)
    }
}

/// Appends and keeps only the newest entries, up to the limit.
fn push<K: Eq + std::hash::Hash>(
    waiting: &mut HashMap<K, Vec<Refusal>>,
    most: usize,
    key: K,
    refusal: Refusal,
) {
    if waiting.len() >= most && !waiting.contains_key(&key) {
        return;
    }
    let refusals = waiting.entry(key).or_default();
    if refusals.len() >= KEPT {
        refusals.remove(0);
    }
    refusals.push(refusal);
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn refusal(n: u128) -> Refusal {
        Refusal {
            id: Uuid::from_u128(n),
            refused_date: Timestamp::UNIX_EPOCH,
            reason: "wrong_secret".to_owned(),
            scope: None,
            address: "192.0.2.1".to_owned(),
            request_id: "r".to_owned(),
        }
    }

    #[test]
    fn what_waits_is_bounded_and_the_newest_stay() {
        let refusals = WaitingRefusals::default();
        let (org, client) = (OrgId(Uuid::nil()), ClientId("bwc_a".to_owned()));
        for n in 0..1_000 {
            refusals.add(Some(org), &client, refusal(n));
        }
        for n in 0..10_000 {
            refusals.add(Some(org), &ClientId(format!("bwc_{n}")), refusal(n));
            refusals.add(None, &ClientId(format!("bwc_{n}")), refusal(n));
        }
        let waiting = refusals.0.lock().unwrap();
        assert_eq!((waiting.of_clients.len(), waiting.of_named.len()), (CLIENTS, NAMED));
        let of_client = &waiting.of_clients[&(org, client)];
        let first = Uuid::from_u128(u128::try_from(1_000 - KEPT).unwrap());
        assert_eq!((of_client.len(), of_client[0].id), (KEPT, first));
    }
}
