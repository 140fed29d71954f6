//! Examples of the filters of lists, made from the parameters that the document describes and the rows that there are.

use serde_json::Value;

use crate::all::operations::Operation;

/// The parameters that choose no rows, or have tests of their own.
const OTHERS: &[&str] = &[
    "acceptance",
    "after",
    "as_of",
    "as_of_seq",
    "cursor",
    "decider",
    "decision",
    "deleted",
    "due",
    "expiring",
    "evaluation",
    "fields",
    "group",
    "include_total",
    "invalid",
    "limit",
    "measured",
    "member",
    "missing",
    "open",
    "q",
    "risk",
    "sort",
    "tag_mode",
    "time_zone",
    "waiting_for",
];

/// Filters of members that few records have: a list may be without them.
const SELDOM_SET: &[&str] = &[
    "band",
    "external_source",
    "external_ref",
    "resolved_from",
    "resolved_to",
    "closed_from",
    "closed_to",
    "evaluated_from",
    "evaluated_to",
    "next_review_from",
    "next_review_to",
    "evaluation",
    "review",
];

/// A filter with values that some of the rows have.
#[derive(Debug)]
pub(crate) struct Example {
    pub(crate) name: String,
    values: Vec<String>,
}

impl Example {
    /// The filter as a query, each value encoded.
    pub(crate) fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.values.iter().map(|value| (self.name.as_str(), value)));
        format!("&{}", query.finish())
    }

    /// Whether the filter lets this row through.
    pub(crate) fn fits(&self, row: &Value) -> bool {
        let own = values(row, &self.name);
        match time_of(&self.name) {
            Some((_, End::From)) => own.iter().any(|at| *at >= self.values[0]),
            Some((_, End::To)) => own.iter().any(|at| *at < self.values[0]),
            None => own.iter().any(|value| self.values.contains(value)),
        }
    }
}

/// One example for each filter of a list, with the values of up to `most` different rows.
pub(crate) fn examples(operation: &Operation, rows: &[Value], most: usize) -> Vec<Example> {
    let is_set =
        |name: &str| !SELDOM_SET.contains(&name) || rows.iter().any(|row| !values(row, name).is_empty());
    let names = operation
        .query_parameters()
        .into_iter()
        .filter(|name| !OTHERS.contains(&name.as_str()) && is_set(name) && !is_day(operation, name));
    let example = |name: String| {
        let mut found: Vec<String> = Vec::new();
        for value in rows.iter().flat_map(|row| values(row, &name)) {
            if !found.contains(&value) {
                found.push(value);
            }
        }
        assert!(!found.is_empty(), "{operation}: no row has a value for {name}");
        found.truncate(most);
        if ["pinned", "shared"].contains(&name.as_str()) {
            found.truncate(1);
        }
        match time_of(&name) {
            // So that they let most rows through, and not all.
            Some((_, End::From)) => found = found.iter().min().cloned().into_iter().collect(),
            Some((_, End::To)) => found = found.iter().max().cloned().into_iter().collect(),
            None => {}
        }
        Example { name, values: found }
    };
    names.map(example).collect()
}

/// Whether a parameter is a day, between whose ends changes are told.
fn is_day(operation: &Operation, name: &str) -> bool {
    operation.template == "/v1/risks/changes" && ["from", "to"].contains(&name)
}

enum End {
    From,
    To,
}

/// The member that a range of times is about, and which end of the range the parameter is.
fn time_of(name: &str) -> Option<(&'static str, End)> {
    match name {
        "from" => Some(("at", End::From)),
        "to" => Some(("at", End::To)),
        "detected_from" => Some(("detected_date", End::From)),
        "detected_to" => Some(("detected_date", End::To)),
        "created_from" => Some(("created_date", End::From)),
        "created_to" => Some(("created_date", End::To)),
        "resolved_from" => Some(("resolved_date", End::From)),
        "resolved_to" => Some(("resolved_date", End::To)),
        "closed_from" => Some(("closed_date", End::From)),
        "closed_to" => Some(("closed_date", End::To)),
        "evaluated_from" => Some(("evaluated_at", End::From)),
        "evaluated_to" => Some(("evaluated_at", End::To)),
        "next_review_from" => Some(("next_review_date", End::From)),
        "next_review_to" => Some(("next_review_date", End::To)),
        "updated_since" => Some(("updated_date", End::From)),
        _ => None,
    }
}

/// The values of a row that a filter compares.
fn values(row: &Value, name: &str) -> Vec<String> {
    if let Some((member, _)) = time_of(name) {
        // A link shows the date of the incident at its other end.
        let row = row.get("record").unwrap_or(row);
        // A risk has the date of its latest evaluation in `current`.
        let row = if member == "evaluated_at" { &row["current"] } else { row };
        return row[member].as_str().map(str::to_owned).into_iter().collect();
    }
    let value = match name {
        "band" => &row["current"]["band"],
        "subject_kind" => &row["subject"]["kind"],
        "subject_id" => &row["subject"]["id"],
        "actor" => &row["actor"]["id"],
        "owner" | "assigned_to" if row[name].is_null() => return vec!["none".to_owned()],
        "owner" | "assigned_to" => &row[name]["id"],
        // A risk lacks an evaluation, or is due for review within 30 days.
        "evaluation" if row["current"].is_null() => return vec!["never".to_owned()],
        "evaluation" => return Vec::new(),
        "review" if row.get("evaluate_every_days").is_some() && row["next_review_date"].is_null() => {
            return Vec::new();
        }
        "review" if row.get("evaluate_every_days").is_some() => return vec!["due_30".to_owned()],
        // No review of a document is overdue here.
        "review" if row["next_review_date"].is_null() => return vec!["none".to_owned()],
        "review" => return vec!["scheduled".to_owned()],
        "control" => {
            let controls = row["controls"].as_array().unwrap();
            return controls.iter().map(|it| it.as_str().unwrap().to_owned()).collect();
        }
        "tag" => {
            let tags = row["tags"].as_array().unwrap();
            return tags.iter().map(|tag| tag["id"].as_str().unwrap().to_owned()).collect();
        }
        _ => &row[name],
    };
    if let Some(truth) = value.as_bool() {
        return vec![truth.to_string()];
    }
    assert!(value.is_string() || value.is_null(), "say in this file what {name} compares in {row}");
    value.as_str().map(str::to_owned).into_iter().collect()
}
