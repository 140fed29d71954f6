//! What is missing in a record, and what does not fit together.

use super::build::Builder;
use super::record::{Fault, MOST_TITLE, Record, Value};
use crate::columns::field::{Axis, Field, Kind, Stage};
use crate::words::beginning;

pub(super) fn finish(mut builder: Builder<'_>) -> Record {
    compare_scores(&mut builder);
    let kind = builder.settled.proposal.kind;
    let mut record = builder.record;
    title(&mut record, kind);
    let blocks = if kind == Kind::Evaluations { Field::Note } else { Field::Description };
    for (name, text) in builder.blocks {
        record.append(blocks, &format!("**{name}:** {text}"));
    }
    for (field, name) in required(kind) {
        if !record.fields.contains_key(field) && !has_fault(&record, builder.settled.proposal, *field) {
            let row = record.rows.first().copied().unwrap_or(0);
            let column = builder.settled.proposal.columns.iter().find(|column| column.field == *field);
            record.faults.push(Fault {
                row,
                column: column.map(|column| column.index),
                read: String::new(),
                wrong: format!("The {name} is missing."),
                nearest: None,
                is_remark: false,
            });
        }
    }
    record
}

/// What each record of a kind has to have.
fn required(kind: Kind) -> &'static [(Field, &'static str)] {
    const TITLE: [(Field, &str); 1] = [(Field::Title, "title")];
    const INHERENT: [(Field, &str); 3] = [
        (Field::Title, "title"),
        (Field::Rating(Stage::Inherent, Axis::Likelihood), "inherent likelihood"),
        (Field::Rating(Stage::Inherent, Axis::Impact), "inherent impact"),
    ];
    const CURRENT: [(Field, &str); 2] = [
        (Field::Rating(Stage::Current, Axis::Likelihood), "likelihood"),
        (Field::Rating(Stage::Current, Axis::Impact), "impact"),
    ];
    match kind {
        Kind::Risks => &INHERENT,
        Kind::Evaluations => &CURRENT,
        Kind::Incidents | Kind::Tags => &TITLE,
    }
}

/// Whether a value was there, and was wrong.
fn has_fault(record: &Record, proposal: &crate::propose::Proposal, field: Field) -> bool {
    let is_same = |other: Field| match (other, field) {
        (Field::Rating(stage, axis), Field::Rating(wanted, same)) => {
            axis == same && (stage == wanted || matches!(stage, Stage::Single | Stage::Residual))
        }
        _ => other == field,
    };
    record
        .faults
        .iter()
        .filter_map(|fault| fault.column)
        .any(|index| proposal.columns.iter().any(|column| column.index == index && is_same(column.field)))
}

/// A title of one line: a longer one is in the description as well; without one it is the beginning of what says most.
fn title(record: &mut Record, kind: Kind) {
    if let Some(long) = record.text(Field::Title).map(str::to_owned) {
        if long.contains('\n') || long.chars().count() > MOST_TITLE {
            let rest = record.fields.remove(&Field::Description);
            record.append(Field::Description, &long);
            if let Some(Value::Text(rest)) = rest {
                record.append(Field::Description, &rest);
            }
            record.fields.insert(Field::Title, Value::Text(beginning(&long, MOST_TITLE)));
        }
    } else if kind == Kind::Risks {
        let others = [Field::Description, Field::Threat, Field::Vulnerability];
        let text = others.iter().find_map(|field| record.text(*field));
        let asset = record.text(Field::Asset).filter(|_| record.text(Field::Description).is_none());
        let title = match (text, asset) {
            (Some(text), Some(asset)) => format!("{}: {text}", beginning(asset, 80)),
            (Some(text), None) => text.to_owned(),
            (None, _) => return,
        };
        record.fields.insert(Field::Title, Value::Text(beginning(&title, MOST_TITLE)));
    }
}

/// Remarks on scores that are not the product of their factors.
fn compare_scores(builder: &mut Builder<'_>) {
    let factor = |stage: Stage, axis: Axis| {
        let found = builder.factors.iter().find(|(of, same, _)| *of == stage && *same == axis);
        found.map(|(.., number)| *number)
    };
    let mut remarks = Vec::new();
    for (stage, column, score) in &builder.scores {
        let factors = (factor(*stage, Axis::Likelihood), factor(*stage, Axis::Impact));
        let (Some(likelihood), Some(impact)) = factors else { continue };
        let product = likelihood * impact;
        let with_third = product * builder.third.unwrap_or(1.0);
        if (product - score).abs() > 0.005 && (with_third - score).abs() > 0.005 {
            remarks.push(Fault {
                row: builder.record.rows.first().copied().unwrap_or(0),
                column: Some(*column),
                read: score.to_string(),
                wrong: "The score is not likelihood x impact.".to_owned(),
                nearest: Some(product.to_string()),
                is_remark: true,
            });
        }
    }
    builder.record.faults.extend(remarks);
}
