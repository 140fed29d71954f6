//! One SQL text means the same on both engines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::time::Duration;

use crate::common::{append, append_so, chain, labels, open, organization, write};
use db::{Column, Db, Engine, Error, Param, Tx};
use jiff::Timestamp;
use testkit::{EmptyDatabase, both_engines, until};
use uuid::Uuid;

#[both_engines]
async fn parameters_are_bound_by_number(database: EmptyDatabase) {
    let db = open(&database).await;
    let mut tx = db.read().await.unwrap();
    let sql = "SELECT CAST($2 AS TEXT), CAST($1 AS TEXT), CAST($2 AS TEXT)";
    let row: (String, String, String) = tx.query_one(sql, &[&"one", &"two"]).await.unwrap();
    assert_eq!(row, ("two".to_owned(), "one".to_owned(), "two".to_owned()));
    let sql = "SELECT CAST($11 AS BIGINT) FROM parent WHERE id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let ids: Vec<i64> = (0..11).collect();
    let params: Vec<&dyn Param> = ids.iter().map(|id| id as &dyn Param).collect();
    assert_eq!(tx.query::<(i64,)>(sql, &params).await.unwrap(), []);
}

#[both_engines]
async fn too_few_or_too_many_parameters_are_a_fault_of_ours(database: EmptyDatabase) {
    let db = open(&database).await;
    for params in [&[][..], &[&1_i64 as &dyn Param], &[&1_i64, &2_i64, &3_i64]] {
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT id FROM parent WHERE id = $1 OR id = $2";
        let result = tx.query::<(i64,)>(sql, params).await;
        assert!(matches!(result, Err(Error::Internal(_))), "{result:?}");
    }
}

#[both_engines]
async fn each_row_is_taken_as_it_comes(database: EmptyDatabase) {
    let db = open(&database).await;
    let numbers =
        "WITH RECURSIVE numbers (n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
                   SELECT CAST(n AS BIGINT) FROM numbers";
    let numbers = numbers.replace("$1", "CAST($1 AS BIGINT)");
    let mut tx = db.read().await.unwrap();
    let (mut sum, mut count) = (0, 0);
    let add = |row: &db::Row<'_>| {
        count += 1;
        sum += row.get::<i64>(0)?;
        Ok(())
    };
    tx.each(&numbers, &[&1_i64], add).await.unwrap();
    assert_eq!((sum, count), (50_005_000, 10_000));
    // A row that cannot be taken is the last one, and the error that of the transaction.
    let mut taken = 0;
    let refuse = |row: &db::Row<'_>| {
        taken = row.get::<i64>(0)?;
        if taken == 20 { Err(Error::Internal("enough".to_owned())) } else { Ok(()) }
    };
    let result = tx.each(&numbers, &[&1_i64], refuse).await;
    assert!(matches!(&result, Err(Error::Internal(text)) if text == "enough"), "{result:?}");
    assert_eq!(taken, 20);
    assert!(matches!(tx.query::<(i64,)>(&numbers, &[&1_i64]).await, Err(Error::Internal(_))));
    // It changes nothing.
    let mut tx = db.read().await.unwrap();
    let result = tx.each("DELETE FROM parent WHERE id = $1 RETURNING id", &[&1_i64], |_| Ok(())).await;
    assert!(result.is_err());
}

