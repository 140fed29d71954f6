//! `bailiwick user create`, `list`, `role` and `remove`.

use domain::person::{MemberPatch, NewMember};
use domain::{ExpectedVersion, Role, UserId};
use uuid::Uuid;

use super::show;
use crate::cli;
use crate::commands::{known, operator};
use crate::failure::Result;
use crate::output;
use crate::place::Place;

/// Members that are read at a time.
const PAGE: i64 = 200;

pub(super) async fn create(place: &cli::Place, organization: Uuid, new: NewMember, json: bool) -> Result<()> {
    let db = Place::new(place, false)?.open().await?;
    let organization = known(&db, organization).await?;
    let author = operator();
    let member =
        db.write_instance(async move |tx| store::people::add(tx, organization, &author, &new).await).await?;
    show(&member, json)
}

pub(super) async fn list(place: &cli::Place, organization: Uuid, json: bool) -> Result<()> {
    let db = Place::new(place, false)?.open().await?;
    let organization = known(&db, organization).await?;
    let mut read = db.read().await?;
    let mut after = None;
    loop {
        let page = store::people::list(&mut read, organization, after, PAGE).await?;
        page.iter().try_for_each(|member| show(member, json))?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some((last.person.name.clone(), last.person.id));
    }
}

pub(super) async fn set_role(
    place: &cli::Place,
    organization: Uuid,
    user: UserId,
    role: Role,
    json: bool,
) -> Result<()> {
    let db = Place::new(place, false)?.open().await?;
    let organization = known(&db, organization).await?;
    let (author, patch) = (operator(), MemberPatch { name: None, role: Some(role) });
    let member = db
        .write(organization, async move |tx: &mut db::Tx| {
            store::people::update(tx, organization, &author, user, &ExpectedVersion::Any, &patch).await
        })
        .await?;
    show(&member, json)
}

pub(super) async fn remove(place: &cli::Place, organization: Uuid, user: UserId) -> Result<()> {
    let db = Place::new(place, false)?.open().await?;
    let organization = known(&db, organization).await?;
    let author = operator();
    let removed: store::Result<()> = db
        .write(organization, async move |tx: &mut db::Tx| {
            store::people::remove(tx, organization, &author, user, &ExpectedVersion::Any).await
        })
        .await;
    removed?;
    output::line(&format!("{user} is removed"))
}
