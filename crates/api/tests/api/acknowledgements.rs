//! `/v1/documents/{id}/acknowledgements`: who is asked, who has read what, and what others see of that.

use domain::Role;
use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson};

const POLICY: &str = "/v1/documents/policy";

/// A policy, its writer and its approver.
struct Policy<'a> {
    app: &'a TestApp,
    writer: TestPerson,
    approver: TestPerson,
}

impl<'a> Policy<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let (writer, approver) =
            (app.person("Wim", Role::Admin).await, app.person("Zoe", Role::Approver).await);
        let item = json!({"id": "contact", "kind": "text", "label": "Contact", "required": true});
        let body = json!({"slug": "policy", "title": "Policy", "items": [item]});
        app.post("/v1/documents").bearer(&writer).json(body).expect(201).await;
        Self { app, writer, approver }
    }

    /// Publishes a version; returns its hash.
    async fn publish(&self, contact: &str, is_material: bool) -> String {
        let material = json!({"value": is_material, "reason": format!("Call {contact}.")});
        self.publish_with(contact, material).await
    }

    async fn publish_with(&self, contact: &str, material: Value) -> String {
        let edits = json!([{"node_id": "contact", "node_type": "text", "value": contact}]);
        let edited = self.app.patch(POLICY).bearer(&self.writer).json(edits).expect(200).await;
        let proposal = format!("{POLICY}/proposals/{}", edited.json()["proposal"]);
        let submission = json!({"summary": "Another contact.", "material": material});
        let path = format!("{proposal}/submit");
        let submitted = self.app.post(&path).bearer(&self.writer).json(submission).expect(200).await;
        let sha256 = submitted.text("sha256").to_owned();
        let path = format!("{proposal}/approve");
        let body = json!({"sha256": sha256});
        self.app.post(&path).bearer(&self.approver).json(body).expect(200).await;
        sha256
    }

    async fn ask(&self, version: i64, body: Value, status: u16) -> Value {
        let path = format!("{POLICY}/versions/{version}/acknowledgement-requests");
        self.app.post(&path).bearer(&self.writer).json(body).expect(status).await.json().clone()
    }

    async fn acknowledge(&self, by: &impl AsRef<str>, version: i64, body: Value, status: u16) -> Value {
        let path = format!("{POLICY}/versions/{version}/acknowledgements");
        self.app.post(&path).bearer(by).json(body).expect(status).await.json().clone()
    }

    /// The names of those whom a person sees, with their statuses.
    async fn coverage(&self, by: &TestPerson, query: &str) -> Vec<(String, String)> {
        let path = format!("{POLICY}/acknowledgements");
        let list = self.app.get(&format!("{path}?limit=200{query}")).bearer(by).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        rows.iter().map(|row| (text(&row["user"]["name"]), text(&row["status"]))).collect()
    }

    /// Each total is the length of the list that it counts, which the export has too.
    async fn check_totals(&self, query: &str) {
        let path = format!("{POLICY}/acknowledgements");
        let totals = self.app.get(&format!("{path}/totals?{query}")).bearer(&self.writer).expect(200).await;
        for (name, count) in totals.json().as_object().unwrap() {
            let status = if name == "asked" { String::new() } else { format!("&status={name}") };
            let rows = self.coverage(&self.writer, &format!("&{query}{status}")).await;
            assert_eq!(*count, rows.len(), "{name}");
            let file = format!("{path}/export?fields=name,status&{query}{status}");
            let file = self.app.get(&file).bearer(&self.writer).expect(200).await;
            assert_eq!(String::from_utf8_lossy(&file.bytes).lines().count(), rows.len() + 1, "{name}");
        }
    }

    /// What a person reads in the file of the list, by our reader of Word files.
    async fn file(&self, by: &TestPerson, query: &str) -> String {
        let path = format!("{POLICY}/acknowledgements/file?{query}");
        let file = self.app.get(&path).bearer(by).expect(200).await;
        let name = "attachment; filename=\"policy-acknowledgements.docx\"";
        assert_eq!(file.header("content-disposition"), Some(name));
        render::import::docx(&file.bytes).unwrap().markdown
    }

    /// What a person has to acknowledge first.
    async fn first_open(&self, by: &TestPerson) -> Value {
        self.app.get("/v1/me/acknowledgements").bearer(by).expect(200).await.json()["data"][0].clone()
    }

    /// What a person has to acknowledge: the version and the date until when.
    async fn open(&self, by: &TestPerson) -> Vec<(i64, Value)> {
        let list = self.app.get("/v1/me/acknowledgements?include_total=true").bearer(by).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap().clone();
        assert_eq!(list.json()["total"], rows.len());
        rows.iter().map(|row| (row["document_version"].as_i64().unwrap(), row["due_date"].clone())).collect()
    }
}