#[both_engines]
async fn many_rows_are_inserted_and_those_that_are_there_changed(database: EmptyDatabase) {
    let db = open(&database).await;
    let upsert = "INSERT INTO many_rows (id, name, data) VALUES ($1, $2, $3)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, data = excluded.data";
    db.write_instance(async move |tx: &mut Tx| -> db::Result<()> {
        let bytes = if tx.engine() == Engine::Sqlite { "BLOB" } else { "BYTEA" };
        tx.execute(&format!("CREATE TABLE many_rows (id BIGINT PRIMARY KEY, name TEXT, data {bytes})"), &[])
            .await?;
        for (name, many) in [("a", 63), ("b", 64), ("c", 1), ("d", 200), ("e", 0), ("f", 129)] {
            let ids: Vec<i64> = (0..many).collect();
            let (text, data) = (Some(name.to_owned()), name.as_bytes().to_vec());
            let rows: Vec<[&dyn Param; 3]> =
                ids.iter().map(|id| -> [&dyn Param; 3] { [id, &text, &data] }).collect();
            tx.insert_many(upsert, &rows).await?;
        }
        Ok(())
    })
    .await
    .unwrap();
    let mut tx = db.read().await.unwrap();
    let sql = "SELECT name, data, count(*) FROM many_rows GROUP BY name, data ORDER BY name";
    let rows: Vec<(String, Vec<u8>, i64)> = tx.query(sql, &[]).await.unwrap();
    assert_eq!(rows, [("d".to_owned(), b"d".to_vec(), 71), ("f".to_owned(), b"f".to_vec(), 129)]);
}

/// Stores each value and NULL in a column of type `sqlite` or `postgres` and reads it back.
async fn round_trip<T>(db: &Db, sqlite: &str, postgres: &str, values: Vec<T>)
where
    T: Param + Column + Clone + PartialEq + std::fmt::Debug + Send + tokio_postgres::types::ToSql + 'static,
{
    let kind = if db.engine() == Engine::Sqlite { sqlite } else { postgres };
    let strict = if db.engine() == Engine::Sqlite { " STRICT" } else { "" };
    let table = format!("CREATE TABLE value_as_{postgres} (position BIGINT, value {kind})");
    let table = if strict.is_empty() { table } else { table.replace("BIGINT", "INTEGER") + strict };
    let name = table.split(' ').nth(2).unwrap().to_owned();
    let expected: Vec<Option<T>> = values.iter().cloned().map(Some).chain([None]).collect();
    let stored = expected.clone();
    let insert = format!("INSERT INTO {name} (position, value) VALUES ($1, $2)");
    db.write_instance(async move |tx: &mut Tx| -> db::Result<()> {
        tx.execute(&table, &[]).await?;
        for (position, value) in (0_i64..).zip(&stored) {
            tx.execute(&insert, &[&position, value]).await?;
        }
        Ok(())
    })
    .await
    .unwrap();
    let mut tx = db.read().await.unwrap();
    let sql = format!("SELECT value FROM {name} ORDER BY position");
    let found: Vec<(Option<T>,)> = tx.query(&sql, &[]).await.unwrap();
    assert_eq!(found.into_iter().map(|row| row.0).collect::<Vec<_>>(), expected);
    for value in values {
        let sql = format!("SELECT value FROM {name} WHERE value = $1");
        let found: Vec<(T,)> = tx.query(&sql, &[&value]).await.unwrap();
        assert!(found.iter().all(|row| row.0 == value) && !found.is_empty(), "{value:?}: {found:?}");
    }
    // NULL where a value is expected is an error.
    let sql = format!("SELECT value FROM {name} WHERE value IS NULL");
    let result = tx.query::<(T,)>(&sql, &[]).await;
    assert!(matches!(result, Err(Error::Internal(_))), "{result:?}");
}

