//! `bailiwick organization create`, `list` and `update`.

use api::shown::OrganizationView;
use domain::organization::{self, Organization, OrganizationPatch, OrganizationSlug};
use domain::{Change, ExpectedVersion, Faults, Line};

use crate::cli;
use crate::commands::operator;
use crate::failure::Result;
use crate::installation::Installation;
use crate::output::{self, Table};

pub(crate) async fn run(command: cli::Organization, json: bool) -> Result<()> {
    match command {
        cli::Organization::Create { register, name } => {
            let mut faults = Faults::new();
            organization::name(&name, "--name", &mut faults);
            faults.or(())?;
            let db = Installation::named(&register.0)?.open_or_make().await?;
            let author = operator();
            let organization = db
                .write_instance(async move |tx| store::organizations::create(tx, &author, &name).await)
                .await?;
            show(vec![organization], json)
        }
        cli::Organization::List { register } => {
            let db = Installation::named(&register.0)?.open().await?;
            show(store::organizations::list(&mut db.read().await?).await?, json)
        }
        cli::Organization::Update {
            organization,
            name,
            slug,
            trash_days,
            time_zone,
            four_eyes,
            pseudonym_days,
        } => {
            let mut faults = Faults::new();
            let patch = OrganizationPatch {
                name: name.and_then(|name| Line::new(name, "--name", &mut faults)),
                slug: slug.and_then(|slug| OrganizationSlug::new(slug, "--slug", &mut faults)),
                trash_days,
                time_zone: time_zone
                    .and_then(|zone| organization::time_zone(&zone, "--time-zone", &mut faults)),
                four_eyes,
                pseudonym_days: Change::from(pseudonym_days.map(|days| Some(days).filter(|days| *days != 0))),
            };
            if let Some(days) = trash_days {
                organization::trash_days(days, "--trash-days", &mut faults);
            }
            if let Some(days) = patch.pseudonym_days.value() {
                organization::pseudonym_days(*days, "--pseudonym-days", &mut faults);
            }
            show(vec![update(&organization, faults.or(patch)?).await?], json)
        }
    }
}

async fn update(which: &cli::InOrganization, patch: OrganizationPatch) -> Result<Organization> {
    let (db, id) = super::open(which).await?;
    let author = operator();
    let work = async move |tx: &mut db::Tx| {
        store::organizations::update(tx, id, &author, &ExpectedVersion::Any, &patch).await
    };
    Ok(db.write_instance(work).await?)
}

fn show(organizations: Vec<Organization>, as_json: bool) -> Result<()> {
    if as_json {
        return organizations.into_iter().try_for_each(|it| output::json(&OrganizationView::from(it)));
    }
    let table = Table::begin([("ORGANIZATION", 36), ("TRASH DAYS", 0), ("TIME ZONE", 20), ("NAME", 0)])?;
    organizations.iter().try_for_each(|it| {
        table.row([&it.id.to_string(), &it.trash_days.to_string(), it.time_zone_name(), &it.name])
    })
}
