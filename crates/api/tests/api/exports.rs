//! Exports: everything that a list has, as CSV, NDJSON or a workbook.

use domain::Role;
use domain::incident::NewIncident;
use domain::risk::{NewRisk, Rating};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestClient, TestPerson, both_engines};
use tower::ServiceExt as _;
use workbook::{Reading, Workbook};

/// The media type of workbooks.
const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The lines of CSV, each cut into its cells.
fn cells(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|line| line.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn book(answer: &Answer) -> Workbook {
    workbook::read(&answer.bytes, None, Reading::default()).unwrap()
}

/// The rows of a sheet; what is empty at the end of one is left out.
fn sheet(book: &Workbook, index: usize) -> Vec<Vec<String>> {
    let row = |row: workbook::Row<'_>| {
        let last = row.cells().map(|(column, _)| column).max().unwrap();
        (0..=last).map(|column| row.cell(column).shown()).collect()
    };
    book.sheet(index).unwrap().rows().map(row).collect()
}

async fn head(app: &TestApp, client: &TestClient) -> i64 {
    app.get("/v1/journal/head").bearer(client).expect(200).await.json()["seq"].as_i64().unwrap()
}

fn text(answer: &Answer) -> &str {
    std::str::from_utf8(&answer.bytes).unwrap()
}

