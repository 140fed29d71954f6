//! `serve --demo` as a new user runs it: the real binary, a real shell, curl and sed.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::Value;
use testkit::EmptyDatabase;

use crate::service::Installation;

const SERVE: [&str; 4] = ["serve", "--demo", "--listen", "127.0.0.1:0"];

/// A running demo, and what it printed.
struct Demo {
    process: Child,
    /// Stays open, or the service would log into nothing.
    _errors: BufReader<ChildStderr>,
    /// The lines to paste.
    lines: Vec<String>,
    /// The greeting's value after a label.
    labelled: Vec<(String, String)>,
}

impl Demo {
    fn start(installation: &Installation) -> Self {
        let mut process =
            installation.command(&SERVE).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut listening = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut listening).unwrap();
        assert!(listening.starts_with("listening on http://127.0.0.1:"), "{listening}");
        let (mut lines, mut labelled) = (Vec::new(), Vec::new());
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        for line in errors.by_ref().lines() {
            let line = line.unwrap();
            if line.starts_with("TOKEN=") || line.starts_with("curl ") {
                lines.push(line);
            } else if let Some((label, value)) = line.trim().split_once(' ') {
                labelled.push((label.to_owned(), value.trim().to_owned()));
            }
            if lines.len() == 3 {
                break;
            }
        }
        Self { process, _errors: errors, lines, labelled }
    }

    fn printed(&self, label: &str) -> &str {
        &self.labelled.iter().find(|(known, _)| known == label).expect(label).1
    }

    fn shell(script: &str) -> Vec<Value> {
        let output = Command::new("sh").args(["-euc", script]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}\n{errors}");
        let values = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
        values.map(|value| value.expect("the answers are JSON")).collect()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // Nothing that was acknowledged is lost by it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[testkit::both_engines]
async fn the_lines_work_when_pasted(database: EmptyDatabase) {
    let demo = Demo::start(&Installation::at(&database));
    assert_eq!(demo.lines.len(), 3, "{:?}", demo.labelled);
    let answers = Demo::shell(&demo.lines.join("\n"));
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(answers[0]["title"], "Dock door 4 does not close", "{}", answers[0]);
    assert_eq!(answers[0]["opened_by"]["id"], demo.printed("client_id"));
    assert_eq!(answers[1]["org_id"], demo.printed("organization"));
    assert!(answers[1]["total_risks_evaluated"].as_i64().unwrap() >= 25, "{}", answers[1]);
    assert!(answers[1]["average_performance_percentage"].as_i64().unwrap() > 0, "{}", answers[1]);
}

#[testkit::both_engines]
async fn a_restart_keeps_the_register_and_changes_the_secret(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let first = Demo::start(&installation);
    let (organization, client) =
        (first.printed("organization").to_owned(), first.printed("client_id").to_owned());
    let old = first.printed("client_secret").to_owned();
    drop(first);
    let second = Demo::start(&installation);
    assert_eq!(second.printed("organization"), organization);
    assert_eq!(second.printed("client_id"), client);
    assert_ne!(second.printed("client_secret"), old);
    let token = |secret: &str| {
        let address = second.printed("address");
        let form = "grant_type=client_credentials";
        Demo::shell(&format!("curl -sS -u {client}:{secret} -d {form} {address}/v1/oauth/token")).remove(0)
    };
    assert_eq!(token(&old)["error"], "invalid_client");
    assert_eq!(token(second.printed("client_secret"))["token_type"], "Bearer");
}

/// Signs in with what the demo tells, naming no organization.
fn sign_in(demo: &Demo, password: &str) -> Value {
    let (address, email) = (demo.printed("address"), demo.printed("e-mail"));
    let body = serde_json::json!({"email": email, "password": password});
    let json = "-H 'Content-Type: application/json'";
    Demo::shell(&format!("curl -sS {json} -d '{body}' {address}/v1/session")).remove(0)
}

#[testkit::both_engines]
async fn the_printed_email_and_password_sign_in_after_every_start(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let first = Demo::start(&installation);
    let old = first.printed("password").to_owned();
    let session = sign_in(&first, &old);
    assert_eq!(session["role"], "admin", "{session}");
    assert_eq!(session["organization"]["id"], first.printed("organization"));
    // Whatever a visitor does to her, the next start lets her in.
    let (address, user) = (first.printed("address"), session["user"]["id"].as_str().unwrap());
    let lines = [
        first.lines[0].clone(),
        format!("AUTH=\"Authorization: Bearer $TOKEN\"; JSON='Content-Type: application/json'; AT={address}/v1"),
        r#"INVITED='{"name": "Second", "email": "second@x.org", "role": "admin"}'"#.to_owned(),
        r#"LINK=$(curl -sS -H "$AUTH" -H "$JSON" -d "$INVITED" $AT/invitations | sed 's/.*#\(bwi_[A-Za-z0-9]*\)".*/\1/')"#
            .to_owned(),
        r#"ACCEPT="{\"token\": \"$LINK\", \"password\": \"the second admin\"}""#.to_owned(),
        r#"curl -sS -H "$JSON" -d "$ACCEPT" $AT/invitations/accept"#.to_owned(),
        format!("curl -sS -X DELETE -H \"$AUTH\" \"$AT/users/{user}?duties=keep\" -w '%{{http_code}}'"),
    ];
    let answers = Demo::shell(&lines.join("\n"));
    assert_eq!(answers[1], 204, "{answers:?}");
    drop(first);
    let second = Demo::start(&installation);
    assert_ne!(second.printed("password"), old);
    assert_eq!(sign_in(&second, &old)["code"], "invalid_credentials");
    assert_eq!(sign_in(&second, second.printed("password"))["role"], "admin");
}

#[testkit::both_engines]
async fn an_existing_register_does_not_become_a_demo(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    installation.organization();
    let refused = installation.run(&SERVE);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("not a demo's"), "{}", refused.err);
    assert_eq!(refused.out, "");
}

#[test]
fn a_demo_stays_on_this_machine() {
    let refused = Installation::new().run(&["serve", "--demo", "--listen", "0.0.0.0:0", "--insecure-http"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("loopback"), "{}", refused.err);
}
