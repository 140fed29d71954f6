//! Every list links to its pages and, if requested, returns the number of rows of all pages.

use futures_util::future::join_all;
use serde_json::Value;
use testkit::{Answer, TestApp};

use crate::all::filters::{Example, examples};
use crate::all::lists_cost_the_same_number_of_statements::refused;
use crate::all::operations::{self, Operation};
use crate::all::world::{World, notes};

const SERVICE: &str = "http://bailiwick.test";

pub(crate) fn lists() -> Vec<Operation> {
    let found: Vec<_> = operations::all().into_iter().filter(Operation::is_list).collect();
    assert!(found.len() >= 7, "the lists: {found:?}");
    found
}

/// The records whose lists are tested: a risk with tags and evaluations, an incident with
/// parts, and a client with refusals.
pub(crate) struct Busy {
    risk: String,
    client: String,
    proposal: String,
    /// A document with versions and proposals.
    document: String,
    incident: String,
    import: String,
    /// An incident, a risk and a document with links.
    linked: [String; 3],
}

/// Creates a few records of every kind, some of them deleted.
pub(crate) async fn fill(world: &World<'_>) -> Busy {
    // First, so that the past has them.
    let incident = world.busy_incident(3).await;
    world.discuss(&incident, 4).await;
    for _ in 0..3 {
        for operation in operations::writes() {
            world.must(&world.valid(&operation).await).await;
        }
    }
    let risk = format!("/v1/risks/{}", world.risk().await);
    for _ in 0..3 {
        world.task_of(&risk).await;
        let tag = serde_json::json!({"tag_id": world.tag().await});
        let rating = serde_json::json!({"likelihood": 1, "impact": 2});
        for (under, body) in [("tags", tag), ("evaluations", rating), ("reviews", serde_json::json!({}))] {
            let path = format!("{risk}/{under}");
            world.app.post(&path).bearer(&world.client).json(body).expect(201).await;
        }
    }
    world.much_asked(&risk, 3).await;
    let (client, proposal) = (refused(world).await, world.proposal_of(3).await);
    let document = world.asked(3).await;
    for _ in 0..3 {
        world.excepted(&document).await;
    }
    world.tagged(&document, 3).await;
    world.waived(3).await;
    let linked = world.much_linked(3).await;
    let import = world.tried_import(3).await;
    world.app.follow_search().await;
    Busy { risk, client, proposal, document, incident, import, linked }
}

pub(crate) fn path(operation: &Operation, busy: &Busy) -> String {
    let path = notes::path_of(&of_linked(&operation.template, &busy.linked), &busy.incident);
    let path = path.replace("/v1/risks/{risk_id}", &busy.risk);
    let path = path.replace("/v1/clients/{id}", &busy.client).replace("/v1/imports/{id}", &busy.import);
    let path = path.replace("/v1/documents/{id}/proposals/{number}", &busy.proposal);
    let path = path.replace("/v1/documents/{id}", &busy.document);
    assert!(!path.contains('{'), "{operation}: say in this test whose list it is");
    path
}

/// The path of the links of a record that has some; other paths stay.
pub(crate) fn of_linked(template: &str, [incident, risk, document]: &[String; 3]) -> String {
    template
        .replace("/v1/incidents/{id}/links", &format!("{incident}/links"))
        .replace("/v1/risks/{risk_id}/links", &format!("{risk}/links"))
        .replace("/v1/documents/{id}/links", &format!("{document}/links"))
}

pub(crate) async fn get(world: &World<'_>, path: &str) -> Answer {
    world.app.get(path).bearer(&world.client).expect(200).await
}

/// The link with this relation. Its URL is absolute, based on the service's public URL.
fn link(answer: &Answer, relation: &str) -> Option<String> {
    let header = answer.header("link").unwrap_or_else(|| panic!("no Link: {}", answer.json()));
    let found = header.split(", ").find(|it| it.ends_with(&format!("; rel=\"{relation}\"")))?;
    let url = found.split_once('>').unwrap().0.strip_prefix('<').unwrap();
    let path = url.strip_prefix(SERVICE);
    Some(path.unwrap_or_else(|| panic!("{url} is not at {SERVICE}")).to_owned())
}

/// The filters and orders of a list, each as a query.
async fn filters(world: &World<'_>, operation: &Operation, path: &str) -> Vec<String> {
    let (seq, _) = world.head().await;
    let known = operation.query_parameters();
    let has = |name: &str| known.iter().any(|it| it == name);
    let mut filters = vec![String::new()];
    if has("deleted") {
        filters.extend(["&deleted=with".to_owned(), "&deleted=only".to_owned()]);
    }
    if has("as_of_seq") {
        // The risk and the document in a path are among the latest records.
        let is_late = ["/v1/risks/{", "/v1/documents/{"].iter().any(|it| operation.template.starts_with(it));
        let past = if is_late { seq } else { seq / 2 };
        filters.push(format!("&as_of_seq={past}"));
        filters.extend(has("deleted").then(|| format!("&as_of_seq={past}&deleted=with")));
    }
    let whole = get(world, &format!("{path}?limit=200")).await;
    let rows = whole.json()["data"].as_array().unwrap();
    filters.extend(examples(operation, rows, 2).iter().map(Example::query));
    filters.extend(operation.sorts().into_iter().map(|sort| format!("&sort={sort}")));
    filters
}

