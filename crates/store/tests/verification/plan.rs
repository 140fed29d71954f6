//! The plan of a query, and which of its steps pass over a whole table.

use std::collections::HashMap;

use db::{Engine, Param, Tx};
use domain::OrgId;

use crate::verification::large::LARGE;

/// Conditions on an index that find one record, or what belongs to one.
const FINDS: &[&str] = &[
    "number=",
    "seq=",
    "subject_id=",
    "risk=",
    "incident=",
    "slug=",
    "document=",
    "proposal=",
    "change_set=",
    "member_group=",
    "person=",
    "actor_id=",
    "client_id=",
    "id=",
];

/// Steps of PostgreSQL that give rows in the order of the first step below them, and no more than are asked for.
const KEEP_ORDER: &[&str] = &["Nested Loop", "GroupAggregate", "Subquery Scan", "Incremental Sort"];

/// The plan of a query.
#[derive(Debug)]
pub(crate) struct Plan {
    engine: Engine,
    /// Whether the query has a limit.
    is_limited: bool,
    steps: Vec<Step>,
}

/// A step of a plan: how deep it is below the others, and what it does.
#[derive(Debug)]
struct Step {
    depth: usize,
    text: String,
}

impl Plan {
    pub(crate) async fn of(tx: &mut Tx, org: OrgId, sql: &str) -> Self {
        let engine = tx.engine();
        let steps = match engine {
            Engine::Sqlite => steps_of_sqlite(tx, sql).await,
            Engine::Postgres => steps_of_postgres(tx, org, sql).await,
        };
        Self { engine, is_limited: sql.contains("LIMIT"), steps }
    }

    /// The steps that pass over a table.
    pub(crate) fn passes(&self) -> Vec<&str> {
        let passes = self.steps.iter().enumerate().filter(|(place, step)| {
            let finds = FINDS.iter().any(|condition| step.text.contains(condition));
            self.reads_table(step) && !finds && !self.is_page(*place)
        });
        passes.map(|(_, step)| step.text.as_str()).collect()
    }

    /// Whether it reads incidents by this index alone, and in its order; PostgreSQL may sort where it expects few. SQLite does
    /// not call an index with an expression covering, but then reads a row only for what the index lacks. The incidents are
    /// called `r`; the greatest number is read beside them where a page is not full.
    pub(crate) fn reads_only_index(&self, index: &str) -> bool {
        let reads = |step: &&Step| step.text.starts_with("SEARCH r ") || step.text.contains(" on incident r");
        let sorts = |step: &Step| step.text.starts_with("USE TEMP B-TREE");
        let is_wanted = |step: &Step| match self.engine {
            Engine::Sqlite => step.text.contains(&format!("INDEX {index} ")),
            Engine::Postgres => {
                step.text.starts_with("Index Only Scan")
                    && step.text.contains(&format!(" using {index} on incident "))
            }
        };
        let mut all = self.steps.iter().filter(reads).peekable();
        all.peek().is_some() && all.all(is_wanted) && !self.steps.iter().any(sorts)
    }

    fn reads_table(&self, step: &Step) -> bool {
        let words: Vec<&str> = step.text.split(' ').collect();
        match self.engine {
            // What was made before, in this query, is read whole.
            Engine::Sqlite => match words.as_slice() {
                // It has one row for each organization.
                ["SEARCH", "organization_head" | "search_progress", ..] => false,
                ["SEARCH", ..] => true,
                ["SCAN", "json_each" | "CONSTANT", ..] => false,
                ["SCAN", name, ..] => !self.steps.iter().any(|other| {
                    other.text == format!("CO-ROUTINE {name}") || other.text == format!("MATERIALIZE {name}")
                }),
                _ => false,
            },
            Engine::Postgres => {
                let table = words.iter().position(|word| *word == "on").and_then(|on| words.get(on + 1));
                table.is_some_and(|table| LARGE.iter().any(|(large, _)| large == table))
            }
        }
    }

