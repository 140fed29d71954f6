//! `bailiwick organization create` and `list`.

use domain::organization::Organization;
use domain::{Faults, time};
use serde_json::{Value, json};

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
    if as_json {
        output::json(&view(organization))
    } else {
        output::line(&format!("{}  {}", organization.id, organization.name))
    }
}

fn view(organization: &Organization) -> Value {
    json!({
        "id": organization.id,
        "name": organization.name,
        "created_date": time::format(organization.created_date),
    })
}