/// Lets days pass, after which these people sign in again.
async fn later<const N: usize>(app: &TestApp, days: i64, people: [&mut TestPerson; N]) {
    app.db.clock.advance_days(days);
    for person in people {
        person.token = app.sign_in_person(person.organization, &person.email, &person.password).await;
    }
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected.map(|(name, status)| (name.to_owned(), status.to_owned())).to_vec()
}

/// Somebody joins, changes group, leaves and comes back; a typo is mended, and then the rule changes.
#[testkit::both_engines]
async fn who_is_asked_follows_people_and_versions(app: TestApp) {
    let mut policy = Policy::new(&app).await;
    let first = policy.publish("Ada", true).await;
    let mut ada = app.person("Ada", Role::Staff).await;
    let group =
        app.post("/v1/groups").bearer(&policy.writer).json(json!({"name": "Berlin"})).expect(201).await;
    let members = format!("/v1/groups/{}/members", group.text("id"));
    app.put(&format!("{members}/{}", ada.id)).bearer(&policy.writer).expect(204).await;
    let asked = policy.ask(1, json!({"who": "group", "group": group.text("id"), "due_days": 10}), 201).await;
    assert_eq!((&asked["who"], &asked["document_version"]), (&json!("group"), &json!(1)));
    let due = app.db.clock.now() + SignedDuration::from_hours(240);
    let open = policy.open(&ada).await;
    assert_eq!(open.len(), 1);
    let until = domain::time::parse(open[0].1.as_str().unwrap()).unwrap();
    assert!(until.duration_since(due).abs() < SignedDuration::from_mins(1), "{until}");
    // Who enters the group later is asked then, and has as many days.
    later(&app, 8, [&mut policy.writer, &mut ada]).await;
    let mut bea = app.person("Bea", Role::Staff).await;
    app.put(&format!("{members}/{}", bea.id)).bearer(&policy.writer).expect(204).await;
    assert_eq!(policy.coverage(&policy.writer, "").await, pairs([("Ada", "open"), ("Bea", "open")]));
    later(&app, 3, [&mut policy.writer, &mut policy.approver, &mut ada, &mut bea]).await;
    assert_eq!(policy.coverage(&policy.writer, "").await, pairs([("Ada", "overdue"), ("Bea", "open")]));
    policy.check_totals("").await;
    let given = policy.acknowledge(&ada, 1, json!({"sha256": first}), 201).await;
    assert_eq!((&given["user"], &given["recorded_by"]["name"]), (&json!(ada.id), &json!("Ada")));
    assert_eq!(policy.open(&ada).await, []);
    // A typo asks nobody again: the others are shown the newest version.
    let second = policy.publish("Ada K.", false).await;
    assert_eq!(policy.coverage(&policy.writer, "").await, pairs([("Ada", "covered"), ("Bea", "open")]));
    assert_eq!(policy.open(&bea).await[0].0, 2);
    let late = policy.acknowledge(&bea, 1, json!({"sha256": first}), 409).await;
    assert_eq!((&late["code"], &late["sha256"]), (&json!("version_superseded"), &json!(second)));
    let difference = late["difference"].as_str().unwrap();
    assert!(difference.contains("Ada K."), "{difference}");
    let compared = app.get(late["difference_path"].as_str().unwrap()).bearer(&bea).expect(200).await;
    assert_eq!((&compared.json()["text"], &compared.json()["from"]), (&late["difference"], &json!(1)));
    let unknown = policy.acknowledge(&bea, 2, json!({"sha256": "0".repeat(64)}), 409).await;
    assert!(unknown.get("difference_path").is_none(), "{unknown}");
    let row = policy.first_open(&bea).await;
    assert_eq!((&row["acknowledged_version"], &row["difference_path"]), (&Value::Null, &Value::Null));
    assert_eq!(row["material_reason"], "Call Ada.");
    policy.acknowledge(&bea, 2, json!({"sha256": first}), 409).await;
    policy.acknowledge(&bea, 3, json!({"sha256": second}), 404).await;
    policy.acknowledge(&bea, 2, json!({"sha256": second}), 201).await;
    let before = domain::time::format(app.db.clock.now() + SignedDuration::from_hours(1));
    later(&app, 1, [&mut policy.writer, &mut policy.approver, &mut ada, &mut bea]).await;
    policy.publish("Bea", true).await;
    assert_eq!(policy.coverage(&policy.writer, "").await, pairs([("Ada", "open"), ("Bea", "open")]));
    for (person, since) in [(&ada, 1), (&bea, 2)] {
        let row = policy.first_open(person).await;
        assert_eq!(
            (&row["material_reason"], &row["acknowledged_version"]),
            (&json!("Call Bea."), &json!(since))
        );
        let compared = app.get(row["difference_path"].as_str().unwrap()).bearer(person).expect(200).await;
        assert_eq!((&compared.json()["from"], &compared.json()["sha256"]), (&json!(since), &row["sha256"]));
    }
    // A later version without a reason does not hide it.
    policy.publish_with("Bea B.", json!({"value": true})).await;
    assert_eq!(policy.first_open(&ada).await["material_reason"], "Call Bea.");
    let past = format!("as_of={before}");
    assert_eq!(
        policy.coverage(&policy.writer, &format!("&{past}")).await,
        pairs([("Ada", "covered"), ("Bea", "covered")])
    );
    policy.check_totals(&past).await;
    // Who leaves the group or the organization is not asked.
    app.delete(&format!("{members}/{}", ada.id)).bearer(&policy.writer).expect(204).await;
    app.delete(&format!("/v1/users/{}", bea.id)).bearer(&policy.writer).expect(204).await;
    assert_eq!(policy.coverage(&policy.writer, "").await, []);
    policy.check_totals("").await;
}