#[both_engines]
async fn every_type_comes_back_as_it_was_stored(database: EmptyDatabase) {
    let db = open(&database).await;
    round_trip(&db, "INTEGER", "bigint", vec![0_i64, 1, -1, i64::MIN, i64::MAX]).await;
    round_trip(&db, "INTEGER", "boolean", vec![true, false]).await;
    let texts = ["", " ", "a\"'\\\n\r\t%_", "größe 東京 🦀 e\u{301}", "\u{1}\u{7f}\u{feff}"];
    let long = "x🦀".repeat(40_000);
    let texts: Vec<String> = texts.into_iter().map(str::to_owned).chain([long]).collect();
    round_trip(&db, "TEXT", "text", texts).await;
    round_trip(&db, "BLOB", "uuid", vec![Uuid::nil(), Uuid::max(), Uuid::from_u128(0x0190_163d)]).await;
    let bytes = vec![vec![], vec![0], vec![0, 255, 0], (0..=255).collect::<Vec<u8>>()];
    round_trip(&db, "BLOB", "bytea", bytes).await;
    let times = [
        "1970-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "2026-03-01T09:00:00.123456Z",
        "0001-01-01T00:00:00Z",
        "9999-12-30T22:00:00.999999Z",
    ];
    let times: Vec<Timestamp> = times.into_iter().map(|time| time.parse().unwrap()).collect();
    round_trip(&db, "INTEGER", "timestamptz", times).await;
}

#[both_engines]
async fn text_keys_sort_by_their_bytes(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    for label in ["b", "B", "a-z", "a", "ä", "a0", "Z", "é"] {
        write(&db, org, label).await.unwrap();
    }
    let sql = "SELECT label FROM entry WHERE organization = $1 AND label > $2 ORDER BY label";
    let rows: Vec<(String,)> = db.read().await.unwrap().query(sql, &[&org, &"B"]).await.unwrap();
    let labels: Vec<_> = rows.into_iter().map(|row| row.0).collect();
    assert_eq!(labels, ["Z", "a", "a-z", "a0", "b", "ä", "é"]);
}

#[both_engines]
async fn the_shared_subset_runs(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    for label in ["a", "b", "c"] {
        write(&db, org, label).await.unwrap();
    }
    let upserted = db
        .write(org, async move |tx: &mut Tx| -> db::Result<(i64, u64, u64)> {
            let sql =
                "INSERT INTO parent (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id + 1
                       RETURNING id";
            tx.execute_returning::<(i64,)>(sql, &[&1_i64]).await?;
            let (id,) = tx.execute_returning(sql, &[&1_i64]).await?[0];
            let none =
                tx.execute("INSERT INTO parent (id) VALUES (2) ON CONFLICT (id) DO NOTHING", &[]).await?;
            let rows: Vec<Vec<&dyn Param>> = vec![vec![&5_i64], vec![&6_i64], vec![&7_i64]];
            let many = tx.execute_many("INSERT INTO parent (id) VALUES ($1)", &rows).await?;
            Ok((id, none, many))
        })
        .await
        .unwrap();
    assert_eq!(upserted, (2, 0, 3));
    let mut tx = db.read().await.unwrap();
    let sql =
        "WITH page AS (SELECT seq, label FROM entry WHERE organization = $1 AND (seq, label) > ($2, $3))
        SELECT CAST(count(*) AS BIGINT), CAST(sum(seq) AS BIGINT), count(*) FILTER (WHERE label = 'b'),
               CAST(max(CASE WHEN label IS NOT DISTINCT FROM NULL THEN 1 ELSE 0 END) AS BIGINT)
        FROM page";
    let row: (i64, i64, i64, i64) = tx.query_one(sql, &[&org, &1_i64, &""]).await.unwrap();
    assert_eq!(row, (3, 6, 1, 0));
    let sql =
        "SELECT label, row_number() OVER (ORDER BY seq DESC) FROM entry WHERE organization = $1 ORDER BY 2";
    let rows: Vec<(String, i64)> = tx.query(sql, &[&org]).await.unwrap();
    assert_eq!(rows[0], ("c".to_owned(), 1));
}