    /// Whether the limit of the query ends the step: it is the outermost, and its rows are not sorted.
    fn is_page(&self, place: usize) -> bool {
        let (before, after) = self.steps.split_at(place);
        let mut depth = after[0].depth;
        match self.engine {
            Engine::Sqlite => {
                let level = after.iter().take_while(|other| other.depth >= depth);
                let mut level = level.filter(|other| other.depth == depth);
                let is_first = before.last().is_none_or(|other| other.depth < depth);
                self.is_limited && is_first && !level.any(|other| other.text.starts_with("USE TEMP B-TREE"))
            }
            Engine::Postgres => {
                for other in before.iter().rev() {
                    let keeps_order = KEEP_ORDER.iter().any(|name| other.text.starts_with(name));
                    match other.text.as_str() {
                        _ if other.depth > depth => {}
                        // Another step at its level comes before it.
                        _ if other.depth == depth => return false,
                        "Limit" => return true,
                        _ if keeps_order => depth = other.depth,
                        _ => return false,
                    }
                }
                false
            }
        }
    }
}

async fn steps_of_sqlite(tx: &mut Tx, sql: &str) -> Vec<Step> {
    let count = (1..).take_while(|number| sql.contains(&format!("${number}"))).count();
    let nothing = vec![None::<i64>; count];
    let params: Vec<&dyn Param> = nothing.iter().map(|it| -> &dyn Param { it }).collect();
    let rows: Vec<(i64, i64, i64, String)> =
        tx.query(&format!("EXPLAIN QUERY PLAN {sql}"), &params).await.unwrap();
    let mut depths = HashMap::from([(0, 0)]);
    let step = |(id, parent, _, text): (i64, i64, i64, String)| {
        let depth = depths[&parent] + 1;
        depths.insert(id, depth);
        Step { depth, text }
    };
    rows.into_iter().map(step).collect()
}

/// The plan with values, which PostgreSQL estimates better than parameters.
async fn steps_of_postgres(tx: &mut Tx, org: OrgId, sql: &str) -> Vec<Step> {
    let types = "SELECT array_to_string(CAST(parameter_types AS TEXT[]), ',') FROM pg_prepared_statements
        WHERE statement = $1";
    let (types,): (String,) = tx.query_one(types, &[&sql]).await.unwrap();
    let types: Vec<&str> = types.split(',').collect();
    let mut text = sql.to_owned();
    for (number, kind) in types.iter().enumerate().map(|(place, kind)| (place + 1, *kind)).rev() {
        let value = match kind {
            "uuid" => format!("CAST('{}' AS UUID)", org.uuid()),
            "bigint" => "200".to_owned(),
            "boolean" => "FALSE".to_owned(),
            "text" if sql.contains(&format!("CAST(CAST(${number} AS TEXT) AS JSON)")) => "'[200]'".to_owned(),
            "text" if sql.contains(&format!("CAST(CAST(${number} AS TEXT) AS BIGINT[])")) => {
                "'{200}'".to_owned()
            }
            "text" => "'incident'".to_owned(),
            _ => "CAST('2026-01-01T00:00:00Z' AS TIMESTAMPTZ)".to_owned(),
        };
        text = text.replace(&format!("${number}"), &value);
    }
    let lines: Vec<(String,)> = tx.query(&format!("EXPLAIN (COSTS OFF) {text}"), &[]).await.unwrap();
    let mut steps: Vec<Step> = Vec::new();
    for (line,) in lines {
        let text = line.trim_start();
        let depth = line.len() - text.len();
        match (text.strip_prefix("->  "), steps.last_mut()) {
            (Some(node), _) => steps.push(Step { depth, text: node.to_owned() }),
            (None, None) => steps.push(Step { depth, text: text.to_owned() }),
            (None, Some(step)) if text.starts_with("Index Cond") => {
                step.text += &format!(" {}", text.replace(' ', ""));
            }
            _ => {}
        }
    }
    steps
}