#[testkit::both_engines]
async fn those_who_manage_documents_see_everybody_and_others_themselves(app: TestApp) {
    let policy = Policy::new(&app).await;
    policy.publish("Ada", true).await;
    policy.ask(1, json!({"who": "role", "role": "staff"}), 201).await;
    let (ada, bea) = (app.person("Ada", Role::Staff).await, app.person("Bea", Role::Staff).await);
    let auditor = app.person("Cy", Role::Auditor).await;
    let viewer = app.person("Di", Role::Viewer).await;
    let all = pairs([("Ada", "open"), ("Bea", "open")]);
    assert_eq!(policy.coverage(&policy.writer, "").await, all);
    assert_eq!(policy.coverage(&auditor, "").await, all);
    assert_eq!(policy.coverage(&viewer, "").await, []);
    assert_eq!(policy.coverage(&bea, "").await, pairs([("Bea", "open")]));
    let totals = app.get(&format!("{POLICY}/acknowledgements/totals")).bearer(&ada).expect(200).await;
    let expected = json!({"asked": 2, "covered": 0, "open": 2, "overdue": 0, "not_reached": 0});
    assert_eq!(*totals.json(), expected);
    // The owner sees everybody.
    let patch = json!({"owner": viewer.id});
    app.patch(&format!("{POLICY}/properties")).bearer(&policy.writer).json(patch).expect(200).await;
    assert_eq!(policy.coverage(&viewer, "").await, all);
    // Staff read the text that they acknowledge.
    app.get(&format!("{POLICY}/versions/1")).bearer(&ada).expect(200).await;
    app.get(POLICY).bearer(&ada).expect(403).await;
    let future = format!("{POLICY}/acknowledgements?as_of=2100-01-01T00:00:00Z");
    app.get(&future).bearer(&policy.writer).expect(400).await;
}

