//! `bailiwick organization create` and `list`.

use domain::organization::Organization;
use domain::{Faults, OrgId, time};
use serde::Serialize;

use crate::cli;
use crate::failure::Result;
use crate::output;
use crate::place::Place;

pub(crate) async fn run(command: cli::Organization) -> Result<()> {
    match command {
        cli::Organization::Create { place, name, json } => {
            let mut faults = Faults::new();
            domain::organization::name(&name, "--name", &mut faults);
            faults.or(())?;
            let db = Place::new(&place, false)?.open().await?;
            let author = super::operator();
            let organization = db
                .write_instance(async move |tx| store::organizations::create(tx, &author, &name).await)
                .await?;
            show(&organization, json)
        }
        cli::Organization::List { place, json } => {
            let db = Place::new(&place, false)?.open().await?;
            let organizations = store::organizations::list(&mut db.read().await?).await?;
            organizations.iter().try_for_each(|organization| show(organization, json))
        }
    }
}

fn show(organization: &Organization, as_json: bool) -> Result<()> {
    if !as_json {
        return output::line(&format!("{}  {}", organization.id, organization.name));
    }
    output::json(&View {
        id: organization.id,
        name: &organization.name,
        created_date: time::format(organization.created_date),
    })
}

#[derive(Serialize)]
struct View<'a> {
    id: OrgId,
    name: &'a str,
    created_date: String,
}