#[both_engines]
async fn a_violated_constraint_has_the_same_name_on_both_engines(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    write(&db, org, "taken").await.unwrap();
    let violate = async |sql: &'static str| {
        db.write(org, async move |tx: &mut Tx| tx.execute(sql, &[&org]).await).await.unwrap_err()
    };
    let insert = "INSERT INTO entry (organization, seq, at, number, label) ";
    let cases = [
        (format!("{insert} SELECT $1, 1, at, 1, 'x' FROM entry WHERE organization = $1"), "entry_pkey"),
        (format!("{insert} SELECT $1, 9, at, 1, label FROM entry WHERE organization = $1"), "entry_label"),
        (
            format!("{insert} SELECT $1, 9, at, 0, 'x' FROM entry WHERE organization = $1"),
            "entry_number_positive",
        ),
        (
            "UPDATE entry SET seq = seq, number = -1 WHERE organization = $1".to_owned(),
            "entry_number_positive",
        ),
    ];
    for (sql, name) in cases {
        let error = violate(sql.clone().leak()).await;
        assert_eq!(error, Error::Constraint { name: name.to_owned() }, "{sql}");
    }
    let twice = "INSERT INTO parent (id) SELECT 1 FROM entry WHERE organization = $1";
    db.write(org, async move |tx: &mut Tx| tx.execute(twice, &[&org]).await).await.unwrap();
    assert_eq!(violate(twice).await, Error::Constraint { name: "parent_pkey".to_owned() });
    assert_eq!(labels(&db, org).await, ["taken"]);
}

#[both_engines]
async fn a_statement_after_an_error_is_refused_with_the_same_error(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    write(&db, org, "taken").await.unwrap();
    let seen = db
        .write(org, async move |tx: &mut Tx| -> db::Result<()> {
            let first = append_so(tx, org, "taken", true).await.unwrap_err();
            let second = tx.query::<(i64,)>("SELECT seq FROM entry", &[]).await.unwrap_err();
            let third = append(tx, org, "free").await.unwrap_err();
            assert_eq!((&first, &first), (&second, &third));
            Err(third)
        })
        .await;
    assert_eq!(seen, Err(Error::Constraint { name: "entry_label".to_owned() }));
    // In a read too.
    let mut tx = db.read().await.unwrap();
    assert!(tx.query::<(i64,)>("SELECT nothing FROM nowhere", &[]).await.is_err());
    assert!(tx.query::<(i64,)>("SELECT seq FROM entry", &[]).await.is_err());
    drop(tx);
    assert_eq!(chain(&db, org).await.len(), 1);
}

#[both_engines]
async fn a_write_that_goes_on_after_an_error_is_not_kept(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    write(&db, org, "taken").await.unwrap();
    let result = db
        .write(org, async move |tx: &mut Tx| -> db::Result<&str> {
            append(tx, org, "before").await?;
            let _ = append(tx, org, "taken").await;
            let _ = append(tx, org, "after").await;
            Ok("as if nothing had happened")
        })
        .await;
    assert_eq!(result, Err(Error::Constraint { name: "entry_label".to_owned() }));
    assert_eq!(labels(&db, org).await, ["taken"]);
    crate::common::assert_whole(&db, org).await;
}

#[both_engines]
async fn a_new_statement_works_right_after_a_neighbours_error(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    write(&db, org, "taken").await.unwrap();
    // The first keeps the lane busy, so that the others share its successor's batch. Each text is new to
    // the connection: PostgreSQL must not be asked to prepare one while its transaction is aborted.
    let busy = db.write(org, async move |tx: &mut Tx| -> db::Result<()> {
        tokio::time::sleep(Duration::from_millis(50)).await;
        append(tx, org, "busy").await.map(drop)
    });
    let failing = db.write(org, async move |tx: &mut Tx| append(tx, org, "taken").await);
    let reading = db.write(org, async move |tx: &mut Tx| -> db::Result<i64> {
        let (count,) = tx.query_one("SELECT count(*) FROM entry WHERE number > 0", &[]).await?;
        Ok(count)
    });
    let failing_too = db.write(org, async move |tx: &mut Tx| append(tx, org, "taken").await);
    let writing = db.write(org, async move |tx: &mut Tx| {
        tx.execute("INSERT INTO parent (id) VALUES (1), (2), (3)", &[]).await
    });
    let failing_last = db.write(org, async move |tx: &mut Tx| append(tx, org, "taken").await);
    let (busy, failed, read, failed_too, written, failed_last) =
        tokio::join!(busy, failing, reading, failing_too, writing, failing_last);
    busy.unwrap();
    assert!(failed.is_err() && failed_too.is_err() && failed_last.is_err());
    assert_eq!(read, Ok(2));
    assert_eq!(written, Ok(3));
    crate::common::assert_whole(&db, org).await;
}

