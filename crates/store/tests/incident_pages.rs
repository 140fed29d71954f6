//! Pages of lists of more incidents than a walk through an order looks at first.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use db::{Engine, Tx};
use domain::incident::{NewIncident, Status, Viewer};
use domain::search::SearchQuery;
use domain::{OrgId, Role, UserId};
use store::View;
use store::incidents::{IncidentFilter, IncidentQuery, IncidentSort};
use store::list::{Direction, ListQuery, Sort};
use testkit::{TestDb, author, both_engines};

/// Copies of the first incident: the first half of them has a severity. A walk looks at 8,000 first.
const COPIES: i64 = 18_000;

/// One in so many is new and assigned to nobody.
const FITTING: i64 = 300;

/// What the copies have instead of what the first incident has.
fn differing(column: &str, assignee: &str) -> String {
    match column {
        "number" => "number + n".to_owned(),
        "status" => format!("CASE WHEN n % {FITTING} = 0 THEN 'new' ELSE 'closed' END"),
        "assigned_to" => format!("CASE WHEN n % {FITTING} = 0 THEN NULL ELSE {assignee} END"),
        "severity" => format!("CASE WHEN n <= {} THEN 'high' END", COPIES / 2),
        column => column.to_owned(),
    }
}

/// So many copies are made by one statement, which has a time limit.
const AT_ONCE: i64 = 3_000;

async fn copy(tx: &mut Tx, org: OrgId, table: &str, assignee: UserId) -> db::Result<()> {
    let (columns, assignee) = match tx.engine() {
        Engine::Sqlite => {
            ("SELECT name FROM pragma_table_info($1)", format!("X'{}'", assignee.uuid().simple()))
        }
        Engine::Postgres => (
            "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = $1",
            format!("CAST('{assignee}' AS UUID)"),
        ),
    };
    let columns: Vec<(String,)> = tx.query(columns, &[&table]).await?;
    let names: Vec<&str> = columns.iter().map(|(name,)| name.as_str()).collect();
    let values: Vec<String> = names.iter().map(|name| differing(name, &assignee)).collect();
    let sql = format!(
        "WITH RECURSIVE copies (n) AS
             (SELECT CAST($2 AS BIGINT) UNION ALL SELECT n + 1 FROM copies WHERE n < CAST($3 AS BIGINT))
         INSERT INTO {table} ({}) SELECT {} FROM {table} CROSS JOIN copies
         WHERE organization = $1 AND number = 1",
        names.join(", "),
        values.join(", ")
    );
    for first in (1..=COPIES).step_by(usize::try_from(AT_ONCE).unwrap()) {
        let last = first + AT_ONCE - 1;
        let copied = tx.execute(&sql, &[&org.uuid(), &first, &last]).await?;
        assert_eq!(i64::try_from(copied), Ok(AT_ONCE), "{table}");
    }
    Ok(())
}

async fn fill(db: &TestDb, org: OrgId) {
    let ada = db.user(org, "Ada", "ada@example.org", Role::Responder).await;
    let work = async move |tx: &mut Tx| {
        store::incidents::create(tx, org, &author(), &NewIncident::untitled()).await?;
        store::search::follow(tx, org, 100, None).await?;
        copy(tx, org, "incident", ada).await?;
        copy(tx, org, "search_record", ada).await?;
        Ok::<_, store::Error>(())
    };
    db.write_alone(org, work).await.unwrap();
}

/// The numbers that fit, in this order: without a severity last, equal ones by number.
fn expected(by: IncidentSort, direction: Direction) -> Vec<i64> {
    let fitting = (1..=COPIES).filter(|n| n % FITTING == 0).map(|n| n + 1);
    let mut numbers: Vec<i64> = std::iter::once(1).chain(fitting).collect();
    if direction == Direction::Descending {
        numbers.reverse();
    }
    if by == IncidentSort::Severity {
        numbers.sort_by_key(|number| *number == 1 || *number > COPIES / 2 + 1);
    }
    numbers
}

#[both_engines]
async fn every_page_follows_the_one_before_however_far_the_next_incident_is(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    fill(&db, org).await;
    let none = IncidentFilter::default();
    let filters = [
        IncidentFilter { status: vec![Status::New], ..none.clone() },
        // No index has those without an assignee.
        IncidentFilter { assigned_to: vec![None], ..none.clone() },
        IncidentFilter { status: vec![Status::New], assigned_to: vec![None], ..none },
    ];
    // Every incident is found.
    let searches = [None, Some(SearchQuery::parse("-nothing"))];
    let mut tx = db.read().await.unwrap();
    for (filter, q) in filters.iter().flat_map(|filter| searches.iter().map(move |q| (filter, q))) {
        let filter = IncidentFilter { q: q.clone(), ..filter.clone() };
        for by in IncidentSort::ALL.iter().copied() {
            for direction in [Direction::Ascending, Direction::Descending] {
                let mut query: IncidentQuery = ListQuery {
                    filter: filter.clone(),
                    sort: Sort { by, direction },
                    ..ListQuery::of(View::now())
                };
                let mut found = Vec::new();
                loop {
                    let page =
                        store::incidents::list(&mut tx, org, &Viewer::service(), &query, 50).await.unwrap();
                    query.after = page.rows.last().map(|it| by.position(it));
                    found.extend(page.rows.iter().map(|it| it.number.number()));
                    if !page.has_more {
                        break;
                    }
                }
                assert_eq!(found, expected(by, direction), "{by:?} {direction:?} {filter:?}");
            }
        }
    }
}
