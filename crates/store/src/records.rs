//! Every record of an organization with its journaled fields, for the comparison with the journal.

use db::Tx;
use domain::OrgId;

use crate::error::Result;
use crate::journal::Current;

/// The records that can be compared.
pub(crate) async fn current(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    let mut all = crate::clients::journaled(tx, organization).await?;
    if organization == OrgId::INSTANCE {
        all.extend(crate::signing_keys::journaled(tx).await?);
    }
    all.extend(crate::incidents::journaled(tx, organization).await?);
    all.extend(crate::documents::journaled(tx, organization).await?);
    all.extend(crate::risks::journaled(tx, organization).await?);
    all.extend(crate::tags::journaled(tx, organization).await?);
    Ok(all)
}
