//! The mark of a demo's database. Exempt from the journal, because it describes the database and not its content.

use db::Tx;
use domain::{ClientId, OrgId};
use macros::boxed;
use uuid::Uuid;

use crate::ledger::error::Result;

/// A demo organization that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demo {
    /// Its id.
    pub organization: OrgId,
    /// The client that its visitors use, which may do everything.
    pub client: ClientId,
}

/// How far a demo's database has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// Filling it has begun and has not ended.
    Begun,
    /// It is complete.
    Filled(Demo),
}

/// The mark, or none: the database is not a demo's.
#[boxed]
pub async fn mark(tx: &mut Tx) -> Result<Option<Mark>> {
    let row: Option<(Option<Uuid>, Option<String>)> =
        tx.query_opt("SELECT organization, client FROM demo_mark", &[]).await?;
    Ok(row.map(|row| match row {
        (Some(organization), Some(client)) => {
            Mark::Filled(Demo { organization: OrgId(organization), client: ClientId(client) })
        }
        _ => Mark::Begun,
    }))
}

/// Marks the database as a demo's, before anything is filled in.
#[boxed]
pub async fn begin(tx: &mut Tx) -> Result<()> {
    let sql =
        "INSERT INTO demo_mark (id, organization, client) VALUES (1, NULL, NULL) ON CONFLICT (id) DO NOTHING";
    tx.send(sql, &[]).await?;
    Ok(())
}

/// Records the demo that is complete now.
#[boxed]
pub async fn finish(tx: &mut Tx, demo: &Demo) -> Result<()> {
    let sql = "UPDATE demo_mark SET organization = $1, client = $2 WHERE id = 1";
    tx.send(sql, &[&demo.organization.uuid(), &demo.client.as_str()]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use testkit::TestDb;

    use super::*;

    async fn mark_of(db: &TestDb) -> Option<Mark> {
        mark(&mut db.read().await.unwrap()).await.unwrap()
    }

    #[testkit::both_engines]
    async fn a_demo_is_marked_first_and_named_last(db: TestDb) {
        assert_eq!(mark_of(&db).await, None);
        for _ in 0..2 {
            db.write_instance(async move |tx: &mut Tx| begin(tx).await).await.unwrap();
            assert_eq!(mark_of(&db).await, Some(Mark::Begun));
        }
        let organization = db.organization("Demo").await;
        let demo = Demo { organization, client: ClientId("bwc_demo".to_owned()) };
        let named = demo.clone();
        db.write_instance(async move |tx: &mut Tx| finish(tx, &named).await).await.unwrap();
        assert_eq!(mark_of(&db).await, Some(Mark::Filled(demo)));
    }
}
