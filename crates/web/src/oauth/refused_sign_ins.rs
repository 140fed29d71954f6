//! Counting the refused sign-ins of people, for the journal.
//!
//! Every attempt counts whose password was checked. Attempts that have to wait (429) are refused before the check, so
//! there are never more of these writes than checks.

use db::Tx;
use domain::UserId;

use super::AuthorizationServer;
use crate::http::error::Result;

impl AuthorizationServer {
    /// Counts a refused sign-in of a person, or of an unknown address, which takes as long. Returns when the count is
    /// durable: call it before responding.
    pub(super) async fn count_refused_sign_in(&self, person: Option<UserId>) -> Result<()> {
        let count = async move |tx: &mut Tx| store::refused_sign_ins::count(tx, person).await;
        let counted: store::Result<()> = self.db.write_instance(count).await;
        Ok(counted?)
    }
}
