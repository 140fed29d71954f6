//! `bailiwick organization create`, `list` and `update`.

use domain::organization::{self, Organization, OrganizationPatch};
use domain::{ExpectedVersion, Faults, OrgId, time};
use serde::Serialize;
use uuid::Uuid;

use crate::cli;
use crate::failure::Result;
use crate::output;
use crate::place::Place;

pub(crate) async fn run(command: cli::Organization) -> Result<()> {
    match command {
        cli::Organization::Create { place, name, json } => {
            let mut faults = Faults::new();
            organization::name(&name, "--name", &mut faults);
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
        cli::Organization::Update { place, organization, name, trash_days, json } => {
            let patch = OrganizationPatch { name, trash_days };
            show(&update(&place, organization, patch).await?, json)
        }
    }
}

async fn update(place: &cli::Place, id: Uuid, patch: OrganizationPatch) -> Result<Organization> {
    let mut faults = Faults::new();
    if let Some(name) = &patch.name {
        organization::name(name, "--name", &mut faults);
    }
    if let Some(days) = patch.trash_days {
        organization::trash_days(days, "--trash-days", &mut faults);
    }
    faults.or(())?;
    let db = Place::new(place, false)?.open().await?;
    let (id, author) = (super::known(&db, id).await?, super::operator());
    let work = async move |tx: &mut db::Tx| {
        store::organizations::update(tx, id, &author, &ExpectedVersion::Any, &patch).await
    };
    Ok(db.write_instance(work).await?)
}

fn show(organization: &Organization, as_json: bool) -> Result<()> {
    if !as_json {
        return output::line(&format!("{}  {}", organization.id, organization.name));
    }
    output::json(&View {
        id: organization.id,
        name: &organization.name,
        created_date: time::format(organization.created_date),
        trash_days: organization.trash_days,
    })
}

#[derive(Serialize)]
struct View<'a> {
    id: OrgId,
    name: &'a str,
    created_date: String,
    trash_days: i64,
}
