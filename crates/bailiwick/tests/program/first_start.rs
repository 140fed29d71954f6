//! Which commands begin a register, and what `serve` looks at before it does.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use testkit::{EmptyDatabase, Engine, both_engines};

use crate::json::{command, commands};
use crate::service::{Done, Installation};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];
const USER: &str = "0190163d-8694-739b-aea5-966c26f8ad91";

/// A call of every command that works on a register and makes none.
fn commands_on_a_register(backups: &str) -> Vec<Vec<&str>> {
    let text = "organization list/organization update --name x/client list/client create --name x --scopes risks:read
                client rotate --client x/client delete-secret --client x --secret USER/client disable --client x
                client enable --client x/user list/user create --name x --email a@example.org --role viewer
                user invite --name x --email a@example.org --role viewer/user role --user USER --role viewer
                user remove --user USER/user set-password --email a@example.org/user operator --email a@example.org/keys list/keys rotate
                keys rotate --end-tokens/backup --to BACKUPS/backup --manifest-only --to BACKUPS/restore --verify
                journal verify/journal export/document import --library/document verify/search rebuild/doctor
                import risks x.csv/import evaluations x.csv/import incidents x.csv/import tags x.csv";
    let words = |call: &'static str| call.split_whitespace().collect::<Vec<_>>();
    let mut calls: Vec<_> = text.split(['/', '\n']).map(words).collect();
    for call in &mut calls {
        for word in call.iter_mut() {
            *word = match *word {
                "USER" => USER,
                "BACKUPS" => backups,
                word => word,
            };
        }
    }
    calls
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let content = |entry: &std::fs::DirEntry| std::fs::read(entry.path()).unwrap_or_default();
    entries.map(|entry| (entry.file_name().into_string().unwrap(), content(&entry))).collect()
}

fn assert_refused(done: &Done, call: &[&str]) {
    assert_eq!(done.code, Some(1), "{call:?}: {}{}", done.out, done.err);
    assert!(
        format!("{}{}", done.out, done.err).contains("there is no register in "),
        "{call:?}: {}",
        done.err
    );
}

#[both_engines]
async fn a_command_without_a_register_says_so_and_creates_nothing(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let backups = database.folder().join("backups");
    let before = contents(database.folder());
    for call in commands_on_a_register(backups.to_str().unwrap()) {
        assert_refused(&installation.run(&call), &call);
    }
    assert_eq!(contents(database.folder()), before, "neither a data folder nor a folder of backups");
    // Every command is of one of these kinds.
    let makers = ["serve", "init", "migrate", "organization create"];
    let without_a_register = ["config check", "config example", "openapi", "severity samples"];
    let refused = commands_on_a_register("").iter().map(|call| command(call)).collect::<BTreeSet<_>>();
    let other = makers.iter().chain(&without_a_register).map(|name| (*name).to_owned());
    let all = commands(&installation, &database.folder().join("other"));
    assert_eq!(all, refused.into_iter().chain(other).collect());
    if let Some(url) = &installation.database {
        let made = testkit::postgres::connect(url).await;
        let tables = made.query("SELECT FROM pg_tables WHERE schemaname = 'public'", &[]).await.unwrap();
        assert!(tables.is_empty(), "tables were made");
    }
}

#[test]
fn a_file_that_is_no_register_stays_as_it_is() {
    let installation = Installation::new();
    std::fs::create_dir_all(&installation.data).unwrap();
    let file = installation.data.join("bailiwick.db");
    for prepare in [&|| std::fs::write(&file, "").unwrap() as (), &|| {
        std::fs::remove_file(&file).unwrap();
        rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE invoice (id)").unwrap();
    }] as [&dyn Fn(); 2]
    {
        prepare();
        let before = contents(&installation.data);
        for call in commands_on_a_register("/nowhere") {
            assert_refused(&installation.run(&call), &call);
        }
        assert_eq!(contents(&installation.data), before);
    }
}

#[both_engines]
async fn the_commands_that_begin_a_register_make_one(database: EmptyDatabase) {
    let init = ["init", "--organization", "Acme", "--name", "Ada", "--email", "ada@example.org"];
    let create = ["organization", "create", "--name", "Acme"];
    // A database of its own for each; there is one PostgreSQL database.
    let calls: &[&[&str]] = match database.engine() {
        Engine::Sqlite => &[&init, &create, &["migrate"]],
        Engine::Postgres => &[&init],
    };
    for call in calls {
        let installation = match database.engine() {
            Engine::Sqlite => Installation::new(),
            Engine::Postgres => Installation::at(&database),
        };
        let done = installation.run(call);
        assert_eq!(done.code, Some(0), "{call:?}: {}", done.err);
        installation.verify();
    }
}

#[test]
fn a_file_of_another_program_is_never_made_a_register() {
    let installation = Installation::new();
    std::fs::create_dir_all(&installation.data).unwrap();
    let file = installation.data.join("bailiwick.db");
    rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE invoice (id)").unwrap();
    let before = contents(&installation.data);
    let shared = ["migrate", "--shared-database"];
    for call in [&SERVE[..], &["migrate"], &shared, &["organization", "create", "--name", "Acme"]] {
        let done = installation.run(call);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{call:?}: {}", done.err);
        assert!(done.err.contains("tables of another program (invoice)"), "{}", done.err);
    }
    assert_eq!(contents(&installation.data), before);
}

