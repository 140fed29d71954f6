//! `bailiwick user operator`.

use domain::{Error, ResourceKind};
use serde_json::json;

use crate::cli;
use crate::commands::operator;
use crate::failure::Result;
use crate::installation::Installation;
use crate::output;

pub(super) async fn set(
    register: &cli::RegisterFlags,
    email: &str,
    is_operator: bool,
    json: bool,
) -> Result<()> {
    let db = Installation::named(&register.0)?.open().await?;
    let person = store::people::find_by_email(&mut db.read().await?, email).await?;
    let person = person.ok_or(Error::NotFound(ResourceKind::User))?;
    let author = operator();
    let set: store::Result<bool> = db
        .write_instance(async move |tx: &mut db::Tx| {
            store::people::set_operator(tx, &author, person, is_operator).await
        })
        .await;
    set?;
    match (json, is_operator) {
        (true, _) => output::json(&json!({ "id": person, "operator": is_operator })),
        (false, true) => output::line(&format!("{person} is an operator of the service")),
        (false, false) => output::line(&format!("{person} is not an operator of the service")),
    }
}
