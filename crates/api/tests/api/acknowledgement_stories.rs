//! Who is asked to acknowledge a policy: a company of 120 people and a typo, and a person who comes and goes.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

const POLICY: &str = "/v1/documents/policy";
const LIST: &str = "/v1/documents/policy/acknowledgements";

/// Wim, who writes a policy, and Zoe, who approves it.
async fn policy(app: &TestApp) -> [TestPerson; 2] {
    let people = [app.person("Wim", Role::Admin).await, app.person("Zoe", Role::Approver).await];
    let item = json!({"id": "contact", "kind": "text", "label": "Contact"});
    let body =
        json!({"slug": "policy", "title": "Policy", "template": "Call {{contact}}.\n", "items": [item]});
    app.post("/v1/documents").bearer(&people[0]).json(body).expect(201).await;
    people
}

/// Publishes a version; returns its hash.
async fn publish(app: &TestApp, [wim, zoe]: &[TestPerson; 2], contact: &str, is_material: bool) -> String {
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": contact}]);
    let edited = app.patch(POLICY).bearer(wim).json(edits).expect(200).await;
    let proposal = format!("{POLICY}/proposals/{}", edited.json()["proposal"]);
    let material = json!({"value": is_material, "reason": format!("It is {contact} now.")});
    let submission = json!({"summary": "Another contact.", "material": material});
    let submitted = app.post(&format!("{proposal}/submit")).bearer(wim).json(submission).expect(200).await;
    let sha256 = submitted.text("sha256").to_owned();
    let approval = json!({"sha256": sha256});
    app.post(&format!("{proposal}/approve")).bearer(zoe).json(approval).expect(200).await;
    sha256
}

async fn ask(app: &TestApp, by: &TestPerson, body: Value) {
    let path = format!("{POLICY}/versions/1/acknowledgement-requests");
    app.post(&path).bearer(by).json(body).expect(201).await;
}

async fn acknowledge(app: &TestApp, by: &TestPerson, (version, sha256): (i64, &str), status: u16) {
    let path = format!("{POLICY}/versions/{version}/acknowledgements");
    app.post(&path).bearer(by).json(json!({"sha256": sha256})).expect(status).await;
}

/// What a person has to acknowledge: version and hash.
async fn to_acknowledge(app: &TestApp, by: &TestPerson) -> Vec<(i64, String)> {
    let list = app.get("/v1/me/acknowledgements").bearer(by).expect(200).await;
    let row =
        |it: &Value| (it["document_version"].as_i64().unwrap(), it["sha256"].as_str().unwrap().to_owned());
    list.json()["data"].as_array().unwrap().iter().map(row).collect()
}

/// The numbers, each of which is the length of the list that it leads to.
async fn totals(app: &TestApp, by: &TestPerson, query: &str) -> Value {
    let totals = app.get(&format!("{LIST}/totals?{query}")).bearer(by).expect(200).await.json().clone();
    for (name, count) in totals.as_object().unwrap() {
        let status = if name == "asked" { String::new() } else { format!("&status={name}") };
        let path = format!("{LIST}?limit=200&include_total=true&{query}{status}");
        let list = app.get(&path).bearer(by).expect(200).await;
        assert_eq!(*count, list.json()["data"].as_array().unwrap().len(), "{name}");
        assert_eq!(*count, list.json()["total"], "{name}");
    }
    totals
}

fn of_120(covered: i64) -> Value {
    json!({"asked": 120, "covered": covered, "open": 120 - covered, "overdue": 0, "not_reached": 0})
}

#[both_engines]
async fn a_typo_is_mended_with_40_of_120_acknowledged_and_then_the_rule_changes(app: TestApp) {
    let publishers = policy(&app).await;
    let [wim, _] = &publishers;
    let first = publish(&app, &publishers, "Adda", true).await;
    ask(&app, wim, json!({"who": "role", "role": "staff"})).await;
    let mut staff = Vec::new();
    for number in 0..120 {
        staff.push(app.person(&format!("Person {number}"), Role::Staff).await);
    }
    for person in &staff[..40] {
        acknowledge(&app, person, (1, &first), 201).await;
    }
    assert_eq!(totals(&app, wim, "").await, of_120(40));

    let second = publish(&app, &publishers, "Ada", false).await;
    assert_eq!(totals(&app, wim, "").await, of_120(40), "nobody is asked again");
    for (number, person) in staff.iter().enumerate() {
        let expected = if number < 40 { vec![] } else { vec![(2, second.clone())] };
        assert_eq!(to_acknowledge(&app, person).await, expected, "{number}");
    }
    acknowledge(&app, &staff[40], (1, &first), 409).await;
    acknowledge(&app, &staff[40], (2, &second), 201).await;
    assert_eq!(totals(&app, wim, "").await, of_120(41));

    let third = publish(&app, &publishers, "Eve", true).await;
    assert_eq!(totals(&app, wim, "").await, of_120(0));
    for person in &staff {
        assert_eq!(to_acknowledge(&app, person).await, [(3, third.clone())]);
    }
    // Each is told why, and what changed since they have read it.
    for (person, since) in [(&staff[0], Some("Adda")), (&staff[40], Some("Ada")), (&staff[41], None)] {
        let mine =
            app.get("/v1/me/acknowledgements").bearer(person).expect(200).await.json()["data"][0].clone();
        assert_eq!(mine["material_reason"], "It is Eve now.");
        let Some(contact) = since else {
            assert_eq!(
                (&mine["acknowledged_version"], &mine["difference_path"]),
                (&Value::Null, &Value::Null)
            );
            continue;
        };
        let path = mine["difference_path"].as_str().unwrap();
        let compared = app.get(path).bearer(person).expect(200).await;
        let text = compared.text("text");
        assert!(text.contains(&format!("-Call {contact}.\n+Call Eve.")), "{text}");
    }
}

