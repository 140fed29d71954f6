use std::collections::BTreeMap;

use clap::Parser as _;

use super::setting::{ALL, Kind, Setting};
use super::*;
use crate::cli::{Cli, Command};

/// The flags of `bailiwick serve` with these arguments.
fn flags(arguments: &[&str]) -> Flags {
    let line = ["bailiwick", "serve"].iter().chain(arguments);
    match Cli::try_parse_from(line).unwrap().command {
        Command::Serve(serve) => serve.settings.0,
        other => panic!("{other:?}"),
    }
}

fn environment_of(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A folder with a settings file in it, which flags name.
struct File {
    folder: tempfile::TempDir,
}

impl File {
    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("bailiwick.toml"), text).unwrap();
        Self { folder }
    }

    fn path(&self) -> String {
        self.folder.path().join("bailiwick.toml").display().to_string()
    }

    fn layers(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Layers {
        let path = self.path();
        let arguments: Vec<_> = ["--config", &path].into_iter().chain(arguments.iter().copied()).collect();
        Layers::read(&flags(&arguments), &environment_of(environment), false)
    }
}

fn faults(text: &str) -> Vec<String> {
    let file = File::with(text);
    let faults = file.layers(&[], &[]).config().expect_err("there are faults");
    faults.iter().map(|fault| fault.to_string().replace(&file.path(), "FILE")).collect()
}

/// Two values that differ from each other and from the default, as they are typed.
fn two_values(setting: &Setting) -> [String; 2] {
    match (setting.kind, setting.name) {
        (Kind::Whole, _) => ["7".to_owned(), "8".to_owned()],
        (Kind::Yes, _) => ["true".to_owned(), "false".to_owned()],
        (_, "log_format") => ["json".to_owned(), "text".to_owned()],
        (_, "log_level") => ["debug".to_owned(), "warn".to_owned()],
        (_, "access_token_algorithm") => ["RS256".to_owned(), "Ed25519".to_owned()],
        (_, "listen" | "metrics_listen") => ["127.0.0.1:1".to_owned(), "[::1]:2".to_owned()],
        (_, "trusted_proxies") => ["10.0.0.0/8".to_owned(), "::1,192.0.2.1".to_owned()],
        (_, "master_key") => {
            ["AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA="]
                .map(str::to_owned)
        }
        (_, "database") => ["postgres://a/b", "postgres://c/d"].map(str::to_owned),
        (Kind::Path, _) => ["/one", "/two"].map(str::to_owned),
        _ => ["https://one.example", "https://two.example"].map(str::to_owned),
    }
}

fn in_file(setting: &Setting, typed: &str) -> String {
    let quoted = |text: &str| format!("{text:?}");
    match setting.kind {
        Kind::Whole | Kind::Yes => typed.to_owned(),
        Kind::List => format!("[{}]", typed.split(',').map(quoted).collect::<Vec<_>>().join(", ")),
        _ => quoted(typed),
    }
}

#[test]
fn every_setting_comes_from_every_layer_and_the_later_wins() {
    for setting in ALL {
        let [one, two] = two_values(setting);
        let value = |layers: &Layers| layers.values.get(setting.name).cloned();
        let file = File::with(&format!("# a comment\n{} = {}\n", setting.name, in_file(setting, &one)));
        let with_file = file.layers(&[], &[]);
        let (raw, source) = value(&with_file).unwrap();
        assert_eq!(source.to_string(), format!("{}:2", file.path()), "{}", setting.name);

        let without_file =
            Layers::read(&Flags::default(), &environment_of(&[(setting.variable, &one)]), false);
        assert_eq!(value(&without_file), Some((raw.clone(), Source::Environment(setting.variable))));

        let both = file.layers(&[(setting.variable, &two)], &[]);
        let (other, source) = value(&both).unwrap();
        assert_eq!(source, Source::Environment(setting.variable));
        assert_ne!(other, raw);
        let empty = file.layers(&[(setting.variable, "")], &[]);
        assert_eq!(value(&empty).unwrap().0, raw, "an empty variable is none");

        let Some(flag) = setting.flag() else { continue };
        let all = file.layers(&[(setting.variable, &two)], &[&format!("{flag}={one}")]);
        assert_eq!(value(&all), Some((raw, Source::Flag(flag))));
    }
}