/// Every row of a list, in the largest pages.
async fn whole(world: &World<'_>, path: &str, filter: &str) -> Vec<Value> {
    let first = format!("{path}?limit=200{filter}");
    let (mut rows, mut page) = (Vec::new(), get(world, &first).await);
    assert_eq!(link(&page, "first"), Some(first));
    loop {
        rows.extend(page.json()["data"].as_array().unwrap().clone());
        match link(&page, "next") {
            Some(next) => page = get(world, &next).await,
            None => return rows,
        }
    }
}

#[testkit::both_engines]
async fn the_links_lead_through_the_whole_list(app: TestApp) {
    let world = World::new(&app).await;
    let busy = fill(&world).await;
    for operation in lists() {
        let path = path(&operation, &busy);
        for filter in filters(&world, &operation, &path).await {
            let whole = whole(&world, &path, &filter).await;
            let start = get(&world, &format!("{path}?limit=2{filter}")).await;
            let (mut page, mut rows) = (start, Vec::new());
            loop {
                rows.extend(page.json()["data"].as_array().unwrap().clone());
                let first = link(&page, "first").unwrap();
                assert_eq!(first, format!("{path}?limit=2{filter}"), "{operation}");
                let next = link(&page, "next");
                assert_eq!(next.is_some(), page.json()["has_more"] == true, "{operation}{filter}");
                let Some(next) = next else { break };
                let cursor = page.text("next_cursor");
                assert!(next.ends_with(&format!("{filter}&cursor={cursor}")), "{operation}: {next}");
                page = get(&world, &next).await;
            }
            assert_eq!(rows, whole, "{operation}{filter}");
        }
    }
}

#[testkit::both_engines]
async fn a_total_is_what_all_pages_have(app: TestApp) {
    let world = World::new(&app).await;
    let busy = fill(&world).await;
    for operation in lists() {
        let path = path(&operation, &busy);
        for filter in filters(&world, &operation, &path).await {
            let page = get(&world, &format!("{path}?limit=200{filter}")).await;
            assert_eq!(page.json().get("total"), None, "{operation}{filter}");
            let rows = whole(&world, &path, &filter).await.len();
            assert!(rows > 0, "{operation}{filter} is empty");
            let page = get(&world, &format!("{path}?include_total=true&limit=1{filter}")).await;
            assert_eq!(page.json()["total"], rows, "{operation}{filter}");
            // The next page returns the same total, and a cursor is valid with or without the total.
            if let Some(next) = link(&page, "next") {
                assert_eq!(get(&world, &next).await.json()["total"], rows, "{operation}{filter}");
                let without = next.replace("include_total=true&", "");
                assert_eq!(get(&world, &without).await.json().get("total"), None, "{operation}{filter}");
            }
            let without = get(&world, &format!("{path}?include_total=false{filter}")).await;
            assert_eq!(without.json().get("total"), None, "{operation}{filter}");
        }
        for wrong in ["", "1", "yes", "True"] {
            let answer = app.get(&format!("{path}?include_total={wrong}")).bearer(&world.client);
            assert_eq!(answer.expect(400).await.faults(), ["include_total format"], "{operation} {wrong}");
        }
    }
}

/// Another organization's records are not counted.
#[testkit::both_engines]
async fn a_total_stays_in_the_organization(app: TestApp) {
    let (own, other) = (World::new(&app).await, World::other(&app).await);
    let busy = fill(&own).await;
    let totals = async || {
        join_all(lists().iter().map(async |operation| {
            let path = format!("{}?include_total=true", path(operation, &busy));
            get(&own, &path).await.json()["total"].as_i64().unwrap()
        }))
        .await
    };
    let before = totals().await;
    fill(&other).await;
    assert_eq!(totals().await, before);
}

/// A cursor is bound to its filters, but not to the page size.
#[testkit::both_engines]
async fn a_cursor_is_bound_to_filters_but_not_to_limits(app: TestApp) {
    let world = World::new(&app).await;
    let busy = fill(&world).await;
    for operation in lists() {
        let path = path(&operation, &busy);
        let page = get(&world, &format!("{path}?limit=1")).await;
        let cursor = page.text("next_cursor");
        for (limit, rows) in [(1, 1), (2, 2)] {
            let next = get(&world, &format!("{path}?limit={limit}&cursor={cursor}")).await;
            assert_eq!(next.json()["data"].as_array().unwrap().len(), rows, "{operation}");
        }
        for filter in filters(&world, &operation, &path).await.into_iter().filter(|filter| !filter.is_empty())
        {
            let answer = app.get(&format!("{path}?cursor={cursor}{filter}")).bearer(&world.client);
            assert_eq!(answer.expect(400).await.faults(), ["cursor cursor"], "{operation}{filter}");
        }
    }
}
