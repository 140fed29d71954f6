//! `sslmode` has the same meaning as in libpq. The test has its own cluster.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::cluster::Cluster;
use db::{Db, Error, Location, Tx};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};

/// A cluster that speaks TLS with a certificate for `localhost`.
struct Tls {
    /// Ends before its certificates go.
    _cluster: Cluster,
    folder: tempfile::TempDir,
    url: String,
}

impl Tls {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // The cluster may run as another user, which must be able to read its certificate.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let (root, issuer) = authority();
        let (_, other_root) = (std::fs::write(folder.path().join("root.pem"), root), authority().0);
        std::fs::write(folder.path().join("other_root.pem"), other_root).unwrap();
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &issuer).unwrap().pem();
        let (certificate_file, key_file) =
            (folder.path().join("server.pem"), folder.path().join("server.key"));
        std::fs::write(&certificate_file, certificate).unwrap();
        std::fs::write(&key_file, key.serialize_pem()).unwrap();
        std::fs::set_permissions(&key_file, std::fs::Permissions::from_mode(0o600)).unwrap();
        if std::fs::metadata(&key_file).unwrap().uid() == 0 {
            assert!(Command::new("chown").arg("postgres").arg(&key_file).status().unwrap().success());
        }
        let setting = |name: &str, file: &Path| format!("{name}={}", file.display());
        let (certificate, key) =
            (setting("ssl_cert_file", &certificate_file), setting("ssl_key_file", &key_file));
        let cluster = Cluster::new();
        let url = cluster.script(&["start", "-c", "ssl=on", "-c", &certificate, "-c", &key]);
        Self { _cluster: cluster, folder, url }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The URL with another host, as it stands before the port, and a query.
    fn url(&self, host: &str, query: &str) -> String {
        let url = self.url.replace("@127.0.0.1:", &format!("@{host}:"));
        format!("{url}?{}", query.replace("ROOT", self.file("root.pem").to_str().unwrap()))
            .replace("OTHER_ROOT", self.file("other_root.pem").to_str().unwrap())
    }
}

/// A certificate authority: its certificate, and its signing key.
fn authority() -> (String, Issuer<'static, KeyPair>) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "Root of a test");
    params.key_usages.push(KeyUsagePurpose::KeyCertSign);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap().pem();
    (certificate, Issuer::new(params, key))
}

/// Whether reads, writes and migrations reach the server encrypted. They must agree.
async fn encrypted(url: String) -> db::Result<bool> {
    const SQL: &str = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let mut options = crate::common::at(Location::Postgres(url), 1);
    options.writers = 1;
    let db = Db::open(options).await?;
    db.migrate(&[]).await?;
    let (read,) = db.read().await?.query_one::<(bool,)>(SQL, &[]).await?;
    let (written,) =
        db.write_instance(async move |tx: &mut Tx| tx.query_one::<(bool,)>(SQL, &[]).await).await?;
    assert_eq!(read, written);
    Ok(read)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sslmode_decides_what_is_encrypted_and_checked() {
    let cluster = Tls::start();
    // The server's certificate is for localhost.
    let cases = [
        ("127.0.0.1", "sslmode=disable", Some(false)),
        ("127.0.0.1", "", Some(true)),
        ("127.0.0.1", "sslmode=prefer", Some(true)),
        ("127.0.0.1", "sslmode=require", Some(true)),
        ("127.0.0.1", "sslmode=require&sslrootcert=ROOT", Some(true)),
        ("127.0.0.1", "sslmode=require&sslrootcert=OTHER_ROOT", None),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert=ROOT", Some(true)),
        ("127.0.0.1", "sslrootcert=ROOT&sslmode=verify-ca&connect_timeout=600", Some(true)),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert=OTHER_ROOT", None),
        ("127.0.0.1", "sslmode=verify-ca", None),
        ("localhost", "sslmode=verify-full&sslrootcert=ROOT", Some(true)),
        ("127.0.0.1", "sslmode=verify-full&sslrootcert=ROOT", None),
        ("localhost", "sslmode=verify-full&sslrootcert=OTHER_ROOT", None),
        ("localhost", "sslmode=verify-full", None),
        ("localhost", "sslmode=verify-full&sslrootcert=/nowhere", None),
        ("localhost", "sslmode=whatever", None),
    ];
    for (host, query, expected) in cases {
        let result = encrypted(cluster.url(host, query)).await;
        match expected {
            Some(expected) => assert_eq!(result, Ok(expected), "{host} {query}"),
            None => {
                let refused = matches!(result, Err(Error::Unavailable(_) | Error::Denied(_)));
                assert!(refused, "{host} {query}: {result:?}");
            }
        }
    }
    several_hosts(&cluster).await;
}

/// The name is checked for each host of its own.
async fn several_hosts(cluster: &Tls) {
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for (host, expected) in [("localhost", true), ("127.0.0.1", false)] {
        let url = cluster.url(host, "sslmode=verify-full&sslrootcert=ROOT");
        let url = url.replace('@', &format!("@127.0.0.1:{dead},"));
        assert_eq!(encrypted(url).await.is_ok(), expected, "{host}");
    }
}

#[test]
fn a_server_without_tls_is_used_only_where_that_is_allowed() {
    testkit::run(db::Engine::Postgres, async |database: testkit::EmptyDatabase| {
        let url = crate::common::url(&database);
        assert_eq!(encrypted(format!("{url}?sslmode=prefer")).await, Ok(false));
        assert_eq!(encrypted(url.clone()).await, Ok(false));
        for mode in ["require", "verify-full"] {
            let result = encrypted(format!("{url}?sslmode={mode}")).await;
            assert!(matches!(result, Err(Error::Unavailable(_))), "{mode}: {result:?}");
        }
    });
}

#[test]
fn an_error_does_not_tell_the_password() {
    testkit::run(db::Engine::Postgres, async |database: testkit::EmptyDatabase| {
        let url = crate::common::url(&database);
        let password = url.split_once("postgres:").unwrap().1.split_once('@').unwrap().0.to_owned();
        let wrong = [
            url.replace("postgres:", "nobody:"),
            format!("{url}?sslmode=whatever"),
            format!("{url}?unknown_option=1"),
            url.replace("127.0.0.1:", "127.0.0.1:x"),
            url.replace("test_", "no_such_"),
        ];
        for url in wrong {
            let error = encrypted(url).await.unwrap_err();
            assert!(matches!(error, Error::Denied(_)), "{error:?}");
            assert!(!error.to_string().contains(&password), "{error}");
        }
    });
}