#[test]
fn without_anything_the_defaults_hold() {
    let config = Layers::read(&Flags::default(), &Environment::new(), false).config().unwrap();
    assert_eq!(config.data, PathBuf::from("bailiwick-data"));
    assert_eq!(config.location, Location::Sqlite(PathBuf::from("bailiwick-data/bailiwick.db")));
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!((config.http.rate_limit_per_minute, config.refresh_grace_seconds), (60_000, 10));
    assert_eq!((config.refresh_family_seconds, config.key_rotation_days), (None, 90));
    assert_eq!((config.logs.json, config.logs.level.as_str()), (false, "info"));
    assert!(config.public_url.is_none() && config.tls.is_none() && config.metrics_listen.is_none());
    assert!(config.http.trusted_proxies.is_empty() && !config.http.insecure_http);
    let demo = Layers::read(&Flags::default(), &Environment::new(), true).config().unwrap();
    assert_eq!(demo.data, PathBuf::from("bailiwick-demo"));
}

#[test]
fn what_is_set_means_something() {
    let file = File::with(
        r#"
        data = "data"
        database = "postgres://me:pw@h/db"
        listen = "[::]:8443"
        public_url = "https://bailiwick.example/register/"
        tls_cert = "cert.pem"
        tls_key = "/etc/key.pem"
        trusted_proxies = ["10.0.0.0/8", "::1"]
        cors_origins = ["https://app.example", "http://localhost:3000"]
        require_if_match = true
        rate_limit = 0
        refresh_family_seconds = 31_536_000
        log_format = "json"
        metrics_listen = "127.0.0.1:9464"
        "#,
    );
    let config = file.layers(&[], &[]).config().unwrap();
    let folder = file.folder.path();
    assert_eq!(config.data, folder.join("data"));
    assert_eq!(config.location, Location::Postgres("postgres://me:pw@h/db".to_owned()));
    assert_eq!(config.public_url.as_deref(), Some("https://bailiwick.example/register"));
    let tls = config.tls.as_ref().unwrap();
    assert_eq!((&tls.certificate, &tls.key), (&folder.join("cert.pem"), &PathBuf::from("/etc/key.pem")));
    assert_eq!(config.http.trusted_proxies.len(), 2);
    assert_eq!(config.http.cors_origins, ["https://app.example", "http://localhost:3000"]);
    assert!(config.http.require_if_match && config.logs.json);
    assert_eq!((config.http.rate_limit_per_minute, config.refresh_family_seconds), (0, Some(31_536_000)));
    assert_eq!(config.refusal(false), None);
}

#[test]
fn lists_and_switches_have_their_forms_as_flags() {
    let layers = |arguments: &[&str]| Layers::read(&flags(arguments), &Environment::new(), false);
    let list = layers(&["--trusted-proxies", "10.0.0.0/8, ::1", "--trusted-proxies=192.0.2.1"]);
    assert_eq!(list.config().unwrap().http.trusted_proxies.len(), 3);
    assert!(layers(&["--insecure-http"]).config().unwrap().http.insecure_http);
    assert!(!layers(&["--insecure-http=false"]).config().unwrap().http.insecure_http);
    let file = File::with("insecure_http = true\ndatabase = \"postgres://h/db\"");
    assert!(!file.layers(&[], &["--insecure-http=no"]).config().unwrap().http.insecure_http);
    let back = file.layers(&[], &["--database="]).config().unwrap();
    assert!(matches!(back.location, Location::Sqlite(_)));
}

#[test]
fn every_fault_is_reported_at_once_with_its_line() {
    assert_eq!(
        faults(
            "listne = \"127.0.0.1:1\"\nrate_limit = \"many\"\n\nlisten = 8080\ninsecure_http = 1\n\
             trusted_proxies = \"10.0.0.0/8\"\ncors_origins = [1]\nnonsense = 0\nrefresh_grace_seconds = -1\n"
        ),
        [
            "FILE:7: cors_origins must be an array of strings",
            "FILE:5: insecure_http must be true or false, not integer",
            "FILE:4: listen must be a string, not integer",
            "FILE:1: there is no setting listne; did you mean listen?",
            "FILE:8: there is no setting nonsense",
            "FILE:2: rate_limit must be an integer, not string",
            "FILE:6: trusted_proxies must be an array of strings, not string",
            "FILE:9: refresh_grace_seconds must be from 0 to 4294967295",
        ]
    );
}

