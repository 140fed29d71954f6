//! Ratings that evaluations bring to their risks.

use db::{Tx, Value};
use domain::OrgId;
use domain::risk::{Rating, Risk};

use crate::ledger::error::Result;
use crate::ledger::record::{self, Record as _};

/// The columns that differ from the stored row, apart from `updated_date`, which all states of a write have in common.
const RATED: [&str; 7] = [
    "inherent_likelihood",
    "inherent_impact",
    "target_likelihood",
    "target_impact",
    "scale_version",
    "version",
    "seq_from",
];

/// Writes the states that risks get one after the other in this write, by number and then by entry. The number of statements
/// does not grow with that of the states.
pub(crate) async fn save_ratings(tx: &mut Tx, organization: OrgId, states: &[&Risk]) -> Result<()> {
    let (mut ended, mut between, mut last) = (Vec::new(), Vec::new(), Vec::new());
    for of_one in states.chunk_by(|one, next| one.number == next.number) {
        ended.extend(of_one.first().map(|risk| vec![risk.number.number().into(), risk.seq_from.into()]));
        last.extend(of_one.last().map(|risk| with(values(risk), risk.updated_date.into())));
        let replaced = of_one.iter().zip(of_one.iter().skip(1));
        between.extend(replaced.map(|(risk, next)| with(values(risk), next.seq_from.into())));
    }
    let all = [
        (Risk::statements().keep_history.clone(), ended),
        (update(), last),
        // The stored row is the last state now, whose other columns are those of the ones between.
        (keep_between(), between),
    ];
    for (sql, rows) in all {
        if !rows.is_empty() {
            record::send_values::<Risk>(tx, organization, &sql, &rows).await?;
        }
    }
    Ok(())
}

/// The number of a risk, and the values of [`RATED`].
fn values(risk: &Risk) -> Vec<Value<'static>> {
    let level = |level: fn(Rating) -> i64| risk.target.map_or(Value::Null, |target| level(target).into());
    vec![
        risk.number.number().into(),
        risk.inherent.likelihood.into(),
        risk.inherent.impact.into(),
        level(|target| target.likelihood),
        level(|target| target.impact),
        risk.scale_version.into(),
        risk.version.into(),
        risk.seq_from.into(),
    ]
}

fn with(mut values: Vec<Value<'static>>, value: Value<'static>) -> Vec<Value<'static>> {
    values.push(value);
    values
}

/// Overwrites the ratings of a risk.
fn update() -> String {
    let rated: Vec<_> = (3..).zip(RATED).map(|(place, name)| format!("{name} = ${place}")).collect();
    format!(
        "UPDATE risk SET {}, updated_date = $10 WHERE organization = $1 AND number = $2",
        rated.join(", ")
    )
}

/// Copies the row of a risk to the history with these ratings.
fn keep_between() -> String {
    let stored = &Risk::statements().stored;
    let read = |column: &str| match RATED.iter().position(|name| column.strip_prefix("r.") == Some(name)) {
        Some(place) => format!("CAST(${} AS BIGINT)", place + 3),
        None => column.to_owned(),
    };
    format!(
        "INSERT INTO risk_history ({}, seq_to)
         SELECT {}, CAST($10 AS BIGINT) FROM risk AS r WHERE r.organization = $1 AND r.number = $2",
        stored.replace("r.", ""),
        stored.split(", ").map(read).collect::<Vec<_>>().join(", ")
    )
}
