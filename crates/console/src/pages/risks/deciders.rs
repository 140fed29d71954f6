//! Who decides about the acceptance of a risk.

use db::Tx;
use domain::OrgId;
use domain::accepting::criterion;
use domain::risk::Risk;
use domain::scale::{AcceptanceBy, Scales};
use store::groups::GroupFilter;

use crate::frame::page_request::Result;
use crate::texts;

/// So many names stand for the people who decide.
const NAMED: usize = 5;

/// Who decides about the acceptance of a risk, in words.
pub(super) async fn who_decides(
    tx: &mut Tx,
    organization: OrgId,
    risk: &Risk,
    scales: &Scales,
) -> Result<String> {
    let Ok(criterion) = criterion(risk, scales) else { return Ok(texts::EVALUATE_FIRST.to_owned()) };
    let fixed = match criterion.by {
        AcceptanceBy::Owner => {
            let owner = risk.owner.as_ref().map(|it| texts::owner_decides(&it.name));
            return Ok(owner.unwrap_or_else(|| texts::NO_OWNER_TO_DECIDE.to_owned()));
        }
        AcceptanceBy::NobodyNeeded => Some(texts::ANYONE_WHO_CAN_ACCEPT),
        AcceptanceBy::Never => Some(texts::BAND_NEVER_ACCEPTED),
        AcceptanceBy::People => None,
    };
    if let Some(words) = fixed {
        return Ok(words.to_owned());
    }
    let users = criterion.users.clone().unwrap_or_default();
    let people = store::people::named(tx, organization, users.clone()).await?;
    let mut names: Vec<String> = users.iter().filter_map(|id| Some(people.get(id)?.name.clone())).collect();
    if let Some(group) = criterion.group {
        let filter = GroupFilter { ids: vec![group], ..GroupFilter::default() };
        let found = store::groups::list(tx, organization, &filter, None, 1).await?.rows;
        let name =
            found.first().map_or_else(|| texts::DELETED_GROUP.to_owned(), |it| texts::in_group(&it.name));
        names.push(name);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(texts::names(&names, NAMED))
}