/// The days of a story.
struct Days<'a> {
    app: &'a TestApp,
    wim: TestPerson,
    /// The time of each, and who was asked, with their statuses.
    ended: Vec<(String, Vec<(String, String)>)>,
}

impl Days<'_> {
    /// Who is asked, with their statuses.
    async fn asked(&self, query: &str) -> Vec<(String, String)> {
        let list = self.app.get(&format!("{LIST}?limit=200&{query}")).bearer(&self.wim).expect(200).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let row = |it: &Value| (text(&it["user"]["name"]), text(&it["status"]));
        list.json()["data"].as_array().unwrap().iter().map(row).collect()
    }

    /// Ends a day on which these are asked. On the next one others sign in again.
    async fn end<const N: usize>(&mut self, expected: [(&str, &str); N], others: &mut [&mut TestPerson]) {
        let expected = expected.map(|(name, status)| (name.to_owned(), status.to_owned())).to_vec();
        assert_eq!(self.asked("").await, expected, "day {}", self.ended.len());
        totals(self.app, &self.wim, "").await;
        let clock = &self.app.db.clock;
        let evening = domain::time::format(clock.now() + jiff::SignedDuration::from_hours(1));
        self.ended.push((evening, expected));
        clock.advance_days(1);
        for it in others.iter_mut().map(|it| &mut **it).chain([&mut self.wim]) {
            it.token = self.app.sign_in_person(it.organization, &it.email, &it.password).await;
        }
    }

    /// A past day is told as it was.
    async fn check(&self) {
        for (number, (evening, expected)) in self.ended.iter().enumerate() {
            let query = format!("as_of={evening}");
            assert_eq!(self.asked(&query).await, *expected, "day {number}");
            let totals = totals(self.app, &self.wim, &query).await;
            assert_eq!(totals["asked"], expected.len(), "day {number}");
            let covered = expected.iter().filter(|it| it.1 == "covered").count();
            assert_eq!(totals["covered"], covered, "day {number}");
        }
    }
}

/// Makes a group; returns its id.
async fn group(app: &TestApp, by: &TestPerson, name: &str) -> String {
    let made = app.post("/v1/groups").bearer(by).json(json!({"name": name})).expect(201).await;
    made.text("id").to_owned()
}

#[both_engines]
async fn somebody_joins_changes_the_group_leaves_and_comes_back(app: TestApp) {
    let publishers = policy(&app).await;
    let hash = publish(&app, &publishers, "Ada", true).await;
    let [wim, _] = publishers;
    let (berlin, munich) = (group(&app, &wim, "Berlin").await, group(&app, &wim, "Munich").await);
    let member = |group: &str, of: &TestPerson| format!("/v1/groups/{group}/members/{}", of.id);
    let in_group = |group: &str| json!({"who": "group", "group": group, "due_days": 30});
    ask(&app, &wim, in_group(&berlin)).await;
    let bea = app.person("Bea", Role::Staff).await;
    app.put(&member(&berlin, &bea)).bearer(&wim).expect(204).await;
    let mut days = Days { app: &app, wim, ended: Vec::new() };
    days.end([("Bea", "open")], &mut []).await;
    // She joins, enters the group the day after, and acknowledges.
    let mut eve = app.person("Eve", Role::Staff).await;
    days.end([("Bea", "open")], &mut [&mut eve]).await;
    app.put(&member(&berlin, &eve)).bearer(&days.wim).expect(204).await;
    assert_eq!(to_acknowledge(&app, &eve).await, [(1, hash.clone())]);
    days.end([("Bea", "open"), ("Eve", "open")], &mut [&mut eve]).await;
    acknowledge(&app, &eve, (1, &hash), 201).await;
    days.end([("Bea", "open"), ("Eve", "covered")], &mut [&mut eve]).await;
    // In a group that nobody asks she is not asked; once that is asked, what she has acknowledged counts.
    app.delete(&member(&berlin, &eve)).bearer(&days.wim).expect(204).await;
    app.put(&member(&munich, &eve)).bearer(&days.wim).expect(204).await;
    days.end([("Bea", "open")], &mut [&mut eve]).await;
    ask(&app, &days.wim, in_group(&munich)).await;
    assert_eq!(to_acknowledge(&app, &eve).await, []);
    days.end([("Bea", "open"), ("Eve", "covered")], &mut []).await;
    app.delete(&format!("/v1/users/{}", eve.id)).bearer(&days.wim).expect(204).await;
    days.end([("Bea", "open")], &mut []).await;
    // She comes back into no group; in one that is asked she acknowledges again.
    let mut back = app.person("Eve", Role::Staff).await;
    assert_eq!(back.id, eve.id);
    days.end([("Bea", "open")], &mut [&mut back]).await;
    app.put(&member(&munich, &back)).bearer(&days.wim).expect(204).await;
    assert_eq!(to_acknowledge(&app, &back).await, [(1, hash.clone())]);
    days.end([("Bea", "open"), ("Eve", "open")], &mut [&mut back]).await;
    acknowledge(&app, &back, (1, &hash), 201).await;
    days.end([("Bea", "open"), ("Eve", "covered")], &mut [&mut back]).await;
    days.check().await;
    super::bulk::assert_sound(&app).await;
}