/// The name and the id of somebody who left are nowhere in the answers once the organization's time is over.
#[testkit::both_engines]
async fn who_left_long_ago_is_shown_by_a_pseudonym(app: TestApp) {
    let mut policy = Policy::new(&app).await;
    let hash = policy.publish("Eve", true).await;
    let (quentin, ruth) = (app.person("Quentin", Role::Staff).await, app.person("Ruth", Role::Staff).await);
    let rita = app.person("Rita", Role::Admin).await;
    policy.ask(1, json!({"who": "users", "users": [quentin.id, ruth.id]}), 201).await;
    let paper = json!({"sha256": hash, "on_paper": {"user": quentin.id, "file": "Quentin.pdf"}});
    policy.acknowledge(&rita, 1, paper, 201).await;
    let then = domain::time::format(app.db.clock.now() + SignedDuration::from_hours(1));
    later(&app, 1, [&mut policy.writer]).await;
    let organization = format!("/v1/organizations/{}", app.organization);
    let patch = json!({"pseudonym_days": 30});
    app.patch(&organization).bearer(&policy.writer).json(patch).expect(200).await;
    for left in [&quentin, &ruth, &rita] {
        app.delete(&format!("/v1/users/{}", left.id)).bearer(&policy.writer).expect(204).await;
    }
    let past = format!("&as_of={then}");
    let both = pairs([("Quentin", "covered"), ("Ruth", "open")]);
    assert_eq!(policy.coverage(&policy.writer, &past).await, both, "the time is not over");
    later(&app, 31, [&mut policy.writer]).await;
    let shown = policy.coverage(&policy.writer, &past).await;
    assert_eq!(shown.len(), 2);
    assert!(shown.iter().all(|(name, _)| name.starts_with("Former member ")), "{shown:?}");
    assert_ne!(shown[0].0, shown[1].0);
    policy.check_totals(&past[1..]).await;
    let paths = [
        format!("acknowledgements?as_of={then}"),
        format!("acknowledgements/export?as_of={then}"),
        "acknowledgement-requests".to_owned(),
    ];
    let file = policy.file(&policy.writer, &past[1..]).await;
    let row = file.lines().find(|it| it.contains(&format!("| {} | Former member", &hash[..12])));
    assert!(row.is_some_and(|it| it.contains(", recorded by Former member")), "{file}");
    let mut texts = vec![file];
    for path in paths {
        let answer = app.get(&format!("{POLICY}/{path}")).bearer(&policy.writer).expect(200).await;
        texts.push(String::from_utf8_lossy(&answer.bytes).into_owned());
    }
    for text in texts {
        for hidden in [quentin.id.as_str(), &quentin.email, "Quentin", &ruth.id, "Rita", &rita.id] {
            assert!(!text.contains(hidden), "{hidden} is in: {text}");
        }
    }
    // It stays the same after another change, and ends with the setting and when the person comes back.
    let set = async |days: Value| {
        let patch = json!({"pseudonym_days": days});
        app.patch(&organization).bearer(&policy.writer).json(patch).expect(200).await;
        policy.coverage(&policy.writer, &past).await
    };
    assert_eq!(set(Value::Null).await, both);
    assert_eq!(set(json!(1)).await, shown);
    let back = json!({"name": "Quentin", "email": quentin.email, "role": "staff"});
    app.post("/v1/users").bearer(&policy.writer).json(back).expect(201).await;
    let names: Vec<_> = policy.coverage(&policy.writer, &past).await.into_iter().map(|it| it.0).collect();
    assert!(names.contains(&"Quentin".to_owned()) && names[0].starts_with("Former member "), "{names:?}");
}

