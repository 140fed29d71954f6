//! Lists of tags.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient, both_engines};

use super::{counts, import_as, outcomes, read, run, send_as};
use crate::api::bulk::assert_sound;

const ALL: &str = "tags:read tags:write journal:read";

const TAGS: &str = "Name,Color,Description,Aliases,Team\n\
    Phishing,#ff0000,Mail,\"Spear phishing, Whaling, phishing\",SOC\n\
    Malware,00ff00,,,\n";

async fn shown(app: &TestApp, client: &TestClient, query: &str) -> Vec<[Value; 3]> {
    let tags = read(app, client, &format!("/v1/tags?{query}")).await;
    let tags = tags["data"].as_array().unwrap().iter();
    tags.map(|tag| ["name", "color", "description"].map(|member| tag[member].clone())).collect()
}

#[both_engines]
async fn tags_are_made_with_their_other_names_and_changed_by_any_of_them(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    assert_eq!(import_as(&app, &client, "tags", TAGS).await, counts(2, 0, 0, 0, 0));
    let phishing = [json!("Phishing"), json!("#ff0000"), json!("Mail\n\n**Team:** SOC")];
    let malware = [json!("Malware"), json!("#00ff00"), Value::Null];
    assert_eq!(shown(&app, &client, "").await, [malware.clone(), phishing.clone()]);
    assert_eq!(shown(&app, &client, "name=WHALING").await, [phishing]);
    assert_eq!(import_as(&app, &client, "tags", TAGS).await, counts(0, 0, 2, 0, 0));
    // Names are the same as the product compares them.
    let other = "Tag,Colour,Synonyms\nwhaling,#0000ff,\nＭＡＬＷＡＲＥ,,virus\n";
    assert_eq!(import_as(&app, &client, "tags", other).await, counts(0, 2, 0, 0, 0));
    let names: Vec<Value> = shown(&app, &client, "").await.into_iter().map(|[name, ..]| name).collect();
    assert_eq!(names, ["ＭＡＬＷＡＲＥ", "Phishing"]);
    assert_eq!(shown(&app, &client, "name=phishing").await[0][1], "#0000ff");
    assert_eq!(shown(&app, &client, "name=Virus").await.len(), 1);
    assert_sound(&app).await;
}

#[both_engines]
async fn names_that_mean_two_tags_and_colours_that_are_none_are_wrong(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    assert_eq!(import_as(&app, &client, "tags", TAGS).await, counts(2, 0, 0, 0, 0));
    let file = "Name,Color,Aliases\nNew,,Malware\nRed,crimson,\nPhishing,,Mail\nmail,,\nwhaling,,\n";
    let id = send_as(&app, &client, "tags", file).await;
    let tried = run(&app, &client, &id, json!({"dry_run": true})).await;
    assert_eq!(tried.json()["counts"], counts(0, 1, 0, 0, 4), "{}", tried.json());
    let wrong = outcomes(&app, &client, &id, "outcome=wrong").await;
    assert_eq!(wrong.iter().map(|(row, ..)| *row).collect::<Vec<_>>(), [2, 3, 5, 6]);
    // Only who may make tags imports them.
    let risks = app.client_with_scopes("risks:write").await;
    app.post("/v1/imports?kind=tags").bearer(&risks).body("text/csv", TAGS).expect(403).await;
    app.get(&format!("/v1/imports/{id}")).bearer(&risks).expect(403).await;
}

#[both_engines]
async fn an_export_of_tags_imports_equal_into_an_empty_organization(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    for (name, color) in [("=1", "#000001"), ("'tis", "#64748b"), ("a, b; c", "#abcdef")] {
        let tag = json!({"name": name, "color": color, "description": "- a\n\n'b"});
        app.post("/v1/tags").bearer(&client).json(tag).expect(201).await;
    }
    // Names that lead to a tag, one by way of another.
    let made = async |name: &str| {
        let tag = app.post("/v1/tags").bearer(&client).json(json!({"name": name})).expect(201).await;
        tag.text("id").to_owned()
    };
    let (old, older) = (made("old, name").await, made("older").await);
    for (from, into) in [(&older, &old), (&old, &made("new").await)] {
        let path = format!("/v1/tags/{from}/merge");
        app.post(&path).bearer(&client).json(json!({"into": into})).expect(200).await;
    }
    let file = app.get("/v1/tags/export?format=csv").bearer(&client).expect(200).await;
    let file = String::from_utf8(file.bytes.to_vec()).unwrap();
    let other = app.db.organization("Other").await;
    let other = app.client_of(other, ALL).await;
    assert_eq!(import_as(&app, &other, "tags", &file).await, counts(4, 0, 0, 0, 0));
    for query in ["", "name=older", "name=Old,%20name"] {
        assert_eq!(shown(&app, &other, query).await, shown(&app, &client, query).await, "{query}");
    }
    assert_eq!(shown(&app, &other, "name=older").await[0][0], "new");
    assert_eq!(import_as(&app, &other, "tags", &file).await, counts(0, 0, 4, 0, 0));
}
