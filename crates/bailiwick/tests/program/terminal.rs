//! The command line at a terminal: what it shows, asks, and omits.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use testkit::{EmptyDatabase, both_engines};

use crate::service::{Done, Installation};

#[both_engines]
async fn the_organization_may_be_left_out_where_there_is_one(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let acme = installation.organization();
    let ada = ["user", "create", "--name", "Ada", "--email", "ada@example.org", "--role", "viewer"];
    assert_eq!(installation.run(&ada).code, Some(0));
    let list = ["user", "list"];
    assert!(installation.run(&list).out.contains("ada@example.org"));

    let globex = installation.organization();
    for call in [&list[..], &ada, &["journal", "export"], &["organization", "update", "--name", "x"]] {
        let done = installation.run(call);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{call:?}");
        for told in [&acme, &globex, "--organization"] {
            assert!(done.err.contains(told), "{}", done.err);
        }
    }
    let done = installation.run(&["user", "list", "--organization", &acme]);
    assert!(done.out.contains("ada@example.org"), "{}", done.out);
}

#[test]
fn lists_have_headers_and_columns_below_them() {
    let installation = Installation::new();
    installation.organization();
    installation
        .client(installation.json(&["organization", "list", "--json"])["id"].as_str().unwrap(), "risks:read");
    let ada = ["user", "create", "--name", "Ada King", "--email", "ada@example.org", "--role", "viewer"];
    assert_eq!(installation.run(&ada).code, Some(0));
    drop(installation.serve());
    for (noun, header, cell) in [
        ("organization", "NAME", "Acme"),
        ("client", "SCOPES", "risks:read"),
        ("user", "NAME", "Ada King"),
        ("keys", "STATE", "active "),
    ] {
        let done = installation.run(&[noun, "list"]);
        let mut lines = done.out.lines();
        let column = lines.next().unwrap().find(header).unwrap_or_else(|| panic!("{}", done.out));
        assert!(
            lines.any(|line| line.get(column..).is_some_and(|rest| rest.starts_with(cell))),
            "{}",
            done.out
        );
    }
}

/// A name that was stored before names were checked, or directly in the database.
#[test]
fn a_name_cannot_forge_a_line_of_a_report() {
    let installation = Installation::new();
    installation.organization();
    drop(installation.serve());
    let database = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    let name = "Good\nok       database     SQLite finds nothing\u{1b}[8m\u{202e}";
    database.execute("UPDATE organization SET name = ?1", [name]).unwrap();
    drop(database);
    for call in [&["restore", "--verify"][..], &["organization", "list"]] {
        let out = installation.run(call).out;
        assert!(out.contains(r"Good\nok       database     SQLite finds nothing\u{1b}[8m\u{202e}"), "{out}");
        assert!(
            !out.lines().any(|line| line.starts_with("ok       database     SQLite finds nothing")),
            "{out}"
        );
    }
    // For a script it stays what it is.
    assert_eq!(installation.json(&["organization", "list", "--json"])["name"], name);
    // On standard error too.
    let second = rusqlite::Connection::open(installation.data.join("bailiwick.db")).unwrap();
    assert_eq!(installation.run(&["organization", "create", "--name", "Other"]).code, Some(0));
    drop(second);
    let refused = installation.run(&["user", "list"]).err;
    assert!(refused.contains(r"Good\nok") && !refused.contains('\u{202e}'), "{refused}");
}

#[both_engines]
async fn a_change_carries_the_system_user_in_the_journal(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    installation.organization();
    let user = Done::of(Command::new("id").arg("-un")).out.trim().to_owned();
    let nil = "00000000-0000-0000-0000-000000000000";
    let exported = installation.run(&["journal", "export", "--organization", nil]).out;
    let entry: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    assert_eq!(entry["actor"]["type"], "operator");
    assert_eq!(entry["actor"]["id"], format!("cli:{user}"));
    installation.verify();
}

