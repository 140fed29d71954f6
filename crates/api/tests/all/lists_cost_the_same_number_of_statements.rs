//! No query per row: the cost of a list does not depend on its length. Its pages together are the whole list.

use axum::http::Method;
use futures_util::future::join_all;
use serde_json::json;
use testkit::TestApp;

use crate::all::filters::{Example, examples};
use crate::all::lists_link_and_count::of_linked;
use crate::all::operations::{self, Operation};
use crate::all::world::{Ask, World, notes};

const ROWS: usize = 50;

/// The path of a client with fifty refusals.
pub(crate) async fn refused(world: &World<'_>) -> String {
    let client = world.app.client_of(world.organization, "tags:write").await;
    for _ in 0..ROWS {
        world.app.get("/v1/tags").bearer(&client).expect(403).await;
    }
    world.app.app().auth().write_refusals().await;
    format!("/v1/clients/{}", client.id)
}

/// Creates fifty records of every kind, with their optional members, and a risk with fifty evaluations, tasks and tags.
/// Returns the risk's path.
async fn fill(world: &World<'_>) -> String {
    for operation in operations::writes() {
        // The operations that create a record without a parent.
        if operation.method == Method::POST && operation.template.matches('/').count() == 2 {
            join_all((0..ROWS).map(async |_| world.must(&world.valid(&operation).await).await)).await;
        }
    }
    let latest = world.app.get(&format!("/v1/risks?limit={ROWS}")).bearer(&world.client).expect(200).await;
    let latest = latest.json()["data"].as_array().unwrap().clone();
    let busy = format!("/v1/risks/{}", world.risk().await);
    join_all(latest.iter().map(async |one| {
        world.task_of(&busy).await;
        let tag = world.tag().await;
        for risk in [&busy, &format!("/v1/risks/{}", one["id"].as_str().unwrap())] {
            let evaluation = json!({"likelihood": 1, "impact": 2, "note": world.text()});
            for (under, body) in
                [("tags", json!({"tag_id": tag})), ("evaluations", evaluation), ("reviews", json!({}))]
            {
                let path = format!("{risk}/{under}");
                world.must(&Ask { method: Method::POST, path, body: Some(body) }).await;
            }
        }
    }))
    .await;
    busy
}

/// Puts one tag on each of the latest incidents; by its name it comes before all others.
async fn tag_incidents(world: &World<'_>) {
    let tag = json!({"name": "!"});
    let tag = world.app.post("/v1/tags").bearer(&world.client).json(tag).expect(201).await;
    let path = format!("/v1/incidents?limit={ROWS}");
    let latest = world.app.get(&path).bearer(&world.client).expect(200).await;
    for incident in latest.json()["data"].as_array().unwrap() {
        let path = format!("/v1/incidents/{}/tags", incident["id"].as_str().unwrap());
        let body = json!({"tag_id": tag.text("id")});
        world.app.post(&path).bearer(&world.client).json(body).expect(201).await;
    }
}

/// Opens a proposal of each document without one, and puts the tag on it.
async fn propose(world: &World<'_>, tag: &str) {
    let mut next = Some(String::new());
    while let Some(cursor) = next {
        let path = format!("/v1/documents?limit=200{cursor}");
        let page = world.must(&Ask::get(path)).await.json().clone();
        for document in page["data"].as_array().unwrap() {
            let path = format!("/v1/documents/{}", document["slug"].as_str().unwrap());
            world.must(&Ask::put(format!("{path}/tags/{tag}"))).await;
            if document["open_proposal"].is_null() {
                world.must(&Ask::post(format!("{path}/proposals"), json!({}))).await;
            }
        }
        next = page["next_cursor"].as_str().map(|cursor| format!("&cursor={cursor}"));
    }
}

/// The number of statements of one list.
async fn cost(world: &World<'_>, operation: &Operation, path: &str) -> (u64, usize) {
    let before = world.app.db.statements();
    let answer = world.app.get(path).bearer(&world.client).expect(200).await;
    let rows = answer.json()["data"].as_array().unwrap_or_else(|| panic!("{operation}: no data")).len();
    (world.app.db.statements() - before, rows)
}

/// Asserts that small pages together equal one large page.
async fn assert_pages(world: &World<'_>, path: &str, filter: &str) {
    let get = async |query: &str| {
        world
            .app
            .get(&format!("{path}?{query}{filter}"))
            .bearer(&world.client)
            .expect(200)
            .await
            .json()
            .clone()
    };
    let whole = get("limit=200").await["data"].as_array().unwrap().clone();
    let (mut together, mut page) = (Vec::new(), get("limit=23").await);
    loop {
        together.extend(page["data"].as_array().unwrap().clone());
        let next = page["next_cursor"].as_str();
        assert_eq!(page["has_more"] == true, next.is_some(), "{path}{filter}");
        match next {
            Some(cursor) if together.len() < whole.len() => {
                page = get(&format!("limit=23&cursor={cursor}")).await;
            }
            _ => break,
        }
    }
    // Lists of more than 200 rows are compared up to one page.
    together.truncate(200);
    assert_eq!(together, whole, "{path}{filter}");
}

