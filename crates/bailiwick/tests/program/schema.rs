//! A register whose schema is not this program's.

use db::{Db, Location, Options, Tx};
use testkit::{EmptyDatabase, TestClock, both_engines};

use crate::service::Installation;

#[both_engines]
async fn a_register_from_before_the_first_release_is_refused_and_not_touched(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    installation.organization();
    let location = match &installation.database {
        Some(_) => database.location(),
        None => Location::Sqlite(installation.data.join("bailiwick.db")),
    };
    let db =
        Db::open(testkit::patient(Options::new(location, TestClock::new().handle(), testkit::seeded(1))))
            .await
            .unwrap();
    let names = "SELECT name FROM schema_migration ORDER BY name";
    // The third step before the first release; the schema was written again for that release.
    let rename = "UPDATE schema_migration SET name = '0003_journal' WHERE name = '0003_clients'";
    db.write_instance(async move |tx: &mut Tx| tx.execute(rename, &[]).await).await.unwrap();
    let before: Vec<(String,)> = db.read().await.unwrap().query(names, &[]).await.unwrap();

    for command in [&["migrate"][..], &["organization", "list"], &["serve", "--listen", "127.0.0.1:0"]] {
        let refused = installation.run(command);
        assert_eq!(refused.code, Some(1), "{command:?}: {}", refused.err);
        assert!(refused.err.contains("made before version 0.1.0"), "{command:?}: {}", refused.err);
        assert!(refused.err.contains("another folder or database"), "{command:?}: {}", refused.err);
    }
    let doctor = installation.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1), "{}", doctor.out);
    assert!(doctor.out.contains("It cannot be upgraded"), "{}", doctor.out);
    let after: Vec<(String,)> = db.read().await.unwrap().query(names, &[]).await.unwrap();
    assert_eq!(after, before);
}