#[both_engines]
async fn an_export_is_verified_against_a_head_without_an_organization(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    installation.organization();
    let nil = "00000000-0000-0000-0000-000000000000";
    let exported = installation.run(&["journal", "export", "--organization", nil]).out;
    let file = database.folder().join("export.ndjson");
    std::fs::write(&file, &exported).unwrap();
    let last: Value = serde_json::from_str(exported.lines().last().unwrap()).unwrap();
    let head = format!("{}:{}", last["seq"], last["hash"].as_str().unwrap());
    let elsewhere = Installation::new();
    let verify = |file: &Path, head: &str| {
        elsewhere.run(&["journal", "verify", "--file", file.to_str().unwrap(), "--expect", head]).code
    };
    assert_eq!(verify(&file, &head), Some(0));
    assert_eq!(verify(&file, &head.replace(':', "0:")), Some(1), "a later head is not in it");
    std::fs::write(&file, "").unwrap();
    assert_eq!(verify(&file, &head), Some(1));
    let done = elsewhere.run(&["journal", "verify", "--file", file.to_str().unwrap()]);
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "an empty file proves nothing");
    assert!(done.err.contains("no entries"), "{}", done.err);
}

#[test]
fn an_invitation_leads_to_the_running_service_or_says_that_its_address_is_not_known() {
    let installation = Installation::new().without("BAILIWICK_PUBLIC_URL");
    installation.organization();
    let invite = |email: &str, more: &[&str]| {
        let who = ["user", "invite", "--name", "Ada", "--email", email, "--role", "viewer"];
        installation.run(&[&who[..], more].concat())
    };
    let service = installation.serve();
    let running = invite("ada@example.org", &[]).out;
    assert!(running.starts_with(&format!("{}/invitation#", service.base)), "{running}");
    drop(service);
    let stopped = invite("ada@example.org", &[]).out;
    assert!(stopped.starts_with("/invitation#") && stopped.contains("is not known"), "{stopped}");
    let stopped: Value = serde_json::from_str(&invite("ada@example.org", &["--json"]).out).unwrap();
    assert!(
        stopped["link"].is_null() && stopped["path"].as_str().unwrap().starts_with("/invitation#"),
        "{stopped}"
    );
    let said = invite("ada@example.org", &["--public-url", "https://bailiwick.example/"]).out;
    assert!(said.starts_with("https://bailiwick.example/invitation#"), "{said}");
}

/// Types at a terminal of its own; what stood on the screen, and the exit code.
fn at_a_terminal(installation: &Installation, typed: &[&str]) -> (String, Option<i32>) {
    let call = installation.command(&["user", "set-password", "--email", "ada@example.org"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/at_a_terminal.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(typed.join("\n")).arg(call.get_program()).args(call.get_args());
    let done = Done::of(&mut command);
    (done.out, done.code)
}

#[test]
fn a_password_is_typed_twice_at_a_terminal_and_never_shown() {
    let installation = Installation::new();
    installation.organization();
    let ada = ["user", "create", "--name", "Ada", "--email", "ada@example.org", "--role", "viewer"];
    assert_eq!(installation.run(&ada).code, Some(0));
    let password = "correct horse battery";
    let (screen, code) = at_a_terminal(&installation, &[password, password]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("New password: ") && screen.contains(" set; "), "{screen}");
    assert!(!screen.contains(password), "{screen}");
    let (screen, code) = at_a_terminal(&installation, &[password, "correct horse batterie"]);
    assert_eq!(code, Some(1), "{screen}");
    assert!(screen.contains("do not match") && !screen.contains("horse"), "{screen}");
}

#[test]
fn completions_and_a_page_for_each_command_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let done = Done::of(&mut Installation::new().bare_command(&["manual", "--to", to]));
    assert_eq!(done.code, Some(0), "{}", done.err);
    let files: BTreeSet<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in
        ["bailiwick.bash", "_bailiwick", "bailiwick.fish", "bailiwick.1", "bailiwick-user-set-password.1"]
    {
        assert!(files.contains(name), "no {name} in {files:?}");
    }
    assert!(!files.iter().any(|name| name.contains("manual")), "{files:?}");
    let bash = folder.path().join("bailiwick.bash");
    let complete = format!(
        "source {}; COMP_WORDS=(bailiwick user set); COMP_CWORD=2; _bailiwick bailiwick set user; echo ${{COMPREPLY[@]}}",
        bash.display()
    );
    let completed = Done::of(Command::new("bash").args(["-c", &complete]));
    assert_eq!(completed.out.trim(), "set-password", "{}", completed.err);
}