/// What is there before the latest risks: fifty versions of the scale, and exceptions to a document, whose path it returns.
async fn begin(world: &World<'_>) -> String {
    // Before there are risks: each version of the scale leaves ratings as they are.
    for _ in 0..ROWS {
        world.must(&Ask::put("/v1/scale").with_body(world.new_scale())).await;
    }
    let document = world.asked(ROWS).await;
    for _ in 0..ROWS {
        world.excepted(&document).await;
    }
    document
}

#[testkit::both_engines]
async fn a_list_of_fifty_costs_what_a_list_of_one_costs(app: TestApp) {
    let world = World::new(&app).await;
    let document = begin(&world).await;
    let (busy, refused) = (fill(&world).await, refused(&world).await);
    let proposal = world.proposal_of(ROWS).await;
    world.tagged(&document, ROWS - 1).await;
    world.much_asked(&busy, ROWS).await;
    let incident = world.busy_incident(ROWS).await;
    world.discuss(&incident, ROWS).await;
    let linked = world.much_linked(ROWS).await;
    let import = world.tried_import(ROWS).await;
    tag_incidents(&world).await;
    world.waived(ROWS).await;
    // The statements about proposals are not made for a page without any.
    propose(&world, &world.tag().await).await;
    app.follow_search().await;
    // Each write gets a later time, so that the last ones are ahead of the clock.
    app.db.clock.advance_seconds(1);
    let now = app.db.clock.now().to_string();
    for operation in operations::all().into_iter().filter(Operation::is_list) {
        let path = notes::path_of(&of_linked(&operation.template, &linked), &incident);
        let path = path.replace("/v1/risks/{risk_id}", &busy).replace("/v1/risks/{id}", &busy);
        let path = path.replace("/v1/clients/{id}", &refused).replace("/v1/imports/{id}", &import);
        let path = path.replace("/v1/documents/{id}/proposals/{number}", &proposal);
        let path = path.replace("/v1/documents/{id}", &document);
        assert!(!path.contains('{'), "{operation}: say in this test whose list it is");
        let mut filters = vec![String::new()];
        for (name, value) in [("deleted", "with"), ("as_of_seq", "100000"), ("as_of", now.as_str())] {
            if operation.query_parameters().iter().any(|known| known == name) {
                let head = world.head().await.0.to_string();
                filters.push(format!("&{name}={}", if name == "as_of_seq" { &head } else { value }));
            }
        }
        let rows = world.app.get(&format!("{path}?limit={ROWS}")).bearer(&world.client).expect(200).await;
        let rows = rows.json()["data"].as_array().unwrap().clone();
        // Filters with so many values that fifty rows fit.
        filters.extend(examples(&operation, &rows, ROWS).iter().map(Example::query));
        filters.extend(operation.sorts().into_iter().map(|sort| format!("&sort={sort}")));
        for filter in filters {
            // The first request also loads the caller.
            cost(&world, &operation, &path).await;
            let (one, rows) = cost(&world, &operation, &format!("{path}?limit=1{filter}")).await;
            assert_eq!(rows, 1, "{operation}{filter}");
            let (fifty, rows) = cost(&world, &operation, &format!("{path}?limit={ROWS}{filter}")).await;
            // The end of a range of times leaves the last row out.
            assert!((ROWS - 1..=ROWS).contains(&rows), "{operation}{filter}: {rows}");
            // Which version is in force is read if a document of the page is published.
            let of_versions = u64::from(operation.key == "GET /v1/documents" && one < fifty);
            assert_eq!(one + of_versions, fifty, "{operation}{filter}: a list of one and of {ROWS}");
            let counted = format!("{path}?limit={ROWS}&include_total=true{filter}");
            let (counted, _) = cost(&world, &operation, &counted).await;
            if operation.key == "GET /v1/search" {
                assert!(
                    counted <= fifty + 12,
                    "{filter}: the total is a few statements of each kind: {counted}"
                );
            } else {
                // A name of a merged tag leads to another one, which is looked up for the total too.
                let of_names = u64::from(filter.contains("&name=") && operation.key == "GET /v1/tags");
                // Everybody who is asked is known before the page is cut.
                let is_read_whole = ["GET /v1/documents/{}/acknowledgements", "GET /v1/risks/changes"]
                    .contains(&&*operation.key);
                let of_total = u64::from(!is_read_whole);
                // The scale says which ratings are in a band, or outdated; a list without such a filter reads it once.
                let of_scale = ["&band=", "&evaluation="].iter().any(|name| filter.contains(name));
                // The tasks of incidents and those of risks are counted apart.
                let of_kinds = u64::from(operation.key == "GET /v1/tasks");
                let expected = fifty + of_total + of_names + of_kinds + u64::from(of_scale);
                assert_eq!(counted, expected, "{operation}{filter}: the total is one statement");
            }
            assert_pages(&world, &path, &filter).await;
            assert!(one < 20, "{operation}{filter}: {one} statements for one list");
        }
    }
}