#[test]
fn a_value_of_the_right_type_may_still_be_wrong() {
    for (line, words) in [
        ("listen = \"localhost\"", "must be an IP address with a port"),
        ("public_url = \"bailiwick.example\"", "must be a URL"),
        ("public_url = \"https://a.example/?x\"", "no query"),
        ("public_url = \"https://a.example/a//b\"", "must have a path of"),
        ("public_url = \"https://a.example/a;b\"", "must have a path of"),
        ("public_url = \"https://a.example/..\"", "must have a path of"),
        ("public_url = \"https://\"", "must be a URL"),
        ("public_url = \"https://a b.example\"", "must be a URL"),
        ("public_url = \"https://a.example:http\"", "must be a URL"),
        ("trusted_proxies = [\"10.0.0.0/33\"]", "10.0.0.0/33"),
        ("trusted_proxies = [\"proxy.example\"]", "proxy.example"),
        ("cors_origins = [\"https://app.example/\"]", "without a path"),
        ("cors_origins = [\"*\"]", "must be origins"),
        ("database = \"mysql://h/db\"", "postgres://"),
        ("master_key = \"short\"", "32 bytes in base64"),
        ("log_level = \"loud\"", "error, warn, info, debug, trace"),
        ("log_format = \"xml\"", "text, json"),
        ("access_token_algorithm = \"none\"", "ES256, RS256, Ed25519"),
        ("tls_cert = \"cert.pem\"", "requires tls_key"),
        ("tls_key = \"key.pem\"", "requires tls_cert"),
        ("rate_limit = 4294967296", "4294967295"),
        ("rate_limit = 60000\nrate_limit = 1", "duplicate"),
        ("rate_limit = ", "FILE:1"),
        ("[listen]", "must be a string, not table"),
    ] {
        let faults = faults(line);
        assert!(
            faults.len() == 1 && faults[0].starts_with("FILE:") && faults[0].contains(words),
            "{line}: {faults:?}"
        );
        assert!(!faults[0].contains("short"), "a secret is told");
    }
    let wrong =
        Layers::read(&flags(&["--listen", "x"]), &environment_of(&[("BAILIWICK_RATE_LIMIT", "x")]), false);
    let faults: Vec<_> = wrong.config().unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "BAILIWICK_RATE_LIMIT: must be a whole number",
            "--listen: must be an IP address with a port, such as 127.0.0.1:8080"
        ]
    );
}

#[test]
fn the_file_is_the_named_one_or_the_one_in_the_data_folder() {
    let file = File::with("rate_limit = 7");
    let data = file.folder.path().display().to_string();
    let rate_limit = |layers: &Layers| layers.config().unwrap().http.rate_limit_per_minute;
    let found = Layers::read(&flags(&["--data", &data]), &Environment::new(), false);
    assert_eq!((rate_limit(&found), found.file.clone()), (7, Some(PathBuf::from(file.path()))));
    let found = Layers::read(&Flags::default(), &environment_of(&[("BAILIWICK_DATA", &data)]), false);
    assert_eq!(rate_limit(&found), 7);

    let named = File::with("rate_limit = 8");
    let environment = environment_of(&[("BAILIWICK_DATA", &data), ("BAILIWICK_CONFIG", &named.path())]);
    assert_eq!(rate_limit(&Layers::read(&Flags::default(), &environment, false)), 8);
    let flag = flags(&["--config", &file.path()]);
    assert_eq!(rate_limit(&Layers::read(&flag, &environment, false)), 7);

    let missing = Layers::read(&flags(&["--config", "/nowhere/at/all.toml"]), &Environment::new(), false);
    assert!(
        missing.config().unwrap_err()[0].to_string().starts_with("/nowhere/at/all.toml: it cannot be read")
    );

    let circular = File::with("data = \"elsewhere\"");
    let data = circular.folder.path().display().to_string();
    let refused = Layers::read(&flags(&["--data", &data]), &Environment::new(), false).config().unwrap_err();
    assert!(refused[0].to_string().contains("data cannot be set"), "{refused:?}");
}

