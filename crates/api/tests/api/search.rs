//! Searching: `q` of the lists, and `GET /v1/search`.

use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient, TestPerson, both_engines};

async fn declare(app: &TestApp, by: &TestPerson, title: &str, description: &str) -> String {
    let body = json!({"title": title, "description": description});
    app.post("/v1/incidents").bearer(&by.token).json(body).expect(201).await.text("id").to_owned()
}

async fn ids(app: &TestApp, token: &str, address: &str) -> Vec<String> {
    let found = app.get(address).bearer(token).expect(200).await;
    let rows = found.json()["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["id"].as_str().or(row["slug"].as_str()).unwrap().to_owned()).collect()
}

#[both_engines]
async fn incidents_are_found_by_words_the_best_first(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    declare(&app, &ada, "Printer on fire", "Nobody was hurt.").await;
    declare(&app, &ada, "Mail is slow", "The printer waits for the mail server.").await;
    let third = declare(&app, &ada, "Door open", "").await;
    let comment = json!({"kind": "comment", "text": "The PRINTER stood beside it."});
    app.post(&format!("/v1/incidents/{third}/notes")).bearer(&ada.token).json(comment).expect(201).await;
    declare(&app, &ada, "Printers stolen", "").await;
    assert_eq!(ids(&app, &ada.token, "/v1/incidents?q=printer").await, [""; 0], "nothing is indexed yet");
    app.follow_search().await;
    let found = async |query: &str| ids(&app, &ada.token, &format!("/v1/incidents?q={query}")).await;
    assert_eq!(found("printer").await, ["INC-0001", "INC-0002", "INC-0003"]);
    assert_eq!(found("print*").await, ["INC-0004", "INC-0001", "INC-0002", "INC-0003"]);
    assert_eq!(found("print*&sort=number").await, ["INC-0001", "INC-0002", "INC-0003", "INC-0004"]);
    assert_eq!(found("printer+-mail").await, ["INC-0001", "INC-0003"]);
    assert_eq!(found("%22mail+server%22").await, ["INC-0002"]);
    assert_eq!(found("%22server+mail%22").await, [""; 0]);
    assert_eq!(found("print*&status=dismissed").await, [""; 0]);
    assert_eq!(found("***").await, [""; 0]);
    let (mut pages, mut next) = (Vec::new(), String::new());
    loop {
        let page = app.get(&format!("/v1/incidents?q=print*&limit=1&include_total=true{next}"));
        let page = page.bearer(&ada.token).expect(200).await;
        assert_eq!(page.json()["total"], 4);
        pages.push(page.json()["data"][0]["id"].as_str().unwrap().to_owned());
        match page.json()["next_cursor"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(pages, ["INC-0004", "INC-0001", "INC-0002", "INC-0003"]);
    let bulk = json!({"filter": {"q": "print*"}, "operation": {"type": "update", "kind": "drill"}});
    let changed = app.post("/v1/incidents/bulk").bearer(&ada.token).json(bulk).expect(200).await;
    assert_eq!(changed.json()["results"].as_array().unwrap().len(), 4);
    let export =
        app.get("/v1/incidents/export?q=print*+-mail&format=csv").bearer(&ada.token).expect(200).await;
    assert_eq!(String::from_utf8_lossy(&export.bytes).lines().count(), 4);
}

#[both_engines]
async fn incidents_are_found_by_their_source_and_summary_behind_the_rest(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let new = json!({"title": "Door open", "description": "", "source": "Night patrol"});
    app.post("/v1/incidents").bearer(&ada.token).json(new).expect(201).await;
    declare(&app, &ada, "Patrol is late", "").await;
    for (to, more) in [
        ("investigating", json!({})),
        ("resolved", json!({"resolution_reason": "fixed", "resolution_summary": "Wheels were mended."})),
    ] {
        let mut body = json!({"to": to});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let request = app.post("/v1/incidents/INC-1/transitions").bearer(&ada.token);
        request.json(body).expect(200).await;
    }
    let found = async |query: &str| {
        app.follow_search().await;
        ids(&app, &ada.token, &format!("/v1/incidents?q={query}")).await
    };
    assert_eq!(found("patrol").await, ["INC-0002", "INC-0001"]);
    assert_eq!(found("wheels+night").await, ["INC-0001"]);
    assert_eq!(found("%22patrol+wheels%22").await, [""; 0], "a phrase is in one text");
    let left = json!({"target": {"type": "incident", "field": "source"}, "reason": "It names a person."});
    app.post("/v1/incidents/INC-1/redact").bearer(&ada.token).json(left).expect(200).await;
    assert_eq!(ids(&app, &ada.token, "/v1/incidents?q=patrol").await, ["INC-0002"], "at once");
}

#[both_engines]
async fn incidents_are_found_by_their_tasks_review_and_links_until_those_are_gone(app: TestApp) {
    let (ada, eve) = (app.person("Ada", Role::Admin).await, app.person("Eve", Role::Viewer).await);
    let incident = declare(&app, &ada, "Door open", "").await;
    let other = declare(&app, &ada, "Lorry arrived", "").await;
    let address = |rest: &str| format!("/v1/incidents/{incident}/{rest}");
    let post = async |rest: &str, body: Value| {
        app.post(&address(rest)).bearer(&ada.token).json(body).expect(201).await;
    };
    let review = async |body: Value| {
        app.patch(&address("review")).bearer(&ada.token).json(body).expect(200).await;
    };
    post("tasks", json!({"title": "Order hinges", "notes": "Brass ones."})).await;
    let to = json!({"type": "url", "url": "https://tickets.example/4711", "title": "Carpenter's offer"});
    post("links", json!({"to": to, "kind": "ticket"})).await;
    post("links", json!({"to": {"type": "incident", "id": other}, "kind": "related"})).await;
    let actions = json!([{"title": "Oil locks"}]);
    review(json!({"summary": "A draught.", "root_cause": "Rust.", "actions": actions})).await;
    let found = async |by: &TestPerson, query: &str| {
        app.follow_search().await;
        ids(&app, &by.token, &format!("/v1/search?q={query}")).await
    };
    for query in ["hinges", "brass", "4711", "%22carpenter%27s+offer%22", "draught+rust", "%22oil+locks%22"] {
        assert_eq!(found(&eve, query).await, [incident.as_str()], "{query}");
    }
    assert_eq!(
        found(&eve, "lorry").await,
        [other.as_str()],
        "a link does not have the title of its other end"
    );
    let snippet = app.get("/v1/search?q=brass").bearer(&eve.token).expect(200).await;
    let piece = json!([{"text": "Brass", "match": true}, {"text": " ones.", "match": false}]);
    assert_eq!(snippet.json()["data"][0]["snippet"], piece);
    // A later edition stands for the earlier one once it is published.
    review(json!({"state": "published"})).await;
    review(json!({"state": "draft", "summary": "A breeze."})).await;
    assert_eq!(found(&eve, "draught").await, [incident.as_str()]);
    assert_eq!(found(&eve, "breeze").await, [incident.as_str()]);
    review(json!({"state": "published"})).await;
    let at_once = async |query: &str| ids(&app, &ada.token, &format!("/v1/search?q={query}")).await;
    assert_eq!(at_once("draught").await, [""; 0]);
    app.patch(&address("tasks/1")).bearer(&ada.token).json(json!({"notes": null})).expect(200).await;
    assert_eq!(at_once("brass").await, [""; 0]);
    app.delete(&address("tasks/1")).bearer(&ada.token).expect(204).await;
    app.delete(&address("links/1")).bearer(&ada.token).expect(204).await;
    for query in ["hinges", "4711"] {
        assert_eq!(at_once(query).await, [""; 0], "{query}");
    }
    let left = json!({"text": "breeze", "reason": "It names a person."});
    app.post(&address("redact")).bearer(&ada.token).json(left).expect(200).await;
    assert_eq!(at_once("breeze").await, [""; 0]);
    let restrict = json!({"restricted": true});
    app.patch(&format!("/v1/incidents/{incident}")).bearer(&ada.token).json(restrict).expect(200).await;
    assert_eq!(at_once("rust").await, [incident.as_str()]);
    assert_eq!(ids(&app, &eve.token, "/v1/search?q=rust").await, [""; 0], "before the index knows of it");
    assert_eq!(found(&eve, "rust").await, [""; 0]);
    assert_eq!(found(&ada, "rust").await, [incident.as_str()]);
}

#[both_engines]
async fn the_response_says_how_far_the_search_is(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    declare(&app, &ada, "Printer on fire", "").await;
    let head =
        async || app.get("/v1/journal/head").bearer(&ada.token).expect(200).await.json()["seq"].to_string();
    let seq = async |address: &str| {
        let found = app.get(address).bearer(&ada.token).expect(200).await;
        found.header("bailiwick-search-seq").map(str::to_owned)
    };
    assert_eq!(seq("/v1/incidents?q=fire").await.as_deref(), Some("0"));
    app.follow_search().await;
    let head = head().await;
    for address in [
        "/v1/incidents?q=fire",
        "/v1/incidents/facets?q=fire",
        "/v1/incidents/export?q=fire",
        "/v1/risks?q=fire",
        "/v1/risks/facets?q=fire",
        "/v1/risks/export?q=fire",
        "/v1/documents?q=fire",
        "/v1/search?q=fire",
    ] {
        assert_eq!(seq(address).await.as_ref(), Some(&head), "{address}");
    }
    assert_eq!(seq("/v1/incidents").await, None);
}

#[both_engines]
async fn a_search_finds_what_the_caller_may_read(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    declare(&app, &ada, "Theft in the lab", "").await;
    let secret = declare(&app, &ada, "Theft by a colleague", "").await;
    app.follow_search().await;
    let patch = json!({"restricted": true});
    app.patch(&format!("/v1/incidents/{secret}")).bearer(&ada.token).json(patch).expect(200).await;
    let search = "/v1/search?q=theft";
    for _ in 0..2 {
        // Before the index knows of the restriction, and after.
        assert_eq!(ids(&app, &ada.token, search).await, ["INC-0002", "INC-0001"]);
        assert_eq!(ids(&app, &vera.token, search).await, ["INC-0001"]);
        assert_eq!(ids(&app, &vera.token, "/v1/incidents?q=theft").await, ["INC-0001"]);
        app.follow_search().await;
    }
    let other = app.db.organization("Other Ltd").await;
    let stranger = app.client_of(other, "incidents:read risks:read documents:read").await;
    assert_eq!(ids(&app, &stranger.token, search).await, [""; 0]);
    let body = json!({"ids": ["INC-0001"]});
    app.post("/v1/incidents/bulk-delete").bearer(&ada.token).json(body).expect(200).await;
    assert_eq!(ids(&app, &ada.token, search).await, ["INC-0002"], "at once");
}

async fn everything(app: &TestApp) -> TestClient {
    let client = app.client().await;
    let post = async |address: &str, body: Value| {
        app.post(address).bearer(&client.token).json(body).expect(201).await;
    };
    post("/v1/incidents", json!({"title": "Flood in Köln", "description": "Water in the server room."}))
        .await;
    let rating = json!({"likelihood": 2, "impact": 3});
    let risk = json!({"title": "Flood", "description": "", "inherent": rating, "target": rating});
    post("/v1/risks", risk).await;
    let item = json!({"id": "who", "kind": "text", "label": "Whom to call in a flood"});
    let document = json!({"slug": "plan", "title": "Emergency plan", "description": "", "items": [item]});
    post("/v1/documents", document).await;
    app.follow_search().await;
    client
}

#[both_engines]
async fn everything_is_searched_at_once(app: TestApp) {
    let client = everything(&app).await;
    let found = app.get("/v1/search?q=FLOOD&include_total=true").bearer(&client.token).expect(200).await;
    let rows = found.json()["data"].as_array().unwrap();
    let told: Vec<_> =
        rows.iter().map(|row| (row["kind"].as_str().unwrap(), row["id"].as_str().unwrap())).collect();
    assert_eq!(told, [("incident", "INC-0001"), ("risk", "RSK-1"), ("document", "plan")]);
    assert_eq!(found.json()["total"], 3);
    assert_eq!(
        rows[2]["snippet"],
        json!([{"text": "Whom to call in a ", "match": false}, {"text": "flood", "match": true}])
    );
    assert_eq!(ids(&app, &client.token, "/v1/search?q=koln+serv*").await, ["INC-0001"]);
    assert_eq!(
        ids(&app, &client.token, "/v1/search?q=flood&kind=risk&kind=document").await,
        ["RSK-1", "plan"]
    );
    assert_eq!(ids(&app, &client.token, "/v1/risks?q=flood").await, ["RSK-1"]);
    assert_eq!(ids(&app, &client.token, "/v1/documents?q=flood").await, ["plan"]);
    assert_eq!(ids(&app, &client.token, "/v1/search").await, ["INC-0001", "RSK-1", "plan"]);
    let (mut pages, mut next) = (Vec::new(), String::new());
    loop {
        let page =
            app.get(&format!("/v1/search?q=flood&limit=1{next}")).bearer(&client.token).expect(200).await;
        pages.push(page.json()["data"][0]["id"].as_str().unwrap().to_owned());
        match page.json()["next_cursor"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(pages, ["INC-0001", "RSK-1", "plan"]);
    let risks = app.client_with_scopes("risks:read").await;
    assert_eq!(ids(&app, &risks.token, "/v1/search?q=flood").await, ["RSK-1"]);
    let refused = app.get("/v1/search?q=flood&kind=incident").bearer(&risks.token).expect(403).await;
    assert!(refused.json()["detail"].as_str().unwrap().contains("incidents:read"));
}

#[both_engines]
async fn wrong_searches_are_refused(app: TestApp) {
    let client = app.client().await;
    let faults = async |address: &str| app.get(address).bearer(&client.token).expect(400).await.faults();
    let long = format!("/v1/incidents?q={}", "x".repeat(501));
    assert_eq!(faults(&long).await, ["q too_long"]);
    assert_eq!(faults("/v1/risks?q=").await, ["q blank"]);
    assert_eq!(faults("/v1/incidents?q=x&as_of_seq=1&deleted=with").await, ["q conflict", "q conflict"]);
    assert_eq!(faults("/v1/search?q=x&kind=tag").await, ["kind enum"]);
}

#[both_engines]
async fn any_text_is_a_safe_search(app: TestApp) {
    let client = everything(&app).await;
    let every: String = (1..=127_u8).map(char::from).collect();
    for text in [
        "'; DROP TABLE incident; --",
        "\" OR 1=1",
        "NEAR(a b)",
        "a AND NOT (b",
        "^$[]{}%_\\",
        "\u{202e}\u{10ffff}",
        "title:flood",
        "-",
        "\"\"",
        "(((((((((",
        &"\"".repeat(500),
        &"-a ".repeat(166),
        &"a* ".repeat(166),
        &every,
    ] {
        let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("q", text).finish();
        for list in ["search", "incidents", "risks", "documents"] {
            app.get(&format!("/v1/{list}?{query}")).bearer(&client.token).expect(200).await;
        }
    }
}

/// A bulk change of what a search finds says how far the search is, and changes nothing that has lost the words.
#[both_engines]
async fn a_bulk_change_by_search_leaves_alone_what_has_lost_the_words(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let rating = json!({"likelihood": 2, "impact": 3});
    for title in ["Race vole", "Field vole"] {
        declare(&app, &ada, title, "").await;
        let risk = json!({"title": title, "description": "", "inherent": rating, "target": rating});
        app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    }
    app.follow_search().await;
    let seq = app.get("/v1/journal/head").bearer(&ada.token).expect(200).await.json()["seq"].to_string();
    for (list, first) in [("incidents", "INC-0001"), ("risks", "RSK-1")] {
        let rename = json!({"title": "Race newt"});
        app.patch(&format!("/v1/{list}/{first}")).bearer(&ada.token).json(rename).expect(200).await;
        let bulk = json!({"filter": {"q": "vole"}, "operation": {"type": "delete"}});
        let deleted = app.post(&format!("/v1/{list}/bulk")).bearer(&ada.token).json(bulk).expect(200).await;
        assert_eq!(deleted.json()["results"].as_array().unwrap().len(), 1, "{}", deleted.json());
        assert_eq!(deleted.header("bailiwick-search-seq"), Some(seq.as_str()));
        app.get(&format!("/v1/{list}/{first}")).bearer(&ada.token).expect(200).await;
    }
}
