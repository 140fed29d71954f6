//! Settings from outside: `config check`, `config example`, and what `serve` refuses.

use serde_json::Value;

use crate::service::{Done, Installation};

const KEY: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

#[test]
fn a_check_says_what_is_in_force_and_hides_secrets() {
    let installation = Installation::new()
        .with("DATABASE_URL", "postgres://me:hunter2@db.example/bailiwick")
        .with("BAILIWICK_MASTER_KEY", KEY);
    for json in [false, true] {
        let arguments = ["config", "check", "--listen", "127.0.0.1:1", "--json"];
        let done = Done::of(&mut installation.bare_command(&arguments[..if json { 5 } else { 4 }]));
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        assert!(!done.out.contains("hunter2") && !done.out.contains(KEY), "{}", done.out);
        assert!(done.out.contains("postgres://me:***@db.example/bailiwick"), "{}", done.out);
        if json {
            let view: Value = serde_json::from_str(&done.out).unwrap();
            let settings = view["settings"].as_array().unwrap();
            let of = |name: &str| settings.iter().find(|setting| setting["name"] == name).unwrap();
            assert_eq!(of("listen")["value"], "127.0.0.1:1");
            assert_eq!(of("listen")["source"], "--listen");
            assert_eq!(
                (&of("rate_limit")["value"], &of("rate_limit")["source"]),
                (&0.into(), &"BAILIWICK_RATE_LIMIT".into())
            );
            assert_eq!(of("log_format")["source"], "default");
            assert_eq!((&of("tls_cert")["value"], &view["file"]), (&Value::Null, &Value::Null));
        } else {
            assert!(done.out.contains("master_key = \"***\""), "{}", done.out);
        }
    }
}

#[test]
fn every_fault_is_reported_and_nothing_starts() {
    let installation = Installation::new();
    std::fs::create_dir_all(&installation.data).unwrap();
    let file = installation.data.join("bailiwick.toml");
    std::fs::write(&file, "rate_limits = 1\nlisten = 8080\n").unwrap();
    let check = installation.run(&["config", "check"]);
    assert_eq!(check.code, Some(1), "{}", check.out);
    let serve = installation.run(&["serve"]);
    assert_eq!((serve.code, serve.out.as_str()), (Some(2), ""));
    for text in [&check.out, &serve.err] {
        let position = |line: u32| format!("{}:{line}: ", file.display());
        assert!(
            text.contains(&format!(
                "{}there is no setting rate_limits; did you mean rate_limit?",
                position(1)
            )),
            "{text}"
        );
        assert!(text.contains(&format!("{}listen must be a string", position(2))), "{text}");
    }
    // No other command goes on with it either.
    assert_eq!(installation.run(&["organization", "list"]).code, Some(1));
    assert!(!installation.data.join("bailiwick.db").exists());
}

#[test]
fn the_file_in_the_data_folder_counts() {
    let installation = Installation::new();
    std::fs::create_dir_all(&installation.data).unwrap();
    std::fs::write(installation.data.join("bailiwick.toml"), "listen = \"0.0.0.0:0\"\n").unwrap();
    let refused = installation.run(&["serve"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("--insecure-http"), "{}", refused.err);
    // A flag wins.
    assert!(installation.serve().base.starts_with("http://127.0.0.1:"));
    let check = installation.run(&["config", "check"]);
    assert_eq!(check.code, Some(1), "what serve refuses, the check finds: {}", check.out);
}

#[test]
fn the_sample_passes_the_check() {
    let installation = Installation::new();
    let sample = Done::of(&mut installation.bare_command(&["config", "example"]));
    assert_eq!(sample.code, Some(0), "{}", sample.err);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.toml");
    std::fs::write(&file, sample.out).unwrap();
    let check = installation.run(&["config", "check", "--config", file.to_str().unwrap()]);
    assert_eq!(check.code, Some(0), "{}", check.out);
    assert!(check.out.starts_with(&format!("# file: {}", file.display())), "{}", check.out);
}

#[test]
fn a_slip_in_a_variable_is_warned_of() {
    let installation = Installation::new().with("BAILIWICK_PUBLICURL", "https://a.example");
    assert!(installation.serve().log().contains("did you mean BAILIWICK_PUBLIC_URL?"));
}