#[test]
fn a_variable_with_a_slip_is_noticed_and_a_platforms_is_not() {
    let environment = environment_of(&[
        ("BAILIWICK_RATELIMIT", "1"),
        ("BAILIWICK_SERVICE_HOST", "10.0.0.1"),
        ("BAILIWICK_CONFIG", ""),
    ]);
    let layers = Layers::read(&Flags::default(), &environment, false);
    assert_eq!(
        layers.warnings,
        ["there is no environment variable BAILIWICK_RATELIMIT; did you mean BAILIWICK_RATE_LIMIT?"]
    );
}

#[test]
fn plain_http_off_loopback_needs_a_reason() {
    let refusal = |arguments: &[&str], demo| {
        Layers::read(&flags(arguments), &Environment::new(), demo).config().unwrap().refusal(demo)
    };
    for fine in [
        &["--listen", "127.0.0.1:0"][..],
        &["--listen", "[::1]:0"],
        &["--listen", "0.0.0.0:0", "--insecure-http"],
        &["--listen", "0.0.0.0:0", "--trusted-proxies", "10.0.0.0/8"],
        &["--listen", "0.0.0.0:0", "--tls-cert", "c", "--tls-key", "k"],
    ] {
        assert_eq!(refusal(fine, false), None, "{fine:?}");
    }
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        assert!(refusal(&["--listen", address], false).unwrap().contains("--insecure-http"));
    }
    assert!(refusal(&["--listen", "0.0.0.0:0", "--insecure-http"], true).unwrap().contains("loopback"));
}

#[test]
fn what_is_likely_not_meant_is_warned_of() {
    let warnings = |arguments: &[&str]| {
        Layers::read(&flags(arguments), &Environment::new(), false).config().unwrap().warnings().join("; ")
    };
    assert_eq!(warnings(&["--public-url", "http://localhost:8080"]), "");
    assert_eq!(warnings(&["--public-url", "http://[::1]:8080/x"]), "");
    assert_eq!(warnings(&["--public-url", "https://a.example", "--listen", "0.0.0.0:1"]), "");
    assert!(warnings(&["--listen", "0.0.0.0:1"]).contains("public_url is not set"));
    assert!(warnings(&["--public-url", "http://a.example"]).contains("public_url is http"));
    assert!(warnings(&["--insecure-http"]).contains("insecure_http is on"));
    assert!(warnings(&["--trusted-proxies", "0.0.0.0/0"]).contains("trusts every address"));
}

#[test]
fn the_sample_is_a_file_that_can_be_used() {
    let text = example();
    let whole: String = text
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(setting) if !setting.starts_with(' ') => format!("{setting}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let file = File::with(&whole);
    let layers = file.layers(&[], &[]);
    layers.config().unwrap();
    for setting in ALL {
        let (_, source) = &layers.values[setting.name];
        assert!(matches!(source, Source::File { .. }), "{} is not in the sample", setting.name);
    }
    assert!(text.lines().all(|line| line.len() <= 115), "{text}");
    // As it is printed it changes nothing.
    let printed = File::with(&text).layers(&[], &[]);
    assert!(printed.values.values().all(|(_, source)| *source == Source::Default));
}

#[test]
fn the_documentation_lists_every_setting() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operation.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<String> = ALL.iter().map(row).collect();
    for row in &rows {
        assert!(page.contains(row.as_str()), "docs/operation.md needs these rows:\n{}", rows.join("\n"));
    }
}

/// A row of the table in docs/operation.md.
fn row(setting: &Setting) -> String {
    let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
    let flag = setting.flag().unwrap_or_default();
    let (variable, default) = (code(setting.variable), code(setting.default));
    format!("| `{}` | {} | {variable} | {default} | {} |", setting.name, code(&flag), setting.help)
}

#[test]
fn names_are_formed_alike() {
    let mut seen = BTreeMap::new();
    for setting in ALL {
        let usual = format!("BAILIWICK_{}", setting.name.to_uppercase());
        assert!(setting.variable == usual || setting.name == "database", "{}", setting.name);
        let flag = setting.name.replace('_', "-");
        assert!(setting.flag == flag || setting.kind == Kind::Secret, "{}", setting.name);
        assert!(setting.default.is_empty() != setting.example.is_empty(), "{}", setting.name);
        assert!(seen.insert(setting.name, ()).is_none());
    }
}
