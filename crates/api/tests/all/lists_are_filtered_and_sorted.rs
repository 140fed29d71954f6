//! Every filter of every list returns the rows that fit it, and every order of every list is the order of its rows.

use serde_json::Value;
use testkit::TestApp;

use crate::all::filters::examples;
use crate::all::lists_link_and_count::{fill, get, lists, path};
use crate::all::operations::Operation;
use crate::all::world::World;

/// Every row of a list, page by page.
async fn walk(world: &World<'_>, path: &str, query: &str, limit: usize) -> Vec<Value> {
    let first = format!("{path}?limit={limit}{query}");
    let (mut rows, mut page) = (Vec::new(), get(world, &first).await);
    loop {
        rows.extend(page.json()["data"].as_array().unwrap().clone());
        assert!(rows.len() < 5_000, "{first} does not end");
        match page.json()["next_cursor"].as_str() {
            Some(cursor) => page = get(world, &format!("{first}&cursor={cursor}")).await,
            None => return rows,
        }
    }
}

/// What breaks ties: the number, or the moment of creation.
fn number(row: &Value) -> i64 {
    if row["incident"].is_object() || row["risk"].is_object() {
        // Tasks count per record, and no two are made at the same time.
        let made = domain::time::parse(row["created_date"].as_str().unwrap());
        return made.unwrap().as_microsecond();
    }
    let number = row["seq"].as_i64().or(row["number"].as_i64());
    number.unwrap_or_else(|| row["id"].as_str().unwrap()[4..].parse().unwrap())
}

/// The value that a row is sorted by; none if the row lacks it. Dates are texts of one length.
fn value(row: &Value, by: &str) -> Option<(i64, String)> {
    let value = match by {
        "number" => return Some((number(row), String::new())),
        "current_score" => &row["current"]["score"],
        "severity" => {
            let rank = ["low", "medium", "high", "critical"].iter().position(|word| row[by] == *word);
            return rank.map(|rank| (i64::try_from(rank).unwrap(), String::new()));
        }
        _ => &row[by],
    };
    match value {
        Value::Null => None,
        Value::Number(number) => Some((number.as_i64().unwrap(), String::new())),
        Value::String(text) => Some((0, text.clone())),
        other => panic!("say in this file how {by} sorts {other}"),
    }
}

/// The rows sorted in memory.
fn sorted(rows: &[Value], sort: &str) -> Vec<Value> {
    let by = sort.trim_start_matches('-');
    let (mut present, mut absent): (Vec<Value>, Vec<Value>) =
        rows.iter().cloned().partition(|row| value(row, by).is_some());
    present.sort_by_key(|row| (value(row, by), number(row)));
    absent.sort_by_key(number);
    if sort.starts_with('-') {
        present.reverse();
        absent.reverse();
    }
    // Absent values come last in both directions.
    [present, absent].concat()
}

#[testkit::both_engines]
async fn the_pages_in_each_order_are_the_sorted_rows(app: TestApp) {
    let world = World::new(&app).await;
    let busy = fill(&world).await;
    let sortable: Vec<Operation> = lists().into_iter().filter(|list| !list.sorts().is_empty()).collect();
    assert!(sortable.len() >= 2, "{sortable:?}");
    for operation in sortable {
        let path = path(&operation, &busy);
        let mut views = vec![String::new()];
        if operation.query_parameters().iter().any(|name| name == "as_of_seq") {
            let seq = world.head().await.0;
            views.extend(["&deleted=with".to_owned(), "&deleted=only".to_owned()]);
            views.push(format!("&as_of_seq={}&deleted=with", seq / 2));
        }
        for view in views {
            let rows = walk(&world, &path, &view, 200).await;
            for sort in operation.sorts() {
                let expected = sorted(&rows, sort);
                for limit in [if rows.len() > 100 { 41 } else { 2 }, 200] {
                    let found = walk(&world, &path, &format!("{view}&sort={sort}"), limit).await;
                    assert_eq!(found, expected, "{operation} {sort} {view} {limit}");
                }
            }
        }
    }
}

#[testkit::both_engines]
async fn a_filter_returns_the_rows_that_fit_it(app: TestApp) {
    let world = World::new(&app).await;
    let busy = fill(&world).await;
    let mut filters = 0;
    for operation in lists() {
        let path = path(&operation, &busy);
        let rows = walk(&world, &path, "", 200).await;
        for most in [1, 2] {
            for example in examples(&operation, &rows, most) {
                let expected: Vec<&Value> = rows.iter().filter(|row| example.fits(row)).collect();
                let found = walk(&world, &path, &example.query(), 200).await;
                assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{operation} {example:?}");
                filters += 1;
            }
        }
    }
    assert!(filters >= 24, "the lists have lost their filters: {filters}");
}

/// Two filters together return the rows that fit both.
#[testkit::both_engines]
async fn filters_are_combined_by_and(app: TestApp) {
    let world = World::new(&app).await;
    let busy = fill(&world).await;
    for operation in lists() {
        let path = path(&operation, &busy);
        let rows = walk(&world, &path, "", 200).await;
        let all = examples(&operation, &rows, 1);
        for pair in all.windows(2) {
            let expected: Vec<&Value> =
                rows.iter().filter(|row| pair.iter().all(|example| example.fits(row))).collect();
            let query = format!("{}{}", pair[0].query(), pair[1].query());
            let found = walk(&world, &path, &query, 200).await;
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{operation} {pair:?}");
        }
    }
}
