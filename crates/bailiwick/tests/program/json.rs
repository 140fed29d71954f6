//! `--json`: every command prints its result and its errors as JSON.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::service::{Done, Installation};

fn objects(text: &str) -> Vec<Value> {
    let object = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(value.is_object(), "{line}");
        value
    };
    text.lines().map(object).collect()
}

/// Runs a command that must succeed, with `--json` at its end.
fn answer(installation: &Installation, call: &[&str]) -> Vec<Value> {
    let done = installation.run(&[call, &["--json"]].concat());
    assert_eq!(done.code, Some(0), "{call:?}: {}{}", done.out, done.err);
    objects(&done.out)
}

/// The error of a command that must fail, in the last line of standard error.
fn error(done: &Done) -> Value {
    assert_eq!(done.out, "", "{}", done.err);
    objects(&done.err).pop().unwrap()["error"].clone()
}

/// The words of a call before its options, numbers and paths: `user invite`.
pub(crate) fn command(call: &[&str]) -> String {
    let is_argument =
        |word: &&&str| word.starts_with("--") || word.contains(['/', '.']) || word.parse::<u32>().is_ok();
    call.iter().take_while(|word| !is_argument(word)).copied().collect::<Vec<_>>().join(" ")
}

/// Every command there is, as the manual has a page for it.
pub(crate) fn commands(installation: &Installation, folder: &Path) -> BTreeSet<String> {
    let manual = folder.join("manual");
    let to = manual.to_str().unwrap();
    let done = Done::of(&mut installation.bare_command(&["manual", "--to", to, "--json"]));
    assert_eq!((done.code, objects(&done.out).len()), (Some(0), 1), "{}", done.err);
    let pages: BTreeSet<_> = std::fs::read_dir(&manual)
        .unwrap()
        .filter_map(|entry| {
            entry.unwrap().file_name().into_string().unwrap().strip_suffix(".1").map(str::to_owned)
        })
        .collect();
    // A page that others go on from is of a noun. Its second part may have a hyphen: `user set-password`.
    let is_command = |page: &&String| !pages.iter().any(|other| other.starts_with(&format!("{page}-")));
    let words = |page: &String| page.trim_start_matches("bailiwick-").replacen('-', " ", 1);
    pages.iter().filter(is_command).map(words).collect()
}

/// Imports risks twice, an evaluation, an incident of the past and a tag.
fn import(one: impl Fn(&[&str]) -> Value, folder: &Path) {
    let (register, ratings) = (folder.join("register.csv"), folder.join("ratings.csv"));
    std::fs::write(&register, "Ref,Title,Likelihood,Impact\nR-1,Fire,4,5\n").unwrap();
    std::fs::write(&ratings, "Ref,Date,Likelihood,Impact\nR-1,2020-01-05,2,5\n").unwrap();
    let risks = ["import", "risks", register.to_str().unwrap(), "--accept-proposals"];
    assert_eq!(one(&risks)["counts"]["created"], 1);
    assert_eq!(one(&risks)["counts"]["unchanged"], 1);
    assert_eq!(one(&["import", "evaluations", ratings.to_str().unwrap()])["counts"]["created"], 1);
    let (tickets, tags) = (folder.join("tickets.csv"), folder.join("tags.csv"));
    std::fs::write(&tickets, "Ticket,Title,Reported,Closed\nT-1,Outage,2020-01-05,2020-01-06\n").unwrap();
    std::fs::write(&tags, "Name,Aliases\nPhishing,Whaling\n").unwrap();
    for (kind, file) in [("incidents", &tickets), ("tags", &tags)] {
        let call = ["import", kind, file.to_str().unwrap()];
        assert_eq!(one(&call)["counts"]["created"], 1, "{kind}");
        assert_eq!(one(&call)["counts"]["unchanged"], 1, "{kind}");
    }
}