/// An item of a document, which has at least one.
fn item() -> Value {
    json!({"id": "contact", "kind": "text", "label": "Whom to ask"})
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[both_engines]
async fn an_export_has_every_incident_of_the_list(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write journal:read").await;
    let all = app.client().await;
    for number in 1..=1_100 {
        let body = json!({"title": format!("Incident {number}"), "description": "", "source": "SIEM"});
        app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    }
    app.patch("/v1/incidents/7").bearer(&client).json(json!({"kind": "drill"})).expect(200).await;
    let get = async |address: &str| app.get(address).bearer(&client).expect(200).await;
    let file = get("/v1/incidents/export").await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    let name = format!("attachment; filename=\"incidents-{}.csv\"", head(&app, &client).await);
    assert_eq!(file.header("content-disposition"), Some(name.as_str()));
    let rows = cells(text(&file));
    assert_eq!(rows.len(), 1_101);
    assert_eq!(rows[0][..4], ["id", "title", "description", "status"]);
    assert_eq!((rows[1][0].as_str(), rows[1_100][0].as_str()), ("INC-0001", "INC-1100"));
    let file = get("/v1/incidents/export?format=ndjson&kind=drill").await;
    assert_eq!(file.header("content-type"), Some("application/x-ndjson"));
    for (accept, format, is_ndjson) in [
        ("application/x-ndjson", "", true),
        ("text/csv;q=0.5, application/x-ndjson", "", true),
        ("application/x-ndjson;q=0.2, text/csv", "", false),
        ("*/*", "", false),
        ("application/x-ndjson", "&format=csv", false),
        (WORKBOOK, "&format=ndjson", true),
    ] {
        for list in ["incidents", "risks", "documents", "tags", "users"] {
            let address = format!("/v1/{list}/export?fields=id{format}")
                .replace("documents/export?fields=id", "documents/export?fields=slug");
            let file = app.get(&address).bearer(&all).header("accept", accept).expect(200).await;
            let shown = file.header("content-type") == Some("application/x-ndjson");
            assert_eq!(shown, is_ndjson, "{accept} {address}");
        }
    }
    let asked = app.get("/v1/incidents/export?fields=title,id").bearer(&client).header("accept", WORKBOOK);
    let rows = sheet(&book(&asked.expect(200).await), 0);
    assert_eq!((rows.len(), &rows[0][..]), (1_101, &["title".to_owned(), "id".to_owned()][..]));
    assert_eq!(rows[1_100], ["Incident 1100", "INC-1100"]);
    let list = get("/v1/incidents?kind=drill").await;
    assert_eq!(Value::Array(objects(text(&file))), list.json()["data"]);
    let none = get("/v1/incidents/export?format=csv&source=none-such").await;
    assert_eq!(cells(text(&none)).len(), 1, "one line of names");
    let nothing = get("/v1/incidents/export?format=ndjson&source=none-such").await;
    assert_eq!(text(&nothing), "");
}

#[both_engines]
async fn columns_and_members_are_chosen_by_their_names(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write").await;
    let body = json!({"title": "Fire", "description": "In the cellar."});
    app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    let get = async |query: &str| app.get(&format!("/v1/incidents/export?{query}")).bearer(&client).await;
    let file = get("fields=status,id,status").await;
    assert_eq!(text(&file), "status,id\r\nnew,INC-0001\r\n");
    // The address of the person is a column only, and the readers are a member only.
    assert_eq!(text(&get("fields=assigned_to_email").await), "assigned_to_email\r\n\"\"\r\n");
    let file = get("format=ndjson&fields=title,id,deleted_date").await;
    assert_eq!(text(&file), "{\"title\":\"Fire\",\"id\":\"INC-0001\"}\n");
    for (query, names) in [
        ("fields=titel", "title"),
        ("format=ndjson&fields=titel", "title"),
        ("fields=created", "created_date"),
    ] {
        let answer = get(query).await;
        assert_eq!((answer.status, answer.faults()), (400, vec!["fields enum".to_owned()]), "{query}");
        let detail = answer.json()["errors"][0]["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(names), "{detail}");
    }
    // Lists and single records are always whole.
    for path in ["/v1/incidents", "/v1/incidents/INC-0001"] {
        let answer = app.get(&format!("{path}?fields=id")).bearer(&client).expect(400).await;
        assert_eq!(answer.faults(), ["fields unknown"]);
    }
}

#[both_engines]
async fn cells_are_quoted_and_compute_nothing(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write").await;
    let texts = ["=1+1", "+1", "-1", "@x", "a \"b\", c", "Zeile 1\nZeile 2", "Überfall; 火"];
    for text in texts {
        let body = json!({"title": "T", "description": text, "occurred_date": "2026-02-28T23:30:00+01:00"});
        app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    }
    let file = app.get("/v1/incidents/export").bearer(&client).expect(200).await;
    let rows = cells(text(&file));
    let column = |name: &str| rows[0].iter().position(|it| it == name).unwrap();
    let found: Vec<&str> = rows[1..].iter().map(|row| row[column("description")].as_str()).collect();
    let expected = ["'=1+1", "'+1", "'-1", "'@x", "a \"b\", c", "Zeile 1\nZeile 2", "Überfall; 火"];
    assert_eq!(found, expected);
    assert_eq!(rows[1][column("occurred_date")], "2026-02-28T22:30:00.000000Z");
    assert!(text(&file).contains("\r\n") && text(&file).contains("\"a \"\"b\"\", c\""));
}

#[both_engines]
async fn an_export_shows_the_register_as_of_one_entry(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write incidents:delete journal:read").await;
    for title in ["A", "B"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    }
    let then = head(&app, &client).await;
    app.patch("/v1/incidents/1").bearer(&client).json(json!({"title": "C"})).expect(200).await;
    let delete = app.post("/v1/incidents/bulk-delete").bearer(&client);
    delete.json(json!({"ids": ["INC-0002"]})).expect(200).await;
    let titles = async |query: &str| -> Vec<String> {
        let address = format!("/v1/incidents/export?format=ndjson{query}");
        let file = app.get(&address).bearer(&client).expect(200).await;
        objects(text(&file)).iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles("").await, ["C"]);
    assert_eq!(titles("&deleted=with").await, ["C", "B"]);
    assert_eq!(titles(&format!("&as_of_seq={then}")).await, ["A", "B"]);
    let refused = app.get("/v1/incidents/export?format=pdf").bearer(&client).expect(400).await;
    assert!(refused.json().to_string().contains("must be"), "{}", refused.json());
    app.get("/v1/incidents/export?fromat=csv").bearer(&client).expect(400).await;
    let reader = app.client_with_scopes("incidents:read").await;
    app.get("/v1/incidents/export?deleted=with").bearer(&reader).expect(403).await;
}

#[both_engines]
async fn risks_are_exported_with_their_ratings(app: TestApp) {
    let client = app.client_with_scopes("risks:read risks:write").await;
    let body = json!({"title": "=Flood", "description": "", "category": "Physical",
        "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 1, "impact": 2}});
    app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
    let rating = json!({"likelihood": 2, "impact": 3});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&client).json(rating).expect(201).await;
    let file = app.get("/v1/risks/export").bearer(&client).expect(200).await;
    let rows = cells(text(&file));
    let cell = |name: &str| rows[1][rows[0].iter().position(|it| it == name).unwrap()].as_str();
    assert_eq!((cell("id"), cell("title"), cell("category")), ("RSK-1", "'=Flood", "Physical"));
    assert_eq!((cell("inherent_score"), cell("current_score"), cell("target_score")), ("20", "6", "2"));
    let lines = app.get("/v1/risks/export?format=ndjson").bearer(&client).expect(200).await;
    let list = app.get("/v1/risks").bearer(&client).expect(200).await;
    assert_eq!(Value::Array(objects(text(&lines))), list.json()["data"]);
}

/// Of these there is no history: the file is what the list has now, in the order of the list.
#[both_engines]
async fn documents_tags_and_users_are_exported_as_their_lists_have_them(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let grace = app.person("Grace", Role::Responder).await;
    for (slug, owner) in [("backup", &grace.id), ("access", &ada.id)] {
        let body = json!({"slug": slug, "title": format!("={slug}"), "owner": owner, "items": [item()]});
        app.post("/v1/documents").bearer(&ada.token).json(body).expect(201).await;
    }
    for name in ["b", "A", "=c"] {
        app.post("/v1/tags").bearer(&ada.token).json(json!({"name": name})).expect(201).await;
    }
    let get = async |address: &str| app.get(address).bearer(&ada.token).expect(200).await;
    let seq = get("/v1/journal/head").await.json()["seq"].as_i64().unwrap();
    for (list, filter, count) in [
        ("documents", "", 2),
        ("documents", "&owner=me", 1),
        ("tags", "", 3),
        ("users", "", 2),
        ("users", "&role=responder", 1),
    ] {
        let rows = get(&format!("/v1/{list}?limit=50{filter}")).await.json()["data"].clone();
        let file = get(&format!("/v1/{list}/export?format=ndjson{filter}")).await;
        assert_eq!(objects(text(&file)).len(), count, "{list}{filter}");
        assert_eq!(Value::Array(objects(text(&file))), rows, "{list}{filter}");
        let file = get(&format!("/v1/{list}/export?format=csv{filter}")).await;
        assert_eq!(cells(text(&file)).len(), count + 1, "{list}{filter}: a line of names and the records");
        let name = format!("attachment; filename=\"{list}-{seq}.csv\"");
        assert_eq!(file.header("content-disposition"), Some(name.as_str()));
        assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    }
    let documents = cells(text(&get("/v1/documents/export").await));
    assert_eq!(documents[1][..6], ["access", "'=access", "", "Ada", "ada@x.org", "draft"]);
    let tags = cells(text(&get("/v1/tags/export").await));
    assert_eq!(tags[1..].iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["'=c", "A", "b"]);
    let users = cells(text(&get("/v1/users/export").await));
    assert_eq!(users[1][1..5], ["Ada", ada.email.as_str(), "", "admin"], "without a job title");
}

#[both_engines]
async fn a_workbook_has_the_columns_of_csv_and_says_what_they_are(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let rating = json!({"likelihood": 4, "impact": 5});
    for (list, body) in [
        ("incidents", json!({"title": "Fire", "description": ""})),
        ("risks", json!({"title": "=Flood", "description": " a\r\nb <c> & \"d\"", "inherent": rating})),
        ("documents", json!({"slug": "backup", "title": "Backup", "items": [item()]})),
        ("tags", json!({"name": "water"})),
    ] {
        app.post(&format!("/v1/{list}")).bearer(&ada.token).json(body).expect(201).await;
    }
    let get = async |address: &str| app.get(address).bearer(&ada.token).expect(200).await;
    let seq = get("/v1/journal/head").await.json()["seq"].as_i64().unwrap();
    for (list, name) in [
        ("incidents", "Incidents"),
        ("risks", "Risks"),
        ("documents", "Documents"),
        ("tags", "Tags"),
        ("users", "Users"),
    ] {
        let file = get(&format!("/v1/{list}/export?format=xlsx")).await;
        assert_eq!(file.header("content-type"), Some(WORKBOOK));
        let named = format!("attachment; filename=\"{list}-{seq}.xlsx\"");
        assert_eq!(file.header("content-disposition"), Some(named.as_str()));
        let book = book(&file);
        assert_eq!(book.sheets().map(workbook::Sheet::name).collect::<Vec<_>>(), [name, "Legend"]);
        let [rows, legend] = [sheet(&book, 0), sheet(&book, 1)];
        let lines = cells(text(&get(&format!("/v1/{list}/export?format=csv")).await));
        assert_eq!(rows[0], lines[0], "{list}");
        assert_eq!(rows.len(), lines.len(), "{list}");
        let plain = lines[1].iter().map(|it| it.replace("'=", "="));
        assert_eq!(rows[1], plain.collect::<Vec<_>>(), "{list}: texts, and none is a formula");
        assert_eq!(legend[0], ["Column", "Name", "Meaning", "Values"]);
        let columns: Vec<&String> = legend[1..].iter().map(|row| &row[0]).collect();
        assert_eq!(columns, lines[0].iter().collect::<Vec<_>>(), "{list}");
        if list == "risks" {
            let status = ["status", "Status", "Whether it is still being managed.", "open, closed"];
            assert!(legend.contains(&status.map(str::to_owned).to_vec()), "{legend:?}");
        }
    }
}

#[both_engines]
async fn an_export_of_many_tags_has_each_once(app: TestApp) {
    let client = app.client_with_scopes("tags:read tags:write").await;
    for number in 1..=1_001 {
        let body = json!({"name": format!("Tag {number:04}")});
        app.post("/v1/tags").bearer(&client).json(body).expect(201).await;
    }
    let file = app.get("/v1/tags/export").bearer(&client).expect(200).await;
    let rows = cells(text(&file));
    let names: Vec<&str> = rows[1..].iter().map(|row| row[1].as_str()).collect();
    let expected: Vec<String> = (1..=1_001).map(|number| format!("Tag {number:04}")).collect();
    assert_eq!(names, expected);
}

/// What cannot be read in pages as of one entry is kept until it is sent, so its size has a limit.
#[both_engines]
async fn an_export_of_documents_that_is_too_large_is_refused(app: TestApp) {
    let client = app.client_with_scopes("documents:read documents:write").await;
    let description = "x".repeat(65_000);
    for number in 1..=260 {
        let body = json!({"slug": format!("d-{number}"), "title": "T", "description": description, "items": [item()]});
        app.post("/v1/documents").bearer(&client).json(body).expect(201).await;
    }
    for format in ["csv", "ndjson"] {
        let address = format!("/v1/documents/export?format={format}");
        let refused = app.get(&address).bearer(&client).expect(409).await;
        assert_eq!(refused.text("code"), "export_too_large");
    }
    app.get("/v1/documents/export?owner=none&status=published").bearer(&client).expect(200).await;
}

#[both_engines]
async fn no_document_has_the_address_of_the_export(app: TestApp) {
    let client = app.client_with_scopes("documents:write").await;
    let body = json!({"slug": "export", "title": "Export", "items": [item()]});
    let refused = app.post("/v1/documents").bearer(&client).json(body).expect(422).await;
    assert_eq!((refused.text("/errors/0/pointer"), refused.text("/errors/0/code")), ("#/slug", "format"));
}

/// A receiver that stalls holds no read of the register, and gets the file as of where it began.
#[both_engines]
async fn a_stalled_receiver_holds_nothing(app: TestApp) {
    let client = app.client_with_scopes("incidents:read incidents:write").await;
    for number in 1..=1_001 {
        let body = json!({"title": format!("Incident {number}"), "description": ""});
        app.post("/v1/incidents").bearer(&client).json(body).expect(201).await;
    }
    let mut file = export(&app, &client, "/v1/incidents/export?format=ndjson").await;
    let mut whole = next_part(&mut file).await.unwrap();
    for number in [1, 600, 1_001] {
        let address = format!("/v1/incidents/{number}");
        app.patch(&address).bearer(&client).json(json!({"title": "Changed"})).expect(200).await;
    }
    // Every reader is free.
    let mut reads = Vec::new();
    for _ in 0..db::readers() {
        reads.push(app.db.read().await.unwrap());
    }
    drop(reads);
    while let Some(part) = next_part(&mut file).await {
        whole.push_str(&part);
    }
    let titles: Vec<_> = objects(&whole).iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect();
    let expected: Vec<_> = (1..=1_001).map(|number| format!("Incident {number}")).collect();
    assert_eq!(titles, expected);
}

/// What a search finds is what it found when the export began, whatever is changed or deleted while the file is sent.
#[both_engines]
async fn a_search_is_exported_as_of_where_it_began(app: TestApp) {
    let scopes = "incidents:read incidents:write incidents:delete risks:read risks:write risks:delete";
    let client = app.client_with_scopes(scopes).await;
    add_many(&app, 1_002).await;
    app.follow_search().await;
    for (list, prefix) in [("incidents", "INC-"), ("risks", "RSK-")] {
        let mut file = export(&app, &client, &format!("/v1/{list}/export?format=ndjson&q=printer")).await;
        let mut whole = next_part(&mut file).await.unwrap();
        for (id, title) in [(2, "Scanner"), (700, "Scanner"), (1_002, "Printer")] {
            let address = format!("/v1/{list}/{prefix}{id}");
            app.patch(&address).bearer(&client).json(json!({"title": title})).expect(200).await;
        }
        let delete = json!({"ids": [800], "operation": {"type": "delete"}});
        app.post(&format!("/v1/{list}/bulk")).bearer(&client).json(delete).expect(200).await;
        app.follow_search().await;
        while let Some(part) = next_part(&mut file).await {
            whole.push_str(&part);
        }
        let titles: Vec<_> =
            objects(&whole).iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect();
        let expected: Vec<_> = (1..=1_001).map(|number| format!("Printer {number}")).collect();
        assert_eq!(titles, expected, "{list}");
    }
}

/// What has expired is decided by the time of the export, also on pages that are read after a later entry.
#[both_engines]
async fn all_pages_of_an_export_are_of_one_day(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let ben = app.person("Ben", Role::Admin).await;
    let mut client = app.client_with_scopes("risks:read risks:write").await;
    add_many(&app, 1_001).await;
    let post = async |by: &TestPerson, path: &str, body: Value, status: u16| {
        app.post(&format!("/v1/risks{path}")).bearer(&by.token).json(body).expect(status).await;
    };
    let risk = json!({"title": "Flood", "owner": ada.id, "inherent": {"likelihood": 4, "impact": 5}});
    post(&ben, "", risk, 201).await;
    post(&ben, "/RSK-1002/evaluations", json!({"likelihood": 2, "impact": 4}), 201).await;
    let asked = json!({"reason": "Too dear.", "evaluation": 1, "until": "2026-03-05"});
    post(&ben, "/RSK-1002/acceptances", asked, 201).await;
    let decided = json!({"decision": "accepted", "note": "Until the move.", "evaluation": 1});
    post(&ada, "/RSK-1002/acceptances/1/decision", decided, 200).await;
    for (title, until) in [("Fire", json!("2026-03-05")), ("Frost", Value::Null)] {
        let mut file = export(&app, &client, "/v1/risks/export?format=ndjson").await;
        let mut whole = next_part(&mut file).await.unwrap();
        app.patch("/v1/risks/RSK-1").bearer(&client).json(json!({"title": title})).expect(200).await;
        while let Some(part) = next_part(&mut file).await {
            whole.push_str(&part);
        }
        assert_eq!(objects(&whole)[1_001]["acceptance"]["until"], until);
        app.db.clock.advance_days(10);
        client.token = app.sign_in(&client.id, &client.secret).await;
    }
}

/// So many incidents and risks, each with a number in its title; the last is called otherwise.
async fn add_many(app: &TestApp, count: usize) {
    let organization = app.organization;
    let add = async move |tx: &mut db::Tx| {
        let rating = Rating { likelihood: 2, impact: 3 };
        for number in 1..=count {
            let title = if number == count { "Scanner".to_owned() } else { format!("Printer {number}") };
            let incident =
                NewIncident { title: domain::Line::stored(title.clone()), ..NewIncident::untitled() };
            store::incidents::create(tx, organization, &testkit::author(), &incident).await?;
            let risk = NewRisk::rated(domain::Line::stored(title), rating, rating);
            store::risks::create(tx, organization, &testkit::author(), &risk).await?;
        }
        Ok::<_, store::Error>(())
    };
    app.db.write_alone(organization, add).await.unwrap();
}

/// A file that is being sent.
async fn export(app: &TestApp, client: &TestClient, address: &str) -> axum::body::Body {
    let request = axum::http::Request::get(address)
        .header("host", "bailiwick.test")
        .header("authorization", format!("Bearer {}", client.token));
    let response = app.router().oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
    response.into_body()
}

async fn next_part(body: &mut axum::body::Body) -> Option<String> {
    let frame = body.frame().await?.unwrap();
    Some(String::from_utf8(frame.into_data().unwrap().into()).unwrap())
}

#[both_engines]
async fn the_columns_of_risks_are_their_fields_and_what_follows_from_them(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let risk = json!({"title": "Flood", "category": "Water", "owner": ada.id, "asset": "Cellar",
        "controls": ["A.7.5", "A.8.13"], "external_ref": "-4", "treatment": "mitigate",
        "inherent": {"likelihood": 4, "impact": 5}, "target": {"likelihood": 2, "impact": 3}});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let file = app.get("/v1/risks/export").bearer(&ada.token).expect(200).await;
    let rows = cells(text(&file));
    let shown: Vec<(&str, &str)> = rows[0].iter().zip(&rows[1]).map(|(name, it)| (&**name, &**it)).collect();
    let expected = [
        ("id", "RSK-1"),
        ("title", "Flood"),
        ("description", ""),
        ("category", "Water"),
        ("owner", "Ada"),
        ("owner_email", "ada@x.org"),
        ("owner_name", ""),
        ("asset", "Cellar"),
        ("threat", ""),
        ("vulnerability", ""),
        ("existing_controls", ""),
        ("controls", "A.7.5; A.8.13"),
        ("external_ref", "'-4"),
        ("treatment", "mitigate"),
        ("treatment_plan", ""),
        ("status", "open"),
        ("status_reason", ""),
        ("status_date", ""),
        ("evaluate_every_days", ""),
        ("review_every_days", ""),
        ("next_review_date", ""),
        ("inherent_likelihood", "4"),
        ("inherent_impact", "5"),
        ("inherent_score", "20"),
        ("target_likelihood", "2"),
        ("target_impact", "3"),
        ("target_score", "6"),
    ];
    assert_eq!(shown[..expected.len()], expected);
    assert_eq!(shown.last(), Some(&("version", "1")));
}

/// The lines of an export of evaluations, and how many statements it makes: the fewest of a few runs, because work of another
/// connection may be counted too.
async fn evaluations(app: &TestApp, client: &TestClient, query: &str) -> (u64, Vec<Vec<String>>) {
    let (mut least, mut rows) = (u64::MAX, Vec::new());
    for _ in 0..3 {
        let before = app.db.statements();
        let file = app.get(&format!("/v1/evaluations/export?{query}")).bearer(client).expect(200).await;
        least = least.min(app.db.statements() - before);
        rows = cells(text(&file));
    }
    (least, rows)
}

#[both_engines]
async fn evaluations_are_exported_as_they_stood(app: TestApp) {
    let client = app.client_with_scopes("risks:read risks:write risks:delete journal:read").await;
    let post = async |path: &str, body: Value| app.post(path).bearer(&client).json(body).expect(201).await;
    for title in ["Fire", "Flood"] {
        post("/v1/risks", json!({"title": title, "inherent": {"likelihood": 5, "impact": 5}})).await;
    }
    post("/v1/risks/RSK-1/evaluations", json!({"likelihood": 3, "impact": 3})).await;
    let first = head(&app, &client).await;
    let better = json!({"likelihood": 2, "impact": 3, "note": "=calm", "supersedes": 1});
    post("/v1/risks/RSK-1/evaluations", better).await;
    post("/v1/risks/RSK-2/evaluations", json!({"likelihood": 1, "impact": 1})).await;
    let then = head(&app, &client).await;
    app.delete("/v1/risks/RSK-2").bearer(&client).expect(204).await;
    let shown = async |query: &str| {
        let (_, rows) = evaluations(&app, &client, query).await;
        let column = |name: &str| rows[0].iter().position(|it| it == name).unwrap();
        let columns = [column("risk"), column("number"), column("superseded_by")];
        let shown = |row: &Vec<String>| columns.map(|at| row[at].clone()).join(" ");
        rows[1..].iter().map(shown).collect::<Vec<_>>()
    };
    assert_eq!(shown("").await, ["RSK-1 2 "]);
    assert_eq!(shown("superseded=with").await, ["RSK-1 1 2", "RSK-1 2 "]);
    assert_eq!(shown(&format!("as_of_seq={then}")).await, ["RSK-1 2 ", "RSK-2 1 "]);
    assert_eq!(shown(&format!("as_of_seq={first}")).await, ["RSK-1 1 "]);
    let (_, rows) = evaluations(&app, &client, "fields=title,note,score").await;
    assert_eq!(rows[1..], [["Fire", "'=calm", "6"]]);
    let lines =
        app.get("/v1/evaluations/export?format=ndjson&superseded=with").bearer(&client).expect(200).await;
    let mut list =
        app.get("/v1/risks/RSK-1/evaluations").bearer(&client).expect(200).await.json()["data"].clone();
    list.as_array_mut().unwrap().sort_by_key(|it| it["number"].as_i64());
    assert_eq!(Value::Array(objects(text(&lines))), list);
    app.get("/v1/evaluations/export?superseded=only").bearer(&client).expect(400).await;
}

/// A page whose records are all left out is not the last one.
#[both_engines]
async fn an_export_of_evaluations_goes_on_after_those_of_a_deleted_risk(app: TestApp) {
    let client = app.client_with_scopes("risks:read risks:write risks:delete").await;
    for title in ["Fire", "Flood", "Frost"] {
        let risk = json!({"title": title, "inherent": {"likelihood": 5, "impact": 5}});
        app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    }
    let record = async |risk: &str, count: usize| {
        let rows: Vec<Value> =
            (0..count).map(|_| json!({"risk": risk, "likelihood": 2, "impact": 3})).collect();
        let body = json!({"evaluations": rows});
        app.post("/v1/evaluations").bearer(&client).json(body).expect(200).await;
    };
    record("RSK-3", 1).await;
    let (one, rows) = evaluations(&app, &client, "").await;
    assert_eq!(rows.len(), 2);
    record("RSK-3", 400).await;
    let (many, rows) = evaluations(&app, &client, "").await;
    assert_eq!((rows.len(), many), (402, one), "a page costs the same, whatever it has");
    record("RSK-1", 1_100).await;
    app.delete("/v1/risks/RSK-1").bearer(&client).expect(204).await;
    let (_, rows) = evaluations(&app, &client, "").await;
    assert_eq!((rows.len(), rows[1][0].as_str()), (402, "RSK-3"));
}
