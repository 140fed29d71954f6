//! People by the command line, beside a running service.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::service::{Done, Installation, Service};

pub(crate) async fn post(service: &Service, path: &str, body: Value) -> (u16, Value) {
    let request = reqwest::Client::new().post(format!("{}{path}", service.base)).json(&body);
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn me(service: &Service, token: &str) -> u16 {
    let request = reqwest::Client::new().get(format!("{}/v1/me", service.base)).bearer_auth(token);
    request.send().await.unwrap().status().as_u16()
}

pub(crate) fn set_password(installation: &Installation, email: &str, input: &str) -> Done {
    let mut command = installation.command(&["user", "set-password", "--email", email]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[both_engines]
async fn the_first_admin_comes_in_by_the_command_line(database: EmptyDatabase) {
    let installation = Installation::at(&database).with("BAILIWICK_OPERATOR", "ada");
    let service = installation.serve();
    let organization = installation.organization();
    let user = |verb: &'static str, more: &[&str]| {
        installation.json(&[&["user", verb, "--organization", &organization, "--json"], more].concat())
    };
    let who = ["--name", "Ada", "--email", "ada@example.org", "--role", "admin"];
    let invitation = user("invite", &who);
    assert_eq!((&invitation["email"], &invitation["role"]), (&json!("ada@example.org"), &json!("admin")));
    assert_eq!(invitation["invited_by"], json!({"type": "operator", "id": "cli:ada", "name": "cli:ada"}));
    let token =
        invitation["link"].as_str().unwrap().strip_prefix("http://bailiwick.test/invitation#").unwrap();

    let (first, second) = ("correct horse battery", "another horse battery");
    let (status, body) =
        post(&service, "/v1/invitations/accept", json!({"token": token, "password": first})).await;
    assert_eq!(status, 200, "{body}");
    let id = body["user"]["id"].as_str().unwrap().to_owned();
    let sign_in = async |password: &str| {
        let body = json!({"email": "ada@example.org", "password": password, "organization_id": organization});
        post(&service, "/v1/session", body).await
    };
    let (status, session) = sign_in(first).await;
    assert_eq!(status, 201, "{session}");
    let session = session["token"].as_str().unwrap();
    assert_eq!(me(&service, session).await, 200);

    // The last admin stays, here too.
    let role = ["user", "role", "--organization", &organization, "--user", &id, "--role", "viewer"];
    let done = installation.run(&role);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.err.contains("last admin"), "{}", done.err);

    for (input, reason) in
        [("short\n", "12 characters"), ("ada@example.org\n", "e-mail"), ("", "12 characters")]
    {
        let refused = set_password(&installation, "ada@example.org", input);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{input:?}");
        assert!(refused.err.contains(reason), "{}", refused.err);
    }
    assert_eq!(set_password(&installation, "nobody@example.org", "x").code, Some(1));
    assert_eq!(me(&service, session).await, 200, "nothing was changed");
    let done = set_password(&installation, "ADA@example.org", &format!("{second}\n"));
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(!done.out.contains(second) && !done.err.contains(second));
    assert_eq!(me(&service, session).await, 401);
    assert_eq!((sign_in(first).await.0, sign_in(second).await.0), (401, 201));

    let bea = user("create", &["--name", "Bea", "--email", "bea@example.org", "--role", "viewer"]);
    let bea = bea["id"].as_str().unwrap();
    assert_eq!(user("role", &["--user", bea, "--role", "owner"])["roles"], json!(["owner"]));
    let several = user("role", &["--user", bea, "--role", "auditor", "--role", "approver"]);
    assert_eq!((&several["role"], &several["roles"]), (&json!("auditor"), &json!(["auditor", "approver"])));
    let list = ["user", "list", "--organization", &organization, "--json"];
    let listed = installation.run(&list);
    let names: Vec<Value> =
        listed.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].clone()).collect();
    assert_eq!(names, ["Ada", "Bea"]);
    let removed = installation.run(&["user", "remove", "--organization", &organization, "--user", bea]);
    assert_eq!(removed.code, Some(0), "{}", removed.err);
    assert_eq!(installation.run(&list).out.lines().count(), 1);
    // Neither a token nor a password nor an address is in the log.
    let log = service.log();
    for secret in [token, session, first, second, "ada@example.org"] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[test]
fn setting_a_password_answers_in_json_too() {
    let installation = Installation::new();
    installation.organization();
    let ada = ["user", "create", "--name", "Ada", "--email", "ada@example.org", "--role", "viewer", "--json"];
    let ada = installation.json(&ada);
    let mut command = installation.command(&["user", "set-password", "--email", "ada@example.org", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"correct horse battery\nmore").unwrap();
    let output = child.wait_with_output().unwrap();
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told, json!({"id": ada["id"], "sessions_ended": true}));
}