#[testkit::both_engines]
async fn what_was_signed_on_paper_is_recorded_by_somebody_else(app: TestApp) {
    let policy = Policy::new(&app).await;
    let hash = policy.publish("Ada", true).await;
    let invited = json!({"name": "Ina", "email": "ina@example.org", "role": "staff"});
    let ina = app.post("/v1/users").bearer(&policy.writer).json(invited).expect(201).await;
    policy.ask(1, json!({"who": "users", "users": [ina.text("id")]}), 201).await;
    assert_eq!(policy.coverage(&policy.writer, "").await, pairs([("Ina", "not_reached")]));
    let paper = |user: &str| json!({"sha256": hash, "on_paper": {"user": user, "file": "Folder 7"}});
    let staff = app.person("Ada", Role::Staff).await;
    policy.acknowledge(&staff, 1, paper(ina.text("id")), 403).await;
    let unknown =
        policy.acknowledge(&policy.writer, 1, paper(&policy.app.organization.to_string()), 422).await;
    assert_eq!(unknown["errors"][0]["code"], "unknown_user");
    let given = policy.acknowledge(&policy.writer, 1, paper(ina.text("id")), 201).await;
    assert_eq!((&given["user"], &given["on_paper"]), (&json!(ina.text("id")), &json!("Folder 7")));
    assert_eq!(given["recorded_by"]["name"], "Wim");
    assert_eq!(policy.coverage(&policy.writer, "").await, pairs([("Ina", "covered")]));
    let list = app.get(&format!("{POLICY}/acknowledgements")).bearer(&policy.writer).expect(200).await;
    assert_eq!(list.json()["data"][0]["on_paper"], "Folder 7");
    let file = format!("{POLICY}/acknowledgements/export?fields=name,on_paper");
    let file = app.get(&file).bearer(&policy.writer).expect(200).await;
    assert!(String::from_utf8_lossy(&file.bytes).contains("Ina,Folder 7"));
    // A client reads nothing.
    let client = app.client().await;
    let refused = policy.acknowledge(&client, 1, json!({"sha256": hash}), 422).await;
    assert_eq!(refused["errors"][0]["pointer"], "#/on_paper");
}

#[testkit::both_engines]
async fn a_request_says_whom_it_means_until_it_is_ended(app: TestApp) {
    let policy = Policy::new(&app).await;
    policy.ask(1, json!({"who": "all"}), 404).await;
    policy.publish("Ada", true).await;
    for (body, pointer) in [
        (json!({"who": "role"}), "#/role"),
        (json!({"who": "all", "group": app.organization}), "#/group"),
        (json!({"who": "group", "group": app.organization}), "#/group"),
        (json!({"who": "users", "users": [app.organization]}), "#/users/0"),
        (json!({"who": "users", "users": []}), "#/users"),
        (json!({"who": "all", "due_days": 0}), "#/due_days"),
    ] {
        assert_eq!(policy.ask(1, body, 422).await["errors"][0]["pointer"], pointer);
    }
    let all = policy.ask(1, json!({"who": "all"}), 201).await;
    assert_eq!(policy.coverage(&policy.writer, "").await.len(), 2);
    let path = format!("{POLICY}/acknowledgement-requests/{}", all["id"].as_str().unwrap());
    app.delete(&path).bearer(&policy.approver).expect(403).await;
    app.delete(&path).bearer(&policy.writer).expect(204).await;
    app.delete(&path).bearer(&policy.writer).expect(404).await;
    assert_eq!(policy.coverage(&policy.writer, "").await, []);
    let list = format!("{POLICY}/acknowledgement-requests");
    let list = app.get(&list).bearer(&policy.approver).expect(200).await;
    assert!(list.json()["data"][0]["ended_date"].is_string());
    policy.publish("Bea", false).await;
    assert_eq!(policy.ask(1, json!({"who": "all"}), 409).await["code"], "version_superseded");
}

