//! The reasons of refusals: logged each time, and listed for each client (`GET /v1/clients/{id}/refusals`).
//!
//! The list is collected in memory and written about once a second, so that a refusal does not cost a write. It is
//! best effort: when there are more than fit, some are lost, and so is the last second when a process is killed.

mod reason;
mod refused;
mod waiting;

use db::{Db, Tx};
use domain::{ClientId, OrgId};
use store::refusals::Refusal;

use crate::metrics::Metrics;
use crate::source::Source;
use crate::uuid_v7::uuid_v7;

pub use reason::Reason;
pub use refused::Refused;

use waiting::WaitingRefusals;

/// Records refusals. One for each process.
pub struct Refusals {
    db: Db,
    metrics: Metrics,
    waiting: WaitingRefusals,
}

impl Refusals {
    pub(crate) fn new(db: &Db, metrics: Metrics) -> Self {
        Self { db: db.clone(), metrics, waiting: WaitingRefusals::default() }
    }

    /// Adds a refusal to the log, the metrics and the client's list.
    pub fn note(&self, refused: &Refused, source: &Source) {
        let reason = refused.reason.as_str();
        self.metrics.refused(reason);
        let (address, request_id) = (source.address, source.request_id());
        let client_id = refused.client.as_ref().map(ClientId::as_str);
        let jti = refused.jti.map(tracing::field::display);
        let scope = refused.scope.map(|missing| missing.to_string());
        let detail = Some(refused.detail).filter(|detail| !detail.is_empty());
        tracing::warn!(target: "security", reason, client_id, %address, jti, scope = scope.as_deref(), detail, request_id, "refused");
        let Some(client) = &refused.client else { return };
        let now = self.db.clock()();
        let refusal = Refusal {
            id: uuid_v7(&self.db, now),
            refused_date: now,
            reason: reason.to_owned(),
            scope,
            address: address.to_string(),
            request_id: request_id.to_owned(),
        };
        self.waiting.add(refused.organization, client, refusal);
    }

    /// Writes the waiting refusals, one small write per client. What cannot be written is lost: retrying would add
    /// load to a database that already has problems.
    pub(crate) async fn write(&self) {
        let (mut of_clients, of_named) = self.waiting.take();
        for (client, refusals) in of_named {
            match organization(&self.db, &client).await {
                Ok(Some(org)) => of_clients.entry((org, client)).or_default().extend(refusals),
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "refusals could not be written"),
            }
        }
        for ((org, client), refusals) in of_clients {
            let result: store::Result<()> = self
                .db
                .write(org, async move |tx: &mut Tx| store::refusals::add(tx, org, &client, &refusals).await)
                .await;
            if let Err(error) = result {
                tracing::warn!(%org, error = %error.0, "refusals could not be written");
            }
        }
    }
}

async fn organization(db: &Db, client: &ClientId) -> domain::Result<Option<OrgId>> {
    let mut read = db.read().await.map_err(|error| store::Error::from(error).0)?;
    let record = store::clients::find(&mut read, client).await.map_err(|error| error.0)?;
    Ok(record.map(|record| record.client.organization))
}
