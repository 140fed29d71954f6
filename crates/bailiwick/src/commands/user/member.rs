//! `bailiwick user create`, `list`, `role` and `remove`.

use std::collections::BTreeMap;

use api::shown::UserView;
use domain::duty::{Duty, DutyCounts};
use domain::incident::Viewer;
use domain::person::{Member, MemberPatch, NewMember};
use domain::{ExpectedVersion, Roles, UserId};
use serde_json::json;
use store::people::MemberFilter;

use super::show;
use crate::cli::InOrganization;
use crate::commands::{open, operator};
use crate::failure::Result;
use crate::output;

/// Members that are read at a time.
const PAGE: i64 = 200;

pub(super) async fn create(which: &InOrganization, new: NewMember, json: bool) -> Result<()> {
    let (db, organization) = open(which).await?;
    let author = operator();
    let member =
        db.write_instance(async move |tx| store::people::add(tx, organization, &author, &new).await).await?;
    told(member, json)
}

pub(super) async fn list(which: &InOrganization, json: bool) -> Result<()> {
    let (db, organization) = open(which).await?;
    let mut read = db.read().await?;
    let table = if json { None } else { Some(show::table()?) };
    let mut after = None;
    loop {
        let page =
            store::people::list(&mut read, organization, &MemberFilter::default(), after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some((last.person.name.clone(), last.person.id));
        page.into_iter().try_for_each(|member| match &table {
            Some(table) => show::row(table, &member),
            None => output::json(&UserView::from(member)),
        })?;
    }
}

pub(super) async fn set_roles(which: &InOrganization, user: UserId, roles: Roles, json: bool) -> Result<()> {
    let (db, organization) = open(which).await?;
    let (author, patch) = (operator(), MemberPatch { roles: Some(roles), ..MemberPatch::default() });
    let member = db
        .write(organization, async move |tx: &mut db::Tx| {
            store::people::update(tx, organization, &author, user, &ExpectedVersion::Any, &patch).await
        })
        .await?;
    told(member, json)
}

pub(super) async fn remove(which: &InOrganization, user: UserId, json: bool) -> Result<()> {
    let (db, organization) = open(which).await?;
    let author = operator();
    // An operator removes whom they must: what the member was responsible for is told, and can be handed over later.
    let duties: store::Result<DutyCounts> = db
        .write(organization, async move |tx: &mut db::Tx| {
            store::people::remove(tx, organization, &author, user, &ExpectedVersion::Any).await?;
            store::duties::counts(tx, organization, &Viewer::service(), Duty::ALL, user).await
        })
        .await;
    let duties = duties?;
    match json {
        true => {
            let counts: BTreeMap<&str, i64> =
                duties.0.iter().map(|(duty, count)| (duty.as_str(), *count)).collect();
            output::json(&json!({ "id": user, "removed": true, "duties": counts }))
        }
        false if duties.total() > 0 => {
            output::line(&format!("{user} removed; still responsible for: {}", duties.sentence()))
        }
        false => output::line(&format!("{user} is removed")),
    }
}

fn told(member: Member, json: bool) -> Result<()> {
    match json {
        true => output::json(&UserView::from(member)),
        false => show::row(&show::table()?, &member),
    }
}