#[both_engines]
async fn every_command_answers_in_json(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let folder = database.folder();
    let called = RefCell::new(BTreeSet::new());
    let answer = |call: &[&str]| {
        called.borrow_mut().insert(command(call));
        answer(&installation, call)
    };
    let one = |call: &[&str]| {
        let mut all = answer(call);
        assert_eq!(all.len(), 1, "{call:?}");
        all.remove(0)
    };
    assert!(!one(&["migrate"])["applied"].as_array().unwrap().is_empty());
    assert_eq!(one(&["migrate"]), json!({"applied": []}));
    let organization = one(&["organization", "create", "--name", "Acme"]);
    let organization = organization["id"].as_str().unwrap();
    let policy = concat!(env!("CARGO_MANIFEST_DIR"), "/../render/tests/corpus/policy.docx");
    one(&["document", "import", "--organization", organization, policy]);
    import(one, folder);
    assert_eq!(answer(&["document", "verify"]).len(), 0, "none is published");
    one(&["organization", "list"]);
    one(&["organization", "update", "--trash-days", "7"]);
    let client = one(&["client", "create", "--name", "siem", "--scopes", "risks:read"]);
    let id = client["client_id"].as_str().unwrap();
    let secret = one(&["client", "rotate", "--client", id]);
    let secret = secret["id"].as_str().unwrap();
    let deleted = one(&["client", "delete-secret", "--client", id, "--secret", secret]);
    assert_eq!(deleted, json!({"id": secret, "deleted": true}));
    for verb in ["disable", "enable"] {
        one(&["client", verb, "--client", id]);
    }
    assert_eq!(answer(&["client", "list"]).len(), 1);
    let who = ["--name", "Ada", "--email", "ada@example.org", "--role", "viewer"];
    let user = one(&[&["user", "create"][..], &who].concat());
    let user = user["id"].as_str().unwrap();
    one(&[&["user", "invite"][..], &who].concat());
    one(&["user", "role", "--user", user, "--role", "owner"]);
    let marked = one(&["user", "operator", "--email", "ada@example.org"]);
    assert_eq!(marked, json!({"id": user, "operator": true}));
    let unmarked = one(&["user", "operator", "--email", "ada@example.org", "--remove"]);
    assert_eq!(unmarked, json!({"id": user, "operator": false}));
    assert_eq!(answer(&["user", "list"]).len(), 1);
    let nothing =
        json!({"incidents": 0, "tasks": 0, "reviews": 0, "risks": 0, "risk_tasks": 0, "documents": 0});
    let removed = json!({"id": user, "removed": true, "duties": nothing});
    assert_eq!(one(&["user", "remove", "--user", user]), removed);
    drop(installation.serve());
    assert!(answer(&["keys", "list"]).len() > 1);
    assert!(answer(&["keys", "rotate"]).len() > 1);
    let chains = answer(&["journal", "verify"]);
    assert!(chains.len() == 2 && chains.iter().all(|chain| chain["verified"] == true), "{chains:?}");
    assert!(!answer(&["journal", "export"]).is_empty());
    assert!(one(&["search", "rebuild"])["entries"].as_i64() > Some(0));
    let backups = folder.join("backups");
    one(&["backup", "--manifest-only", "--to", backups.to_str().unwrap()]);
    assert_eq!(one(&["restore", "--verify"])["status"], "ok");
    let without_a_register =
        [&["config", "check"][..], &["config", "example"], &["openapi"], &["severity", "samples", "1"]];
    for call in without_a_register {
        let done = Done::of(&mut installation.bare_command(&[call, &["--json"]].concat()));
        let value: Value = serde_json::from_str(&done.out).unwrap();
        assert!(done.code == Some(0) && value.is_object(), "{call:?}");
        called.borrow_mut().insert(command(call));
    }
    // These have tests of their own.
    for other in ["serve", "init", "doctor", "user set-password"] {
        called.borrow_mut().insert(other.to_owned());
    }
    assert_eq!(called.into_inner(), commands(&installation, folder));
}

#[test]
fn serve_tells_its_address_and_its_failure_in_json() {
    let installation = Installation::new();
    let mut service = installation.command(&["serve", "--listen", "127.0.0.1:0", "--json"]);
    let mut service =
        service.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    let mut out = std::io::BufReader::new(service.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    service.kill().unwrap();
    service.wait().unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    assert!(told["listening"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{told}");

    let refused = installation.run(&["serve", "--listen", "0.0.0.0:0", "--log-format", "json", "--json"]);
    assert!(error(&refused)["message"].as_str().unwrap().contains("--insecure-http"));
    let settings = installation.run(&["serve", "--listen", "nowhere", "--rate-limit", "x", "--json"]);
    let told = error(&settings);
    assert_eq!((settings.code, &told["code"]), (Some(2), &json!("settings")));
    assert_eq!(told["details"].as_array().unwrap().len(), 2, "{told}");
}

#[test]
fn errors_are_one_object_with_a_code_that_scripts_tell_apart() {
    let installation = Installation::new();
    let code = |call: &[&str], exit: i32| {
        let done = installation.run(&[call, &["--json"]].concat());
        assert_eq!(done.code, Some(exit), "{call:?}: {}", done.err);
        let told = error(&done);
        assert!(!told["message"].as_str().unwrap().is_empty() && told["details"].is_array(), "{told}");
        told["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(code(&["organization", "list"], 1), "no_register");
    assert_eq!(code(&["organization", "creat"], 2), "usage");
    assert_eq!(code(&["organization", "create"], 2), "usage");
    assert_eq!(installation.run(&["migrate"]).code, Some(0));
    assert_eq!(code(&["user", "list"], 1), "no_organization");
    installation.organization();
    assert_eq!(
        code(&["user", "list", "--organization", "0190163d-8694-739b-aea5-966c26f8ad91"], 1),
        "not_found"
    );
    assert_eq!(code(&["user", "create", "--name", "", "--email", "x", "--role", "king"], 1), "invalid");
    let ada = ["user", "create", "--name", "Ada", "--email", "ada@example.org", "--role", "viewer"];
    assert_eq!(installation.run(&ada).code, Some(0));
    assert_eq!(code(&ada, 1), "already_member");
    let nowhere = Installation::on("postgres://nobody:hunter2@127.0.0.1:1/nowhere");
    let done = nowhere.run(&["organization", "list", "--json"]);
    let told = error(&done);
    assert_eq!(told["code"], "unavailable");
    let message = told["message"].as_str().unwrap();
    assert!(message.contains("127.0.0.1:1") && message.contains("refused"), "{message}");
    assert!(!done.err.contains("hunter2"));
}

#[test]
fn a_report_with_a_fault_is_on_standard_output_and_its_failure_on_standard_error() {
    let installation = Installation::new();
    let done = installation.run(&["doctor", "--json"]);
    assert_eq!((done.code, objects(&done.out).len()), (Some(1), 1));
    assert_eq!(objects(&done.err).pop().unwrap()["error"]["code"], "fault_found");
}