#[both_engines]
async fn a_database_of_another_program_is_refused_unless_it_is_allowed(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let Some(url) = &installation.database else { return };
    let other = testkit::postgres::connect(url).await;
    other.batch_execute("CREATE TABLE invoice (id integer)").await.unwrap();
    for call in [&SERVE[..], &["migrate"], &["organization", "create", "--name", "Acme"]] {
        let done = installation.run(call);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{call:?}: {}", done.err);
        assert!(done.err.contains("tables of another program (invoice)"), "{}", done.err);
        assert!(done.err.contains("--shared-database"), "{}", done.err);
    }
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(other.query_one(tables, &[]).await.unwrap().get::<_, i64>(0), 1, "tables were made");
    drop(installation.serve_with(&[], &["--shared-database"]));
    // From then on it is a register beside other tables, and needs no word.
    drop(installation.serve());
}

#[both_engines]
async fn the_first_lines_of_serve_name_version_and_database_without_its_password(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let log = installation.serve().log();
    let first = log.lines().next().unwrap();
    assert!(first.contains("starting") && first.contains(env!("CARGO_PKG_VERSION")), "{log}");
    match &installation.database {
        None => assert!(first.contains(installation.data.join("bailiwick.db").to_str().unwrap()), "{first}"),
        Some(url) => {
            let (user, host) = url.split_once("://").unwrap().1.rsplit_once('@').unwrap();
            let password = user.split_once(':').unwrap().1;
            assert!(first.contains(host) && !log.contains(password), "{log}");
        }
    }
}

#[test]
fn a_master_key_whose_database_is_gone_is_no_first_start() {
    let installation = Installation::new();
    installation.serve().kill();
    let (file, key) = (installation.data.join("bailiwick.db"), installation.data.join("master.key"));
    assert!(std::fs::metadata(&file).unwrap().len() > 0, "a crash leaves the database");
    drop(installation.serve());
    let kept = std::fs::read_to_string(&key).unwrap();
    for name in ["bailiwick.db", "bailiwick.db-wal", "bailiwick.db-shm"] {
        let _ = std::fs::remove_file(installation.data.join(name));
    }
    for state in ["is not there", "is empty"] {
        let done = installation.run(&SERVE);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{}", done.err);
        for told in [state, file.to_str().unwrap(), "docs/backup.md", "--data"] {
            assert!(done.err.contains(told), "{told}: {}", done.err);
        }
        assert_eq!(file.exists(), state == "is empty", "it was made");
        std::fs::write(&file, "").unwrap();
    }
    assert_eq!(std::fs::read_to_string(&key).unwrap(), kept);
    // As the message says: without the key it is a first start.
    std::fs::rename(&key, installation.data.join("old.key")).unwrap();
    drop(installation.serve());
}

#[both_engines]
async fn sealed_keys_without_their_master_key_are_refused_until_it_is_back_or_they_are_replaced(
    database: EmptyDatabase,
) {
    let installation = Installation::at(&database);
    let credentials = installation.client(&installation.organization(), "incidents:read");
    drop(installation.serve());
    let (key, safe) = (installation.data.join("master.key"), installation.data.with_extension("key"));
    std::fs::rename(&key, &safe).unwrap();
    let done = installation.run(&SERVE);
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{}", done.err);
    for told in ["master.key is not there", "BAILIWICK_MASTER_KEY", "keys rotate --end-tokens"] {
        assert!(done.err.contains(told), "{told}: {}", done.err);
    }
    assert!(!key.exists(), "another key was made");
    std::fs::rename(&safe, &key).unwrap();
    installation.serve().sign_in(&credentials).await;

    std::fs::remove_file(&key).unwrap();
    let replaced = installation.run(&["keys", "rotate", "--end-tokens"]);
    assert_eq!(replaced.code, Some(0), "{}", replaced.err);
    installation.serve().sign_in(&credentials).await;
}

/// The database is made first and then the key, so this is all that a crash in between leaves.
#[both_engines]
async fn a_first_start_that_was_interrupted_before_the_key_goes_on(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    assert_eq!(installation.run(&["migrate"]).code, Some(0));
    assert!(!installation.data.join("master.key").exists());
    drop(installation.serve());
    assert!(installation.data.join("master.key").exists());
}

#[test]
fn a_key_or_a_data_folder_that_others_may_read_is_warned_of() {
    let installation = Installation::new();
    assert!(!installation.serve().log().contains("other users of this machine"));
    let open =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let key = installation.data.join("master.key");
    for (path, open_mode, right_mode) in [(&key, 0o640, 0o600), (&installation.data, 0o701, 0o700)] {
        open(path, open_mode);
        let log = installation.serve().log();
        let told =
            log.lines().find(|line| line.contains("WARN") && line.contains("other users of this machine"));
        assert!(told.is_some_and(|line| line.contains(path.to_str().unwrap())), "{log}");
        open(path, right_mode);
    }
}
