//! Every record of an organization, or of the instance, with its journaled fields, for the comparison with the journal.

use db::Tx;
use domain::OrgId;

use crate::error::Result;
use crate::journal::Current;

/// The kinds whose records exist as long as the journal mentions them, until they are purged.
pub(crate) const STAY: [&str; 4] = ["incident", "risk", "tag", "document"];

/// The records that can be compared.
pub(crate) async fn current(tx: &mut Tx, organization: OrgId) -> Result<Vec<Current>> {
    if organization == OrgId::INSTANCE {
        let mut all = crate::organizations::journaled(tx).await?;
        all.extend(crate::people::journaled_persons(tx).await?);
        all.extend(crate::signing_keys::journaled(tx).await?);
        return Ok(all);
    }
    let mut all = crate::clients::journaled(tx, organization).await?;
    all.extend(crate::people::journaled(tx, organization).await?);
    all.extend(crate::invitations::journaled(tx, organization).await?);
    all.extend(crate::incidents::journaled(tx, organization).await?);
    all.extend(crate::documents::journaled(tx, organization).await?);
    all.extend(crate::risks::journaled(tx, organization).await?);
    all.extend(crate::tags::journaled(tx, organization).await?);
    Ok(all)
}