#[both_engines]
async fn a_panic_in_a_write_undoes_it_and_nothing_else(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let before = write(&db, org, "before");
    let panicking = db.write(org, async move |tx: &mut Tx| -> db::Result<()> {
        append(tx, org, "lost").await?;
        panic!("on purpose")
    });
    let after = write(&db, org, "after");
    let (before, panicked, after) = tokio::join!(before, panicking, after);
    assert!(before.is_ok() && after.is_ok());
    assert_eq!(panicked, Err(Error::Internal("a write panicked".to_owned())));
    assert_eq!(labels(&db, org).await, ["before", "after"]);
    crate::common::assert_whole(&db, org).await;
}

#[both_engines]
async fn a_statement_that_takes_too_long_is_ended(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    let mut options = crate::common::options(&database, 2);
    options.statement_timeout = Duration::from_millis(300);
    let impatient = Db::open(options).await.unwrap();
    let endless = "WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000)
                   SELECT CAST(sum(i) AS BIGINT) FROM n";
    let read = async || impatient.read().await?.query::<(i64,)>(endless, &[]).await;
    let read = read().await;
    assert!(matches!(read, Err(Error::Unavailable(_))), "{read:?}");
    // A short statement takes too long only where the machine pauses.
    until("its neighbour is not ended", async || {
        let written = impatient.write(org, async move |tx: &mut Tx| -> db::Result<()> {
            append(tx, org, "lost").await?;
            tx.query::<(i64,)>(endless, &[]).await.map(drop)
        });
        let (written, neighbour) = tokio::join!(written, write(&impatient, org, "kept"));
        assert!(matches!(written, Err(Error::Unavailable(_))), "{written:?}");
        neighbour.is_ok()
    })
    .await;
    assert_eq!(labels(&db, org).await, ["kept"]);
    crate::common::assert_whole(&db, org).await;
}

#[both_engines]
async fn a_read_is_one_snapshot_and_cannot_write(database: EmptyDatabase) {
    let db = open(&database).await;
    let org = organization(&db).await;
    write(&db, org, "first").await.unwrap();
    let mut tx = db.read().await.unwrap();
    let count = "SELECT count(*) FROM entry";
    assert_eq!(tx.query_one::<(i64,)>(count, &[]).await.unwrap(), (1,));
    write(&db, org, "second").await.unwrap();
    assert_eq!(tx.query_one::<(i64,)>(count, &[]).await.unwrap(), (1,));
    assert!(tx.execute("DELETE FROM entry", &[]).await.is_err());
    drop(tx);
    assert_eq!(labels(&db, org).await, ["first", "second"]);
}

#[both_engines]
async fn a_write_to_an_unknown_organization_is_refused(database: EmptyDatabase) {
    let db = open(&database).await;
    let nowhere = Uuid::from_u128(1);
    assert_eq!(write(&db, nowhere, "x").await, Err(Error::UnknownOrganization));
    let instance = db.write_instance(async move |tx: &mut Tx| tx.lock_head(nowhere).await).await;
    assert_eq!(instance, Err(Error::UnknownOrganization));
    // A head that the write does not hold cannot be moved.
    let (org, other) = (organization(&db).await, organization(&db).await);
    let crossing = db.write(org, async move |tx: &mut Tx| append(tx, other, "x").await).await;
    assert!(matches!(crossing, Err(Error::Internal(_))), "{crossing:?}");
}