/// Nothing is missing in what an auditor is given, and nobody is in it whom its reader may not see.
#[testkit::both_engines]
async fn the_list_is_a_file_for_an_auditor(app: TestApp) {
    let mut policy = Policy::new(&app).await;
    let first = policy.publish("Ada", true).await;
    let before = domain::time::format(app.db.clock.now() + SignedDuration::from_hours(1));
    let mut people = Vec::new();
    for name in ["Ada", "Bea", "Cid", "Dan"] {
        people.push(app.person(name, Role::Staff).await);
    }
    later(&app, 1, [&mut policy.writer, &mut policy.approver]).await;
    policy.ask(1, json!({"who": "role", "role": "staff", "due_days": 5}), 201).await;
    later(&app, 1, [&mut policy.writer, &mut policy.approver, &mut people[0]]).await;
    policy.acknowledge(&people[0], 1, json!({"sha256": first}), 201).await;
    let second = policy.publish("Ada K.", false).await;
    let paper = json!({"sha256": second, "on_paper": {"user": people[1].id, "file": "Folder 7"}});
    policy.acknowledge(&policy.writer, 2, paper, 201).await;
    let text = policy.file(&policy.writer, "").await;
    let rows = [
        "| 4 | 2 | 2 | 0 | 0 |".to_owned(),
        format!("| SHA-256 | {second} |"),
        format!("| 1 | {} |", &first[..12]),
        format!("| 2 | {} | Folder 7, recorded by Wim |", &second[..12]),
    ];
    for row in &rows {
        assert!(text.contains(row), "{row}: {text}");
    }
    for person in &people {
        assert_eq!(text.matches(&format!("({})", person.email)).count(), 1, "{text}");
    }
    assert!(!text.contains("who are asked"), "it is the whole list");
    let open = policy.file(&policy.writer, "status=open").await;
    assert!(open.contains("2 of the 4 who are asked: Open") && open.contains("| Open | due "), "{open}");
    assert!(!open.contains("ada@"), "{open}");
    let past = policy.file(&policy.writer, &format!("as_of={before}")).await;
    assert!(past.contains("| 0 | 0 | 0 | 0 | 0 |") && past.contains(&first), "{past}");
    let own = policy.file(&people[0], "").await;
    assert!(own.contains("1 of the 4 who are asked") && own.contains("ada@"), "{own}");
    assert!(!own.contains("bea@"), "{own}");
}

#[testkit::both_engines]
async fn a_list_with_a_name_that_the_fonts_of_a_pdf_lack_is_refused(app: TestApp) {
    let policy = Policy::new(&app).await;
    policy.publish("Ada", true).await;
    policy.ask(1, json!({"who": "all"}), 201).await;
    let path = format!("{POLICY}/acknowledgements/file?format=pdf");
    let file = app.get(&path).bearer(&policy.writer).expect(200).await;
    assert!(file.bytes.starts_with(b"%PDF-1.7"));
    let invited = json!({"name": "漢字", "email": "kanji@example.org", "role": "staff"});
    app.post("/v1/users").bearer(&policy.writer).json(invited).expect(201).await;
    let refused = app.get(&path).bearer(&policy.writer).expect(422).await;
    assert_eq!(refused.text("code"), "no_glyphs");
    assert!(policy.file(&policy.writer, "format=docx").await.contains("漢字"));
}
