//! `bailiwick init`: from nothing to an admin who signs in.

use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::people::post;
use crate::service::{Done, Installation};

const INIT: [&str; 7] =
    ["init", "--organization", "Acme", "--name", "Ada King", "--email", "ada@example.org"];

#[both_engines]
async fn one_command_makes_the_organization_and_an_admin_who_can_sign_in(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let made = installation.json(&[&INIT[..], &["--json"]].concat());
    assert_eq!(made["organization"]["name"], "Acme");
    let shown = ["name", "email", "role", "activated_date"].map(|member| made["user"][member].clone());
    assert_eq!(json!(shown), json!(["Ada King", "ada@example.org", "admin", null]));
    let service = installation.serve();
    let token = made["invitation"]["link"].as_str().unwrap().split_once("/invitation#").unwrap().1;
    let body = json!({"token": token, "password": "correct horse battery"});
    let (status, accepted) = post(&service, "/v1/invitations/accept", body).await;
    assert_eq!((status, &accepted["user"]["id"]), (200, &made["user"]["id"]), "{accepted}");
    let body = json!({"email": "ada@example.org", "password": "correct horse battery",
        "organization_id": made["organization"]["id"]});
    let (status, session) = post(&service, "/v1/session", body).await;
    assert_eq!(status, 201, "{session}");
    installation.verify();
}

#[both_engines]
async fn it_refuses_to_run_twice_and_changes_nothing(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    assert_eq!(installation.run(&INIT).code, Some(0));
    let state = || {
        let nil = "00000000-0000-0000-0000-000000000000";
        let run = |arguments: &[&str]| installation.run(arguments).out;
        [
            run(&["journal", "export", "--organization", nil]),
            run(&["journal", "export"]),
            run(&["user", "list"]),
        ]
    };
    let before = state();
    let again = installation.run(&INIT);
    assert_eq!((again.code, again.out.as_str()), (Some(1), ""));
    assert!(
        again.err.contains("the register is already set up") && again.err.contains("Acme"),
        "{}",
        again.err
    );
    assert_eq!(state(), before);
}

#[test]
fn it_says_what_to_do_next_and_that_works() {
    let installation = Installation::new().without("BAILIWICK_PUBLIC_URL");
    let told = installation.run(&INIT);
    assert_eq!(told.code, Some(0), "{}", told.err);
    let line = |start: &str| {
        let found = told.out.lines().map(str::trim).find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in {}", told.out)).to_owned()
    };
    assert_eq!(line("bailiwick serve"), format!("bailiwick serve --data {}", installation.data.display()));
    // Where that command listens.
    assert!(line("http://").starts_with("http://127.0.0.1:8080/invitation#"), "{}", told.out);
    let data = format!(" --data {}", installation.data.display());
    let command = "bailiwick client create --name NAME --scopes \"incidents:read incidents:write\"";
    assert_eq!(line("bailiwick client create"), format!("{command}{data}"));
    let client = ["client", "create", "--name", "NAME", "--scopes", "incidents:read incidents:write"];
    assert_eq!(installation.run(&client).code, Some(0));
}

#[test]
fn the_invitation_link_has_the_address_of_the_running_service() {
    let installation = Installation::new().without("BAILIWICK_PUBLIC_URL");
    let service = installation.serve();
    let made = installation.json(&[&INIT[..], &["--json"]].concat());
    assert!(made["invitation"]["link"].as_str().unwrap().starts_with(&service.base), "{made}");
}

#[test]
fn every_wrong_option_is_reported_and_nothing_is_created() {
    let installation = Installation::new();
    let done: Done =
        installation.run(&["init", "--organization", " ", "--name", "", "--email", "nobody", "--json"]);
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""));
    let error: Value = serde_json::from_str(&done.err).unwrap();
    let details = error["error"]["details"].to_string();
    for option in ["--organization", "--name", "--email"] {
        assert!(details.contains(option), "{error}");
    }
    assert!(!installation.data.exists());
}
